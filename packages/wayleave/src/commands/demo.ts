import { Command } from 'commander';
import type { CommandFactory } from '../command.ts';
import { wholeNumber } from '../options/numbers.ts';

const work = () => import('../actions/demo.ts');

export interface DemoFlags {
	site?: string;
	port?: number;
	out: string;
	json?: boolean;
}

export const demoCommand: CommandFactory = (terminal, done) =>
	new Command('demo')
		.option('--site <DIR>', 'another folder to serve instead of the packed one')
		.option('--port <N>', 'port of the server (default: any free one)', wholeNumber(0))
		.option('-o, --out <DIR>', 'where documents and state go, by port', '.demo')
		.option('--json', 'one event per line on stdout instead of a display')
		.action(async (flags: DemoFlags) => done(await (await work()).runDemo(flags, terminal)));
