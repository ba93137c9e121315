import { existsSync } from 'node:fs';
import { readableFolder } from '../../shared/options/read-named.ts';
import { refuseStdout } from '../../shared/output/write-file.ts';
import { type CommandLine, type Terminal, UsageError } from '../../terminal/command.ts';
import { packageFile } from '../../terminal/package-files.ts';
import type { DemoFlags } from './flags.ts';
import { serveFolder } from './static-server.ts';

/** Origin that the pages of the example site use. */
const siteOrigin = 'https://tidemark.example';
/** The example site, packed with the program. */
const packedSite = packageFile('site');

export async function runDemo(
	flags: DemoFlags,
	{ run }: Pick<CommandLine, 'run'>,
	terminal: Terminal,
): Promise<number> {
	refuseStdout(flags.out);
	const site = flags.site === undefined ? packedSite : readableFolder(flags.site, terminal.cwd);
	if (!existsSync(site))
		throw new UsageError(
			`no site found at ${site}: name a folder with --site, or build the example in a checkout with npm run site`,
		);
	const server = await serveFolder(site, { port: flags.port ?? 0, origin: siteOrigin, allowHosts: flags.allowHost });
	const address = `http://127.0.0.1:${server.port}/`;
	// Another port is another site, with files of its own; a fixed one can be refreshed.
	const folder = `${flags.out}/${server.port}`;
	const outputs = ['--out', `${folder}/pages.jsonl`, '--out', `${folder}/pages/`];
	const line = ['crawl', address, '--delay', '0.05', ...outputs, '--store', `sqlite:${folder}/state.db`];
	if (flags.json) line.push('--json');
	terminal.note(`serving ${site} at ${address}\n$ wayleave ${line.join(' ')}\n`);
	try {
		return await run(line, terminal);
	} finally {
		await server.close();
	}
}
