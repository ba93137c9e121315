import { createFetcher, type Fetcher } from '@wayleave/io';
import { afterEach, describe, expect, it } from 'vitest';
import type { CrawlEvent, Summary } from '../events.ts';
import type { CrawlOptions } from '../options.ts';
import type { Result } from '../result.ts';
import { openStore } from '../store/open.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { type Answer, htmlPage, startWeb, type TestAnswer, type TestRequest, type TestWeb } from '../testing/web.ts';
import { crawlWith } from './crawl.ts';

let web: TestWeb;
afterEach(() => web.close());

interface Crawled {
	results: Result[];
	/** How each URL ended, without scheme and port. */
	ends: Record<string, string>;
	events: CrawlEvent[];
	summary: Summary;
}

/** Crawls from seeds such as `h.test/` to the end. */
async function crawlFrom(seeds: string[], options: CrawlOptions = {}): Promise<Crawled> {
	const crawling = crawlWith(simpleReader, seeds.map(toUrl), { clock, lookup: web.lookup, ...options });
	const events: CrawlEvent[] = [];
	crawling.on('*', (event) => events.push(event));
	const results: Result[] = [];
	for await (const result of crawling) results.push(result);
	const ends = Object.fromEntries(
		results.map(({ url, outcome, reason }) => [short(url), reason ? `${outcome} ${reason}` : outcome]),
	);
	return { results, ends, events, summary: await crawling.summary };
}

/**
 * The same over a fetcher that hides that all hosts are on this machine, so that they are treated like foreign ones.
 */
async function crawlNonLocal(seeds: string[], options: CrawlOptions = {}): Promise<Crawled> {
	const fetcher = createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://bot.test/; Testbot)',
		lookup: web.lookup,
		allowPrivate: () => true,
	});
	const foreign: Fetcher = {
		async get(url, more) {
			const answer = await clock.during(fetcher.get(url, more));
			return answer.ok ? { ...answer, address: '203.0.113.1' } : answer;
		},
		close: () => fetcher.close(),
	};
	try {
		return await crawlFrom(seeds, { fetcher: foreign, ...options });
	} finally {
		await fetcher.close();
	}
}

let clock: FakeClock;
async function serve(answer: Answer): Promise<void> {
	clock = new FakeClock();
	web = await startWeb(answer, () => clock.now());
}

/** The sites of a test: pages by host and path; a number is a status. */
type Sites = Record<string, TestAnswer | string | number | ((request: TestRequest) => TestAnswer | string)>;

async function serveSites(sites: Sites): Promise<void> {
	await serve((request) => {
		const page = sites[request.host + request.path];
		if (typeof page === 'number') return { status: page };
		return typeof page === 'function' ? page(request) : page;
	});
}

