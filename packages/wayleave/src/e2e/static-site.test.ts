import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

const pages = 12;
const manifest = '/.well-known/pagedigest.json';
const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.json': 'application/json' };

let server: Server;
let folder: string;
let origin: string;
let log: string[] = [];

/** A folder behind a server of static files, which knows nothing of what lies in it. */
beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-static-'));
	mkdirSync(join(folder, 'site'));
	log = [];
	server = createServer((request, response) => {
		const path = request.url ?? '/';
		log.push(path);
		const file = join(folder, 'site', path.endsWith('/') ? `${path}index.html` : path);
		if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
		response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain; charset=utf-8' });
		response.end(readFileSync(file));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	write('index.html', 'All reports');
	for (let page = 1; page < pages; page++) write(`report-${page}.html`, `Report ${page}`);
});
afterEach(() => void server.close().closeAllConnections());

function write(name: string, text: string): void {
	const links = Array.from({ length: pages - 1 }, (_, at) => `<li><a href="/report-${at + 1}.html">${at + 1}</a>`);
	const list = name === 'index.html' ? `<ul>${links.join('')}</ul>` : '';
	const main = `<main><h1>${text}</h1><p>${text}: the water was where it was to be, and nobody was in it.</p>${list}</main>`;
	writeFileSync(
		join(folder, 'site', name),
		`<!doctype html><html lang="en"><head><title>${text}</title></head><body>${main}</body></html>`,
	);
}

async function wayleave(...argv: string[]) {
	const terminal = recordingTerminal(folder);
	expect(await run(argv, terminal, commands), terminal.stderr()).toBe(0);
	return terminal.stdout();
}

const publish = () => wayleave('publish', 'site', '--origin', origin);

/** What the crawl asks for: pages, and the manifest. */
async function crawl(...flags: string[]): Promise<string[]> {
	log = [];
	const out = ['--out', 'o.jsonl', '--prefer', 'html'];
	await wayleave('crawl', `${origin}/`, '--delay', '0', '--store', 'sqlite:s.db', ...out, ...flags);
	return log.filter((path) => path === '/' || path.endsWith('.html') || path === manifest).sort();
}

const titles = () =>
	readFileSync(join(folder, 'o.jsonl'), 'utf8')
		.trim()
		.split('\n')
		.map((line) => (JSON.parse(line) as { document: { identity: { title: string } } }).document.identity.title)
		.sort();

describe('publish, crawl, edit, publish, crawl', { timeout: 60_000 }, () => {
	it('the second crawl asks for the manifest once and for what was edited, and has all pages', async () => {
		await publish();
		expect((await crawl()).filter((path) => path !== manifest).length).toBe(pages);
		const before = titles();
		write('report-3.html', 'Report 3 corrected');
		write('report-7.html', 'Report 7 corrected');
		await publish();
		expect(await crawl('--audit-rate', '0')).toEqual([manifest, '/report-3.html', '/report-7.html']);
		expect(titles()).toEqual(before.map((title) => (/ [37]$/.test(title) ? `${title} corrected` : title)).sort());
	});

	it('nothing published, nothing asked for but the manifest; with --audit-rate 1 every page', async () => {
		await publish();
		await crawl();
		await publish();
		expect(await crawl('--audit-rate', '0')).toEqual([manifest]);
		expect((await crawl('--audit-rate', '1')).length).toBe(1 + pages);
	});

	it('store explain tells what the manifest says of a URL', async () => {
		await publish();
		await crawl();
		write('report-3.html', 'Report 3 corrected');
		await publish();
		await crawl('--audit-rate', '0');
		const explain = (path: string) => wayleave('store', 'explain', origin + path, '--store', 'sqlite:s.db');
		expect(await explain('/report-3.html')).toMatch(
			/its entry: listed, revision 2 \(2 fetched\), sha256:[0-9a-f]{64}\n/,
		);
		expect(await explain('/report-4.html')).toContain('its entry: listed, revision 1 (1 fetched)');
	});
});
