import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';
import { type StaticServer, serveFolder } from '../demo/static-server.ts';

const words = 'Words that only a script writes. '.repeat(30);
const app = `<!doctype html><title>App</title><body><div id="root"></div><script>
document.getElementById('root').innerHTML = '<h1>Tides</h1><p>${words}</p>';</script>`;

let server: StaticServer;
beforeAll(async () => {
	const site = mkdtempSync(join(tmpdir(), 'wayleave-fetch-'));
	writeFileSync(join(site, 'index.html'), app);
	server = await serveFolder(site, { origin: 'https://app.example' });
});
afterAll(() => server.close());

async function output(command: string, ...flags: string[]) {
	const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-fetch-')));
	const exitCode = await run(
		[command, `http://127.0.0.1:${server.port}/`, '--delay', '0', ...flags],
		terminal,
		commands,
	);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

it.each(['fetch --format json', 'fetch --format markdown', 'fetch --format som', 'som'])(
	'%s of a page that its scripts make says what is missing and what to do',
	async (line) => {
		const [command, ...flags] = line.split(' ') as [string, ...string[]];
		const empty = await output(command, ...flags);
		expect(empty.exitCode).toBe(1);
		expect(empty.stderr).toContain('needs-rendering');
		expect(empty.stderr).toContain('--render auto');
		const full = await output(command, ...flags, '--render', 'auto');
		expect(full).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('no content') });
		expect(full.stdout).toContain('Words that only a script writes.');
	},
);

it('a page without text is not stored: --render fetches it again', async () => {
	const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-fetch-')), 'pages.db')}`;
	await output('fetch', '--store', store);
	const anew = await output('fetch', '--store', store, '--render', 'auto');
	expect(anew).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Words that only a script writes.') });
});

it('says in words what the site asks, and names what has no lines without one', async () => {
	const site = mkdtempSync(join(tmpdir(), 'wayleave-fetch-'));
	writeFileSync(join(site, 'index.html'), '<title>Home</title><h1>Home</h1><p>Words.</p>');
	writeFileSync(
		join(site, 'robots2.txt'),
		'crawl: yes\nread: yes\nstore: session-only\ntrain: ask\nquote: short-only\nattribution: required\nrate: 600\n',
	);
	const own = await serveFolder(site, { origin: 'https://terms.example' });
	const terminal = recordingTerminal(site);
	const fetch = (...flags: string[]) =>
		run(['fetch', `http://127.0.0.1:${own.port}/`, '--delay', '0', ...flags], terminal, commands);
	expect(await fetch()).toBe(0);
	expect(terminal.stderr()).toBe(
		[
			'terms of the site: credit to the source: required',
			'terms of the site: at most 600 requests a minute',
			'terms of the site: at most 49 words of the source in one quote',
			'terms of the site: nothing may be kept after the session: not on disk, in a database or in an index',
			'',
		].join('\n'),
	);
	expect(await fetch('--use', 'train')).toBe(1);
	expect(terminal.stderr()).toContain('/robots2.txt:4  train: ask\n');
	expect(terminal.stderr()).toMatch(/\/robots2-ask\?\S+agent=\S+\d {2}/);
	expect(terminal.stderr()).not.toContain(':0  ');
	await own.close();
});

it.skipIf(platform === 'win32')('a browser that does not start is told, once', async () => {
	const chromium = join(mkdtempSync(join(tmpdir(), 'wayleave-fetch-')), 'chromium');
	writeFileSync(chromium, '#!/bin/sh\nexit 1\n');
	chmodSync(chromium, 0o755);
	const render = ['--render', 'always', '--chromium', chromium];
	const page = await output('fetch', ...render);
	expect(page).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the browser could not render the page') });
	const site = await output('crawl', ...render);
	expect(
		site.stderr.match(/the browser could not render http:\/\/127\.0\.0\.1:\d+\/; its HTML was parsed as sent/g),
	).toHaveLength(1);
});

it.each(['fetch --format som', 'som'])(
	'%s of a PDF file says that only HTML pages have a SOM document',
	async (line) => {
		const report = readFileSync(new URL('../../../../files/src/testing/fixtures/tagged.pdf', import.meta.url));
		const site = createServer((request, response) =>
			request.url === '/report.pdf'
				? response.writeHead(200, { 'content-type': 'application/pdf' }).end(report)
				: response.writeHead(404).end(),
		);
		await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
		const [command = '', ...flags] = line.split(' ');
		const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-fetch-')));
		const { port } = site.address() as AddressInfo;
		const exitCode = await run(
			[command, `http://127.0.0.1:${port}/report.pdf`, '--delay', '0', ...flags],
			terminal,
			commands,
		);
		site.close();
		expect({ exitCode, stdout: terminal.stdout() }).toEqual({ exitCode: 2, stdout: '' });
		expect(terminal.stderr()).toContain(
			'report.pdf is a file of type PDF, and SOM documents are made from HTML pages only',
		);
	},
);