const toUrl = (seed: string) => web.url(seed.slice(0, seed.indexOf('/')), seed.slice(seed.indexOf('/')));
const short = (url: string) => url.replace(/^http:\/\//, '').replace(`:${web.port}`, '');
/** Milliseconds from one request of a host to the next. */
function gaps(host: string): number[] {
	const times = web.log.filter((request) => request.host === host).map(({ at }) => at);
	return times.slice(1).map((at, index) => at - times[index]!);
}
const pagesOf = (host: string) => web.paths(host).filter((path) => !/^\/(?:robots2?\.txt|sitemap\.xml)/.test(path));
const robots = (body: string): TestAnswer => ({ headers: { 'Content-Type': 'text/plain' }, body });

describe('a small site', () => {
	it('every URL ends once, with a reason', async () => {
		await serveSites({
			'h.test/': htmlPage('Home', ['/a', '/b#part', 'http://elsewhere.test/']),
			'h.test/a': htmlPage('A', ['/', '/c']),
			'h.test/b': htmlPage('B', ['/a', '/missing']),
			'h.test/c': htmlPage('C'),
			'h.test/robots.txt': robots('User-agent: *\nDisallow: /c\n'),
		});
		const { ends, results, summary } = await crawlFrom(['h.test/']);
		expect(ends).toEqual({
			'h.test/': 'fetched',
			'h.test/a': 'fetched',
			'h.test/b': 'fetched',
			'h.test/c': 'refused robots-disallow',
			'h.test/missing': 'gone http-404',
		});
		const refused = results.find(({ outcome }) => outcome === 'refused');
		expect(refused?.evidence?.[0]).toMatchObject({ line: 2, text: 'Disallow: /c' });
		expect(summary.totals).toMatchObject({ fetched: 3, gone: 1, refused: 1, 'out-of-scope': 1 });
		expect(summary.complete).toBe(true);
	});

	it('AWI-01 AWI-02 AWI-80 R2-32 R2-38 every request says who we are, and nothing about anybody else', async () => {
		await serveSites({ 'h.test/': htmlPage('Home', ['/a']), 'h.test/a': htmlPage('A') });
		await crawlFrom(['h.test/'], { identity: { botName: 'Testbot', botUrl: 'https://bot.test/', version: '1.2' } });
		expect(web.paths('h.test')).toEqual(['/robots.txt', '/robots2.txt', '/', '/a', '/sitemap.xml']);
		for (const { headers } of web.log) {
			expect(headers['user-agent']).toBe('AIWebIndex/2.0 (+https://bot.test/; Testbot)');
			expect(headers['x-agent-identity']).toBe('Testbot/1.2 (ai-assistant)');
			expect(headers.cookie ?? headers.referer ?? headers.authorization ?? headers['x-forwarded-for']).toBeUndefined();
		}
	});

	it('CB-109 fewer URLs than connections: it ends', async () => {
		await serveSites({ 'h.test/': htmlPage('Home') });
		expect((await crawlFrom(['h.test/'], { concurrency: 50 })).summary.totals.fetched).toBe(1);
	});

	it('CB-113 the limit of pages is kept, and the next run goes on', async () => {
		const paths = Array.from({ length: 30 }, (_, at) => `/${at}`);
		await serveSites({
			'h.test/': htmlPage('Home', paths),
			...Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(path)])),
		});
		const store = await openStore('memory');
		const first = await crawlFrom(['h.test/'], { maxPages: 10, store, delay: 0 });
		expect(first.summary.totals).toMatchObject({ fetched: 10, deferred: 21 });
		expect(first.summary.rows.find(({ outcome }) => outcome === 'deferred')?.reason).toBe('max-pages');
		const second = await crawlFrom(['h.test/'], { maxPages: 10, store, delay: 0 });
		expect(second.summary).toMatchObject({ mode: 'resume', totals: { fetched: 20 } });
		expect(new Set(pagesOf('h.test')).size).toBe(pagesOf('h.test').length);
		await store.close();
	});

	it('the limit of depth is kept', async () => {
		await serveSites({
			'h.test/': htmlPage('0', ['/1']),
			'h.test/1': htmlPage('1', ['/2']),
			'h.test/2': htmlPage('2'),
		});
		const { summary } = await crawlFrom(['h.test/'], { maxDepth: 1 });
		expect(summary.rows).toContainEqual(
			expect.objectContaining({ outcome: 'out-of-scope', reason: 'max-depth', count: 1 }),
		);
		expect(pagesOf('h.test')).toEqual(['/', '/1']);
	});
});

