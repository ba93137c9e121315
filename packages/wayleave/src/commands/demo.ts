import { Command } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type AllowHostFlags, withAllowHost } from '../options/allow-host.ts';
import { wholeNumber } from '../options/numbers.ts';

const work = () => import('../actions/demo.ts');

export interface DemoFlags extends AllowHostFlags {
	site?: string;
	port?: number;
	out: string;
	json?: boolean;
}

export const demoCommand: CommandFactory = (terminal, done) =>
	withAllowHost(new Command('demo'), 'the site')
		.option('--site <DIR>', 'serve this folder instead of the example site')
		.option('--port <N>', 'port of the server (default: any free port)', wholeNumber(0))
		.option('-o, --out <DIR>', 'where documents and state are written, in a folder per port', '.demo')
		.option('--json', 'print one event per line to stdout as JSON, instead of a progress display')
		.action(async (flags: DemoFlags) => done(await (await work()).runDemo(flags, terminal)));
