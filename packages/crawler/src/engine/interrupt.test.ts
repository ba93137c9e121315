import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFetcher } from '@wayleave/io/http';
import { describe, expect, it } from 'vitest';
import { jsonlSink } from '../sinks/jsonl.ts';
import { markdownSink } from '../sinks/markdown.ts';
import type { Sink } from '../sinks/types.ts';
import { openStore } from '../store/sql/open.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';
import { crawl, crawlWith } from './crawl.ts';

const sites = useSites();
const paths = Array.from({ length: 40 }, (_, at) => `/${at}`);
const site: Sites = {
	'h.test/': htmlPage('Home', paths),
	...Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(path)])),
};
const own = { delay: 0, ownSites: ['h.test'] };

/** A crawl whose results the test takes itself. */
const start = (options: Parameters<typeof crawl>[1] = {}) =>
	crawlWith(simpleReader, [sites.url('h.test/')], { clock: sites.clock, lookup: sites.web.lookup, ...own, ...options });

const ownFetcher = () =>
	createFetcher({ userAgent: 'AIWebIndex/2.0', lookup: sites.web.lookup, allowPrivate: () => true });

describe('an interrupted crawl', () => {
	it('CB-121 finishes what is in flight, saves it, and goes on from there', async () => {
		await sites.serve(site);
		const store = await openStore('memory');
		const stop = new AbortController();
		const first: string[] = [];
		const crawling = start({ store, signal: stop.signal, concurrency: 4 });
		for await (const { url } of crawling) {
			first.push(url);
			if (first.length === 5) stop.abort();
		}
		const summary = await crawling.summary;
		expect(summary.complete).toBe(false);
		expect(first.length).toBeLessThan(15);
		const second: string[] = [];
		const resumed = start({ store });
		for await (const { url } of resumed) second.push(url);
		expect((await resumed.summary).mode).toBe('resume');
		expect(new Set([...first, ...second]).size).toBe(41);
		expect(first.length + second.length).toBe(41);
		expect(sites.pages('h.test').length).toBe(41);
		await store.close();
	});

	it('one that is not read any further is interrupted too', async () => {
		await sites.serve(site);
		const store = await openStore('memory');
		for await (const _ of start({ store, concurrency: 2 })) break;
		const resumed = start({ store });
		const { mode, totals } = await resumed.run();
		expect(mode).toBe('resume');
		expect(totals.fetched).toBe(41);
		expect(sites.pages('h.test').length).toBe(41);
		await store.close();
	});

	it.each([
		['was interrupted', {}, false],
		['was a refresh', {}, true],
		['stopped at a limit', { maxPages: 5 }, false],
		['stopped at a limit, every outcome told', { maxPages: 5, everyOutcome: true }, false],
	])('a file that the run did not begin with has every page too: it %s', async (_, limit, refresh) => {
		await sites.serve({ ...site, 'h.test/': htmlPage('Home', [...paths, 'http://x.test/']) });
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-other-out-'));
		const { everyOutcome = false } = limit as { everyOutcome?: boolean };
		const linesOf = (name: string) =>
			readFileSync(join(folder, name), 'utf8')
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line) as { url: string; document?: unknown });
		const to = (name: string) => ({ everyOutcome, sinks: [jsonlSink(join(folder, name), { outcomes: everyOutcome })] });
		const store = await openStore('memory');
		if (refresh) await start({ store, ...to('before.jsonl') }).run();
		const stop = new AbortController();
		const crawling = start({ store, signal: stop.signal, ...limit, ...to('before.jsonl') });
		let count = 0;
		for await (const _ of crawling) if (++count === 5 && !('maxPages' in limit)) stop.abort();
		const markdown = markdownSink(join(folder, 'md'));
		const { sinks, ...more } = to('after.jsonl');
		const { mode } = await start({ store, ...more, sinks: [...sinks, markdown] }).run();
		expect(mode).toBe(refresh ? 'refresh' : 'resume');
		const pages = linesOf('after.jsonl').filter(({ document }) => document !== undefined);
		expect(pages).toHaveLength(41);
		expect(new Set(pages.map(({ url }) => url)).size).toBe(41);
		expect(linesOf('after.jsonl').length).toBe(everyOutcome ? 42 : 41);
		const names = readdirSync(join(folder, 'md'), { recursive: true, encoding: 'utf8' });
		expect(names.filter((name) => name.endsWith('.md'))).toHaveLength(41);
		await store.close();
		rmSync(folder, { recursive: true });
	});

	it('aborted before it begins, it visits nothing', async () => {
		await sites.serve(site);
		const summary = await start({ signal: AbortSignal.abort() }).run();
		expect(summary).toMatchObject({ complete: false, pending: 1, requests: 0 });
	});
});

