import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { compoundFile } from '../../../../files/src/testing/write-office.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

const fixtures = new URL('../../../../files/src/testing/fixtures/', import.meta.url);
const report = readFileSync(new URL('tagged.pdf', fixtures));
const folder = () => mkdtempSync(join(tmpdir(), 'wayleave-convert-'));
const page = (title: string, more = '') =>
	`<!doctype html><title>${title}</title><main><h1>${title}</h1><p>A sentence about ${title}, long enough to be one.</p></main>${more}`;
const lines = (text: string) =>
	text
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));

async function wayleave(cwd: string, ...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const exitCode = await run(argv, terminal, commands);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

it('the archive of a crawl gives the documents of the crawl, with their terms', async () => {
	const send = (response: ServerResponse, body: string, encoding?: string) => {
		response.setHeader('Content-Type', 'text/html; charset=iso-8859-1');
		if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
		const bytes = Buffer.from(body, 'latin1');
		response.end(encoding === 'gzip' ? gzipSync(bytes) : encoding === 'br' ? brotliCompressSync(bytes) : bytes);
	};
	const links = [...Array(8).keys()].map((at) => `<a href="/p${at}">p${at}</a>`).join('');
	server = createServer((request, response) => {
		if (request.url === '/robots2.txt') {
			response.setHeader('Content-Type', 'text/plain');
			response.end('Agent: *\nAttribution: required\n');
		} else if (request.url === '/')
			send(
				response,
				page('Grüße', `${links}<a href="/old">x</a><a href="/cut">x</a><a href="/report.pdf">x</a>`),
				'gzip',
			);
		else if (request.url === '/report.pdf') response.setHeader('Content-Type', 'application/pdf').end(report);
		else if (request.url === '/old') response.writeHead(302, { Location: '/new' }).end();
		else if (request.url === '/new') send(response, page('New'), 'br');
		else if (request.url?.startsWith('/p')) {
			response.setHeader('Content-Type', 'text/html');
			response.write(page(`Page ${request.url}`).slice(0, 20));
			response.end(page(`Page ${request.url}`).slice(20));
		} else response.writeHead(404).end('not here');
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server!.once('listening', resolve));
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const cwd = folder();
	const crawl = [
		'crawl',
		site,
		'--delay',
		'0',
		'--store',
		'sqlite:s.db',
		'--out',
		'crawl.jsonl',
		'--warc',
		's.warc.gz',
	];
	expect((await wayleave(cwd, ...crawl)).exitCode).toBe(0);
	const converted = await wayleave(cwd, 'convert', 's.warc.gz', '--out', 'again.jsonl');
	expect(converted).toMatchObject({ exitCode: 0 });
	const byUrl = (name: string) => new Map(lines(readFileSync(join(cwd, name), 'utf8')).map((line) => [line.url, line]));
	expect(byUrl('again.jsonl').size).toBe(11);
	expect(byUrl('again.jsonl')).toEqual(byUrl('crawl.jsonl'));
	expect(byUrl('again.jsonl').get(site).policy.obligations).toEqual({ attribution: 'required' });
}, 240_000);

const record = (fields: Record<string, string>, block: string | Buffer, length?: number) => {
	const bytes = Buffer.from(block);
	const all = { 'WARC-Record-ID': '<urn:uuid:1>', 'WARC-Date': '2024-05-06T07:08:09Z', ...fields };
	const head = Object.entries({ ...all, 'Content-Length': length ?? bytes.length }).map(
		([name, value]) => `${name}: ${value}\r\n`,
	);
	return Buffer.concat([Buffer.from(`WARC/1.0\r\n${head.join('')}\r\n`), bytes, Buffer.from('\r\n\r\n')]);
};
const answer = (url: string, head: string, body: string | Buffer, more: Record<string, string> = {}) =>
	record(
		{ 'WARC-Type': 'response', 'WARC-Target-URI': url, 'Content-Type': 'application/http; msgtype=response', ...more },
		Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]),
	);
const html = 'HTTP/1.1 200 OK\r\nContent-Type: text/html';

