import { createFetcher, type Fetcher } from '@wayleave/io/http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import type { CrawlOptions } from '../config/options.ts';
import type { Batch } from '../store/roles/commit.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { aroundStore } from '../testing/around-store.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../testing/web.ts';
import { ChangeNotifier } from './change-notifier.ts';
import { crawlWith } from './crawl.ts';

// One worker of a fleet is redirected from a seed, and the scope of all is wider from then on.

let web: TestWeb;
let stores: Store[];
let fetcher: Fetcher;
beforeEach(async () => {
	const place = await newDatabase();
	stores = [await openStore(place), await openStore(place)];
});
afterEach(async () => {
	for (const each of [...stores, fetcher, web]) await each.close();
});

async function serve(answer: Answer): Promise<void> {
	web = await startWeb(answer);
	fetcher = createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://bot.test/; Testbot)',
		lookup: web.lookup,
		allowPrivate: () => true,
	});
}

/** By their names and paths, such as `h.test/old/`. */
function worker(store: Store, seeds: readonly string[], more: CrawlOptions = {}) {
	const urls = seeds.map((seed) => web.url(seed.slice(0, seed.indexOf('/')), seed.slice(seed.indexOf('/'))));
	const ownSites = urls.map((url) => new URL(url).hostname);
	return crawlWith(simpleReader, urls, { store, fetcher, delay: 0, ownSites, sitemaps: false, ...more });
}

/** Asks for a URL that ends so only when the signal has come, and tells when it wants to. */
function waiting(end: string, begins: ChangeNotifier, asks = new ChangeNotifier()): Fetcher {
	return {
		...fetcher,
		async get(url, more) {
			if (url.endsWith(end)) {
				asks.notify();
				await begins.after(0);
			}
			return fetcher.get(url, more);
		},
	};
}

const to = (host: string, path: string) => ({ status: 302, headers: { Location: web.url(host, path) } });

async function outOfScope() {
	const { rows } = await stores[0]!.frontier.tally();
	return rows.filter(({ outcome }) => outcome === 'out-of-scope');
}

it('a worker that began before a seed was redirected visits what lies where that has led', async () => {
	await serve(({ path }) => {
		if (path === '/old/') return to('h.test', '/new/');
		return path.startsWith('/new/') ? htmlPage(path, ['/new/1', '/new/2']) : undefined;
	});
	const stop = new AbortController();
	const [asks, begins] = [new ChangeNotifier(), new ChangeNotifier()];
	const options = { scope: 'prefix', fetcher: waiting('', begins, asks), signal: stop.signal } as const;
	const first = worker(stores[0]!, ['h.test/old/'], options);
	first.on('host', ({ change }) => change === 'in-scope' && stop.abort());
	const firstEnds = first.run();
	await asks.after(0);
	const second = worker(stores[1]!, ['h.test/old/'], { scope: 'prefix' });
	second.on('start', () => begins.notify());
	await second.run();
	await firstEnds;
	expect(await outOfScope()).toEqual([]);
	expect(web.paths('h.test').filter((path) => path.startsWith('/new/'))).toEqual(['/new/', '/new/1', '/new/2']);
});

/** A store that commits a page with a link to `/early` only when the signal has come. */
function committing(store: Store, begins: ChangeNotifier, waits: ChangeNotifier): Store {
	return aroundStore(store, async (method, args, call) => {
		const { visits = [] } = method === 'commit' ? (args[0] as Batch) : {};
		if (visits.some(({ found }) => found.some(({ url }) => url.endsWith('/early')))) {
			waits.notify();
			await begins.after(0);
		}
		return call();
	});
}

const seeds = ['b.test/', 'a.test/'];

/** Pages with links, by host and path; b.test leads to c.test. */
function serveThree(pages: Record<string, readonly string[]>, onAsk: (path: string) => void = () => {}): Promise<void> {
	return serve(({ host, path }) => {
		onAsk(path);
		if (host === 'b.test' && path === '/') return to('c.test', '/');
		const links = pages[host + path];
		return links && htmlPage(path, links);
	});
}

