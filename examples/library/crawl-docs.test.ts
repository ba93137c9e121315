import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { crawlDocs } from './crawl-docs.ts';

let server: Server;
let site: string;
let folder: string;
const asked: string[] = [];
beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-library-'));
	vi.spyOn(console, 'error').mockImplementation(() => {});
	asked.length = 0;
	server = createServer((request, response) => {
		asked.push(request.url ?? '');
		const links = request.url === '/' ? '<a href="/archive/1">old</a><a href="/a?ref=home">a</a>' : '';
		const found = request.url === '/' || request.url === '/a';
		response.writeHead(found ? 200 : 404, { 'Content-Type': 'text/html' }).end(`<h1>Page</h1><p>Words.</p>${links}`);
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
	vi.restoreAllMocks();
	server.close().closeAllConnections();
	rmSync(folder, { recursive: true });
});

it('is what docs/how-to/library.md shows', () => {
	const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
	expect(file('../../docs/how-to/library.md')).toContain(`\`\`\`ts\n${file('crawl-docs.ts')}\`\`\``);
});

it('ends early by a signal, goes on from there, and asks for nothing that the filter leaves out', async () => {
	const store = `sqlite:${join(folder, 's.db')}`;
	expect(await crawlDocs(site, 'mailto:me@example.com', store, AbortSignal.abort())).toEqual([]);
	const pages = await crawlDocs(site, 'mailto:me@example.com', store);
	expect(pages.map(({ url, outcome }) => [url, outcome])).toEqual([
		[site, 'fetched'],
		[`${site}a`, 'fetched'],
	]);
	expect(asked).not.toContain('/archive/1');
});