it('a foreign archive: chunks, codings that are gone, pictures, revisits, text; damage is told with its place', async () => {
	const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`;
	const records = [
		record({ 'WARC-Type': 'warcinfo', 'Content-Type': 'application/warc-fields' }, 'software: elsewhere\r\n'),
		record({ 'WARC-Type': 'request', 'WARC-Target-URI': 'http://h/1' }, 'GET /1 HTTP/1.1\r\n\r\n'),
		answer('http://h/1', html, page('One')),
		answer('http://h/2', `${html}\r\nTransfer-Encoding: chunked`, chunked(page('Two'))),
		answer('http://h/3', `${html}\r\nTransfer-Encoding: chunked`, page('Three')),
		answer('http://h/4', `${html}\r\nContent-Encoding: gzip`, gzipSync(page('Four'))),
		answer('http://h/5', `${html}\r\nContent-Encoding: gzip\r\nContent-Length: 7`, page('Five')),
		answer('http://h/cut', `${html}\r\nContent-Encoding: gzip`, gzipSync(page('Cut')).subarray(0, 60)),
		answer('http://h/picture', 'HTTP/1.1 200 OK\r\nContent-Type: image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])),
		answer('http://h/moved', 'HTTP/1.1 301 Moved\r\nLocation: /1', ''),
		answer('http://h/robots.txt', 'HTTP/1.1 200 OK\r\nContent-Type: text/plain', 'User-agent: *'),
		answer('dns:h', 'no HTTP', ''),
		record({ 'WARC-Type': 'revisit', 'WARC-Target-URI': 'http://h/1' }, `${html}\r\n\r\n`),
		record(
			{ 'WARC-Type': 'conversion', 'WARC-Target-URI': 'http://h/6', 'Content-Type': 'text/plain' },
			'Six lines of text',
		),
		answer('http://h/7', html, page('Seven').slice(0, 100), { 'WARC-Truncated': 'length' }),
	];
	const members = records.map((each) => gzipSync(each));
	const broken = Buffer.from(gzipSync(answer('http://h/broken', html, page('Broken'.repeat(40)))));
	broken[broken.length - 20]! ^= 0xff;
	members.splice(4, 0, broken);
	const at = members.slice(0, 4).reduce((sum, { length }) => sum + length, 0);
	const cwd = folder();
	writeFileSync(join(cwd, 'cc.warc.gz'), Buffer.concat(members));
	const { exitCode, stdout, stderr } = await wayleave(cwd, 'convert', 'cc.warc.gz');
	expect(lines(stdout).map(({ source, identity }) => `${source.url} ${identity.title}`)).toEqual([
		...['http://h/1 One', 'http://h/2 Two', 'http://h/3 Three', 'http://h/4 Four', 'http://h/5 Five'],
		...['http://h/6 undefined', 'http://h/7 Seven'],
	]);
	expect(lines(stdout)[0].source).toMatchObject({ fetched_at: '2024-05-06T07:08:09.000Z', status_code: 200 });
	expect(stderr).toContain(`cc.warc.gz:${at}: warc-compression-damaged`);
	expect(stderr).toMatch(/cc\.warc\.gz:\d+: warc-unreadable-payload: .* \(http:\/\/h\/cut: truncated\)/);
	expect(stderr).toContain('7 documents written, 2 failed, 5 records without a page\n');
	expect(exitCode).toBe(1);
});

it('reads PDF and office files in an archive and by name, and names those that cannot be read', async () => {
	const cwd = folder();
	const docx = readFileSync(new URL('pandoc.docx', fixtures));
	const epub = readFileSync(new URL('pandoc.epub', fixtures));
	const asPdf = 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf';
	const records = [
		answer(
			'http://h/1',
			`${html}\r\nLink: </report#p2>; rel="alternate"; type="application/pdf"`,
			page('One', '<a href="/book" rel="alternate" type="application/epub+zip">x</a>'),
		),
		answer('http://h/report', `${asPdf}\r\nLink: <http://h/1>; rel="canonical"`, report, {
			'WARC-Identified-Payload-Type': 'application/pdf',
		}),
		answer('http://h/letter', 'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream', docx, {
			'WARC-Identified-Payload-Type': 'application/zip',
		}),
		answer('http://h/book', 'HTTP/1.1 200 OK\r\nContent-Type: application/zip', epub, {
			'WARC-Identified-Payload-Type': 'application/epub+zip',
		}),
		answer('http://h/cut', asPdf, report.subarray(0, 20_000)),
		answer('http://h/other', asPdf, 'no such file'),
	];
	writeFileSync(join(cwd, 'cc.warc.gz'), Buffer.concat(records.map((each) => gzipSync(each))));
	const archive = await wayleave(cwd, 'convert', 'cc.warc.gz', '--out', 'all.jsonl');
	const results = lines(readFileSync(join(cwd, 'all.jsonl'), 'utf8'));
	expect(results.map(({ url, page }) => `${url} ${page.file?.format}`)).toEqual([
		...['http://h/1 undefined', 'http://h/report pdf', 'http://h/letter docx', 'http://h/book epub'],
	]);
	expect(results.map((each) => each.page.alternates)).toEqual([
		[
			{ url: 'http://h/book', type: 'application/epub+zip' },
			{ url: 'http://h/report', type: 'application/pdf' },
		],
		[{ url: 'http://h/1' }],
		undefined,
		[{ url: 'http://h/1', type: 'text/html' }],
	]);
	expect(archive.stderr).toMatch(/^cc\.warc\.gz:\d+: the PDF cannot be opened: /m);
	expect(archive.stderr).toContain('4 documents written, 1 failed, 1 record without a page\n');
	expect(archive.exitCode).toBe(1);

	writeFileSync(join(cwd, 'report.pdf'), report);
	writeFileSync(join(cwd, 'letter.docx'), docx);
	writeFileSync(join(cwd, 'form.DOTM'), docx);
	const form = await wayleave(cwd, 'convert', 'form.DOTM', '--url', 'https://h.test/form.dotm');
	expect(JSON.parse(form.stdout).content.markdown).toBe(results[2].document.content.markdown);
	const named = await wayleave(cwd, 'convert', 'report.pdf', '--url', 'https://h.test/report.pdf');
	expect(named).toMatchObject({ exitCode: 0 });
	expect(JSON.parse(named.stdout).content.markdown).toBe(results[1].document.content.markdown);
	writeFileSync(join(cwd, 'addresses.txt'), 'report.pdf https://h.test/report.pdf\n');
	const folderOf = await wayleave(cwd, 'convert', '.', '--manifest', 'addresses.txt', '--out', 'named.jsonl');
	expect(folderOf.stderr).toContain('5 documents written, 1 failed, 1 record without a page\n');
	writeFileSync(join(cwd, 'locked.xlsx'), compoundFile('EncryptedPackage'));
	const locked = await wayleave(cwd, 'convert', 'locked.xlsx', '--url', 'https://h.test/locked.xlsx');
	expect(locked.stderr).toContain('locked.xlsx: the file needs a password\n');
	const nameless = await wayleave(cwd, 'convert', 'letter.docx');
	expect(nameless.stderr).toContain('letter.docx: the page does not state its URL: pass it with --url or --manifest');
	expect(nameless.exitCode).toBe(1);
	const som = await wayleave(cwd, 'som', 'report.pdf', '--url', 'https://h.test/report.pdf');
	expect(som.stderr).toContain('report.pdf: this is not an HTML page\n');
}, 120_000);

