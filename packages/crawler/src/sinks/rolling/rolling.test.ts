import { createReadStream, existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { outputFormats } from '../../output-formats.ts';
import { beginWithSeed, commit } from '../../store/contract/fixtures.ts';
import { openStore } from '../../store/sql/open.ts';
import { useSites } from '../../testing/sites.ts';
import { useStorePlaces } from '../../testing/stores.ts';
import { htmlPage } from '../../testing/web.ts';
import { readWarc } from '../../warc/read/read-warc.ts';
import { jsonlSink } from '../jsonl.ts';
import type { RollingSink, Sink } from '../types.ts';
import { writeToSinks } from '../write-to-sinks.ts';
import { zstd } from './format.ts';
import { openRolling } from './open.ts';
import { fileKey, rollingPlace } from './place.ts';

const sites = useSites();
const { file, places } = useStorePlaces();

const stdout = { write: () => {} };
const open = (name: string, more: { crawl?: boolean; roll?: number } = {}): Promise<Sink> => {
	const format = name.includes('.warc') ? outputFormats.rollingArchive : outputFormats.rolling;
	const path = name;
	return format.open({ path, name, cwd: file('.'), lines: {}, stdout, roll: 2000, ...more });
};

const filesOf = (folder: string, end: string): string[] =>
	readdirSync(folder)
		.filter((name) => name.endsWith(end))
		.sort()
		.map((name) => join(folder, name));

const lineUrls = (paths: readonly string[]): string[] =>
	paths.flatMap((path) =>
		gunzipSync(readFileSync(path))
			.toString()
			.trimEnd()
			.split('\n')
			.map((line) => (JSON.parse(line) as { url: string }).url),
	);

async function serve(pages = 12): Promise<string[]> {
	const paths = [...Array(pages).keys()].map((at) => `/p${at}`);
	await sites.serve({
		'h.test/': htmlPage('Home', paths),
		...Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(`Page ${path} ${Math.random()}`)])),
	});
	return ['/', ...paths].map((path) => sites.url(`h.test${path}`)).sort();
}

const own = { ownSites: ['h.test'], delay: 0, sitemaps: false };

it('a crawl writes each page once, in files of the size, of every format', async () => {
	const urls = await serve();
	const names = ['out/*.jsonl.gz', 'out/p-*.parquet', 'out/w-*.warc.gz'];
	const sinks = await Promise.all(names.map((name) => open(name, { crawl: true })));
	await sites.crawl(['h.test/'], { ...own, store: `sqlite:${file('crawl.db')}`, sinks });
	const out = file('out');
	const lines = filesOf(out, '.jsonl.gz');
	expect(lines.length).toBeGreaterThan(1);
	for (const path of lines.slice(0, -1)) expect(statSync(path).size).toBeGreaterThanOrEqual(2000);
	expect(lineUrls(lines).sort()).toEqual(urls);
	const rows = await Promise.all(
		filesOf(out, '.parquet').map(async (path) =>
			parquetReadObjects({ file: await asyncBufferFromFile(path), columns: ['url', 'depth'] }),
		),
	);
	expect(
		rows
			.flat()
			.map(({ url }) => url)
			.sort(),
	).toEqual(urls);
	const records: string[] = [];
	const archives = filesOf(out, '.warc.gz');
	for (const path of archives)
		for await (const item of readWarc(createReadStream(path)))
			if ('record' in item) records.push(`${item.record.type} ${item.record.fields.get('warc-target-uri')}`);
			else throw new Error(item.problem.code);
	expect(records.filter((record) => record.startsWith('warcinfo'))).toHaveLength(archives.length);
	for (const url of urls) expect(records.filter((record) => record === `response ${url}`)).toHaveLength(1);
	const segments = readdirSync(join(out, '_wayleave'), { recursive: true, withFileTypes: true });
	expect(segments.filter((entry) => entry.isFile())).toEqual([]);
});

it('a run that goes on and a later refresh add files, and a sink that joins gets what was there before', async () => {
	const urls = await serve();
	const store = `sqlite:${file('crawl.db')}`;
	const crawl = async (names: readonly string[], more = {}) =>
		sites.crawl(['h.test/'], {
			...own,
			store,
			sinks: await Promise.all(names.map((name) => open(name, { crawl: true }))),
			...more,
		});
	await crawl(['a/*.jsonl.gz'], { maxPages: 5 });
	expect(lineUrls(filesOf(file('a'), '.gz'))).toHaveLength(5);
	await crawl(['a/*.jsonl.gz', 'b/*.jsonl.gz']);
	expect(lineUrls(filesOf(file('a'), '.gz')).sort()).toEqual(urls);
	expect(lineUrls(filesOf(file('b'), '.gz')).sort()).toEqual(urls);
	await crawl(['a/*.jsonl.gz'], { refresh: true });
	const last = filesOf(file('a'), '.gz').filter((path) => /0003-\d+/.test(path));
	expect(lineUrls(last).sort()).toEqual(urls);
});

