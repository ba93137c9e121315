import { join } from 'node:path';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { interceptConnections } from '../../../io/src/testing/raw-sqlite.ts';
import { crawl } from '../engine/crawl.ts';
import { readPage } from '../read/read-page.ts';
import { openStoreForReading } from '../store/groups/open-for-reading.ts';
import type { StoreReader } from '../store/roles/reader.ts';
import { openStore } from '../store/sql/open.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';
import type * as api from './api.ts';
import { createCrawlView } from './crawl-view.ts';
import { LiveCrawl } from './live-crawl.ts';
import { readSource } from './read-source.ts';

const sites = useSites();
const { file, places } = useStorePlaces();
const key = 'k'.repeat(32);

const tides = (text: string) =>
	`<title>Tides</title><main><h1>Tides</h1><p>The sea rises twice a day in this harbour.</p><p>${text}</p></main>`;

const pages: Sites = {
	'h.test/robots.txt': plain('User-agent: *\nDisallow: /no\n'),
	'h.test/': htmlPage('Home', ['/tides', '/no', '/gone', '/old', 'http://x.test/']),
	'h.test/tides': tides('High water is at noon.'),
	'h.test/gone': 410,
	'h.test/old': htmlPage('Old'),
};

function viewOf(store: StoreReader, more: Partial<Parameters<typeof createCrawlView>[0]> = {}) {
	const show = createCrawlView({ store: async () => store, storeName: 'h.db', files: new Map(), key, ...more });
	const request = (path: string, init: RequestInit = { headers: { authorization: `Bearer ${key}` } }) =>
		show(new Request(`http://127.0.0.1/${path}`, init));
	return {
		request,
		async get<Value>(name: string, query: Readonly<Record<string, string>> = {}): Promise<Value> {
			const response = await request(`api/${name}?${new URLSearchParams(query)}`);
			expect([name, response?.status]).toEqual([name, 200]);
			return (await response?.json()) as Value;
		},
	};
}

const own = { ownSites: ['h.test'], delay: 0, sitemaps: false } as const;

/** Crawls twice; a page changes, one goes and one comes in between. */
async function crawlTwice(store: Parameters<typeof sites.crawl>[1]): Promise<void> {
	const served = { ...pages };
	await sites.serve(served);
	await sites.crawl(['h.test/'], { ...own, ...store }, readPage);
	sites.clock.advance(60_000);
	Object.assign(served, {
		'h.test/': htmlPage('Home', ['/tides', '/no', '/gone', '/old', '/new', 'http://x.test/']),
		'h.test/tides': tides('High water is at one.'),
		'h.test/old': 410,
		'h.test/new': htmlPage('New'),
	});
	await sites.crawl(['h.test/'], { ...own, ...store, refresh: true }, readPage);
}

const kinds: Record<string, () => Promise<StoreReader>> = {
	...Object.fromEntries(
		Object.entries(places).map(([name, place]) => [
			name,
			async () => {
				const url = await place();
				await crawlTwice({ store: url });
				return openStoreForReading(url);
			},
		]),
	),
	'a store of your own': async () => {
		const store = memoryStore();
		await crawlTwice({ store });
		return store;
	},
};

describe.each(Object.entries(kinds))('the view of %s', (_, open) => {
	it('shows the run, counts, lists, histories, documents, changes and hits', async () => {
		const store = await open();
		const { get } = viewOf(store);
		const url = (path: string) => sites.url(`h.test${path}`);
		expect(await get('state')).toMatchObject({
			...{ store: 'h.db', isLive: false, run: { mode: 'refresh', state: 'complete' } },
			seeds: [{ url: url('/'), outcome: 'fetched' }],
		});
		const counts = await get<api.ShownCounts>('counts');
		expect(counts).toMatchObject({ isComplete: true, hosts: [{ host: 'h.test', waiting: 0, read: 3 }] });
		const refused = counts.pages.find(({ outcome }) => outcome === 'refused');
		expect(refused).toMatchObject({ reason: 'robots-disallow', why: expect.stringContaining('robots.txt'), count: 1 });
		expect(counts.speed.reduce((sum, { visits }) => sum + visits, 0)).toBeGreaterThan(3);
		const listed = await get<api.UrlPage>('urls', { outcome: 'refused', host: 'h.test' });
		expect(listed.urls.map((each) => each.url)).toEqual([url('/no')]);

		const history = await get<api.HistoryPage>('history', { url: url('/no') });
		expect(history).toMatchObject({
			chain: [
				{ url: url('/'), outcome: 'fetched' },
				{ url: url('/no'), outcome: 'refused', why: expect.stringContaining('robots.txt') },
			],
			history: { outcome: 'refused', evidence: [{ line: 2, text: 'Disallow: /no' }] },
		});
		expect(history.policyFiles[0]?.url).toBe(url('/robots.txt'));
		const unknown = await get<api.HistoryPage>('history', { url: url('/tidal') });
		expect(unknown.history).toBeUndefined();
		expect(unknown.near.map((each) => each.url)).toContain(url('/tides'));

		const { versions } = await get<api.DocumentPage>('document', { url: url('/tides') });
		expect(versions.map(({ markdown }) => /at \w+/.exec(markdown)?.[0])).toEqual(['at one', 'at noon']);
		const changes = async (kind: string) =>
			(await get<api.UrlPage>('changes', { kind })).urls.map((each) => new URL(each.url).pathname).sort();
		expect([await changes('changed'), await changes('new'), await changes('gone')]).toEqual([
			['/', '/tides'],
			['/new'],
			['/gone', '/old'],
		]);
		const { hits, next } = await get<api.SearchPage>('search', { text: 'TWICE a day' });
		expect([hits.map((hit) => hit.url), next]).toEqual([[url('/tides')], undefined]);
		expect(hits[0]?.excerpt).toContain('rises twice a day in');
		expect(await get('source', { url: url('/tides') })).toMatchObject({ reason: expect.stringContaining('--warc') });
		expect(await get('left-out')).toMatchObject({ hosts: [], aliases: 0 });
		expect(await get('live')).toBeNull();
		await store.close();
	});
});