it('explains input that decompresses to too much, or not at all, with advice', async () => {
	const cwd = folder();
	const bomb = gzipSync(Buffer.alloc(257 * 1024 * 1024), { level: 1 });
	writeFileSync(join(cwd, 'bomb.html.gz'), bomb);
	writeFileSync(join(cwd, 'cut.html.gz'), gzipSync(page('Cut')).subarray(0, 60));
	writeFileSync(join(cwd, 'large.html'), '');
	truncateSync(join(cwd, 'large.html'), 257 * 1024 * 1024);
	const tooLarge = 'more than 256 MiB is too large for a page: the file was skipped';
	const { exitCode, stderr } = await wayleave(cwd, 'convert', 'bomb.html.gz', 'cut.html.gz', 'large.html');
	expect(stderr).toContain(`bomb.html.gz: unpacked, ${tooLarge}\n`);
	expect(stderr).toContain(
		'cut.html.gz: the compressed data is damaged or truncated: fetch or compress the file again',
	);
	expect(stderr).toContain(`large.html: ${tooLarge}\n`);
	expect(exitCode).toBe(1);
	expect((await wayleave(cwd, 'som', 'bomb.html.gz')).stderr).toBe(`error: bomb.html.gz: unpacked, ${tooLarge}\n`);
});

it('archives are found under the names that Common Crawl gives them; an address is written as a browser writes it', async () => {
	const cwd = folder();
	const text = { 'WARC-Type': 'conversion', 'WARC-Target-URI': 'http://h/a', 'Content-Type': 'text/plain' };
	writeFileSync(join(cwd, 'CC-1.warc.wet.gz'), gzipSync(record(text, 'Lines of text')));
	writeFileSync(join(cwd, 'CC-2.warc.gz'), gzipSync(answer('HTTP://H:80/a b/ü', html, page('Two'))));
	const { stdout } = await wayleave(cwd, 'convert', '.');
	expect(lines(stdout).map(({ source }) => source.url)).toEqual(['http://h/a', 'http://h/a%20b/%C3%BC']);
	expect(lines((await wayleave(cwd, 'convert', 'CC-1.warc.wet.gz')).stdout)).toHaveLength(1);
});

