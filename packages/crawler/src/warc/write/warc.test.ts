import { appendFileSync, createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WARCParser } from 'warcio';
import type { Store } from '../../store/roles/store.ts';
import { openStore } from '../../store/sql/open.ts';
import { useSites } from '../../testing/sites.ts';
import { htmlPage, type TestRequest } from '../../testing/web.ts';
import { type CheckedRecord, checkArchive } from '../testing/check-bytes.ts';
import { archivedHead } from './http-head.ts';
import { warcSink } from './sink.ts';

const sites = useSites();
let folder: string;
let store: Store;
beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-warc-'));
	store = await openStore('memory');
});
afterEach(async () => {
	await store.close();
	rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'site.warc.gz');
const records = () => checkArchive(readFileSync(file()));
const pathOf = ({ fields }: CheckedRecord) => new URL(fields['WARC-Target-URI']!).pathname;
const summary = () => records().map((one) => (one.type === 'warcinfo' ? one.type : `${one.type} ${pathOf(one)}`));
const find = (type: string, path: string) => records().find((one) => one.type === type && pathOf(one) === path)!;
const headOf = ({ block }: CheckedRecord) => block.subarray(0, block.indexOf('\r\n\r\n')).toString('latin1');
const bodyOf = ({ block }: CheckedRecord) => block.subarray(block.indexOf('\r\n\r\n') + 4);
const told = (path: string) => JSON.parse(find('metadata', path).block.toString());
const archive = (more: object = {}) =>
	sites.crawl(['h.test/'], { store, sitemaps: false, sinks: [warcSink(file())], ...more });

const packed = (body: string) => {
	const bytes = gzipSync(body);
	const headers = { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip', 'Content-Length': String(bytes.length) };
	return { headers, body: bytes };
};
const validated =
	(etag: string, body: string) =>
	({ headers }: TestRequest) =>
		headers['if-none-match'] === etag
			? { status: 304 }
			: { headers: { 'Content-Type': 'text/html', ETag: etag }, body };

describe('an archive of a crawl', () => {
	it('keeps requests, answers, policy files and outcomes, each record whole and in order', async () => {
		await sites.serve({
			'h.test/robots.txt': { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no\n' },
			'h.test/': htmlPage('Home', ['/a', '/no', '/lost', '/old']),
			'h.test/a': htmlPage('A'),
			'h.test/old': { status: 301, headers: { Location: '/a' } },
		});
		await archive();
		expect(summary()).toEqual([
			'warcinfo',
			...['request /robots.txt', 'response /robots.txt', 'request /robots2.txt', 'response /robots2.txt'],
			...['request /', 'response /', 'metadata /'],
			...['request /a', 'response /a', 'metadata /a'],
			'metadata /no',
			...['request /lost', 'response /lost', 'metadata /lost'],
			...['request /old', 'response /old', 'metadata /old'],
		]);
		expect(told('/no')).toMatchObject({ outcome: 'refused', evidence: [{ line: 2, text: 'Disallow: /no' }] });
		expect(told('/a')).toMatchObject({ outcome: 'fetched', depth: 1, cache: { status: 'miss' } });
		expect(headOf(find('request', '/a'))).toMatch(
			/^GET \/a HTTP\/1\.1\r\nHost: h\.test:\d+\r\nUser-Agent: AIWebIndex\/2\.0/,
		);
		expect(bodyOf(find('response', '/a')).toString()).toBe(htmlPage('A'));
	});

	it('CB-161 a gzip page is kept as it was sent, with its own length', async () => {
		await sites.serve({ 'h.test/': packed(htmlPage('Home')) });
		await archive();
		const response = find('response', '/');
		const body = bodyOf(response);
		expect(gunzipSync(body).toString()).toBe(htmlPage('Home'));
		expect(headOf(response)).toMatch(new RegExp(`^Content-Length: ${body.length}\\r?$`, 'im'));
		expect(headOf(response)).toMatch(/^Content-Encoding: gzip\r?$/im);
	});

	it('CB-158 a chunked page is kept without chunks, and without a header that speaks of them', async () => {
		await sites.serve({
			'h.test/': { headers: { 'Content-Type': 'text/html', 'Transfer-Encoding': 'chunked' }, body: htmlPage('Home') },
		});
		await archive();
		const response = find('response', '/');
		expect(bodyOf(response).toString()).toBe(htmlPage('Home'));
		expect(headOf(response)).toMatch(/^X-Crawler-Transfer-Encoding: chunked\r?$/im);
		expect(headOf(response)).not.toMatch(/^Transfer-Encoding/im);
		expect(headOf(response)).toMatch(new RegExp(`^Content-Length: ${htmlPage('Home').length}$`, 'm'));
	});

	it('is read by warcio: every record, every length, every page', async () => {
		await sites.serve({ 'h.test/': packed(htmlPage('Home', ['/a'])), 'h.test/a': htmlPage('A') });
		await archive();
		const parser = new WARCParser(createReadStream(file()));
		const seen: string[] = [];
		for await (const record of parser) {
			const text = record.warcType === 'response' ? await record.contentText() : '';
			seen.push(`${record.warcType} ${text.includes('<h1>')}`);
		}
		expect(seen.filter((one) => one === 'response true')).toHaveLength(2);
		expect(seen).toHaveLength(records().length);
	});

	it('a refresh goes on behind it: 304 and the same bytes are revisits of the first records', async () => {
		await sites.serve({
			'h.test/': validated('"1"', htmlPage('Home', ['/same', '/new'])),
			'h.test/same': htmlPage('Same'),
			'h.test/new': ({ times }) => htmlPage(`New ${times}`),
		});
		for (let run = 0; run < 3; run++) {
			await archive();
			sites.clock.advance(3600_000);
		}
		const all = records();
		const byPath = (path: string) =>
			all
				.filter((one) => /^re[sv]/.test(one.type) && pathOf(one) === path)
				.map(({ type, fields }) => `${type} ${fields['WARC-Profile']?.replace(/.*\//, '')}`);
		expect(byPath('/')).toEqual(['response undefined', ...Array(2).fill('revisit server-not-modified')]);
		expect(byPath('/same')).toEqual(['response undefined', ...Array(2).fill('revisit identical-payload-digest')]);
		expect(byPath('/new')).toEqual(Array(3).fill('response undefined'));
		const revisits = all.filter(({ type }) => type === 'revisit');
		expect(revisits.every(({ fields }) => fields['WARC-Refers-To'] !== undefined)).toBe(true);
	});

	it.each(['session-only', 'no'])('store: %s: nothing of the content is in it', async (store) => {
		await sites.serve({
			'h.test/robots2.txt': { headers: { 'Content-Type': 'text/plain' }, body: `Agent: *\nStore: ${store}\n` },
			'h.test/': htmlPage('Home', ['/gone'], '<meta name="x" content="secret">'),
			'h.test/gone': { status: 404, body: 'secret' },
		});
		const { results } = await archive();
		expect(results.find(({ document }) => document !== undefined)).toBeDefined();
		expect(summary()).toEqual([
			'warcinfo',
			...['request /robots.txt', 'response /robots.txt', 'request /robots2.txt', 'response /robots2.txt'],
			...['metadata /', 'metadata /gone'],
		]);
		expect(
			records()
				.map(({ block }) => block.toString())
				.join(''),
		).not.toMatch(/secret|Home/);
	});

	it('a page that says of itself that it must not be kept is not', async () => {
		await sites.serve({
			'h.test/': htmlPage('Home', ['/a'], '<meta name="robots" content="noarchive">'),
			'h.test/a': htmlPage('A'),
		});
		await archive();
		expect(find('response', '/')).toBeUndefined();
		expect(find('metadata', '/')).toBeDefined();
		expect(find('response', '/a')).toBeDefined();
	});

	it('an archive of which nothing is known is gone on with, behind its last whole record', async () => {
		await sites.serve({ 'h.test/': htmlPage('Home') });
		await archive();
		const before = readFileSync(file());
		appendFileSync(file(), before.subarray(0, 300));
		await store.close();
		store = await openStore('memory');
		await archive();
		expect(readFileSync(file()).subarray(0, before.length)).toEqual(before);
		expect(summary().filter((one) => one === 'warcinfo')).toHaveLength(2);
	});
});

it('cuts off everything after the committed length', async () => {
	const sink = warcSink(file());
	await sink.open(undefined);
	const result = { url: 'http://h.test/', outcome: 'gone', depth: 0, at: '2026-11-28T00:00:00Z' } as const;
	const position = await sink.write([result], []);
	await sink.write([{ ...result, url: 'http://h.test/lost' }], []);
	await sink.close();
	appendFileSync(file(), 'torn');
	const again = warcSink(file());
	await again.open(position);
	await again.write([{ ...result, url: 'http://h.test/next' }], []);
	await again.close();
	expect(summary()).toEqual(['warcinfo', 'metadata /', 'warcinfo', 'metadata /next']);
});

it('a file that is no archive is left alone', async () => {
	writeFileSync(file(), 'my notes');
	const sink = warcSink(file());
	await expect(sink.open(undefined)).rejects.toMatchObject({ code: 'sink-failed' });
	expect(readFileSync(file(), 'utf8')).toBe('my notes');
});

describe('the head of an answer', () => {
	const head = (lines: string, body: string, coded = false, status = 200) => {
		const raw = { request: new Uint8Array(), head: Buffer.from(lines, 'latin1'), body: Buffer.from(body), coded };
		return Buffer.from(archivedHead({ raw, status })).toString('latin1');
	};
	it.each([
		[
			'a length that fits',
			'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n',
			'ab',
			false,
			200,
			'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n',
		],
		['no length', 'HTTP/1.0 200 OK\r\n\r\n', 'ab', false, 200, 'HTTP/1.0 200 OK\r\n\r\n'],
		[
			'a length that does not fit',
			'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n',
			'ab',
			false,
			200,
			'HTTP/1.1 200 OK\r\nX-Crawler-content-length: 9\r\nContent-Length: 2\r\n\r\n',
		],
		[
			'a coding that was undone',
			'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n',
			'ab',
			false,
			200,
			'HTTP/1.1 200 OK\r\nX-Crawler-Content-Encoding: br\r\nContent-Length: 2\r\n\r\n',
		],
		[
			'a coding that is there',
			'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n',
			'ab',
			true,
			200,
			'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n',
		],
		[
			'the length of what a 304 spares',
			'HTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\n',
			'',
			false,
			304,
			'HTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\n',
		],
		[
			'bytes that are not ASCII',
			'HTTP/1.1 200 \xe9\r\nX: \xff\r\n\r\n',
			'',
			false,
			200,
			'HTTP/1.1 200 \xe9\r\nX: \xff\r\n\r\n',
		],
	] as const)('%s', (_, lines, body, coded, status, wanted) => {
		expect(head(lines, body, coded, status)).toBe(wanted);
	});
});
