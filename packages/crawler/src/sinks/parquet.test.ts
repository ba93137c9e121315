import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Result } from '../model/result.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';
import { parquetSink } from './parquet.ts';
import { parquetColumns } from './parquet-columns.ts';

const sites = useSites();
let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-parquet-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => join(folder, 'deep', 'pages.parquet');
const rows = async () => parquetReadObjects({ file: await asyncBufferFromFile(file()) });
const result = (at: number, markdown = `# ${at}`): Result => ({
	url: `http://h.test/${at}`,
	outcome: 'fetched',
	depth: 1,
	status: 200,
	at: '2026-11-28T00:00:00Z',
	policy: { uses: { read: 'allow' }, obligations: { attribution: 'required' } },
	page: { title: 'Grüße', author: ['Ada Lovelace', 'Charles Babbage'], published: '1843-10' },
	representation: { kind: 'html', why: 'not-offered', bytes: 9 },
	document: {
		source: { url: `http://h.test/${at}`, freshness_policy: 'cache_first', fetched_at: '2026-11-27T10:00:00Z' },
		identity: { title: 'Grüße', language: 'de' },
		content: { markdown },
	} as never,
});

async function write(results: readonly Result[], options = {}) {
	const sink = parquetSink(file(), options);
	await sink.open(undefined);
	for (const each of results) await sink.write([each]);
	await sink.close();
}

it('a row for each document, with what travels beside it', async () => {
	const { document: _, ...gone } = result(2);
	await write([result(1), { ...gone, outcome: 'gone' }]);
	const [row, ...more] = await rows();
	expect(more).toEqual([]);
	expect(Object.keys(row!)).toEqual(Object.keys(parquetColumns));
	expect(row).toMatchObject({
		...{ url: 'http://h.test/1', outcome: 'fetched', reason: null, status: 200, title: 'Grüße', language: 'de' },
		...{ author: 'Ada Lovelace; Charles Babbage', published: '1843-10', page: result(1).page },
		...{ at: new Date('2026-11-28T00:00:00Z'), fetched_at: new Date('2026-11-27T10:00:00Z'), markdown: '# 1' },
		...{ policy: { uses: { read: 'allow' }, obligations: { attribution: 'required' } }, document: result(1).document },
	});
});

it('with outcomes, a row for each URL', async () => {
	const { document: _, ...refused } = result(2);
	await write([result(1), { ...refused, outcome: 'refused', evidence: [] }], { outcomes: true });
	expect(await rows()).toMatchObject([{ outcome: 'fetched' }, { outcome: 'refused', document: null, evidence: [] }]);
});

it('row groups are bounded, in rows and in size', async () => {
	const long = 'word '.repeat(200_000);
	await write([...Array(30).keys()].map((at) => result(at, long)));
	const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file()));
	expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([9, 9, 9, 3]);
});

it('its table of contents, which every reader loads first, has no documents in it', async () => {
	await write([1, 2].map((at) => result(at, 'word '.repeat(20_000))));
	const { metadata_length } = await parquetMetadataAsync(await asyncBufferFromFile(file()));
	expect(metadata_length).toBeLessThan(10_000);
});

it('an empty file is a Parquet file too', async () => {
	await write([]);
	expect(await rows()).toEqual([]);
});

it('takes its place when it is whole, and not before', async () => {
	await write([result(1)]);
	const sink = parquetSink(file());
	await sink.open(undefined);
	await sink.write([result(2)]);
	expect(await rows()).toMatchObject([{ url: 'http://h.test/1' }]);
	await sink.close();
	expect(await rows()).toMatchObject([{ url: 'http://h.test/2' }]);
	expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('two that write to one file at the same time do not write into each other: the last one to end has it', async () => {
	const [one, other] = [parquetSink(file()), parquetSink(file())];
	for (const sink of [one, other]) await sink.open(undefined);
	await one!.write([result(1)]);
	await other!.write([result(2), result(3)]);
	await one!.close();
	expect(await rows()).toMatchObject([{ url: 'http://h.test/1' }]);
	await other!.close();
	expect(await rows()).toMatchObject([{ url: 'http://h.test/2' }, { url: 'http://h.test/3' }]);
	expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('a crawl writes all that it knows when it is complete, the pages of an interrupted run among them', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/a', '/b']),
		'h.test/a': htmlPage('A'),
		'h.test/b': htmlPage('B'),
	});
	const store = `sqlite:${join(folder, 'crawl.db')}`;
	const stop = new AbortController();
	const options = { store, sitemaps: false, sinks: [parquetSink(file())] };
	const filter = (url: URL) => {
		stop.abort();
		return url;
	};
	const first = await sites.crawl(['h.test/'], { ...options, signal: stop.signal, filter });
	expect(first.summary.complete).toBe(false);
	expect(existsSync(file())).toBe(false);
	await sites.crawl(['h.test/'], options);
	expect((await rows()).map(({ url }) => new URL(String(url)).pathname)).toEqual(['/', '/a', '/b']);
});

it('never sees what must not be kept', async () => {
	await sites.serve({ 'h.test/robots2.txt': plain('Agent: *\nStore: session-only\n'), 'h.test/': htmlPage('Home') });
	await sites.crawl(['h.test/'], { sinks: [parquetSink(file(), { outcomes: true })], sitemaps: false });
	expect(await rows()).toMatchObject([{ reason: 'store-session-only', document: null, markdown: null }]);
});

it('a write failure ends the crawl with an error', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home') });
	writeFileSync(join(folder, 'deep'), 'a file in the way');
	await expect(sites.crawl(['h.test/'], { sinks: [parquetSink(file())] })).rejects.toMatchObject({
		code: 'sink-failed',
		message: expect.stringMatching(/is a file, not a folder: choose another path.*store export --out FILE/s),
	});
});