describe('who gets in', () => {
	it('data needs the key, and nothing writes', async () => {
		const { request } = viewOf(memoryStore(), {
			files: new Map([['crawl.html', { type: 'text/html', body: '<!doctype html>' }]]),
		});
		for (const authorization of ['', 'Bearer', `Bearer ${key}x`, `Basic ${key}`, `bearer\t${key}`]) {
			const response = await request('api/state', authorization === '' ? {} : { headers: { authorization } });
			expect([authorization, response?.status]).toEqual([authorization, 401]);
		}
		const page = await request('', {});
		expect([page?.status, page?.headers.get('content-security-policy')]).toEqual([
			200,
			expect.stringContaining("default-src 'none'; script-src 'self'"),
		]);
		const headers = { authorization: `Bearer ${key}` };
		for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
			expect((await request('api/state', { method, headers }))?.status).toBe(405);
		expect((await request('other', {}))?.status).toBeUndefined();
		const wrong = ['api/nothing', 'api/constructor', 'api/urls?outcome=x', 'api/urls?after=-1', 'api/history'];
		const statuses = await Promise.all(wrong.map(async (path) => (await request(path))?.status));
		expect(statuses).toEqual([404, 404, 400, 400, 400]);
		expect((await request(`api/search?text=${'x'.repeat(5000)}`))?.status).toBe(414);
	});

	it('a store that is not there yet is said to be unreadable, and the state of its crawl is shown', async () => {
		const running = crawl(['http://127.0.0.1:9/'], { store: 'memory' });
		const live = new LiveCrawl(running);
		const missing = async () => {
			throw new Error('missing');
		};
		const { request, get } = viewOf(memoryStore(), { store: missing, live });
		expect(await get('state')).toMatchObject({ isLive: true, seeds: [] });
		expect(await get('live')).toMatchObject({ state: 'starting', done: 0 });
		expect((await request('api/counts'))?.status).toBe(503);
		live.close();
	});
});

it('a running crawl shows progress by host, outcomes by reason, and paused hosts with reason and time', async () => {
	const busy = () => ({ status: 429, headers: { 'Retry-After': '3600' }, body: '' });
	await sites.serve({
		...pages,
		'h.test/': htmlPage('Home', ['/tides', '/no', '/gone']),
		'busy.test/': busy,
		'busy.test/robots.txt': 404,
	});
	const running = crawl([sites.url('h.test/'), sites.url('busy.test/')], {
		lookup: sites.web.lookup,
		...own,
		ownSites: ['h.test', 'busy.test'],
		store: `sqlite:${file('live.db')}`,
	});
	const live = new LiveCrawl(running);
	const paused: api.LiveHost[] = [];
	running.on('wait', () => paused.push(...live.state().hosts.filter(({ waiting }) => waiting?.isPause)));
	await running.run();
	const state = live.state();
	expect(state).toMatchObject({ state: 'done', isComplete: true, mode: 'new' });
	const host = state.hosts.find((each) => each.host === 'h.test');
	expect(host).toMatchObject({ done: 4, pending: 0 });
	expect(state.endings).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ outcome: 'refused', reason: 'robots-disallow', count: 1 }),
			expect.objectContaining({ outcome: 'gone', reason: 'http-410', why: expect.stringContaining('410') }),
		]),
	);
	expect(state.recent.map((each) => new URL(each.url).pathname)).toContain('/tides');
	expect(state.notes.map(({ text }) => text).join('\n')).toMatch(
		/busy\.test waits until .*the server asked for a pause/,
	);
	live.close();
});

