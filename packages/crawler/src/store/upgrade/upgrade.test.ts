import { migrate, missingMigrations, openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newDatabase } from '../../../../io/src/testing/databases.ts';
import { hasPgBouncer, startPgBouncer } from '../../../../io/src/testing/pgbouncer.ts';
import { addFound, commitVisits, join, leave, type OldVisit } from '../../testing/version-20.ts';
import { content, page as newUrl } from '../contract/fixtures.ts';
import { openStoreForReading } from '../groups/open-for-reading.ts';
import { signatureIndexes } from '../schema/compact-rows.ts';
import { compactStep, storeComponent, storeMigrations } from '../schema/migrations.ts';
import { postgresDialect, postgresSettings } from '../schema/postgres.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { openStore } from '../sql/open.ts';
import { contract } from './contract.ts';
import { batch } from './fill.ts';
import { upgradeStore } from './upgrade.ts';

vi.setConfig({ testTimeout: 180_000 });

const all = storeMigrations(postgresDialect);
const before = all.slice(
	0,
	all.findIndex(({ name }) => name === compactStep),
);
const component = { component: storeComponent };
/** More than three transactions of the copy. */
const urls = 3 * batch + 500;

let url: string;
let db: Kysely<StoreSchema>;
beforeEach(async () => {
	url = await newDatabase();
	db = openDatabase<StoreSchema>(url, { connections: 9, settings: postgresSettings, idleInTransaction: 0 });
	await migrate(db, before, component);
	await sql`insert into host (name) values ('a.test')`.execute(db);
	await sql`insert into url (key, kind, host, state, depth, dates, run, outcome, at)
		select 'http://a.test/' || i, 0, 1, 1, 9, 0, 1, 'fetched', 5 from generate_series(1, cast(${urls} as integer)) as i`.execute(
		db,
	);
	await sql`insert into revisit (url, visits, changes, span, rate, checked_at, next_at)
		select id, 1, 0, 5, 0, 6, 7 from url where id % 3 = 0`.execute(db);
	await sql`insert into page (url, fetched_at, checked_at) select id, 5, 6 from url where id % 4 < 2`.execute(db);
	await sql`insert into likeness (url, b0, b1, b2, b3) select id, id, 2, 3, 4 from url where id % 4 = 0`.execute(db);
	await sql`analyze`.execute(db);
});
afterEach(() => db.destroy());

const count = async (query: ReturnType<typeof sql>): Promise<number> =>
	Number((await query.execute(db)).rows.map((row) => (row as { count: number }).count)[0]);

/** Rows in which the tables of the version before say something else than the columns of this one. */
async function differences(): Promise<Record<string, number>> {
	return {
		withoutHash: await count(
			sql`select count(*) as count from url where hash is distinct from wayleave_address(key, kind)`,
		),
		twice: await count(sql`select count(*) - count(distinct (key, kind)) as count from url`),
		histories: await count(sql`select count(*) as count from url full join revisit on revisit.url = url.id
			where (url.recheck_at is not null or revisit.url is not null) and (coalesce(url.visits, 0), url.seen_at, url.recheck_at)
				is distinct from (revisit.visits, revisit.checked_at, revisit.next_at)`),
		signatures: await count(sql`select count(*) as count from page full join likeness on likeness.url = page.url
			where (page.b0 is not null or likeness.url is not null)
				and (page.b0, page.b1, page.b2, page.b3, page.twin, page.prose)
				is distinct from (likeness.b0, likeness.b1, likeness.b2, likeness.b3, likeness.twin, likeness.prose)`),
	};
}

const inStep = { withoutHash: 0, twice: 0, histories: 0, signatures: 0 };

