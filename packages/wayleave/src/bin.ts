#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { asksForRootHelp, rootHelp } from './cli/root-help.ts';
import { commands } from './command-list.ts';
import { processTerminal } from './terminal/process-terminal.ts';

// The client for object storage warns on every run that its next versions need a newer Node.js.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const argv = process.argv.slice(2);
const terminal = processTerminal();
if (asksForRootHelp(argv)) terminal.out(rootHelp(commands, terminal.columns));
else {
	// A process that reads one page ends before it pays that V8 optimizes functions as early as Node 20 does (after 66 kB
	// of executed bytecode): with this `npm run bench:startup` shows a sixth less. Later versions of V8 lack the flag.
	const readsOnePage = argv.some((word) => word === 'fetch' || word === 'som');
	if (readsOnePage && process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=800000');
	const { run } = await import('./program.ts');
	process.exitCode = await run(argv, terminal, commands);
}