it('a file that is in the way, of what is read or of what is written, is told in our words', async () => {
	const cwd = folder();
	writeFileSync(join(cwd, 'file'), '');
	writeFileSync(join(cwd, 'a.warc'), answer('http://h/1', html, page('One')));
	const { exitCode, stderr } = await wayleave(cwd, 'convert', 'a.warc', '--out', 'file/a.jsonl');
	expect(exitCode).toBe(3);
	expect(stderr).toContain('part of the path is a file, not a folder: choose another path');
	expect(await wayleave(cwd, 'convert', 'file/b.warc', 'a.warc', '--out', 'a.jsonl')).toMatchObject({
		exitCode: 3,
		stderr: 'file/b.warc: part of the path is a file, not a folder\n1 document written, 1 failed\n',
	});
});

it('formats and sinks of an archive', async () => {
	const cwd = folder();
	writeFileSync(
		join(cwd, 'a.warc'),
		Buffer.concat([answer('http://h/1', html, page('One')), answer('http://h/2', html, page('Two'))]),
	);
	expect((await wayleave(cwd, 'convert', 'a.warc', '--format', 'markdown')).stdout).toMatch(/# One[\s\S]*# Two/);
	expect(lines((await wayleave(cwd, 'convert', 'a.warc', '--format', 'som')).stdout)).toMatchObject([
		{ title: 'One' },
		{ title: 'Two' },
	]);
	expect((await wayleave(cwd, 'convert', '.', '--out', 'a.parquet')).stderr).toBe('2 documents written, 0 failed\n');
	expect(readFileSync(join(cwd, 'a.parquet')).toString('latin1', 0, 4)).toBe('PAR1');
	expect((await wayleave(cwd, 'convert', 'a.warc', '--out', 'b.warc.gz')).exitCode).toBe(2);
	expect((await wayleave(cwd, 'convert', 'none.warc')).stderr).toBe(
		'none.warc: the file does not exist\n0 documents written, 1 failed\n',
	);
});

it('--favor: where a page leaves open what its content is', async () => {
	const cwd = folder();
	const text =
		'The water rises twice a day and falls twice again, as the moon passes over the bay and it answers late.';
	const teaser = (n: number) =>
		`<div class="teaser"><h3><a href="/${n}">Another story, ${n}</a></h3><p>${text}</p></div>`;
	const story = `${`<p>${text}</p>`.repeat(12)}<figure><img src="a.png"><figcaption>The bay at noon</figcaption></figure>`;
	const more = `<article>${story}${story}<div>${[1, 2, 3, 4].map(teaser).join('')}</div></article>`;
	writeFileSync(join(cwd, 'a.html'), page('Tides', more));
	const wordsOf = async (...favor: string[]) => {
		const { stdout } = await wayleave(cwd, 'convert', 'a.html', '--url', 'http://h/news/tides', ...favor);
		return JSON.parse(stdout).content.markdown.split(/\s+/).length;
	};
	const precision = await wordsOf('--favor', 'precision');
	expect(precision).toBeGreaterThan(24 * 20);
	expect(await wordsOf('--favor', 'recall')).toBeGreaterThan(precision);
	expect((await wayleave(cwd, 'convert', 'a.html', '--favor', 'speed')).exitCode).toBe(2);
});

it('gives advice on pages without an address once; a missing file stops no other', async () => {
	const cwd = folder();
	for (const name of ['a', 'b', 'c']) writeFileSync(join(cwd, `${name}.html`), page(name));
	const { exitCode, stderr } = await wayleave(cwd, 'convert', '.', 'none.html');
	expect(exitCode).toBe(3);
	expect(stderr).toBe(
		[
			'none.html: the file does not exist',
			'3 pages do not state their URL, such as a.html: pass the URLs with --manifest, a file of lines "FILE URL"',
			'0 documents written, 4 failed',
			'',
		].join('\n'),
	);
	const single = await wayleave(cwd, 'convert', 'a.html');
	expect(single.stderr).toContain('a.html: the page does not state its URL: pass it with --url or --manifest\n');
	const missing = await wayleave(cwd, 'convert', '--manifest', 'none.txt');
	expect(missing.exitCode).toBe(3);
	expect(missing.stderr).toMatch(/none\.txt: the file does not exist/);
	writeFileSync(join(cwd, 'addresses.txt'), 'a.html http://h.test/a\nb.html http://h.test/b\n');
	const named = await wayleave(cwd, 'convert', '--manifest', 'addresses.txt');
	expect(lines(named.stdout)).toMatchObject([
		{ source: { url: 'http://h.test/a' } },
		{ source: { url: 'http://h.test/b' } },
	]);
});

it.each([
	['empty.html', '', 'the file is empty'],
	['image.html', '\0\x01PNG', 'this is not an HTML page'],
	['readme.md', '# Title\n\nA [link](/x), and 1 < 2.\n', 'this is not an HTML page'],
	['data.json', '{ "a": 1 }\n', 'this is not an HTML page'],
	[
		'download.html',
		'WARC/1.0\r\n\r\n<html>',
		'this is a web archive: wayleave convert reads it under a name such as FILE.warc.gz',
	],
	[
		'a.warc.zst',
		Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4]),
		'this is compressed with Zstandard: decompress it first (zstd -d)',
	],
])('som of %s says what convert says of it', async (name, content, said) => {
	const cwd = folder();
	writeFileSync(join(cwd, name), content);
	const som = await wayleave(cwd, 'som', name, '--url', 'https://h.example/');
	expect(som).toEqual({ exitCode: 3, stdout: '', stderr: `error: ${name}: ${said}\n` });
	expect((await wayleave(cwd, 'convert', name, '--out', '-')).stderr).toContain(`${name}: ${said}\n`);
});