describe.each(Object.entries(places))('rolling files of a store in %s', (_, place) => {
	const segment = (object: string) => ({ sink: 's', object, bytes: 100 });

	it('get each segment once, and a file of a worker that is gone is written again as it was', async () => {
		const url = await place();
		const first = await openStore(url);
		await beginWithSeed(first);
		await commit(first, [], { segments: ['a', 'b', 'c', 'd'].map(segment) });
		const one = await first.outputs?.claim('s', 150, false);
		expect(one?.segments.map(({ object }) => object)).toEqual(['a', 'b']);
		expect(await first.outputs?.claim('other', 150, true)).toBeUndefined();
		await first.close();

		const second = await openStore(url);
		await second.leases.recover(Date.now());
		const again = await second.outputs?.claim('s', 150, false);
		expect(again).toEqual(one);
		expect(await second.outputs?.unfinished('s')).toBe(1);
		if (again !== undefined) await second.outputs?.finish(again);
		expect(await second.outputs?.unfinished('s')).toBe(0);
		expect([...((await second.outputs?.needed('s')) ?? [])].sort()).toEqual(['c', 'd']);
		expect(await second.outputs?.claim('s', 250, false)).toBeUndefined();
		const rest = await second.outputs?.claim('s', 250, true);
		expect(rest?.segments.map(({ object }) => object)).toEqual(['c', 'd']);
		expect(rest?.id).not.toBe(one?.id);
		await second.close();
	});
});

it('a sink collects old segments of its own that no commit names, and none of another sink in the folder', async () => {
	const [own, other] = await Promise.all(
		['out/*.jsonl.gz', 'out/w-*.jsonl.gz'].map(
			async (name) =>
				(await openRolling({ name, cwd: file('.'), lines: { outcomes: true }, crawl: true })) as RollingSink,
		),
	);
	const result = { url: 'http://h.test/', outcome: 'gone', depth: 0, at: new Date(0).toISOString() } as const;
	for (const sink of [own!, other!]) {
		await sink.open(undefined);
		await sink.write([result]);
	}
	const [mine] = own!.take();
	const [theirs] = other!.take();
	const old = new Date(Date.now() - 7_200_000);
	for (const { object } of [mine!, theirs!]) utimesSync(file(`out/${object}`), old, old);
	await own!.collect(new Set());
	expect([mine!, theirs!].map(({ object }) => existsSync(file(`out/${object}`)))).toEqual([false, true]);
});

it('a crawl refuses a folder with files of another crawl, a name without a star, and a store that it cannot use', async () => {
	await serve(1);
	const crawl = async (store: string) =>
		sites.crawl(['h.test/'], { ...own, store, sinks: [await open('out/*.jsonl.gz', { crawl: true })] });
	await crawl(`sqlite:${file('one.db')}`);
	await expect(crawl(`sqlite:${file('two.db')}`)).rejects.toMatchObject({
		code: 'sink-failed',
		message: expect.stringMatching(/out\/\*\.jsonl\.gz has files that were not written with this store/),
	});
	await crawl(`sqlite:${file('one.db')}`);
	await expect(open('s3://bucket/run/x.jsonl.gz', { crawl: true })).rejects.toThrow(/put a \* into the name/);
});

it('without a crawl, files have the size too, and old ones are not mixed with new ones', async () => {
	const urls = await serve();
	const results: Parameters<Sink['write']>[0][number][] = [];
	const collect: Sink = {
		...jsonlSink(file('x.jsonl')),
		write: async (some) => {
			results.push(...some);
			return undefined;
		},
	};
	await sites.crawl(['h.test/'], { ...own, sinks: [collect] });
	const write = (name: string, fails = false) =>
		open(name).then((sink) =>
			writeToSinks([sink], async (give) => {
				for (let round = 0; round < 20; round++) await give(results);
				if (fails) throw new Error('half-way');
			}),
		);
	await expect(write('out/*.jsonl.gz', true)).rejects.toThrow('half-way');
	expect(filesOf(file('out'), '.gz')).toEqual([]);
	await write('out/*.jsonl.gz');
	const files = filesOf(file('out'), '.gz');
	expect(files.length).toBeGreaterThan(1);
	expect(files[0]).toMatch(/out\/000001\.jsonl\.gz$/);
	expect(new Set(lineUrls(files))).toEqual(new Set(urls));
	expect(lineUrls(files)).toHaveLength(20 * urls.length);
	await expect(write('out/*.jsonl.gz')).rejects.toThrow(/has such files already: delete them/);
});

it.each([
	['out/*.jsonl.gz', 'file:/home/out', '0002-000017.jsonl.gz'],
	['/a/b/pages-*.parquet', 'file:/a/b', 'pages-0002-000017.parquet'],
	['*.jsonl', 'file:/home', '0002-000017.jsonl'],
	['s3://bucket/*.jsonl.gz', 's3://bucket', '0002-000017.jsonl.gz'],
	['s3://bucket/a/run-*.parquet?region=eu', 's3://bucket/a?region=eu', 'run-0002-000017.parquet'],
])('%s is in %s, such as %s', (name, place, key) => {
	const parsed = rollingPlace(name, '/home');
	expect([parsed.place, fileKey(parsed, 17, 2)]).toEqual([place, key]);
});

it('where Node.js has no zstd, the name says which to take', async () => {
	if ('zstdCompress' in (await import('node:zlib'))) {
		const frame = await zstd()(Buffer.from('text'));
		expect(Buffer.from(frame.subarray(0, 4)).toString('hex')).toBe('28b52ffd');
	} else
		await expect(openRolling({ name: 'o/*.jsonl.zst', cwd: '/', lines: {} })).rejects.toThrow(
			/use \.jsonl\.gz, or Node\.js 22\.15/,
		);
});
