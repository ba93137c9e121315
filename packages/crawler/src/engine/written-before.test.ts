import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonlSink } from '../sinks/jsonl.ts';
import { markdownSink } from '../sinks/markdown.ts';
import { parquetSink } from '../sinks/parquet.ts';
import type { Sink } from '../sinks/types.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';
import { crawlWith } from './crawl.ts';

const sites = useSites();
let folder: string;
let store: Store;
beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-written-before-'));
	store = await openStore('memory');
	const paths = ['/a', '/b', '/c'];
	await sites.serve({
		'h.test/': htmlPage('Home', paths),
		...Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(path)])),
	});
});
afterEach(async () => {
	await store.close();
	rmSync(folder, { recursive: true });
});

const start = (sinks: readonly Sink[], options: Parameters<typeof crawlWith>[2] = {}) =>
	crawlWith(simpleReader, [sites.url('h.test/')], {
		...{ clock: sites.clock, lookup: sites.web.lookup, delay: 0, ownSites: ['h.test'], store, sinks },
		...options,
	});
const file = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(file(name), 'utf8');
const pathsIn = (name: string) =>
	text(name)
		.trimEnd()
		.split('\n')
		.map((line) => new URL(JSON.parse(line).url).pathname)
		.sort();
const all = ['/', '/a', '/b', '/c'];
const foreign = '{"url":"http://other.test/kept"}\n';

describe('a file that no crawl with this store has written', () => {
	it.each([
		['pages.jsonl', jsonlSink],
		['pages.parquet', parquetSink],
	])('%s is not written over, nor is anybody asked for anything', async (name, sinkFor) => {
		writeFileSync(file(name), foreign);
		for (const mode of ['new', 'resume'])
			await expect(start([sinkFor(file(name))]).run(), mode).rejects.toMatchObject({
				code: 'sink-failed',
				message: expect.stringMatching(/pages\.\w+ exists.*--refresh/),
			});
		expect(sites.web.log).toEqual([]);
		expect(text(name)).toBe(foreign);
		await start([]).run();
		await expect(start([sinkFor(file(name))]).run(), 'again').rejects.toMatchObject({ code: 'sink-failed' });
		expect(text(name)).toBe(foreign);
	});

	it('is written anew by a refresh, at its end', async () => {
		writeFileSync(file('pages.jsonl'), foreign);
		const stop = new AbortController();
		for await (const _ of start([jsonlSink(file('pages.jsonl'))], { refresh: true, signal: stop.signal })) stop.abort();
		expect(text('pages.jsonl')).toBe(foreign);
		await start([jsonlSink(file('pages.jsonl'))]).run();
		expect(pathsIn('pages.jsonl')).toEqual(all);
		expect(readdirSync(folder)).toEqual(['pages.jsonl']);
	});

	it('is not begun beside nothing', async () => {
		const stop = new AbortController();
		for await (const _ of start([jsonlSink(file('pages.jsonl'))], { refresh: true, signal: stop.signal })) stop.abort();
		expect(readdirSync(folder)).toEqual(['pages.jsonl']);
		await start([jsonlSink(file('pages.jsonl'))]).run();
		expect(pathsIn('pages.jsonl')).toEqual(all);
	});

	it('is taken when it is empty', async () => {
		writeFileSync(file('pages.jsonl'), '');
		await start([jsonlSink(file('pages.jsonl'))]).run();
		expect(pathsIn('pages.jsonl')).toEqual(all);
	});

	it('is written over with a store in memory, which knows of no earlier crawl', async () => {
		for (const _ of [1, 2]) await start([jsonlSink(file('pages.jsonl'))], { store: 'memory' }).run();
		expect(pathsIn('pages.jsonl')).toEqual(all);
	});
});

describe('a file of this store', () => {
	it('is known before anything in it is committed', async () => {
		const full: Sink = {
			...{ name: 'full', persistent: true, open: async () => {}, close: async () => {} },
			write: () => Promise.reject(new Error('disk full')),
		};
		const jsonl = () => jsonlSink(file('pages.jsonl'));
		await expect(start([jsonl(), full]).run()).rejects.toMatchObject({ message: 'full: disk full' });
		expect(text('pages.jsonl')).not.toBe('');
		await start([jsonl()]).run();
		expect(pathsIn('pages.jsonl')).toEqual(all);
	});

	it('is written by the next crawls, those between which it was left out too', async () => {
		const sinks = () => [jsonlSink(file('pages.jsonl')), parquetSink(file('pages.parquet'))];
		for (const some of [sinks(), [], sinks(), sinks()]) await start(some).run();
		expect(pathsIn('pages.jsonl')).toEqual(all);
		expect(readdirSync(folder).sort()).toEqual(['pages.jsonl', 'pages.parquet']);
	});
});

describe('output that was taken away', () => {
	const sinks = () => [jsonlSink(file('pages.jsonl')), markdownSink(file('md'))];
	const limited = (some: readonly Sink[], maxPages: number) => start(some, { maxPages, sitemaps: false }).run();
	const inFolder = () =>
		readdirSync(file('md'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).length;
	const takeAway = () => {
		for (const name of ['pages.jsonl', 'md']) rmSync(file(name), { recursive: true });
	};

	it('between two runs is written again with every page, without another request', async () => {
		await limited(sinks(), 2);
		takeAway();
		await limited(sinks(), 2);
		expect(pathsIn('pages.jsonl')).toEqual(all);
		expect(inFolder()).toBe(4);
		expect(sites.pages('h.test').sort()).toEqual(all);
	});

	it('is written again with every page though that was interrupted', async () => {
		await limited(sinks(), 3);
		takeAway();
		const half = (sink: Sink): Sink => ({
			...sink,
			async write(results) {
				const position = await sink.write(results.slice(0, 1));
				if (results.length > 0) throw new Error('disk full');
				return position;
			},
		});
		await expect(limited([half(markdownSink(file('md')))], 3)).rejects.toMatchObject({ code: 'sink-failed' });
		expect(inFolder()).toBe(1);
		await limited(sinks(), 3);
		expect(inFolder()).toBe(4);
		expect(pathsIn('pages.jsonl')).toEqual(all);
	});

	it('while a folder is written ends the crawl, and comes again with the next', async () => {
		const markdown = markdownSink(file('md'));
		const write: Sink['write'] = async (results) => {
			const position = await markdown.write(results);
			rmSync(file('md'), { recursive: true });
			return position;
		};
		await expect(start([{ ...markdown, write }], { concurrency: 1 }).run()).rejects.toMatchObject({
			code: 'sink-failed',
			message: expect.stringContaining('was removed during the crawl'),
		});
		await start(sinks()).run();
		expect(inFolder()).toBe(4);
	});
});