it('an archive without a known name is recognised by how it begins', async () => {
	const cwd = folder();
	const html =
		'<!doctype html><html lang="en"><title>Quay</title><main><h1>Quay</h1><p>The crane stands on the quay.</p></main>';
	const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html}`;
	const fields = `WARC-Type: response\r\nWARC-Date: 2026-01-05T10:00:00Z\r\nWARC-Target-URI: https://h.example/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${block.length}`;
	writeFileSync(join(cwd, 'download'), `WARC/1.0\r\n${fields}\r\n\r\n${block}\r\n\r\n`);
	const { exitCode, stdout } = await wayleave(cwd, 'convert', 'download', '--out', '-');
	expect([exitCode, stdout]).toEqual([0, expect.stringContaining('The crane stands on the quay.')]);
});

it('--chunks prints or writes each document in chunks of a token budget', async () => {
	const cwd = folder();
	const sections = Array.from(
		{ length: 4 },
		(_, i) => `<h2>Part ${i}</h2><p>${'The tide rises twice a day. '.repeat(12)}</p>`,
	);
	writeFileSync(
		join(cwd, 'page.html'),
		`<html lang="en"><title>Tides</title><main><h1>Tides</h1>${sections.join('')}</main>`,
	);
	const convert = (...flags: string[]) => wayleave(cwd, 'convert', 'page.html', '--url', 'https://e.test/p', ...flags);
	const printed = lines((await convert('--chunks', '60')).stdout);
	const { content } = JSON.parse((await convert()).stdout);
	expect(printed.length).toBeGreaterThan(7);
	for (const { url, title, headingPath, start, end, text, tokens } of printed) {
		expect({ url, title }).toEqual({ url: 'https://e.test/p', title: 'Tides' });
		expect(headingPath.at(-1)).toMatch(/^Part \d$/);
		expect(content.markdown.slice(start, end)).toBe(text);
		expect(tokens).toBeLessThanOrEqual(60);
	}
	await convert('--chunks', '60', '--out', 'pages.jsonl', '--out', 'pages.parquet');
	const [line] = lines(readFileSync(join(cwd, 'pages.jsonl'), 'utf8'));
	expect(line.chunks).toEqual(printed.map(({ url: _, title: __, ...chunk }) => chunk));
	const { parquetReadObjects } = await import('hyparquet');
	const bytes = readFileSync(join(cwd, 'pages.parquet'));
	const [row] = await parquetReadObjects({
		file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
	});
	expect(row!.chunks).toEqual(line.chunks);
});

it.each([
	[['--chunks', '60', '--format', 'markdown'], '--chunks and --format markdown cannot be combined: omit --format'],
	[
		['--chunks', '60', '--out', 'folder/'],
		"none of the outputs can contain chunks: name one with --out: rolling files ('FOLDER/*.jsonl.gz', 's3://BUCKET/FOLDER/*.parquet'), FILE.jsonl, FILE.parquet",
	],
	[['--chunks', '0'], 'expected a whole number of at least 1'],
])('refuses %j', async (flags, message) => {
	const cwd = folder();
	writeFileSync(join(cwd, 'page.html'), page('One'));
	const { exitCode, stderr } = await wayleave(cwd, 'convert', 'page.html', '--url', 'https://e.test/', ...flags);
	expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});
