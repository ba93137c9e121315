import { commandTree } from '../cli/command-tree.ts';
import { completionScript } from '../cli/completion.ts';
import type { shells } from '../cli/shells.ts';
import { exitCodes, type Terminal } from '../command.ts';
import { commands } from '../commands/index.ts';

export async function runCompletion(shell: (typeof shells)[number], terminal: Terminal): Promise<number> {
	terminal.out(completionScript(shell, await commandTree(commands)));
	return exitCodes.ok;
}