/** A worker of the version before that crawls until it is stopped, and knows what it has written. */
async function oldWorker(parity: 0 | 1) {
	const worker = await join(db);
	const known = new Map<number, OldVisit>();
	let commits = 0;
	let going = true;
	const visit = (id: number): OldVisit => {
		const signature = ([[commits, 1, 2, 3], null, undefined] as const)[(commits + id) % 3];
		const earlier = known.get(id)?.signature;
		const made = { id, at: 1000 + commits, visits: commits, ...(signature !== undefined && { signature }) };
		known.set(id, { ...made, ...(signature === undefined && earlier !== undefined && { signature: earlier }) });
		return made;
	};
	const work = async () => {
		for (; going; commits++) {
			const ids = Array.from({ length: 5 }, (_, at) => ((commits * 977 + at * 1409) % (urls / 2 - 1)) * 2 + 2 - parity);
			const { rows } = await addFound(
				db,
				Array.from({ length: 5 }, (_, at) => ({ k: `http://a.test/new/${commits}/${at}`, d: 1, h: 1 })),
			);
			// Of links that both workers find, each reads those that it has added.
			const visits = [...new Set([...ids, ...rows.map(({ id }) => id)])].map(visit);
			await commitVisits(db, worker, visits);
		}
	};
	const working = work();
	// A failure is seen where it is stopped.
	working.catch(() => {});
	return {
		known,
		commits: () => commits,
		async stop() {
			going = false;
			await working;
			await leave(db, worker);
		},
	};
}

type OldWorker = Awaited<ReturnType<typeof oldWorker>>;

/** Expects each row that the workers wrote in the columns of this version. */
async function expectKept(workers: readonly OldWorker[]): Promise<void> {
	const { rows } = await sql<{ id: number; visits: number | null; seen: number; b0: number | null }>`
		select id, visits, seen_at as seen, b0 from url left join page on page.url = url.id`.execute(db);
	const byId = new Map(rows.map((row) => [row.id, row]));
	for (const { known } of workers) {
		for (const { id, visits, at, signature } of known.values()) {
			const row = byId.get(id);
			expect([id, row?.visits ?? 0, row?.seen]).toEqual([id, visits, at]);
			if (signature !== undefined) expect([id, row?.b0 ?? null]).toEqual([id, signature?.[0] ?? null]);
		}
	}
}

const beforeChange = async () => {};

