import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Terminal, UsageError } from '../command.ts';
import type { DemoFlags } from '../commands/demo.ts';
import { commands } from '../commands/index.ts';
import { serveFolder } from '../demo/static-server.ts';
import { readableFolder } from '../options/read-named.ts';
import { refuseStdout } from '../output/write-file.ts';
import { run } from '../program.ts';

/** What the pages of the example site call themselves. */
const siteOrigin = 'https://tidemark.example';
/** The example site, packed beside the program. */
const packedSite = fileURLToPath(new URL('../../site/', import.meta.url));

export async function runDemo(flags: DemoFlags, terminal: Terminal): Promise<number> {
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
		return await run(line, terminal, commands);
	} finally {
		await server.close();
	}
}
