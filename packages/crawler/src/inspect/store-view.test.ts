import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { interceptConnections } from '../../../io/src/testing/raw-sqlite.ts';
import type { Result } from '../model/result.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';
import { openStoreView, type StoreView } from './store-view.ts';

const sites = useSites();
const { file, places } = useStorePlaces();

async function all(view: StoreView, options = {}): Promise<Result[]> {
	const results: Result[] = [];
	for await (const some of view.results(options)) results.push(...some);
	return results;
}

describe.each(Object.entries(places))('a look into a store in %s', (_, place) => {
	const many = [...Array(230).keys()].map((at) => `/p${at}`);
	const pages: Sites = {
		'h.test/robots.txt': plain('User-agent: *\nDisallow: /no\n'),
		'h.test/': htmlPage('Home', ['/a', '/no', '/gone', 'http://x.test/']),
		'h.test/a': htmlPage('A', many),
		...Object.fromEntries(many.map((path) => [`h.test${path}`, htmlPage(path)])),
	};
	let served: Sites;
	let store: string;
	let view: StoreView;
	beforeEach(async () => {
		store = await place();
		served = { ...pages };
		await sites.serve(served);
		await sites.crawl(['h.test/'], { store, sitemaps: false, ownSites: ['h.test'], delay: 0 });
		view = await openStoreView(store);
	});
	afterEach(() => view.close());

	function begin(open: Store) {
		const seed = { url: sites.url('h.test/'), kind: 'page', host: 'h.test', depth: 0, dates: 0, seed: true } as const;
		return open.begin({ seeds: [seed], scope: 'host', refresh: true, at: Date.now(), reconsider: () => undefined });
	}

	it('status counts outcomes, documents and what waits', async () => {
		expect(await view.status()).toMatchObject({
			run: { mode: 'new', state: 'complete' },
			...{ urls: 235, hosts: 1, pending: 0, waiting: [], pages: { documents: 232 } },
			rows: expect.arrayContaining([
				expect.objectContaining({ outcome: 'refused', reason: 'robots-disallow', count: 1 }),
			]),
		});
	});

	it('everything is given once, a little at a time, with what travels beside it', async () => {
		const documents = await all(view);
		expect(new Set(documents.map(({ url }) => url)).size).toBe(232);
		expect(documents).toHaveLength(232);
		expect(documents[1]).toMatchObject({
			outcome: 'fetched',
			status: 200,
			depth: 1,
			policy: { uses: { read: 'unspecified' } },
		});
		const outcomes = await all(view, { outcomes: true });
		expect(outcomes).toHaveLength(235);
		expect(outcomes.find(({ outcome }) => outcome === 'refused')?.evidence).toMatchObject([{ line: 2 }]);
	});

	it('a page that waits to be looked at again counts as it was', async () => {
		const open = await openStore(store);
		await begin(open);
		const documents = await all(view);
		await open.close();
		expect(documents).toHaveLength(232);
		expect(documents[0]).toMatchObject({ outcome: 'fetched', status: 200 });
	});

	it('a host is being visited as long as the crawl lives; one that was killed has left it', async () => {
		const open = await openStore(store);
		await begin(open);
		await open.leases.claimHosts(1);
		const host = async () => {
			const { run, waiting } = await view.status();
			const { held, abandoned } = waiting[0]!;
			const story = (await view.explain(sites.url('h.test/a')))!.host!;
			expect({ held: story.held, abandoned: story.abandoned }).toEqual({ held, abandoned });
			return { state: run?.state, held, abandoned };
		};
		expect(await host()).toEqual({ state: 'open', held: true, abandoned: undefined });
		const db = openDatabase(store);
		const { rows } = await sql`select * from crawl_worker`.execute(db);
		const { rows: held } = await sql<{ id: number; holder: number }>`select id, holder from host
			where holder is not null`.execute(db);
		await open.close();
		// As after a kill: the worker is still there, and has the host.
		const [worker] = rows as Record<string, unknown>[];
		await sql`update crawl_run set complete = null, ended_at = null`.execute(db);
		await sql`insert into crawl_worker (id, name, run, expires_at)
			values (${worker!.id}, 'killed', ${worker!.run}, 1)`.execute(db);
		await sql`update host set holder = ${held[0]!.holder} where id = ${held[0]!.id}`.execute(db);
		await db.destroy();
		// A server that has just been started takes nobody for dead within a lease.
		const left = async () => expect(await host()).toEqual({ state: 'killed', held: false, abandoned: true });
		await vi.waitFor(left, { timeout: 30_000, interval: 500 });
	});

	it('tells the story of a URL, back to the start', async () => {
		expect(await view.explain(sites.url('h.test/p7'))).toMatchObject({
			...{ outcome: 'fetched', status: 200, depth: 2, attempts: 1, seed: false },
			foundBy: [sites.url('h.test/a'), sites.url('h.test/')],
			...{ host: { name: 'h.test', held: false, waiting: 0 }, page: { policy: { uses: {} } } },
			policyFiles: [{ status: 200 }, { status: 404 }],
		});
		expect(await view.explain(`${sites.url('h.test/p7')}#part`)).toMatchObject({ url: sites.url('h.test/p7') });
		expect(await view.explain(sites.url('h.test/never'))).toBeUndefined();
		expect(await view.explain('http://x.test/')).toMatchObject({
			outcome: 'out-of-scope',
			attempts: 0,
			foundBy: [sites.url('h.test/')],
		});
	});

	it('a document that does not stand any more is not given to a search', async () => {
		Object.assign(served, { 'h.test/p7': { status: 301, headers: { Location: '/a' } }, 'h.test/p8': 410 });
		await sites.crawl(['h.test/'], { store, sitemaps: false, ownSites: ['h.test'], delay: 0 });
		const open = await openStore(store);
		const given = (await open.pages.documentsSince({ fetchedAt: 0, id: 0 }, 1000)).map(({ url }) => url);
		await open.close();
		expect(given).toHaveLength(230);
		expect(given).not.toContain(sites.url('h.test/p7'));
	});

	it('prunes nothing while a crawl goes on', async () => {
		const open = await openStore(store);
		await begin(open);
		const options = { before: Date.now() + 1e12 };
		await expect(view.prune(options)).rejects.toMatchObject({ code: 'store-in-use' });
		await open.close();
		expect(await view.prune(options)).toMatchObject({ documents: 232 });
	});

	it('prunes what is gone and what is old, and the next crawl has it all again', async () => {
		const options = { gone: true, before: Date.now() + 1e12 };
		expect(await view.prune({ ...options, dryRun: true })).toMatchObject({ documents: 232, gone: 1 });
		expect(await view.prune({ gone: true })).toMatchObject({ documents: 0, gone: 1 });
		expect(await all(view)).toHaveLength(232);
		await view.prune(options);
		expect(await all(view)).toEqual([]);
		expect(await view.status()).toMatchObject({ urls: 234, pages: { documents: 0, bytes: 0 } });
		const db = openDatabase(store);
		const left = await sql`select 1 from likeness`.execute(db);
		await db.destroy();
		expect(left.rows).toEqual([]);
		await sites.crawl(['h.test/'], { store, sitemaps: false, ownSites: ['h.test'], delay: 0 });
		expect(await all(view)).toHaveLength(232);
	});
});