it('the source of a document comes from the archive of the crawl', async () => {
	const store = `sqlite:${file('h.db')}`;
	const archive = file('h.warc.gz');
	await sites.serve(pages);
	const { warcSink } = await import('../warc/write/sink.ts');
	await sites.crawl(['h.test/'], { ...own, store, sinks: [warcSink(archive)] });
	const reader = await openStoreForReading(store);
	const { get } = viewOf(reader, { readSource: (capture, url) => readSource(capture, url, archive) });
	const url = sites.url('h.test/tides');
	expect(await get('document', { url })).toMatchObject({ hasSource: true });
	const { source } = await get<api.SourcePage>('source', { url });
	expect(source?.text).toContain('<h1>Tides</h1>');
	expect(source).toMatchObject({ status: 200, contentType: expect.stringContaining('text/html') });
	expect(source?.headers.length).toBeGreaterThan(0);
	await reader.close();
});

/** Statements of SQLite that run meanwhile, and the rows that they return. */
async function costOf(work: () => Promise<unknown>): Promise<{ statements: number; rows: number }> {
	const cost = { statements: 0, rows: 0 };
	const restore = interceptConnections((connection) => ({
		prepare(text) {
			const statement = connection.prepare(text);
			return {
				reader: statement.reader,
				get busy() {
					return statement.busy;
				},
				run(values) {
					cost.statements++;
					return statement.run(values);
				},
				all(values) {
					cost.statements++;
					const rows = statement.all(values);
					cost.rows += rows.length;
					return rows;
				},
				iterate: (values) => statement.iterate(values),
			};
		},
		close: () => connection.close(),
	}));
	await work();
	restore();
	return cost;
}

/** A store of so many URLs of which a tenth was refused. */
async function madeUpStore(name: string, urls: number): Promise<string> {
	const url = `sqlite:${join(file(name))}`;
	const store = await openStore(url);
	const seeds = [{ url: 'http://h.test/', kind: 'page', host: 'h.test', depth: 0, dates: 0, seed: true } as const];
	await store.begin({ seeds, scope: 'host', refresh: false, at: Date.now() - 60_000, reconsider: () => undefined });
	await store.end(true, Date.now());
	await store.close();
	const db = openDatabase(url);
	await sql`insert into url (key, kind, host, state, depth, dates, run, attempts, outcome, reason, at)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${urls})
		select 'http://h.test/page/' || i, 0, 1, 1, 1, 0, 1, 1, case when i % 10 = 0 then 'refused' else 'fetched' end,
			case when i % 10 = 0 then 'robots-disallow' end, ${Date.now()} from n`.execute(db);
	await db.destroy();
	return url;
}

it('the first view of a store costs as much with twice as many URLs', { timeout: 60_000 }, async () => {
	const visit = async (urls: number) => {
		const store = await madeUpStore(`${urls}.db`, urls);
		return costOf(async () => {
			const reader = await openStoreForReading(store);
			const { get } = viewOf(reader);
			const counts = await get<api.ShownCounts>('counts');
			expect(counts).toMatchObject({ isComplete: false, counted: 20_000 });
			await get('state');
			await get('urls', { outcome: 'refused' });
			await get('urls', { contains: 'page/7' });
			await get('history', { url: 'http://h.test/page/10' });
			await get('history', { url: 'http://h.test/page/unknown' });
			await get('changes', { kind: 'new' });
			await get('search', { text: 'tides' });
			await get('left-out');
			await reader.close();
		});
	};
	const [few, many] = [await visit(30_000), await visit(60_000)];
	expect(few.statements).toBeGreaterThan(15);
	expect(many).toEqual(few);
});

it('counts a store to the end, piece by piece', async () => {
	const reader = await openStoreForReading(await madeUpStore('whole.db', 45_000));
	const { get } = viewOf(reader);
	let counts = await get<api.ShownCounts>('counts');
	let pieces = 1;
	for (; !counts.isComplete; pieces++) counts = await get<api.ShownCounts>('counts');
	expect([pieces, counts.counted]).toEqual([3, 45_001]);
	expect(counts.pages).toContainEqual(expect.objectContaining({ outcome: 'refused', count: 4500 }));
	await reader.close();
});

it('shows what a watch has found, and serves it as an Atom feed to readers that know the key', async () => {
	const store = await openStore(`sqlite:${file('watched.db')}`);
	await crawlTwice({ store, watch: {} });
	const { request, get } = viewOf(store);
	const { changes } = await get<api.PageChangesPage>('page-changes');
	const shown = changes.map(({ kind, url }) => `${kind} ${new URL(url).pathname}`).sort();
	expect(shown).toEqual(['added /new', 'changed /tides', 'gone /old']);
	const tidesUrl = sites.url('h.test/tides');
	const { changes: ofTides } = await get<api.PageChangesPage>('page-changes', { url: tidesUrl });
	expect(ofTides.map(({ difference }) => difference)).toEqual(['- High water is at noon.\n+ High water is at one.']);
	const feed = await request(`changes.atom?key=${key}`, {});
	expect([feed?.status, feed?.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
	expect(await feed?.text()).toContain(`<link rel="alternate" href="${tidesUrl}"/>`);
	expect((await request('changes.atom', {}))?.status).toBe(401);
	expect((await request(`changes.atom?key=${'x'.repeat(32)}`, {}))?.status).toBe(401);
	await store.close();
});
