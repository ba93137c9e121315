import { Command } from 'commander';
import { withAllowHost } from '../../shared/options/allow-host.ts';
import { wholeNumber } from '../../shared/options/numbers.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { DemoFlags } from './flags.ts';

const work = () => import('./run.ts');

export const demoCommand: CommandFactory = (terminal, done, commandLine) =>
	withAllowHost(new Command('demo'), 'the site')
		.option('--site <DIR>', 'serve this folder instead of the example site')
		.option('--port <N>', 'port of the server (default: any free port)', wholeNumber(0))
		.option('-o, --out <DIR>', 'where documents and state are written, in a folder per port', '.demo')
		.option('--json', 'print one event per line to stdout as JSON, instead of a progress display')
		.action(async (flags: DemoFlags) => done(await (await work()).runDemo(flags, commandLine, terminal)));
