import { openDatabase } from '@wayleave/io/sql';
import { initialTrust } from '@wayleave/protocols/pagedigest';
import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { interceptConnections } from '../../../../io/src/testing/raw-sqlite.ts';
import { useStorePlaces, visitAt } from '../../testing/stores.ts';
import type { SiteRecord } from '../roles/changes.ts';
import type { NewUrl } from '../roles/frontier.ts';
import type { Store } from '../roles/store.ts';
import { openStore } from './open.ts';

const at = Date.UTC(2026, 10, 28);
const visit = visitAt(at);
const page = (url: string): NewUrl => ({ url, kind: 'page', host: new URL(url).hostname, depth: 0, dates: 0 });

const { file, places } = useStorePlaces();
afterEach(() => vi.restoreAllMocks());

const site = (origin: string): SiteRecord => ({
	id: 0,
	origin,
	state: 'read',
	checkedAt: at,
	cycle: 1,
	salt: 'pepper',
	fresh: true,
	stayed: false,
	trust: initialTrust,
	hints: { right: 0, wrong: 0 },
});

/** A run that looks at a front page, which is forbidden, and at the manifest of its site. */
async function crawlOnce(store: Store, seed: string): Promise<void> {
	await store.leases.recover(at);
	const seeds = [{ ...page(seed), seed: true }];
	await store.begin({ seeds, scope: 'host', refresh: true, at, reconsider: () => undefined });
	const host = (await store.leases.claimHost(new URL(seed).hostname))!;
	const [front] = await store.frontier.pending(host.id, 'page', at, 1);
	const evidence = [{ source: `${seed}robots.txt`, line: 2, text: 'Disallow: /x', mechanism: 'robots' as const }];
	await store.commit({
		visits: [visit(front!.id, { found: [page(`${seed}1`), page('http://other.test/')], evidence })],
		hosts: [host],
		positions: new Map(),
		scopeExpansions: [],
	});
	const known = (await store.changes.site(seed)) ?? site(seed);
	const id = await store.changes.saveSite(known);
	await store.changes.saveSite({ ...known, id });
	await store.changes.saveListed(id, [{ key: '/1', state: 'due', listedRev: 1 }]);
	await store.frontier.endPending({ outcome: 'deferred', reason: 'max-pages' }, at, { host: host.id, except: [] });
	await store.leases.releaseHost(host);
	await store.end(true, at);
}

it('SQLite: a later run, or another site, is no reason to prepare other statements', async () => {
	const texts = new Set<string>();
	const restore = interceptConnections((connection) => ({
		prepare(text) {
			texts.add(text);
			return connection.prepare(text);
		},
		close: () => connection.close(),
	}));
	const store = await openStore(`sqlite:${file('crawl.db')}`);
	await crawlOnce(store, 'http://a.test/');
	await crawlOnce(store, 'http://a.test/');
	const before = [...texts];
	await crawlOnce(store, 'http://b.test/');
	await crawlOnce(store, 'http://a.test/');
	expect([...texts].filter((text) => !before.includes(text))).toEqual([]);
	expect(before.length).toBeGreaterThan(20);
	await store.close();
	restore();
});

it('PostgreSQL: what is known uses up no numbers', async () => {
	const url = await places.PostgreSQL();
	const used = async () => {
		const db = openDatabase(url);
		const { rows } = await sql<{ name: string; last: number }>`select sequencename as name, last_value as last
			from pg_sequences where sequencename in ('host_id_seq', 'evidence_id_seq', 'site_id_seq', 'url_id_seq')
			order by 1`.execute(db);
		await db.destroy();
		return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
	};
	const crawl = async () => {
		const store = await openStore(url);
		await crawlOnce(store, 'http://a.test/');
		await store.close();
	};
	await crawl();
	const first = await used();
	expect(first).toEqual({ evidence_id_seq: 1, host_id_seq: 2, site_id_seq: 1, url_id_seq: 3 });
	await crawl();
	expect(await used()).toEqual(first);
});

it('PostgreSQL: more URLs than 32 bits can number', async () => {
	const url = await places.PostgreSQL();
	const store = await openStore(url);
	const db = openDatabase(url);
	await sql`alter sequence url_id_seq restart with 3000000000`.execute(db);
	await db.destroy();
	await crawlOnce(store, 'http://a.test/');
	expect(await store.frontier.find('http://a.test/1')).toMatchObject({ id: 3_000_000_001, outcome: 'deferred' });
	await store.close();
});
