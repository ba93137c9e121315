import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSite } from '../../../examples/site/build.ts';
import { commands } from './command-list.ts';
import { type StaticServer, serveFolder } from './commands/demo/static-server.ts';
import { run } from './program.ts';
import { recordingTerminal } from './testing/recorder.ts';

// Each file in `transcripts/` is a page that a person can read: commands, what they print, how they exit. The commands
// run in an empty folder against the example site, which is at SITE. `UPDATE_TRANSCRIPTS=1` writes the files anew.

const folder = fileURLToPath(new URL('../transcripts/', import.meta.url));
let server: StaticServer;
let files: string;
let site: string;

beforeAll(async () => {
	files = mkdtempSync(join(tmpdir(), 'wayleave-site-'));
	buildSite(files, 'https://tidemark.example');
	server = await serveFolder(files, { origin: 'https://tidemark.example' });
	site = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

it.each(readdirSync(folder).filter((name) => name.endsWith('.md')))('%s', async (name) => {
	const path = join(folder, name);
	const wanted = readFileSync(path, 'utf8');
	const actual = await replay(wanted, mkdtempSync(join(tmpdir(), 'wayleave-run-')));
	if (process.env.UPDATE_TRANSCRIPTS) writeFileSync(path, actual);
	else expect(actual).toBe(wanted);
});

/** What a user may have on disk. */
function savePages(cwd: string): void {
	const pages = join(cwd, 'pages');
	mkdirSync(pages);
	copyFileSync(join(files, 'docs/wiring/index.html'), join(pages, 'wiring.html'));
	writeFileSync(join(pages, 'empty.html'), '');
	writeFileSync(join(pages, 'picture.html'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]));
	writeFileSync(join(pages, 'bare.html'), '<p>A page without an address.</p>');
}

/** The same page, with the output that the commands print now. */
async function replay(page: string, cwd: string): Promise<string> {
	savePages(cwd);
	const parts = page.split(/^(```console\n[\s\S]*?^```$)/m);
	const done: string[] = [];
	for (const part of parts) {
		if (!part.startsWith('```console\n')) {
			done.push(part);
			continue;
		}
		const lines = part.split('\n').filter((line) => line.startsWith('$ '));
		const outputs = [];
		for (const line of lines) outputs.push(`${line}\n${await output(line.slice(2), cwd)}`);
		done.push(`\`\`\`console\n${outputs.join('')}\`\`\``);
	}
	return done.join('');
}

async function output(line: string, cwd: string): Promise<string> {
	const [program, ...argv] = line.replaceAll('SITE', site).split(/\s+/);
	if (program === 'cat') return settle(readFileSync(join(cwd, argv[0]!), 'utf8'), cwd);
	expect(program).toBe('wayleave');
	const terminal = recordingTerminal(cwd);
	const exitCode = await run(argv, terminal, commands);
	const end = exitCode === 0 ? '' : `[exit ${exitCode}]\n`;
	return settle(terminal.screen(), cwd) + end;
}

/** Takes out what differs from run to run. */
function settle(text: string, cwd: string): string {
	const settled = text
		.replaceAll(site, 'SITE')
		.replaceAll(`127.0.0.1:${server.port}`, 'SITE')
		.replaceAll(cwd, '.')
		// How far a crawl is, told every ten seconds: on a quick machine it is over before.
		.replace(/^[\d,]+ pages? done, .*\n/gm, '')
		.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
		.replace(/ in \d+(?:\.\d+ s|:\d\d)/g, ' in DURATION')
		.replace(/\b\d+(?:\.\d+)? k?B\b/g, 'SIZE')
		.replace(/ETag "\w+"/g, 'ETag TAG')
		// Told now and then by a crawl that takes its time.
		.replace(/^\d+ pages? done, .*\n/gm, '');
	return settled === '' || settled.endsWith('\n') ? settled : `${settled}\n`;
}
