import { createFetcher, type Fetcher } from '@wayleave/io/http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import type { CrawlOptions } from '../config/options.ts';
import { ChangeNotifier } from '../engine/change-notifier.ts';
import { crawlWith } from '../engine/crawl.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { htmlPage, startWeb, type TestAnswer, type TestWeb } from '../testing/web.ts';

// What one worker of a fleet has found of a policy file that cannot be had, the others know.

let web: TestWeb;
let stores: Store[];
let fetchers: Fetcher[];
let robots: Record<string, TestAnswer>;
beforeEach(async () => {
	robots = {};
	fetchers = [];
	web = await startWeb(({ host, path }) => {
		if (path === '/robots.txt') return robots[host];
		return path === '/' ? htmlPage(host, host === 'a.test' ? [web.url('b.test', '/1')] : []) : htmlPage(path);
	});
	const url = await newDatabase();
	stores = [await openStore(url), await openStore(url), await openStore(url)];
});
afterEach(async () => {
	for (const each of [...fetchers, ...stores]) await each.close();
	await web.close();
});

/** Of one worker, whose requests for pages wait until the signal has come. */
function worker(store: Store, seeds: readonly string[], begins?: ChangeNotifier, more: CrawlOptions = {}) {
	const fetcher = createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://bot.test/; Testbot)',
		lookup: web.lookup,
		allowPrivate: () => true,
	});
	const waits: Fetcher = {
		...fetcher,
		async get(url, options) {
			if (new URL(url).pathname === '/') await begins?.after(0);
			return fetcher.get(url, options);
		},
	};
	fetchers.push(fetcher);
	const options = { store, fetcher: waits, delay: 0, ownSites: seeds, sitemaps: false, retries: 0, ...more };
	return crawlWith(
		simpleReader,
		seeds.map((name) => web.url(name)),
		options,
	);
}

it.each([
	['an answer of 500', { status: 500 }],
	['none', { reset: true }],
])(
	'robots.txt that cannot be had (%s) is asked for once by two workers, and again by the next crawl',
	async (_, answer) => {
		robots = { 'b.test': answer };
		const seeds = ['a.test', 'b.test'];
		const begins = new ChangeNotifier();
		const stop = new AbortController();
		const first = worker(stores[0]!, seeds, begins, { signal: stop.signal });
		const second = worker(stores[1]!, seeds);
		second.on('start', () => {
			stop.abort();
			begins.notify();
		});
		const found = new ChangeNotifier();
		first.on('robots', ({ state }) => state === 'unreachable' && found.notify());
		const ended = first.run();
		await found.after(0);
		// It finds another page of b.test, and leaves that to the second one.
		const { rows } = await second.run();
		await ended;
		expect(web.paths('b.test')).toEqual(['/robots.txt']);
		expect(rows).toContainEqual(
			expect.objectContaining({ outcome: 'deferred', reason: 'robots-unreachable', count: 2 }),
		);
		robots = {};
		const { totals } = await worker(stores[2]!, seeds).run();
		expect(totals.deferred).toBe(0);
	},
);