describe('manners', () => {
	const five = {
		'h.test/': htmlPage('Home', ['/1', '/2', '/3', '/4']),
		...Object.fromEntries([1, 2, 3, 4].map((at) => [`h.test/${at}`, htmlPage(`${at}`)])),
	};
	const foreign = { ...five };

	it('AWI-68 REP-12 two seconds between any two requests of a host, two hosts at once', async () => {
		await serveSites({ ...foreign, 'i.test/': htmlPage('I') });
		await crawlNonLocal(['h.test/', 'i.test/']);
		expect(Math.min(...gaps('h.test'))).toBeGreaterThanOrEqual(2000);
		const first = (host: string) => web.log.find((request) => request.host === host && request.path === '/')!.at;
		expect(Math.abs(first('h.test') - first('i.test'))).toBeLessThan(2000);
	});

	it.each([
		[5, 5000],
		[1, 2000],
		[0.01, 2000],
	])('AWI-69 CB-16 Crawl-delay: %d makes gaps of %d ms', async (delay, gap) => {
		await serveSites({ ...foreign, 'h.test/robots.txt': robots(`User-agent: *\nCrawl-delay: ${delay}\n`) });
		await crawlNonLocal(['h.test/']);
		const ofPages = gaps('h.test').slice(1);
		expect(Math.min(...ofPages)).toBeGreaterThanOrEqual(gap);
		expect(Math.max(...ofPages)).toBeLessThan(gap + 500);
	});

	it('R2-30 rate: 6 makes gaps of ten seconds', async () => {
		await serveSites({ ...foreign, 'h.test/robots2.txt': robots('rate: 6\n') });
		await crawlNonLocal(['h.test/']);
		expect(Math.min(...gaps('h.test').slice(1))).toBeGreaterThanOrEqual(10_000);
	});

	it('CB-14 a delay longer than we wait defers the site', async () => {
		await serveSites({ ...foreign, 'h.test/robots.txt': robots('User-agent: *\nCrawl-delay: 100000\n') });
		const { ends } = await crawlNonLocal(['h.test/']);
		expect(ends['h.test/']).toBe('deferred crawl-delay-too-long');
		expect(pagesOf('h.test')).toEqual([]);
	});

	describe.each([429, 503])('%d', (status) => {
		it.each([
			['AWI-70 AWI-72 CB-130 Retry-After: 7', '7', 7000],
			['AWI-71 AWI-72 no Retry-After', undefined, 60_000],
			['AWI-73 an HTTP date', 'date', 30_000],
		])('%s', async (_, value, pause) => {
			const header = () => (value === 'date' ? new Date(clock.now() + 30_000).toUTCString() : value);
			const busy = ({ times }: TestRequest) =>
				times === 0 ? { status, headers: value === undefined ? {} : { 'Retry-After': header()! } } : htmlPage('1');
			await serveSites({
				...foreign,
				'h.test/1': busy,
				'i.test/': htmlPage('I', ['/1', '/2']),
				'i.test/1': htmlPage('1'),
				'i.test/2': htmlPage('2'),
			});
			const { ends, events } = await crawlNonLocal(['h.test/', 'i.test/']);
			expect(ends['h.test/1']).toBe('fetched');
			const at = web.log.findIndex((request) => request.host === 'h.test' && request.path === '/1');
			const next = web.log.slice(at + 1).find(({ host }) => host === 'h.test')!;
			expect(next.at - web.log[at]!.at).toBeGreaterThanOrEqual(pause - 1000);
			expect(next.at - web.log[at]!.at).toBeLessThan(pause + 3000);
			expect(events).toContainEqual(
				expect.objectContaining({ type: 'wait', host: 'h.test', why: 'retry-after', status }),
			);
			// AWI-74: other hosts go on meanwhile.
			expect(web.log.filter(({ host }) => host === 'i.test').at(-1)!.at).toBeLessThan(web.log[0]!.at + 15_000);
		});
	});

	it('AWI-74 the pause covers every URL of the host and no other host', async () => {
		const busy = ({ times }: TestRequest) =>
			times === 0 ? { status: 429, headers: { 'Retry-After': '100' } } : htmlPage('1');
		await serveSites({ ...foreign, 'h.test/1': busy, 'i.test/': htmlPage('I', ['/1']), 'i.test/1': htmlPage('1') });
		await crawlNonLocal(['h.test/', 'i.test/']);
		const during = (host: string) => {
			const start = web.log.find(({ path }) => path === '/1')!.at;
			return web.log.filter((request) => request.host === host && request.at > start && request.at < start + 100_000);
		};
		expect(during('h.test')).toEqual([]);
		expect(web.paths('i.test')).toContain('/1');
	});

	it.each([
		['86400', 'CB-134'],
		['31536000', 'CB-133'],
	])('a pause of %s seconds is kept without sleeping for it: the host is deferred (%s)', async (value) => {
		await serveSites({ ...foreign, 'h.test/1': { status: 429, headers: { 'Retry-After': value } } });
		const before = clock.now();
		const { ends, summary, events } = await crawlNonLocal(['h.test/']);
		expect(clock.now() - before).toBeLessThan(60_000);
		expect(ends['h.test/']).toBe('fetched');
		expect(summary.rows).toContainEqual(
			expect.objectContaining({ outcome: 'deferred', reason: 'rate-limited', count: 4 }),
		);
		expect(events).toContainEqual(
			expect.objectContaining({ type: 'host', change: 'deferred', reason: 'rate-limited' }),
		);
		expect(pagesOf('h.test')).toEqual(['/', '/1']);
	});

	it('a pause outlives the process', async () => {
		await serveSites({ ...foreign, 'h.test/1': { status: 429, headers: { 'Retry-After': '86400' } } });
		const store = await openStore('memory');
		await crawlNonLocal(['h.test/'], { store });
		const count = web.log.length;
		clock.advance(3600_000);
		await crawlNonLocal(['h.test/'], { store });
		expect(web.log.length).toBe(count);
		clock.advance(86400_000);
		await crawlNonLocal(['h.test/'], { store });
		expect(web.log.length).toBeGreaterThan(count);
		await store.close();
	});

	it('CB-131 CB-132 a storm of 429 slows down that host alone, and every try is counted', async () => {
		await serveSites({ 'h.test/': 429, 'i.test/': htmlPage('I', ['/1']), 'i.test/1': htmlPage('1') });
		const { ends } = await crawlNonLocal(['h.test/', 'i.test/']);
		expect(ends).toMatchObject({ 'h.test/': 'deferred rate-limited', 'i.test/': 'fetched', 'i.test/1': 'fetched' });
		expect(pagesOf('h.test')).toEqual(['/', '/', '/']);
	});
});