it('a reader who takes nothing holds the crawl back', async () => {
	const many = Array.from({ length: 300 }, (_, at) => `/${at}`);
	await sites.serve({
		'h.test/': htmlPage('Home', many),
		...Object.fromEntries(many.map((path) => [`h.test${path}`, htmlPage(path)])),
	});
	const results = start({ concurrency: 4 })[Symbol.asyncIterator]();
	await results.next();
	await new Promise((resolve) => setTimeout(resolve, 700));
	expect(sites.pages('h.test').length).toBeLessThan(80);
	await results.return?.();
});

describe('throws an error with a code if it cannot work', () => {
	it.each([
		['no-seeds', [], {}],
		['bad-seed', ['mailto:a@b.test'], {}],
		['bad-option', ['http://h.test/'], { concurrency: 0 }],
		['bad-option', ['http://h.test/'], { delay: -1 }],
		['bad-option', ['http://h.test/'], { delay: Number.POSITIVE_INFINITY }],
		['bad-option', ['http://h.test/'], { every: 1e18 }],
		['bad-option', ['http://h.test/'], { maxPages: 1.5 }],
		['bad-option', ['http://h.test/'], { scope: 'toString' as never }],
		['bad-option', ['http://h.test/'], { ask: 'sometimes' as never }],
		['bad-option', ['http://h.test/'], { prefer: 'pdf' as never }],
		['bad-option', ['http://h.test/'], { favor: 'both' as never }],
		['bad-option', ['http://h.test/'], { render: 'yes' as never }],
		['bad-option', ['http://h.test/'], { uses: ['read', 'summarize' as never] }],
		['bad-option', ['http://h.test/'], { identity: { botName: 'not a token' } }],
	] as const)('%s', (code, seeds, options) => {
		expect(() => crawl(seeds, options)).toThrowError(expect.objectContaining({ code }));
	});

	it('a sink that cannot end what it has begun fails the run, which can be gone on with', async () => {
		await sites.serve(site);
		const store = await openStore('memory');
		let closes = 0;
		const holdsBack: Sink = {
			name: 'holds back',
			persistent: true,
			async open() {},
			async write() {
				return undefined;
			},
			close: () => (++closes === 1 ? Promise.reject(new Error('disk full')) : Promise.resolve()),
		};
		const run = () => start({ store, sinks: [holdsBack] }).run();
		await expect(run()).rejects.toMatchObject({ code: 'sink-failed', message: 'holds back: disk full' });
		expect(await run()).toMatchObject({ mode: 'resume', complete: true });
		await store.close();
	});

	it('two sinks that write to one file are refused, however its name is written', () => {
		const sinks = ['x/pages.jsonl', './x/../x/pages.jsonl'].map((file) => jsonlSink(file));
		expect(() => crawl(['http://h.test/'], { sinks })).toThrowError(expect.objectContaining({ code: 'bad-option' }));
	});

	it('a sink that fails ends the crawl, and nothing that it missed counts as done', async () => {
		await sites.serve(site);
		const store = await openStore('memory');
		let written = 0;
		const full: Sink = {
			name: 'full',
			persistent: true,
			async open() {},
			async write(results) {
				written += results.length;
				if (written > 10) throw new Error('disk full');
				return String(written);
			},
			async close() {},
		};
		await expect(start({ store, sinks: [full] }).run()).rejects.toMatchObject({ code: 'sink-failed' });
		const tally = await store.frontier.tally();
		const ended = tally.rows.reduce((sum, { count }) => sum + count, 0);
		expect(ended).toBeLessThanOrEqual(10);
		expect(tally.pending).toBeGreaterThan(0);
		await store.close();
	});

	it.each([
		['before the first request', 0],
		['between two pages', 3],
	])('a fetcher that its owner closes %s ends the crawl, and what is left waits', async (_, after) => {
		await sites.serve(site);
		const store = await openStore('memory');
		const fetcher = ownFetcher();
		const seen: string[] = [];
		if (after === 0) await fetcher.close();
		const visit = async () => {
			for await (const { url } of start({ store, fetcher, concurrency: 1, sitemaps: false })) {
				seen.push(url);
				if (seen.length === after) await fetcher.close();
			}
		};
		await expect(visit()).rejects.toMatchObject({
			code: 'fetcher-closed',
			message: expect.stringContaining('close it only after the crawl'),
		});
		const { pending, rows } = await store.frontier.tally();
		expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(seen.length);
		expect(pending).toBe(after === 0 ? 1 : 41 - seen.length);
		await store.close();
	});

	it('closed once the crawl was told to stop, it is an interruption like any other', async () => {
		await sites.serve(site);
		const fetcher = ownFetcher();
		const stop = new AbortController();
		const crawling = start({ fetcher, signal: stop.signal, concurrency: 4 });
		for await (const _ of crawling) {
			if (stop.signal.aborted) continue;
			stop.abort();
			await fetcher.close();
		}
		expect(await crawling.summary).toMatchObject({ complete: false });
	});

	it('the iterator rejects like the summary', async () => {
		await sites.serve(site);
		const crawling = start({ store: 'postgres://nowhere' });
		await expect(crawling[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'store-unreadable' });
		await expect(crawling.summary).rejects.toMatchObject({ code: 'store-unreadable' });
	});
});

