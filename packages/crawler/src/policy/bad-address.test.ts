import { describe, expect, it } from 'vitest';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { type Sites, useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage, type TestAnswer, type TestRequest } from '../testing/web.ts';

// One address that always responds with 429 or 503 does not block its host.

const sites = useSites();
const places = useStorePlaces();
const own = { ownSites: ['h.test'], delay: 0, pauseCap: 5000, sitemaps: false };
const day = 86_400;

/** `/` links all of the given paths in order; paths missing in `odd` are normal pages. */
function site(paths: readonly string[], odd: Record<string, Sites[string]>): Sites {
	const pages = Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(path)]));
	return { 'h.test/': htmlPage('Home', paths), ...pages, ...odd };
}
const numbered = (most: number) => Array.from({ length: most }, (_, at) => `/p/${at + 1}`);
const limited = (after: number | string): TestAnswer => ({ status: 429, headers: { 'Retry-After': String(after) } });
const asked = (path: string) => sites.web.log.filter((request) => request.path === path).length;

async function within<Value>(at: string, work: (store: Store) => Promise<Value>): Promise<Value> {
	const store = await openStore(at, { clock: sites.clock });
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

const stores: [string, () => Promise<string>][] = [...Object.entries(places.places), ['memory', async () => 'memory']];

describe.each(stores)('with a store in %s', (kind, place) => {
	it('C2-30 the pause ends at the cap, only that URL is put off, and the next run does not request it', async () => {
		const paths = ['/p/0', '/api/limited', ...numbered(10)];
		await sites.serve(site(paths, { 'h.test/api/limited': limited(day) }));
		const at = await place();
		const run = (store: Store, more = {}) => sites.crawl(['h.test/'], { ...own, store, ...more });
		const check = async (store: Store) => {
			const first = await run(store);
			expect(first.summary.totals).toMatchObject({ fetched: 12, deferred: 1 });
			expect(first.results.find(({ outcome }) => outcome === 'deferred')).toMatchObject({
				url: sites.url('h.test/api/limited'),
				reason: 'rate-limited',
				detail: expect.stringMatching(/^429, not before 2026-11-29T12:/),
			});
			expect(first.summary.paused?.urls).toMatchObject({ count: 1, example: sites.url('h.test/api/limited') });
			expect(asked('/api/limited')).toBe(1);
		};
		const checkAgain = async (store: Store) => {
			const second = await run(store);
			expect(second.summary).toMatchObject({ complete: true, totals: { deferred: 1 } });
			expect(asked('/api/limited')).toBe(1);
			await run(store, { refresh: true });
			expect(asked('/api/limited')).toBe(2);
			// PostgreSQL uses its own clock.
			if (kind === 'PostgreSQL') return;
			sites.clock.advance(31 * day * 1000);
			await run(store);
			expect(asked('/api/limited')).toBe(3);
		};
		if (kind === 'memory')
			await within(at, async (store) => {
				await check(store);
				await checkAgain(store);
			});
		else {
			await within(at, check);
			await within(at, checkAgain);
		}
	});
});

it('C2-31 two permanently broken URLs cost two pauses each, and no page', async () => {
	const paths = ['/broken/1', '/broken/2', ...numbered(9)];
	await sites.serve(site(paths, { 'h.test/broken/1': 503, 'h.test/broken/2': 503 }));
	const { summary, events } = await sites.crawl(['h.test/'], own);
	expect(summary.totals).toMatchObject({ fetched: 10, deferred: 2 });
	expect(asked('/broken/1')).toBeLessThanOrEqual(2);
	expect(events.filter(({ type }) => type === 'wait').length).toBeLessThanOrEqual(4);
});

it('C2-32 --refresh requests a URL that was put off for a year', async () => {
	const quiet = ({ times }: TestRequest) => (times === 0 ? limited(31_536_000) : htmlPage('quiet'));
	await sites.serve(site(['/quiet', '/p/1', '/p/2'], { 'h.test/quiet': quiet }));
	const store = await openStore('memory', { clock: sites.clock });
	const first = await sites.crawl(['h.test/'], { ...own, store });
	expect(first.summary.totals).toMatchObject({ fetched: 3, deferred: 1 });
	// Thirty days at most.
	expect(first.summary.paused?.urls?.until).toBeLessThanOrEqual(sites.clock.now() + 30 * day * 1000);
	const second = await sites.crawl(['h.test/'], { ...own, store, refresh: true });
	expect(second.summary.totals).toMatchObject({ deferred: 0 });
	expect(second.results.filter(({ document }) => document).length).toBe(4);
	await store.close();
});

it.each([1, 8])(
	'C2-33 a host that answers 429 to everything for a moment is paused as a whole (%d at a time)',
	async (concurrency) => {
		const paths = numbered(5);
		let until: number | undefined;
		const page = ({ path, at }: TestRequest) => {
			until ??= at + 2000;
			return at < until ? limited(2) : htmlPage(path, path === '/' ? paths : []);
		};
		await sites.serve(Object.fromEntries(['/', ...paths].map((path) => [`h.test${path}`, page])));
		const { summary } = await sites.crawl(['h.test/'], { ownSites: ['h.test'], delay: 0, concurrency });
		expect(summary.totals.fetched).toBe(6);
		expect(sites.pages('h.test').length).toBeLessThanOrEqual(12);
	},
);

it('C2-33 when another URL also fails after the pause, the next pause doubles, up to the cap', async () => {
	await sites.serve(
		Object.fromEntries(
			['/', ...numbered(20)].map((path) => [`h.test${path}`, path === '/' ? htmlPage('Home', numbered(20)) : 503]),
		),
	);
	const { summary, events } = await sites.crawl(['h.test/'], { sitemaps: false, pauseCap: 200_000 });
	const gaps = sites.gaps('h.test').filter((gap) => gap > 10_000);
	expect(gaps.slice(0, 4).map((gap) => Math.round(gap / 1000))).toEqual([60, 120, 200, 200]);
	expect(summary.totals.deferred).toBe(20);
	expect(events.length).toBeGreaterThan(0);
});

it('C2-34 after each one-minute pause, pages that have not failed come first', async () => {
	const paths = ['/broken/1', '/p/1', '/broken/2', ...numbered(9).slice(1)];
	await sites.serve(site(paths, { 'h.test/broken/1': 503, 'h.test/broken/2': 503 }));
	const { summary } = await sites.crawl(['h.test/'], { sitemaps: false });
	expect(summary.totals).toMatchObject({ fetched: 10, deferred: 2 });
	const pages = sites.pages('h.test');
	const again = pages.indexOf('/broken/1', pages.indexOf('/broken/1') + 1);
	expect(pages.slice(0, again).filter((path) => !path.startsWith('/broken/')).length).toBe(10);
	const { log } = sites.web;
	for (const [at, { path }] of log.entries())
		if (path.startsWith('/broken/') && log[at + 1] !== undefined)
			expect(log[at + 1]!.at - log[at]!.at).toBeGreaterThanOrEqual(60_000);
});

it('C2-35 a deferred host is back after the cap, and the summary says until when it waits', async () => {
	const paths = ['/p/0', '/api/limited', ...numbered(10)];
	await sites.serve(site(paths, { 'h.test/api/limited': limited(day) }));
	const store = await openStore('memory', { clock: sites.clock });
	const options = { store, maxPause: 10_000, sitemaps: false };
	const first = await sites.crawl(['h.test/'], options);
	const [paused] = first.summary.paused?.hosts ?? [];
	expect(paused?.host).toBe('h.test');
	expect(paused?.until).toBeLessThanOrEqual(sites.clock.now() + 3_600_000);
	sites.clock.advance(3_700_000);
	const second = await sites.crawl(['h.test/'], options);
	expect(second.summary.totals).toMatchObject({ deferred: 1 });
	expect(second.summary.totals.fetched + second.summary.totals.unchanged).toBe(12);
	expect(second.summary.paused?.hosts).toEqual([]);
	expect(asked('/api/limited')).toBe(1);
	await store.close();
});

it('C2-35 a lower cap shortens a pause of an earlier run, to a minute at least for hosts of others', async () => {
	await sites.serve(site(['/api/limited', '/p/1'], { 'h.test/api/limited': limited(day) }));
	const store = await openStore('memory', { clock: sites.clock });
	await sites.crawl(['h.test/'], { store, sitemaps: false });
	const before = sites.clock.now();
	const { summary } = await sites.crawl(['h.test/'], { store, sitemaps: false, pauseCap: 1000 });
	expect(summary.totals.deferred).toBe(1);
	expect(asked('/p/1')).toBe(1);
	expect(sites.clock.now() - before).toBeGreaterThanOrEqual(60_000);
	expect(sites.clock.now() - before).toBeLessThan(90_000);
	await store.close();
});

it('C2-31 three URLs of a limited part of the host are tried, and the others are put off', async () => {
	const searches = Array.from({ length: 20 }, (_, at) => `/search?q=${at}`);
	await sites.serve(
		site([...searches, ...numbered(9)], Object.fromEntries(searches.map((path) => [`h.test${path}`, 503]))),
	);
	const { summary } = await sites.crawl(['h.test/'], { ...own, concurrency: 1 });
	expect(summary.totals).toMatchObject({ fetched: 10, deferred: 20 });
	expect(new Set(sites.pages('h.test').filter((path) => path.startsWith('/search'))).size).toBe(3);
	expect(summary.rows.flatMap(({ causes = [] }) => causes)).toContainEqual(
		expect.objectContaining({ detail: expect.stringContaining('/search were answered'), count: 17 }),
	);
});

it('C2-30 a redirect to such a URL puts both off', async () => {
	await sites.serve(
		site(['/old', '/p/1'], {
			'h.test/old': { status: 302, headers: { Location: '/new' } },
			'h.test/new': limited(day),
		}),
	);
	const store = await openStore('memory', { clock: sites.clock });
	const first = await sites.crawl(['h.test/'], { ...own, store });
	expect(first.ends).toMatchObject({ 'h.test/old': 'deferred rate-limited', 'h.test/new': 'deferred rate-limited' });
	await sites.crawl(['h.test/'], { ...own, store });
	expect([asked('/old'), asked('/new')]).toEqual([1, 1]);
	await store.close();
});