it('a look at a store in use leaves no file open, however often somebody looks', async () => {
	let openNow = 0;
	const restore = interceptConnections((connection) => {
		openNow++;
		return {
			prepare: (text) => connection.prepare(text),
			close() {
				openNow--;
				connection.close();
			},
		};
	});
	const url = `sqlite:${file('crawl.db')}`;
	const store = await openStore(url);
	await store.leases.recover(Date.now());
	const before = openNow;
	expect(before).toBeGreaterThan(0);
	const view = await openStoreView(url);
	for (let looks = 0; looks < 3; looks++) await view.status();
	await view.close();
	await expect(openStore(url)).rejects.toMatchObject({ code: 'store-in-use' });
	expect(openNow).toBe(before);
	await store.close();
	expect(openNow).toBe(0);
	restore();
});

it('reports a file that is not a store, without a password', async () => {
	await expect(openStoreView(`sqlite:${file('none.db')}`)).rejects.toMatchObject({ code: 'store-unreadable' });
	const wrong = await openStoreView('postgres://me:secret@127.0.0.1:9/x').catch((error: Error) => error);
	expect(wrong).toMatchObject({ code: 'store-unreadable' });
	expect((wrong as Error).message).not.toContain('secret');
	for (const place of ['postgres://127.0.0.1:9/x?user=me&password=secret', 'mysql://me:secret@127.0.0.1:9/x'])
		await expect(openStoreView(place)).rejects.toThrow(/^(?!.*secret)/);
});

it.each(Object.entries(places))('a database in %s that no crawl has used is said to be none', async (_, place) => {
	const url = await place();
	const db = openDatabase(url);
	await sql`create table page (text text)`.execute(db);
	await db.destroy();
	await expect(openStoreView(url)).rejects.toThrow('is not a crawl store: it contains no crawl');
});

it('a store of an older version is not read as if it were of this one', async () => {
	const url = `sqlite:${file('older.db')}`;
	await (await openStore(url)).close();
	const db = openDatabase(url);
	await sql`delete from wayleave_migrations where name = '011-redirected'`.execute(db);
	await db.destroy();
	await expect(openStoreView(url)).rejects.toThrow(/older\.db cannot be read: .* upgrades it/);
});

it('a store of a newer version is not read, crawled with or pruned as if it were of this one', async () => {
	const url = `sqlite:${file('newer.db')}`;
	await (await openStore(url)).close();
	const db = openDatabase(url);
	await sql`insert into wayleave_migrations (component, name, applied_at) select component, '999-later', applied_at from wayleave_migrations limit 1`.execute(
		db,
	);
	await db.destroy();
	const told = {
		code: 'store-unreadable',
		message: expect.stringContaining('a newer version of Wayleave (999-later)'),
	};
	await expect(openStoreView(url)).rejects.toMatchObject(told);
	await expect(openStore(url)).rejects.toMatchObject(told);
});