/** Upgrades the store until it says this, and is killed: between two statements, or while an index is built. */
async function upgradeUntil(moment: RegExp): Promise<unknown> {
	const name = `killed-${Math.random().toString(36).slice(2)}`;
	// An index is not finished before the end of this transaction.
	const older = await db.startTransaction().setIsolationLevel('repeatable read').execute();
	await sql`select 1`.execute(older);
	const onUpgrade = (progress: string) => {
		if (!moment.test(progress)) return;
		if (!progress.includes('index')) throw new Error('killed');
		void kill();
	};
	const kill = () =>
		vi.waitFor(async () => {
			const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}
				and exists (select 1 from pg_index where not indisvalid)`.execute(db);
			expect(rows).not.toEqual([]);
		}, 20_000);
	const place = `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`;
	const ended = await upgradeStore(place, { beforeChange, onUpgrade }).catch((error: unknown) => error);
	await older.commit().execute();
	return ended;
}

it('workers of the version before crawl on while a store is upgraded and the process that does it is killed', async () => {
	const old = [await oldWorker(0), await oldWorker(1)];
	const commits = () => old.map((worker) => worker.commits()).reduce((sum, each) => sum + each, 0);
	for (const moment of [/^\d+ % of/, /^[5-9]\d % of/, /index page_b0/, /index url_hash/]) {
		const from = commits();
		// The index that is killed has to be the first that is missing.
		if (moment.test('index url_hash'))
			for (const [name, rows] of Object.entries(signatureIndexes))
				for (const text of [`drop index if exists ${name}`, `create index ${name} on ${rows}`])
					await sql.raw(text).execute(db);
		expect(await upgradeUntil(moment)).toBeInstanceOf(Error);
		await vi.waitFor(() => expect(commits()).toBeGreaterThan(from + 2), 10_000);
		// One of the version before may start meanwhile.
		expect(await missingMigrations(db, before, component)).toEqual([]);
	}
	const progress: string[] = [];
	expect(await upgradeStore(url, { beforeChange, onUpgrade: (text) => progress.push(text) })).toBe(true);
	expect(progress.at(-1)).toContain('the rest is done when they have ended');
	const from = commits();
	await vi.waitFor(() => expect(commits()).toBeGreaterThan(from + 5), 10_000);
	expect(await contract(db)).toBe(false);
	for (const worker of old) await worker.stop();
	expect(await differences()).toEqual(inStep);
	expect(await contract(db)).toBe(true);
	expect(await differences()).toEqual(inStep);
	await expectKept(old);
	await expect(missingMigrations(db, before, component)).rejects.toThrow('made by a newer version');
	// Nothing is left that only an upgrade needs.
	const left = sql<{ name: string }>`select proname as name from pg_proc where proname like 'wayleave%' order by 1`;
	expect((await left.execute(db)).rows.map(({ name }) => name)).toEqual(['wayleave_address', 'wayleave_set_hash']);
});

it('a row that a worker has locked is filled after its transaction, with what that has written', async () => {
	expect(await upgradeUntil(/^\d+ % of/)).toBeInstanceOf(Error);
	const worker = await join(db);
	const writing = await db.startTransaction().execute();
	// One that it writes the history of, which fills it, and one that it leaves alone.
	await sql`select 1 from url where id in (${urls}, ${urls - 1}) for update`.execute(writing);
	const progress: string[] = [];
	const upgrading = upgradeStore(url, { beforeChange, onUpgrade: (text) => progress.push(text) });
	await vi.waitFor(() => expect(progress).toContainEqual(expect.stringMatching(/^100 %/)), 20_000);
	expect(await differences()).toMatchObject({ withoutHash: 2 });
	await sql`insert into revisit (url, visits, changes, span, rate, checked_at, next_at) values (${urls}, 3, 0, 5, 0, 8, 9)
		on conflict (url) do update set visits = 3, checked_at = 8, next_at = 9`.execute(writing);
	await writing.commit().execute();
	expect(await upgrading).toBe(true);
	expect(await differences()).toEqual(inStep);
	expect(await count(sql`select visits as count from url where id = ${urls}`)).toBe(3);
	await leave(db, worker);
});

it('workers of both versions crawl with one store: each sees what the other one writes', async () => {
	const old = await oldWorker(0);
	const store = await openStore(url);
	const page = (path: string, depth: number) => newUrl(`http://a.test/${path}`, { depth });
	// The same links, at the same time, by both.
	for (let round = 0; round < 30; round++) {
		const paths = Array.from({ length: 40 }, (_, at) => `both/${round}/${at}`);
		const links = paths.map((path) => ({ k: `http://a.test/${path}`, d: 2, h: 1 }));
		await Promise.all([
			addFound(db, links),
			addFound(db, links),
			store.frontier.offer(paths.map((path) => page(path, 2))),
		]);
	}
	expect(await count(sql`select count(*) as count from url where key like 'http://a.test/both/%'`)).toBe(1200);
	const keep = (path: string, first: number) =>
		store.pages.keep({
			url: page(path, 0),
			at: 1,
			ending: { outcome: 'fetched' },
			content: content(path, { minHash: { value: [first, -first, 7, 6] } }),
		});
	// A page that is new, and one that the version before has a signature of.
	await keep('kept', 900_001);
	await keep('4', 900_002);
	await store.changes.hint([{ url: 'http://a.test/3', modifiedAt: 12345 }]);
	await old.stop();
	expect(await differences()).toEqual(inStep);
	const hinted = sql`select hinted_at as count from revisit where url = 3`;
	expect(await count(hinted)).toBe(12345);
	expect(await store.pages.lookalikes([900_001, 0, 0, 0])).toMatchObject([{ url: 'http://a.test/kept' }]);
	expect(await store.pages.lookalikes([900_002, 0, 0, 0])).toMatchObject([{ url: 'http://a.test/4' }]);
	expect(await store.frontier.find('http://a.test/new/0/0')).toBeDefined();
	await expectKept([old]);
	await store.close();
});