it('CB-107 CB-110 with failures at random, every URL ends and so does the crawl', async () => {
	const many = Array.from({ length: 500 }, (_, at) => `/${at}`);
	const flaky = Object.fromEntries(
		many.map((path, at) => [
			`h.test${path}`,
			at % 7 === 0 ? { reset: true } : at % 5 === 0 ? 500 : at % 3 === 0 ? 404 : htmlPage(path),
		]),
	);
	await sites.serve({ 'h.test/': htmlPage('Home', many), ...flaky });
	const { totals, pending, complete } = await start({ concurrency: 8, retries: 1 }).run();
	expect({ pending, complete }).toEqual({ pending: 0, complete: true });
	expect(Object.values(totals).reduce((a, b) => a + b, 0)).toBe(501);
	expect(totals.failed).toBe(Math.ceil(500 / 7) + many.filter((_, at) => at % 7 !== 0 && at % 5 === 0).length);
});

it('CB-114 the state says which hosts wait, for what, and until when', async () => {
	await sites.serve({ 'h.test/': { status: 429, headers: { 'Retry-After': '200' } }, 'h.test/robots.txt': plain('') });
	const crawling = start();
	const seen: unknown[] = [];
	const at = sites.clock.now();
	crawling.on('wait', () => setTimeout(() => seen.push(crawling.stats().hosts[0]), 0));
	const running = crawling.run();
	await running;
	expect(seen[0]).toMatchObject({ host: 'h.test', waiting: { why: 'retry-after', until: expect.any(Number) } });
	const { waiting } = seen[0] as { waiting: { until: number } };
	expect(waiting.until - at).toBeGreaterThanOrEqual(200_000);
	expect(waiting.until - at).toBeLessThan(210_000);
});

it('the figures count pages, as the table does, not the sitemaps that a limit puts off', async () => {
	const maps = Array.from({ length: 20 }, (_, at) => `<sitemap><loc>/s${at}.xml</loc></sitemap>`);
	await sites.serve({
		'h.test/': htmlPage('Home', ['/1', '/2']),
		'h.test/sitemap.xml': {
			headers: { 'Content-Type': 'application/xml' },
			body: `<sitemapindex>${maps.join('')}</sitemapindex>`,
		},
	});
	const crawling = start({ maxPages: 1 });
	const { totals } = await crawling.run();
	expect(totals).toMatchObject({ fetched: 1, deferred: 2 });
	expect(crawling.stats()).toMatchObject({ outcomes: { fetched: 1, deferred: 2 }, done: 3, pending: 0 });
});

it('CB-86 CB-85 a large good site is crawled as a whole, the calendar in it is cut', async () => {
	const articles = Array.from({ length: 600 }, (_, at) => `/article?id=${at}&lang=en`);
	const calendar = (path: string) => {
		const [, year, month] = /^\/calendar\/(\d+)\/(\d+)$/.exec(path) ?? [];
		if (year === undefined) return undefined;
		const next = Number(year) * 12 + Number(month);
		return htmlPage(path, [`/calendar/${Math.floor(next / 12)}/${(next % 12) + 1}`]);
	};
	await sites.serve(
		new Proxy({} as Sites, {
			get: (_, key) => {
				const path = String(key).replace('h.test', '');
				if (path === '/') return htmlPage('Home', ['/calendar/2020/1', ...articles]);
				return articles.includes(path) ? htmlPage(path) : calendar(path);
			},
		}),
	);
	const { totals, rows } = await start({ concurrency: 8 }).run();
	expect(rows).toContainEqual(expect.objectContaining({ outcome: 'out-of-scope', reason: 'trap-calendar', count: 1 }));
	expect(totals.fetched).toBe(1 + 600 + 36);
});
