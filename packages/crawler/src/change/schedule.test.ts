import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrawlOptions } from '../config/options.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { RunRequest } from '../store/roles/frontier.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { aroundStore } from '../testing/around-store.ts';
import { type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer } from '../testing/web.ts';
import { manifestSite } from './testing/manifest-site.ts';

const sites = useSites();
const hour = 3600_000;
const paths = Array.from({ length: 10 }, (_, at) => `/p${at}`);
const editions = new Map<string, number>();
let lastmod: Record<string, string> = {};
let store: Store;

const site: Sites = new Proxy({} as Sites, {
	get: (_, name) => {
		const path = String(name).replace('h.test', '');
		if (path === '/sitemap.xml') return sitemap();
		if (path !== '/' && !paths.includes(path) && !editions.has(path)) return undefined;
		return htmlPage(`${path} ${editions.get(path) ?? 0}`, path === '/' ? [...paths, ...editions.keys()] : []);
	},
});

function sitemap(): TestAnswer {
	const urls = Object.entries(lastmod).map(
		([path, date]) => `<url><loc>${sites.url(`h.test${path}`)}</loc><lastmod>${date}</lastmod></url>`,
	);
	return { headers: { 'Content-Type': 'application/xml' }, body: `<urlset>${urls.join('')}</urlset>` };
}

beforeEach(async () => {
	editions.clear();
	lastmod = {};
	store = await openStore('memory');
	await sites.serve(site);
});
afterEach(() => store.close());

/** A cycle that begins `hours` after the one before; the pages that were asked for. */
async function cycle(hours: number, options: CrawlOptions) {
	sites.clock.advance(hours * hour);
	const before = sites.web.log.length;
	const crawled = await sites.crawl(['h.test/'], { store, ...options });
	const asked = sites.web.log.slice(before).map(({ path }) => path);
	return { ...crawled, asked: asked.filter((path) => path === '/' || path.startsWith('/p')) };
}

describe('a site without a manifest', () => {
	it('is looked at as a whole when nothing else is said', async () => {
		await cycle(0, {});
		expect((await cycle(1, {})).asked).toHaveLength(11);
		expect((await cycle(1, {})).asked).toHaveLength(11);
	});

	it('with a budget, pages are looked at when a change is to be expected; the others stand', async () => {
		const budget = { budget: 100 };
		await cycle(0, budget);
		// A day is the first span: only the seed, which leads to what is new, is looked at before.
		const soon = await cycle(1, budget);
		expect(soon.asked).toEqual(['/']);
		expect(soon.ends['h.test/p1']).toBe('unchanged not-due');
		expect(soon.results.filter(({ document }) => document !== undefined)).toHaveLength(11);
		expect((await cycle(24, budget)).asked).toHaveLength(11);
		// Nothing had changed in 25 hours: the next look is 50 hours away.
		expect((await cycle(25, budget)).asked).toEqual(['/']);
		expect((await cycle(26, budget)).asked).toHaveLength(11);
	});

	it('checks the target of a redirected seed together with the seed', async () => {
		const seed: Sites = {
			'h.test/': { status: 302, headers: { Location: '/home' } },
			'h.test/home': () => htmlPage('Home', [...editions.keys()]),
			'h.test/new': htmlPage('New'),
		};
		await sites.serve(seed);
		await cycle(0, { budget: 100 });
		editions.set('/new', 1);
		expect((await cycle(1, { budget: 100 })).ends).toMatchObject({ 'h.test/home': 'fetched', 'h.test/new': 'fetched' });
	});

	it('a page that changes is looked at more often than one that does not', async () => {
		const counts = new Map<string, number>();
		const budget = { budget: 100 };
		await cycle(0, budget);
		for (let times = 0; times < 12; times++) {
			editions.set('/p1', times + 1);
			for (const path of (await cycle(24, budget)).asked) counts.set(path, (counts.get(path) ?? 0) + 1);
		}
		expect(counts.get('/p1')).toBeGreaterThan(2 * counts.get('/p2')!);
	});

	it('the budget is kept, new pages come first, and nobody starves', async () => {
		const first = await cycle(0, { budget: 4 });
		expect(first.asked).toHaveLength(4);
		expect(first.summary.rows).toContainEqual(
			expect.objectContaining({ outcome: 'deferred', reason: 'budget-spent', count: 7 }),
		);
		const seen = new Set(first.asked);
		for (let times = 0; times < 3; times++) {
			const next = await cycle(1, { budget: 4 });
			expect(next.asked.length).toBeLessThanOrEqual(4);
			for (const path of next.asked) seen.add(path);
		}
		expect(seen.size).toBe(11);
		// From now on all are due at once, and take turns.
		const turns = new Set<string>();
		for (let times = 0; times < 5; times++) {
			const { asked, ends } = await cycle(times === 0 ? 48 : 1, { budget: 4 });
			expect(asked.length).toBeLessThanOrEqual(4);
			if (times === 0) expect(Object.values(ends)).toContain('unchanged budget-spent');
			for (const path of asked) turns.add(path);
		}
		expect(turns.size).toBe(11);
	});

	it('--refresh looks at everything', async () => {
		await cycle(0, { budget: 100 });
		expect((await cycle(1, { budget: 100, refresh: true })).asked).toHaveLength(11);
	});

	it('the date of a sitemap calls for a look, and one of before the last look does not', async () => {
		lastmod = { '/p1': '2026-01-01', '/p2': '2026-01-01' };
		await cycle(0, { budget: 100 });
		editions.set('/p2', 1);
		lastmod['/p2'] = new Date(sites.clock.now() + hour / 2).toISOString();
		const second = await cycle(1, { budget: 100 });
		expect(second.asked.sort()).toEqual(['/', '/p2']);
		expect(second.ends).toMatchObject({ 'h.test/p1': 'unchanged not-due', 'h.test/p2': 'fetched' });
		expect((await cycle(1, { budget: 100 })).asked).toEqual(['/']);
	});

	it('a date that has yet to come says nothing', async () => {
		lastmod = { '/p1': '2099-01-01', '/p2': new Date(sites.clock.now() + hour / 2).toISOString() };
		await cycle(0, { budget: 100 });
		expect((await cycle(1, { budget: 100 })).asked.sort()).toEqual(['/', '/p2']);
		expect((await cycle(1, { budget: 100 })).asked).toEqual(['/']);
	});

	it('dates that announce changes again and again that are none are not heeded any more', async () => {
		await cycle(0, { budget: 100 });
		const asked: number[] = [];
		for (let times = 0; times < 4; times++) {
			lastmod = Object.fromEntries(paths.map((path) => [path, new Date(sites.clock.now() + hour).toISOString()]));
			asked.push((await cycle(2, { budget: 100 })).asked.length);
		}
		expect(asked).toEqual([11, 1, 1, 1]);
	});
});

