import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyDiff } from '@wayleave/crawler/diff';
import { afterEach, expect, it, vi } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

// A crawl loads a good part of everything first.
vi.setConfig({ testTimeout: 240_000 });

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

async function wayleave(cwd: string, ...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const exitCode = await run(argv, terminal, commands);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

const page = (price: number) =>
	`<title>Fees</title><main><h1>Fees</h1><p>A berth costs ${price} EUR a night.</p></main>`;

it('crawl --on-change posts notices; store diff, notices and feed show what has changed', async () => {
	let [price, status] = [12, 204];
	const posted: string[] = [];
	server = createServer(async (request, response) => {
		if (request.method === 'POST') {
			for await (const piece of request) posted.push(String(piece));
			return void response.writeHead(status).end();
		}
		const isPage = request.url === '/';
		response.writeHead(isPage ? 200 : 404, { 'Content-Type': 'text/html' }).end(isPage ? page(price) : '');
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server?.once('listening', resolve));
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-watch-command-'));
	const crawling = ['crawl', `${site}/`, '--delay', '0', '--store', 'sqlite:s.db', '--no-sitemaps', '-o', 'p.jsonl'];
	const watching = [...crawling, '--on-change', `${site}/hook?key=1`, '--secret-file', 'secret'];

	const without = await wayleave(cwd, ...crawling, '--on-change', `${site}/hook`);
	expect(without.exitCode).toBe(2);
	expect(without.stderr).toContain('pass --secret-file FILE or set WAYLEAVE_CHANGE_SECRET');
	writeFileSync(join(cwd, 'secret'), 'short\n');
	expect((await wayleave(cwd, ...watching)).stderr).toContain('it needs at least 24');
	writeFileSync(join(cwd, 'secret'), `${'s'.repeat(32)}\n`);
	expect((await wayleave(cwd, ...watching)).exitCode).toBe(0);
	expect(posted).toEqual([]);
	const early = await wayleave(cwd, 'store', 'diff', `${site}/`, '--store', 'sqlite:s.db');
	expect(early.exitCode).toBe(1);
	expect(early.stderr).toContain('the store has one version of this page');

	[price, status] = [14, 503];
	const second = await wayleave(cwd, ...watching);
	expect(second.stderr).toContain(`changed: ${site}/`);
	expect(second.stderr).toContain(`notices for ${site}/hook?… wait: the receiver responded with 503`);
	expect(second.stderr).toContain(`${site}/hook?…: 1 notice waiting, which the next crawl sends`);
	const waiting = await wayleave(cwd, 'store', 'notices');
	expect(waiting.stdout).toContain(`${site}/hook?…: 0 delivered, 1 waiting, 0 rejected`);
	status = 204;
	expect((await wayleave(cwd, ...watching)).stderr).not.toContain('waiting');
	expect((await wayleave(cwd, 'store', 'notices')).stdout).toContain('1 delivered, 0 waiting, 0 rejected');
	const [first, last] = [posted[0], posted.at(-1)].map((text) => JSON.parse(text ?? '{}'));
	expect(last).toEqual(first);

	const diff = (...more: string[]) => wayleave(cwd, 'store', 'diff', `${site}/`, '--store', 'sqlite:s.db', ...more);
	expect((await diff()).stdout).toContain('- A berth costs 12 EUR a night.\n+ A berth costs 14 EUR a night.\n');
	expect((await diff('--format', 'markdown')).stdout).toContain('```diff\n- A berth');
	expect((await diff('--format', 'html')).stdout).toContain('<ins>+ A berth costs 14 EUR a night.</ins>');
	const found = JSON.parse((await diff('--since', '1', '--format', 'json')).stdout);
	expect(found).toMatchObject({ before: { version: 1 }, after: { version: 2 }, diff: last.data.diff });
	expect(applyDiff(found.diff, '# Fees\n\nA berth costs 12 EUR a night.')).toBe(
		'# Fees\n\nA berth costs 14 EUR a night.',
	);
	expect((await diff('--since', 'soon')).exitCode).toBe(2);
	expect((await diff('--since', '2020-01-01')).stderr).toContain('the oldest is version 1');

	expect((await wayleave(cwd, 'store', 'feed', '--out', 'changes.atom')).exitCode).toBe(0);
	expect(readFileSync(join(cwd, 'changes.atom'), 'utf8')).toContain('<title>Fees: changed</title>');
});

it('store diff of another address of a page, or of one that redirects to it, shows how the page has changed', async () => {
	let price = 12;
	const words = 'A berth in the harbour has water and power, and the harbour master comes by every evening.';
	const berth = () =>
		`<link rel="canonical" href="/">${page(price)}<p>${words} <a href="/same">berths</a> <a href="/old">prices</a></p>`;
	server = createServer((request, response) => {
		if (request.url === '/old') return void response.writeHead(301, { Location: '/' }).end();
		const known = request.url === '/' || request.url === '/same';
		response.writeHead(known ? 200 : 404, { 'Content-Type': 'text/html' }).end(known ? berth() : '');
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server?.once('listening', resolve));
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-watch-command-'));
	for (price of [12, 14])
		await wayleave(
			cwd,
			...`crawl ${site}/ --delay 0 --refresh --history 2 --no-sitemaps --store sqlite:s.db`.split(' '),
		);
	for (const path of ['/', '/same', '/old']) {
		const { stdout } = await wayleave(cwd, 'store', 'diff', `${site}${path}`, '--store', 'sqlite:s.db');
		expect(stdout, path).toContain(`${site}/\n`);
		expect(stdout, path).toContain('+ A berth costs 14 EUR a night.');
	}
});