it.each([
	['first', before],
	['next', all.filter(({ name }) => name !== compactStep)],
])('a long transaction that reads the tables lets workers crawl on, and the %s step waits for it', async (_, steps) => {
	await migrate(db, steps, component);
	const old = await oldWorker(0);
	const progress: string[] = [];
	const read = () => sql`select 1 from url limit 1`;
	const reader = await db.startTransaction().execute();
	await read().execute(reader);
	const upgrading = upgradeStore(url, { beforeChange, onUpgrade: (text) => progress.push(text) });
	await vi.waitFor(
		() => expect(progress).toContainEqual(expect.stringContaining('waiting for the end of a long')),
		30_000,
	);
	const from = old.commits();
	await vi.waitFor(() => expect(old.commits()).toBeGreaterThan(from + 5), 30_000);
	await reader.commit().execute();
	expect(await upgrading).toBe(true);
	await old.stop();
	// The last step gives up instead, and is tried again.
	const last = await db.startTransaction().execute();
	await read().execute(last);
	expect(await contract(db)).toBe(false);
	expect(await differences()).toEqual(inStep);
	await last.commit().execute();
	expect(await contract(db)).toBe(true);
});

it('a store of the version before can be read before, during and after its upgrade', async () => {
	const shown = async () => {
		const reader = await openStoreForReading(url);
		const record = await reader.frontier.historyOf('http://a.test/12');
		const history = await reader.changes.historyOf('http://a.test/12');
		const listed = await reader.frontier.startingWith('http://a.test/12', 3);
		const { duplicates } = await reader.frontier.tally();
		await reader.close();
		return { outcome: record?.outcome, revisit: history.revisit, listed: listed.length, duplicates };
	};
	const first = await shown();
	expect(first).toMatchObject({ outcome: 'fetched', revisit: { visits: 1 }, listed: 3 });
	await upgradeUntil(/index page_b0/);
	expect(await shown()).toEqual(first);
	const worker = await join(db);
	expect(await upgradeStore(url, { beforeChange, onUpgrade: () => {} })).toBe(true);
	expect(await shown()).toEqual(first);
	await leave(db, worker);
	expect(await upgradeStore(url, { beforeChange, onUpgrade: () => {} })).toBe(false);
	expect(await shown()).toEqual(first);
});

it('a store that took the step in one transaction opens as it is, and its workers go on', async () => {
	await migrate(
		db,
		all.filter(({ name }) => name <= compactStep),
		component,
	);
	const store = await openStore(url);
	const insert = (conflict: string) =>
		sql`insert into url (key, kind, state, depth, dates, run) values ('http://a.test/1', 0, 0, 0, 0, 1)
			on conflict ${sql.raw(conflict)} do nothing`.execute(db);
	await insert('(hash)');
	await insert('on constraint url_known');
	expect(await count(sql`select count(*) as count from url`)).toBe(urls);
	expect(await store.frontier.find('http://a.test/1')).toMatchObject({ id: 1 });
	await store.close();
});

it('of several processes that start at once, one upgrades the store and the others wait for it', async () => {
	const stores = await Promise.all([openStore(url), openStore(url), openStore(url)]);
	for (const store of stores) {
		expect(await store.frontier.find('http://a.test/7')).toMatchObject({ id: 7 });
		await store.close();
	}
	expect(await differences()).toEqual(inStep);
});

const pooled = 'through PgBouncer in transaction mode, the upgrade needs no connection of its own';
it.skipIf(!hasPgBouncer)(hasPgBouncer ? pooled : `${pooled} (needs pgbouncer)`, async () => {
	// As few connections to the server as two processes that upgrade can share.
	const pooler = await startPgBouncer(url, 3);
	const old = await oldWorker(0);
	try {
		const stores = await Promise.all([openStore(pooler.url), openStore(pooler.url)]);
		const from = old.commits();
		await vi.waitFor(() => expect(old.commits()).toBeGreaterThan(from + 5), 10_000);
		await old.stop();
		for (const store of stores) {
			expect(await store.frontier.find('http://a.test/7')).toMatchObject({ id: 7 });
			await store.close();
		}
		expect(await differences()).toEqual(inStep);
		await vi.waitFor(async () => expect(await contract(db)).toBe(true), 20_000);
		expect(await upgradeStore(pooler.url, { beforeChange, onUpgrade: () => {} })).toBe(false);
		await expectKept([old]);
	} finally {
		await pooler.close();
	}
});
