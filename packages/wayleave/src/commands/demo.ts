import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { type CommandFactory, type Terminal, UsageError } from '../command.ts';
import { serveFolder } from '../demo/static-server.ts';
import { wholeNumber } from '../options/numbers.ts';
import { run } from '../program.ts';
import { commands } from './index.ts';

interface DemoFlags {
	site?: string;
	port: number;
	out: string;
}

/** What the pages of the example site call themselves. */
const siteOrigin = 'https://tidemark.example';
/** The example site, packed beside the program. */
const packedSite = fileURLToPath(new URL('../../site/', import.meta.url));

export const demoCommand: CommandFactory = (terminal, done) =>
	new Command('demo')
		.option('--site <DIR>', 'another folder to serve instead of the packed one')
		.option('--port <N>', 'port of the server (default: any free one)', wholeNumber(0), 0)
		.option('--out <DIR>', 'where documents and state go', '.demo')
		.action(async (flags: DemoFlags) => done(await runDemo(flags, terminal)));

async function runDemo(flags: DemoFlags, terminal: Terminal): Promise<number> {
	const site = flags.site ?? packedSite;
	if (!existsSync(site))
		throw new UsageError(`there is no site at ${site}: name one with --site (in a checkout, npm run demo makes it)`);
	const server = await serveFolder(site, { port: flags.port, origin: siteOrigin });
	const address = `http://127.0.0.1:${server.port}/`;
	// The state is kept apart by port: another port is another site, and a fixed one can be refreshed.
	const line = [
		'crawl',
		address,
		'--delay',
		'0.05',
		'--out',
		`${flags.out}/pages.jsonl`,
		'--out',
		`${flags.out}/pages/`,
	];
	line.push('--store', `sqlite:${flags.out}/state-${server.port}.db`);
	terminal.err(`serving ${site} at ${address}\n$ wayleave ${line.join(' ')}\n`);
	try {
		return await run(line, terminal, commands);
	} finally {
		await server.close();
	}
}
