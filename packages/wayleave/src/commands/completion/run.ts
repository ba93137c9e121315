import { commandTree } from '../../cli/command-tree.ts';
import { type CommandEntry, exitCodes, type Terminal } from '../../terminal/command.ts';
import { completionScript } from './script.ts';
import type { shells } from './shells.ts';

export async function runCompletion(
	shell: (typeof shells)[number],
	commands: readonly CommandEntry[],
	terminal: Terminal,
): Promise<number> {
	terminal.out(completionScript(shell, await commandTree(commands)));
	return exitCodes.ok;
}
