import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

interface Site {
	readonly url: string;
	readonly log: { path: string; at: number; agent: string | undefined }[];
	robots: string;
}

const sentence = 'A sentence of this page that says something about the harbour and its lights. ';
const page = `<!doctype html><html lang="en"><title>T</title><nav><a href="/1">One</a><a href="/2">Two</a></nav>
<main><h1>T</h1><p>${sentence.repeat(30)}</p></main><footer><a href="/imprint">Imprint</a></footer></html>`;

const opened: Server[] = [];
afterAll(() => {
	for (const server of opened) server.close().closeAllConnections();
});

/** A server of its own for each test: those that wait for the pace of the crawler wait side by side. */
async function openSite(): Promise<Site> {
	const log: Site['log'] = [];
	const server = createServer(({ url = '', headers }, response) => {
		log.push({ path: url, at: Date.now(), agent: headers['user-agent'] });
		if (url === '/robots.txt' && site.robots !== '') return void response.end(site.robots);
		if (url !== '/') return void response.writeHead(404).end();
		response.setHeader('Content-Type', 'text/html');
		if (headers.cookie === undefined) response.end(page);
	}).listen(0, '127.0.0.1');
	opened.push(server);
	await once(server, 'listening');
	const site: Site = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, log, robots: '' };
	return site;
}

async function type(line: string) {
	const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-waiting-')));
	const exit = await run(line.split(' '), terminal, commands);
	return { exit, out: terminal.stdout(), err: terminal.stderr() };
}

const gaps = ({ log }: Site) => log.slice(1).map(({ at }, index) => at - log[index]!.at);
const paths = ({ log }: Site) => log.map(({ path }) => path);

describe.concurrent('one page of a site, at the pace of the crawler', () => {
	it('U2-37: fetch says after a second what it waits for, once, on stderr', async ({ expect }) => {
		const site = await openSite();
		const { exit, out, err } = await type(`fetch ${site.url} --format markdown`);
		expect(exit).toBe(0);
		expect(err.match(/waiting 2 s between requests to 127\.0\.0\.1/g)).toHaveLength(1);
		expect(out).not.toContain('waiting');
		expect(paths(site)).toEqual(['/robots.txt', '/robots2.txt', '/']);
	}, 30_000);

	it.for(['-q', '--json'])('U2-37: not with %s', { timeout: 30_000 }, async (flag, { expect }) => {
		const site = await openSite();
		expect((await type(`fetch ${site.url} ${flag}`)).err).not.toContain('waiting');
	});

	it.for(['check', 'lint'])(
		'U2-37: %s keeps the pace of the crawler, and says so',
		{ timeout: 60_000 },
		async (command, { expect }) => {
			const site = await openSite();
			const { err } = await type(`${command} ${site.url}`);
			expect(Math.min(...gaps(site))).toBeGreaterThanOrEqual(1990);
			expect(err).toContain('waiting 2 s between requests to 127.0.0.1');
		},
	);
});

describe('one page of a site', () => {
	it.each(['fetch', 'check', 'lint'])(
		'U2-37: %s has its options for pace and identity',
		async (command) => {
			const site = await openSite();
			await type(`${command} ${site.url} --delay 0 --bot-url https://crawler.dev/bot --bot-name Harbour`);
			expect(Math.max(...gaps(site))).toBeLessThan(1900);
			expect(new Set(site.log.map(({ agent }) => agent))).toEqual(
				new Set(['AIWebIndex/2.0 (+https://crawler.dev/bot; Harbour)']),
			);
		},
		30_000,
	);

	it('U2-37: only the policy files are asked for that can matter for the uses', async () => {
		const site = await openSite();
		await type(`check ${site.url} --use read --delay 0`);
		expect(paths(site)).toEqual(['/robots.txt', '/robots2.txt', '/']);
		site.log.length = 0;
		await type(`check ${site.url} --use train --delay 0`);
		expect(paths(site)).toContain('/.well-known/tdmrep.json');
		site.log.length = 0;
		await type(`fetch ${site.url} --use train --delay 0`);
		expect(paths(site)).toContain('/.well-known/tdmrep.json');
		site.log.length = 0;
		site.robots = 'User-agent: *\nDisallow: /\n';
		await type(`fetch ${site.url} --delay 0`);
		expect(paths(site)).toEqual(['/robots.txt']);
	});
});

it('U2-38: som compiles the main content, which saves tokens; --scope full-page has everything', async () => {
	const site = await openSite();
	const main = await type(`som ${site.url} --delay 0`);
	expect(main.err).toMatch(/tokens: \d\.\d times fewer tokens/);
	expect(main.out).not.toContain('Imprint');
	expect((await type(`som ${site.url} --delay 0 --scope full-page`)).out).toContain('Imprint');
});
