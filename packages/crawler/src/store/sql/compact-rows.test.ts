import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Migration, migrate, openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDatabase } from '../../../../io/src/testing/databases.ts';
import { openStoreForReading } from '../groups/open-for-reading.ts';
import { storeComponent, storeMigrations } from '../schema/migrations.ts';
import { postgresDialect } from '../schema/postgres.ts';
import { sqliteDialect } from '../schema/sqlite.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { openStore } from './open.ts';

const name = '021-compact-rows';
const all = storeMigrations(postgresDialect);
/** The schema with an index on addresses. */
const before: Migration[] = all.slice(
	0,
	all.findIndex((step) => step.name === name),
);

let url: string;
let db: Kysely<StoreSchema>;
beforeEach(async () => {
	url = await newDatabase();
	db = openDatabase<StoreSchema>(url);
	await migrate(db, before, { component: storeComponent });
	await sql`insert into host (name) values ('a.test'), ('b.test')`.execute(db);
	await sql`insert into evidence (json) values ('[]')`.execute(db);
	// A page that was read, a sitemap of the same address, one that waits, one out of scope, an alias, one put off.
	await sql`insert into url (id, key, kind, host, state, depth, dates, attempts, due, seed, via, run, outcome, reason, detail,
			evidence, status, redirect, at) values
		(1, 'http://a.test/', 0, 1, 1, 0, 0, 1, 0, 1, null, 1, 'fetched', null, null, null, 200, null, 1764600000123),
		(2, 'http://a.test/', 1, 1, 1, 0, 0, 1, 0, 0, null, 1, 'failed', 'http-500', 'x', 1, 500, null, 1764600000124),
		(3, 'http://a.test/\\ä?b="c"', 0, 1, 0, 1, 2, 0, 0, 0, 1, 1, null, null, null, null, null, null, null),
		(4, 'http://c.test/', 0, null, 1, 1, 0, 0, 0, 0, 1, 1, 'out-of-scope', 'other-host', null, null, null, null, 1),
		(5, 'http://a.test/alias', 0, 1, 1, 2, 0, 1, 0, 0, 1, 1, 'out-of-scope', 'alias', null, null, 200, 'http://a.test/', 2),
		(6, 'http://b.test:8080/', 0, 2, 1, 2, 0, 3, 1864600000123, 0, 1, 1, 'deferred', 'rate-limited', null, null, 429, null, 3)
	`.execute(db);
	await sql`select setval('url_id_seq', 9)`.execute(db);
	await sql`insert into page (url, etag, fetched_at, checked_at, content) values (1, '"x"', 5, 6, '\\x00'), (5, null, 7, 8, null)`.execute(
		db,
	);
	await sql`insert into likeness (url, b0, b1, b2, b3, twin, prose) values (1, 7, -8, 9, 10, null, 11), (5, 7, 1, 2, 3, 1, null)`.execute(
		db,
	);
	await sql`insert into revisit (url, visits, changes, span, rate, checked_at, changed_at, next_at, hinted_at) values
		(1, 3, 1.5, 1000, 0.25, 6, 5, 9, 4), (5, 0, 0, 0, 0, 8, null, 10, null)`.execute(db);
});
afterEach(() => db.destroy());

const rowsOf = async () =>
	// As JSON: the types of some columns are others afterwards.
	(
		await sql<object>`select to_jsonb(url) as row from (select id, key, kind, host, state, depth, dates, attempts, due,
			seed, via, run, outcome, reason, detail, evidence, status, redirect, at from url order by id) as url`.execute(db)
	).rows;

