#!/usr/bin/env node
import { asksForRootHelp, rootHelp } from './cli/root-help.ts';
import { commands } from './commands/index.ts';
import { processTerminal } from './process-terminal.ts';

const argv = process.argv.slice(2);
const terminal = processTerminal();
if (asksForRootHelp(argv)) terminal.out(rootHelp(commands, terminal.columns));
else {
	const { run } = await import('./program.ts');
	process.exitCode = await run(argv, terminal, commands);
}