it('with a manifest and a budget, what has changed by its word comes first', async () => {
	const described = manifestSite(paths);
	await sites.serve(described.sites);
	await cycle(0, { budget: 100, auditRate: 0 });
	for (const path of ['/p7', '/p8', '/p9']) described.change(path);
	const second = await cycle(48, { budget: 2, auditRate: 0 });
	expect(second.asked).toEqual(['/p7', '/p8']);
	expect(second.ends['h.test/p9']).toBe('unchanged budget-spent');
	expect((await cycle(48, { budget: 2, auditRate: 0 })).asked).toEqual(['/p9']);
});

describe('every', () => {
	/** Runs cycles until so many have ended, then stops. */
	async function run(cycles: number, options: CrawlOptions = {}) {
		const stop = new AbortController();
		const events: CrawlEvent[] = [];
		let done = 0;
		const { crawlWith } = await import('../engine/crawl.ts');
		const { simpleReader } = await import('../testing/simple-reader.ts');
		const crawling = crawlWith(simpleReader, [sites.url('h.test/')], {
			store,
			clock: sites.clock,
			lookup: sites.web.lookup,
			every: 6 * hour,
			signal: stop.signal,
			...options,
		});
		crawling.on('*', (event) => events.push(event));
		crawling.on('done', () => {
			if (++done >= cycles) stop.abort();
		});
		return { summary: await crawling.run(), events, stats: () => crawling.stats() };
	}
	const starts = (events: readonly CrawlEvent[]) => events.filter(({ type }) => type === 'start').length;

	it('cycle follows cycle, at the pace that was asked for, until it is stopped', async () => {
		const { summary, events } = await run(4);
		expect(starts(events)).toBe(4);
		expect(summary).toMatchObject({ complete: true, mode: 'refresh' });
		const times = sites.web.log.filter(({ path }) => path === '/').map(({ at }) => at);
		expect(times).toHaveLength(4);
		for (const [at, time] of times.slice(1).entries()) expect((time - times[at]!) / hour).toBeCloseTo(6, 1);
		expect(events.filter(({ type }) => type === 'cycle')).toHaveLength(3);
	});

	it('a cycle that has ended lasts no longer', async () => {
		const { summary, stats } = await run(1);
		sites.clock.advance(hour);
		expect(stats().milliseconds).toBe(summary.milliseconds);
	});

	it('a cycle that another worker has been through meanwhile is not gone through again', async () => {
		let begun = 0;
		const shared = aroundStore(store, async (method, args, call) => {
			if (method === 'begin' && ++begun === 2) {
				await store.begin(args[0] as RunRequest);
				await store.end(true, sites.clock.now());
			}
			return call();
		});
		const { events } = await run(2, { store: shared });
		expect(starts(events)).toBe(2);
		const times = sites.web.log.filter(({ path }) => path === '/').map(({ at }) => at);
		expect((times[1]! - times[0]!) / hour).toBeCloseTo(12, 1);
	});

	it('started again before its time it waits for it', async () => {
		await run(1);
		sites.clock.advance(hour);
		const before = sites.clock.now();
		await run(1);
		const [, second] = sites.web.log.filter(({ path }) => path === '/');
		expect((second!.at - before) / hour).toBeCloseTo(5, 1);
	});

	it('stopped while it waits, it ends with what is known', async () => {
		await run(1);
		const { summary, events } = await run(0, { signal: AbortSignal.abort() });
		expect(starts(events)).toBe(0);
		expect(summary).toMatchObject({ complete: true, requests: 0, totals: { fetched: 11 } });
	});
});