it('a store with an index on addresses gets one on hashes, and keeps each row and its numbers', async () => {
	const rows = await rowsOf();
	const role = `reader_${process.pid}`;
	await sql.raw(`create role ${role}`).execute(db);
	await sql.raw(`grant select on url, revisit to ${role}`).execute(db);
	const store = await openStore(url);
	expect(await rowsOf()).toEqual(rows);
	const { rows: indexes } = await sql<{ name: string }>`select indexname as name from pg_indexes
		where tablename = 'url' order by 1`.execute(db);
	expect(indexes.map((index) => index.name)).toEqual(
		['url_alias', 'url_deferred', 'url_known', 'url_pkey', 'url_seed', 'url_waiting'].sort(),
	);
	const { rows: rights } = await sql`select has_table_privilege(${role}, 'url', 'select') as url,
		has_table_privilege(${role}, 'revisit', 'select') as revisit`.execute(db);
	expect(rights).toEqual([{ url: true, revisit: true }]);
	const found = ['http://a.test/', 'http://a.test/\\ä?b="c"', 'http://a.test/new'].map((found) => ({
		...{ url: found, kind: 'page' as const, host: 'a.test', depth: 3, dates: 0 },
	}));
	expect(await store.frontier.offer(found)).toEqual(new Map([['a.test', 1]]));
	expect((await store.frontier.find('http://a.test/new'))?.id).toBe(10);
	expect(await store.frontier.find('http://a.test/', 'sitemap')).toMatchObject({ id: 2, outcome: 'failed' });
	// Histories and signatures, now in other tables.
	const history = async (path: string) =>
		(await store.changes.outlook(`http://a.test/${path}`, 'page', undefined, undefined)).history;
	expect(await history('')).toEqual({
		...{ visits: 3, changes: 1.5, span: 1000, checkedAt: 6, changedAt: 5, nextAt: 9, hintedAt: 4 },
	});
	expect(await history('alias')).toEqual({ visits: 0, changes: 0, span: 0, checkedAt: 8, nextAt: 10 });
	expect(await history('new')).toBeUndefined();
	expect(await store.pages.lookalikes([7, 0, 0, 0])).toEqual([
		{ url: 'http://a.test/', minHash: [7, -8, 9, 10], prose: 11 },
	]);
	expect((await store.frontier.tally()).duplicates).toMatchObject({ pages: 1, examples: [{ twin: 'http://a.test/' }] });
	const { rows: rates } = await sql`select url, rate from revisit order by url`.execute(db);
	expect(rates).toEqual([
		{ url: 1, rate: 0.25 },
		{ url: 5, rate: 0 },
	]);
	await store.close();
	for (const drop of ['drop owned by', 'drop role']) await sql.raw(`${drop} ${role}`).execute(db);
});

it('of two addresses with one hash, the first keeps its row, and an error names the other one', async () => {
	const store = await openStore(url);
	await sql`create or replace function wayleave_address(key text, kind smallint) returns uuid language sql immutable
		as 'select cast(''12345678-0000-0000-0000-000000000000'' as uuid)'`.execute(db);
	const page = (path: string, depth: number) => ({
		...{ url: `http://d.test/${path}`, kind: 'page' as const, host: 'd.test', depth, dates: 0 },
	});
	expect(await store.frontier.offer([page('1', 5)])).toEqual(new Map([['d.test', 1]]));
	const before = await rowsOf();
	expect(await store.frontier.offer([page('2', 1)])).toEqual(new Map());
	expect(await store.frontier.find('http://d.test/1')).toBeDefined();
	expect(await store.frontier.find('http://d.test/2')).toBeUndefined();
	const kept = { url: page('3', 0), at: 1, ending: { outcome: 'fetched' as const } };
	await expect(store.pages.keep(kept)).rejects.toThrow('http://d.test/3 has the hash of another URL');
	expect(await rowsOf()).toEqual(before);
	await store.close();
});

it('an SQLite store of the last version keeps histories and signatures, and can be read before it is upgraded', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-compact-'));
	const place = `sqlite:${join(folder, 'store.db')}`;
	const own = openDatabase<StoreSchema>(place);
	const steps = storeMigrations(sqliteDialect(place));
	await migrate(own, steps.slice(0, before.length), { component: storeComponent });
	await sql`insert into url (id, key, kind, host, state, depth, dates, run, outcome, at) values
		(1, 'http://a.test/', 0, 1, 1, 0, 0, 1, 'fetched', 5), (2, 'http://a.test/2', 0, 1, 1, 1, 0, 1, 'fetched', 6)`.execute(
		own,
	);
	await sql`insert into page (url, fetched_at, checked_at) values (1, 5, 6), (2, 7, 8)`.execute(own);
	await sql`insert into likeness (url, b0, b1, b2, b3, twin, prose) values (1, 7, -8, 9, 10, null, 11), (2, 7, 1, 2, 3, 1, null)`.execute(
		own,
	);
	await sql`insert into revisit (url, visits, changes, span, rate, checked_at, changed_at, next_at, hinted_at) values
		(1, 3, 1.5, 1000, 0.25, 6, 5, 9, 4), (2, 0, 0, 0, 0, 8, null, 10, null)`.execute(own);
	await own.destroy();
	const shown = async () => {
		const reader = await openStoreForReading(place);
		const [history, tally] = [await reader.changes.historyOf('http://a.test/'), await reader.frontier.tally()];
		await reader.close();
		return { revisit: history.revisit, duplicates: tally.duplicates };
	};
	const old = await shown();
	expect(old).toMatchObject({ revisit: { visits: 3, changes: 1.5 }, duplicates: { pages: 1 } });
	const store = await openStore(place);
	const outlook = await store.changes.outlook('http://a.test/', 'page', undefined, undefined);
	expect(outlook.history).toEqual({
		...{ visits: 3, changes: 1.5, span: 1000, checkedAt: 6, changedAt: 5, nextAt: 9, hintedAt: 4 },
	});
	expect(await store.pages.lookalikes([7, 0, 0, 0])).toEqual([
		{ url: 'http://a.test/', minHash: [7, -8, 9, 10], prose: 11 },
	]);
	await store.close();
	expect(await shown()).toEqual(old);
	rmSync(folder, { recursive: true });
});
