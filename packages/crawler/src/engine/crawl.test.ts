import { describe, expect, it } from 'vitest';
import type { HostRecord, Leases } from '../store/roles/leases.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();

describe('a small site', () => {
	it('every URL ends once, with a reason', async () => {
		await sites.serve({
			'h.test/': htmlPage('Home', ['/a', '/b#part', 'http://elsewhere.test/']),
			'h.test/a': htmlPage('A', ['/', '/c']),
			'h.test/b': htmlPage('B', ['/a', '/missing']),
			'h.test/c': htmlPage('C'),
			'h.test/robots.txt': plain('User-agent: *\nDisallow: /c\n'),
		});
		const { ends, results, summary } = await sites.crawl(['h.test/']);
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

	it('every seed is visited, however much the seeds look like a trap', async () => {
		const seeds = Array.from({ length: 25 }, (_, n) => `h.test/list?p${n}=1`);
		await sites.serve(Object.fromEntries(seeds.map((seed) => [seed, htmlPage(seed)])));
		const { summary } = await sites.crawl(seeds);
		expect(summary.totals.fetched).toBe(25);
	});

	it('CB-71 CB-77 addresses are asked for as they were found', async () => {
		const paths = ['/q?B=1&A=2', '/Product/ABC', '/product/abc', '/a//b', '/Antonov++A', '/x%2Fy', '/empty'];
		await sites.serve({
			// No server treats an empty query as a different page.
			'h.test/': htmlPage('Home', [...paths.slice(0, -1), '/empty?']),
			...Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(path)])),
		});
		const { summary } = await sites.crawl(['h.test/']);
		expect(sites.pages('h.test').slice(1)).toEqual(paths);
		expect(summary.totals.fetched).toBe(1 + paths.length);
	});

	it('CB-109 fewer URLs than connections: it ends', async () => {
		const paths = Array.from({ length: 19 }, (_, at) => `/${at}`);
		const pages = Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(path)]));
		await sites.serve({ 'h.test/': htmlPage('Home', paths), ...pages });
		const { summary } = await sites.crawl(['h.test/'], { concurrency: 50, delay: 0, ownSites: ['h.test'] });
		expect(summary.totals.fetched).toBe(20);
	});

	it('CB-113 the limit of pages is kept, and the next run goes on', async () => {
		const paths = Array.from({ length: 30 }, (_, at) => `/${at}`);
		await sites.serve({
			'h.test/': htmlPage('Home', paths),
			...Object.fromEntries(paths.map((path) => [`h.test${path}`, htmlPage(path)])),
		});
		const store = await openStore('memory');
		const first = await sites.crawl(['h.test/'], { maxPages: 10, store, delay: 0, ownSites: ['h.test'] });
		expect(first.summary.totals).toMatchObject({ fetched: 10, deferred: 21 });
		expect(first.summary.rows.find(({ outcome }) => outcome === 'deferred')?.reason).toBe('max-pages');
		const second = await sites.crawl(['h.test/'], { maxPages: 10, store, delay: 0, ownSites: ['h.test'] });
		expect(second.summary).toMatchObject({ mode: 'resume', totals: { fetched: 20 } });
		expect(new Set(sites.pages('h.test')).size).toBe(sites.pages('h.test').length);
		await store.close();
	});

	it('the limit of depth is kept', async () => {
		await sites.serve({
			'h.test/': htmlPage('0', ['/1']),
			'h.test/1': htmlPage('1', ['/2']),
			'h.test/2': htmlPage('2'),
		});
		const { summary } = await sites.crawl(['h.test/'], { maxDepth: 1 });
		expect(summary.rows).toContainEqual(
			expect.objectContaining({ outcome: 'out-of-scope', reason: 'max-depth', count: 1 }),
		);
		expect(sites.pages('h.test')).toEqual(['/', '/1']);
	});

	it('a host that comes back before the store has told that it was given away is visited to its end', async () => {
		const store = await openStore('memory');
		let back = () => {};
		const isBack = new Promise<void>((resolve) => {
			back = resolve;
		});
		// PostgreSQL takes its time to answer; until then another host has led here again.
		const releaseHost = async (host: HostRecord) => {
			await store.leases.releaseHost(host);
			if (host.name === 'a.test') await isBack;
		};
		const leases = new Proxy(store.leases, {
			get: (_, name: keyof Leases) => {
				const value = store.leases[name];
				if (name === 'releaseHost') return releaseHost;
				return typeof value === 'function' ? value.bind(store.leases) : value;
			},
		});
		const late = new Proxy(store, {
			get: (_, name: keyof Store) => {
				const value = store[name];
				if (name === 'leases') return leases;
				return typeof value === 'function' ? value.bind(store) : value;
			},
		});
		await sites.serve({
			'a.test/': htmlPage('A'),
			'a.test/more': () => {
				back();
				return htmlPage('More', ['/end']);
			},
			'a.test/end': htmlPage('End'),
			'b.test/': htmlPage('B', ['/next']),
			'b.test/next': () => htmlPage('Next', [sites.url('a.test/more')]),
		});
		const { ends, summary } = await sites.crawl(['a.test/', 'b.test/'], { store: late, sitemaps: false });
		expect(summary.complete).toBe(true);
		expect(await store.frontier.unfinished()).toBe(false);
		expect(ends).toMatchObject({ 'a.test/more': 'fetched', 'a.test/end': 'fetched' });
		await store.close();
	});

	it('counts URLs deferred with their host once, with several visits in flight', async () => {
		await sites.serve({ 'h.test/robots.txt': 500 });
		const seeds = Array.from({ length: 100 }, (_, at) => `h.test/${at}`);
		const pace = { delay: 0, ownSites: ['h.test'], concurrency: 8 };
		const { results, events, summary } = await sites.crawl(seeds, pace);
		const putOff = events.flatMap((event) => (event.type === 'host' && event.count) || []);
		expect(putOff.reduce((sum, count) => sum + count, results.length)).toBe(100);
		expect(summary.totals.deferred).toBe(100);
	});
});
