import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'wayleave-fields-'));
const page =
	'<!doctype html><html lang="en"><title>Anvil</title><link rel="canonical" href="https://shop.example/5"><main><h1>Anvil</h1><p>It falls fast, and keeps its form for years.</p><b class="p">9.50 €</b><dl><dt>SKU</dt><dd>A-1</dd></dl></main></html>';
const schema = { type: 'object', properties: { price: { type: 'number', 'x-select': '.p' }, sku: { type: 'string' } } };

async function wayleave(cwd: string, ...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const exitCode = await run(argv, terminal, commands);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

function given(more: object = schema): string {
	const cwd = folder();
	writeFileSync(join(cwd, 'page.html'), page);
	writeFileSync(join(cwd, 'schema.json'), JSON.stringify(more));
	return cwd;
}

it('convert prints fields beside the document, and writes them', async () => {
	const cwd = given();
	const { fields, document } = JSON.parse(
		(await wayleave(cwd, 'convert', 'page.html', '--fields', 'schema.json')).stdout,
	);
	expect([fields.values, document.identity.title]).toEqual([{ price: 9.5, sku: 'A-1' }, 'Anvil']);
	await wayleave(cwd, 'convert', 'page.html', '--fields', 'schema.json', '--out', 'pages.jsonl');
	expect(JSON.parse(readFileSync(join(cwd, 'pages.jsonl'), 'utf8')).fields).toEqual(fields);
});

it('store export fills stored documents, and says what it could not read', async () => {
	const cwd = given();
	const server = createServer((request, response) => {
		if (request.url !== '/') response.writeHead(404).end();
		else response.setHeader('Content-Type', 'text/html').end(page.replace(/<link[^>]*>/, ''));
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	try {
		const args = ['--store', 'sqlite:p.db', '--delay', '0', '--no-sitemaps'];
		const exported = async () => {
			const { stdout, stderr } = await wayleave(
				cwd,
				'store',
				'export',
				'--store',
				'sqlite:p.db',
				'--fields',
				'schema.json',
			);
			return { ...JSON.parse(stdout).fields, stderr };
		};
		await wayleave(cwd, 'crawl', url, ...args, '--out', 'p.jsonl');
		const before = await exported();
		expect(before).toMatchObject({ basis: 'document', values: { sku: 'A-1' }, missing: ['/price'] });
		expect(before.stderr).toContain(
			'the fields of 1 page are read from the stored document, without meta tags and selectors (/properties/price/x-select): crawl with --fields to read them from the HTML',
		);
		await wayleave(cwd, 'crawl', url, ...args, '--out', 'p.jsonl', '--fields', 'schema.json');
		const after = await exported();
		expect(after).toMatchObject({ basis: 'html', values: { price: 9.5, sku: 'A-1' } });
		expect(after.stderr).not.toContain('stored document');
	} finally {
		server.close().closeAllConnections();
	}
});

const wrong = { type: 'object', properties: { price: { type: 'number', 'x-selct': '.p' } } };

it.each([
	['fetch', 'http://127.0.0.1:9/'],
	['crawl', 'http://127.0.0.1:9/'],
	['convert', 'page.html'],
])('%s refuses a schema before any work, with the place in it', async (command, what) => {
	const cwd = given(wrong);
	const { exitCode, stderr, stdout } = await wayleave(cwd, command, what, '--fields', 'schema.json');
	expect([exitCode, stdout]).toEqual([2, '']);
	expect(stderr).toContain(
		'--fields schema.json: at /properties/price/x-selct: there is no keyword x-selct; did you mean x-select?',
	);
});

it.each([
	[['convert', 'page.html', '--fields', 'none.json'], '--fields none.json: none.json: the file does not exist'],
	[['convert', 'page.html', '--fields', 'page.html'], '--fields page.html: it is not JSON'],
	[
		['convert', 'page.html', '--fields', 'schema.json', '--format', 'markdown'],
		'--fields and --format markdown cannot be combined',
	],
	[
		['fetch', 'http://127.0.0.1:9/', '--fields', 'schema.json', '--chunks', '64'],
		'--fields and --chunks cannot be combined',
	],
	[
		['crawl', 'http://127.0.0.1:9/', '--fields', 'schema.json', '--out', 'a.warc.gz'],
		'an archive holds responses, not fields',
	],
])('%j is refused', async (argv, message) => {
	const { exitCode, stderr } = await wayleave(given(), ...argv);
	expect(exitCode).toBe(2);
	expect(stderr).toContain(message);
});