it('a link that was judged before the scope is wider, and is committed when all others were judged again, is visited', async () => {
	const [begins, waits, commits] = [new ChangeNotifier(), new ChangeNotifier(), new ChangeNotifier()];
	await serveThree(
		{
			get 'a.test/'() {
				return ['/1', web.url('c.test', '/known')];
			},
			get 'a.test/1'() {
				return [web.url('c.test', '/early')];
			},
			'c.test/': [],
			'c.test/known': [],
			'c.test/early': [],
		},
		(path) => path === '/known' && commits.notify(),
	);
	const stop = new AbortController();
	const redirected = worker(stores[0]!, seeds, {
		concurrency: 1,
		fetcher: waiting(web.url('b.test'), begins),
		signal: stop.signal,
	});
	redirected.on('host', ({ change }) => change === 'in-scope' && stop.abort());
	const started = new Promise<void>((resolve) => redirected.on('robots', () => resolve()));
	const ends = redirected.run();
	await started;
	const other = worker(committing(stores[1]!, commits, waits), seeds);
	const done = other.run();
	await waits.after(0);
	begins.notify();
	await Promise.all([ends, done]);
	expect(await outOfScope()).toEqual([]);
	expect(web.paths('c.test').filter((path) => !path.includes('.'))).toEqual(['/', '/known', '/early']);
});

it('a link that a worker commits which stops, when others have judged all again, is not left out of the scope', async () => {
	const [begins, waits, commits] = [new ChangeNotifier(), new ChangeNotifier(), new ChangeNotifier()];
	await serveThree({
		get 'a.test/'() {
			return [web.url('c.test', '/early')];
		},
		'c.test/': [],
		'c.test/early': [],
	});
	const judging = aroundStore(stores[0]!, async (method, _, call) => {
		const value = await call();
		if (method === 'reconsider') commits.notify();
		return value;
	});
	const redirected = worker(judging, seeds, { concurrency: 1, fetcher: waiting(web.url('b.test'), begins) });
	const started = new Promise<void>((resolve) => redirected.on('robots', () => resolve()));
	const ends = redirected.run();
	await started;
	const stop = new AbortController();
	const other = worker(committing(stores[1]!, commits, waits), seeds, { signal: stop.signal });
	const done = other.run();
	await waits.after(0);
	stop.abort();
	begins.notify();
	await Promise.all([ends, done]);
	expect(await outOfScope()).toEqual([]);
});

it('a link of a worker that dies between its commit and the second look at it is looked at by those who are left', async () => {
	const [begins, waits, judged, committed] = [
		new ChangeNotifier(),
		new ChangeNotifier(),
		new ChangeNotifier(),
		new ChangeNotifier(),
	];
	await serveThree({
		get 'a.test/'() {
			return [web.url('c.test', '/early')];
		},
		'c.test/': [],
		'c.test/early': [],
	});
	let looks = 0;
	const surviving = aroundStore(stores[0]!, async (method, _, call) => {
		const value = await call();
		if (method === 'reconsider' && ++looks === 1) {
			judged.notify();
			await committed.after(0);
		}
		return value;
	});
	const redirected = worker(surviving, seeds, { concurrency: 1, fetcher: waiting(web.url('b.test'), begins) });
	const started = new Promise<void>((resolve) => redirected.on('robots', () => resolve()));
	const ends = redirected.run();
	await started;
	const dying = aroundStore(committing(stores[1]!, judged, waits), async (method, _, call) => {
		if (method === 'scopeExpansions' && looks > 0) throw new Error('killed');
		return call();
	});
	const dies = worker(dying, seeds).run();
	await waits.after(0);
	begins.notify();
	await expect(dies).rejects.toThrow('killed');
	await stores[1]!.close();
	committed.notify();
	await ends;
	expect(await outOfScope()).toEqual([]);
	expect(web.paths('c.test')).toContain('/early');
});

it.each([
	['a page that waits is not ended as out of the scope', 'j.test', []],
	['a redirect there is followed', 's.test', ['/old/way']],
])('by a worker that does not know yet how wide it is: %s', async (_, host, links) => {
	await serve(({ path }) => {
		if (path === '/go') return to(host, '/new/');
		if (path === '/old/way') return to(host, '/new/1');
		return path === '/old/' ? htmlPage(path, links) : path.startsWith('/new/') ? htmlPage(path) : undefined;
	});
	const [begins, asks] = [new ChangeNotifier(), new ChangeNotifier()];
	const begun = ['j.test/old/', 's.test/go'];
	const first = worker(stores[0]!, begun, {
		scope: 'prefix',
		concurrency: 1,
		fetcher: waiting('/old/', begins, asks),
	});
	const outcomes: string[] = [];
	first.on('page', ({ url, outcome }) => outcomes.push(`${outcome} ${new URL(url).pathname}`));
	const firstEnds = first.run();
	await asks.after(0);
	const second = worker(stores[1]!, begun, { scope: 'prefix' });
	second.on('host', () => begins.notify());
	await Promise.all([firstEnds, second.run()]);
	expect(outcomes.filter((each) => each.startsWith('out-of-scope'))).toEqual([]);
	expect(web.paths(host)).toContain(links.length > 0 ? '/new/1' : '/new/');
});
