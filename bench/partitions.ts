import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { FrontierUrl, NewUrl } from '../packages/crawler/src/store/roles/frontier.ts';
import type { Store } from '../packages/crawler/src/store/roles/store.ts';
import { openStore } from '../packages/crawler/src/store/sql/open.ts';
import { startPostgres } from '../packages/io/src/testing/postgres.ts';
import { middle, option, showTable } from './measure.ts';

// Does a crawl gain when the table `url` is divided into partitions? The store runs on three forms of the same rows, in
// turns: one table; hash partitions by address, on which its statements run as they are; and hash partitions by host, for
// which the two statements that look up addresses get the host as one more condition.
//
// Run: npm run partitions -- --rows 2e6,4e6,8e6 [--pages 600] [--partitions 16] [--buffers 512MB]

type Form = 'one table' | 'by address' | 'by host';
const forms: readonly Form[] = ['one table', 'by address', 'by host'];

const partitions = Number(option('partitions') ?? 16);
const pages = Number(option('pages') ?? 600);
const liveHosts = 20;
const urlsPerHost = 100;
const at = Date.now();

const toUrl = (url: string, depth: number): NewUrl => ({
	...{ url, kind: 'page', host: new URL(url).hostname, depth, dates: 0, seed: depth === 0 },
});
const known = (n: number): string => `http://known${Math.floor(n / urlsPerHost)}.test/articles/${n}`;

/** Statements of the store with the host as a condition, so that PostgreSQL reads one partition. */
function withHost(text: string): string {
	return text
		.replace(
			"kind = cast(given.value->>'t' as smallint) limit 1",
			"kind = cast(given.value->>'t' as smallint) and host = cast(given.value->>'h' as bigint) limit 1",
		)
		.replace('on conflict (key, kind) do update', 'on conflict (key, kind, host) do update');
}

/** The databases whose statements get the host. */
const byHost = new Set<string>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
	const [first, ...rest] = args as [{ text?: string }, ...unknown[]];
	const isOurs = byHost.has(this.database ?? '') && typeof first === 'object' && typeof first.text === 'string';
	if (isOurs) Object.assign(first, { text: withHost(first.text ?? '') });
	return (query as (...all: unknown[]) => unknown).call(this, first, ...rest);
} as never;

/** Rows first, then the indexes, as they are in the store. */
async function fill(url: string, form: Form, count: number): Promise<number> {
	const store = await openStore(url);
	const seeds = Array.from({ length: liveHosts }, (_, n) => toUrl(`http://live${n}.test/`, 0));
	await store.begin({ seeds, scope: 'bench', refresh: false, at, reconsider: () => undefined });
	await store.close();
	const db = openDatabase<never>(url, { statementTimeout: 0, connections: 1 });
	await sql`insert into host (name) select 'known' || i || '.test' from generate_series(1, ${sql.lit(Math.ceil(count / urlsPerHost))}) as n(i)`.execute(
		db,
	);
	const definitions = await indexesOf(db);
	await divide(db, form);
	const started = performance.now();
	await sql`insert into url (id, key, kind, host, state, depth, dates, run, outcome, at)
		select nextval('url_id_seq'), 'http://known' || (i / ${sql.lit(urlsPerHost)}) || '.test/articles/' || i, 0,
			${sql.lit(liveHosts)} + 1 + i / ${sql.lit(urlsPerHost)}, 1, 3, 0, 1, 'fetched', ${sql.lit(at)}
		from generate_series(1, ${sql.lit(count)}) as n(i)`.execute(db);
	for (const definition of definitions) await sql.raw(indexFor(definition, form)).execute(db);
	const seconds = (performance.now() - started) / 1000;
	await sql`insert into page (url, etag, fetched_at, checked_at)
		select id, '"' || id || '"', ${sql.lit(at)}, ${sql.lit(at)} from url where state = 1 and id % 3 = 0`.execute(db);
	await sql`vacuum analyze`.execute(db);
	await sql`checkpoint`.execute(db);
	await db.destroy();
	return seconds;
}

async function indexesOf(db: Kysely<never>): Promise<string[]> {
	const { rows } = await sql<{ indexdef: string }>`select indexdef from pg_indexes
		where tablename = 'url' and schemaname = 'public'`.execute(db);
	return rows.map(({ indexdef }) => indexdef);
}

/** A unique index of a divided table has to have the column that divides it. */
function indexFor(definition: string, form: Form): string {
	if (form === 'one table' || !definition.startsWith('CREATE UNIQUE')) return definition;
	if (definition.includes('(id)')) return definition.replace('(id)', form === 'by host' ? '(id, host)' : '(id, key)');
	return form === 'by host'
		? definition.replace('(key, kind) INCLUDE (state, host,', '(key, kind, host) INCLUDE (state,')
		: definition;
}

/** Replaces the table with one of the wanted form, with its first rows and without indexes. */
async function divide(db: Kysely<never>, form: Form): Promise<void> {
	const by = { 'one table': '', 'by address': 'partition by hash (key)', 'by host': 'partition by hash (host)' }[form];
	await sql`alter table url rename to url_before`.execute(db);
	await sql`alter sequence url_id_seq rename to url_id_seq_before`.execute(db);
	await sql`create table url (like url_before including defaults including storage) ${sql.raw(by)}`.execute(db);
	for (let n = 0; by !== '' && n < partitions; n++) {
		await sql
			.raw(`create table url_p${n} partition of url for values with (modulus ${partitions}, remainder ${n})`)
			.execute(db);
		await sql.raw(`alter table url_p${n} set (autovacuum_enabled = off)`).execute(db);
	}
	if (by === '') await sql`alter table url set (autovacuum_enabled = off)`.execute(db);
	await sql`create sequence url_id_seq start 1000`.execute(db);
	await sql`alter table url alter column id set default nextval('url_id_seq')`.execute(db);
	await sql`insert into url select * from url_before`.execute(db);
	await sql`drop table url_before cascade`.execute(db);
}

const document = { identity: { title: 'T' }, content: { markdown: 'word '.repeat(100) } } as never;
/** Milliseconds by step. */
type Times = Record<'claim' | 'pending' | 'commit', number[]>;

async function timed<Value>(list: number[], work: () => Promise<Value>): Promise<Value> {
	const started = performance.now();
	const value = await work();
	list.push(performance.now() - started);
	return value;
}

/** Visits pages: each with 50 links, 5 of them new, 45 known, of those 9 anywhere and 36 to one host. */
async function* visits(store: Store, size: number, times: Times): AsyncGenerator<void> {
	let [host] = await store.leases.claimHosts(1);
	let waiting: FrontierUrl[] = [];
	for (let number = 0; ; number++) {
		if (number % 20 === 19 && host !== undefined) {
			await store.leases.releaseHost({ ...host, nextAt: Date.now() });
			[host] = await timed(times.claim, () => store.leases.claimHosts(1));
			waiting = [];
		}
		if (host === undefined) throw new Error('no host waits');
		const { id, name } = host;
		if (waiting.length === 0)
			waiting = await timed(times.pending, () => store.frontier.pending(id, 'page', Date.now(), 40));
		const next = waiting.shift();
		if (next === undefined) throw new Error('no page waits');
		const found = Array.from({ length: 50 }, (_, n): NewUrl => {
			if (n < 5) return toUrl(`http://${name}/${number}-${n}`, 1);
			if (n % 5 === 0) return toUrl(known(((number * 7919 + n * 104_729) % (size - 1)) + 1), 1);
			return toUrl(known((((number * 31) % (size / urlsPerHost - 1)) + 1) * urlsPerHost + n), 1);
		});
		const content = { etag: `"${number}"`, bodyHash: new Uint8Array(32), snapshot: { fetchedAt: at, document } };
		const visit = { id: next.id, ending: { outcome: 'fetched' as const }, attempts: 1, at, found, content };
		const batch = { visits: [visit], hosts: [host], positions: new Map(), scopeExpansions: [] };
		await timed(times.commit, () => store.commit(batch));
		yield;
	}
}

async function compare(count: number): Promise<string[][]> {
	const runs = [];
	for (const form of forms) {
		const url = await server.database();
		const load = await fill(url, form, count);
		if (form === 'by host') byHost.add(new URL(url).pathname.slice(1));
		const store = await openStore(url);
		await store.begin({ seeds: [], scope: 'bench', refresh: false, at, reconsider: () => undefined });
		const times: Times = { claim: [], pending: [], commit: [] };
		runs.push({ form, url, load, store, times, walk: visits(store, count, times) });
	}
	// The first pages warm up.
	for (let n = 0; n < pages + 100; n++)
		for (const { walk, times } of runs) {
			await walk.next();
			if (n === 99) for (const list of Object.values(times)) list.length = 0;
		}
	const rows = [];
	for (const { form, url, load, store, times } of runs) {
		const tally: number[] = [];
		await timed(tally, () => store.frontier.tally());
		await store.close();
		const upkeep = await upkeepOf(url);
		const show = (list: readonly number[]) => `${middle(list).toFixed(2)} ms`;
		rows.push([
			...[count.toLocaleString('en'), form, show(times.claim), show(times.pending), show(times.commit)],
			...[`${((tally[0] ?? 0) / 1000).toFixed(1)} s`, `${load.toFixed(0)} s`, ...upkeep],
		]);
	}
	return rows;
}

/** Adds rows at random places, updates a tenth of the rows, and vacuums. */
async function upkeepOf(url: string): Promise<string[]> {
	const db = openDatabase<never>(url, { statementTimeout: 0, connections: 1 });
	const started = performance.now();
	await sql`insert into url (id, key, kind, host, state, depth, dates, run)
		select nextval('url_id_seq'), 'http://known' || (i * 7919 % 10000) || '.test/new/' || i, 0,
			${sql.lit(liveHosts)} + 1 + i * 7919 % 10000, 0, 4, 0, 1 from generate_series(1, 100000) as n(i)`.execute(db);
	const inserted = performance.now();
	await sql`update url set state = 0, outcome = null where id % 10 = 0`.execute(db);
	const updated = performance.now();
	await sql`vacuum url`.execute(db);
	const vacuumed = performance.now();
	const { rows } = await sql<{ total: number; known: number }>`select sum(pg_relation_size(relid))::bigint as total,
		sum(case when relname like '%known%' or relname like '%key%kind%' then pg_relation_size(relid) else 0 end)::bigint as known
		from (select c.oid as relid, c.relname from pg_class c where (relname like 'url%') and relkind in ('r', 'i')) as every`.execute(
		db,
	);
	await db.destroy();
	const { total = 0, known: index = 0 } = rows[0] ?? {};
	return [
		`${(100 / ((inserted - started) / 1000)).toFixed(0)} k/s`,
		`${((vacuumed - updated) / 1000).toFixed(1)} s`,
		`${(Number(total) / 1e6).toFixed(0)} MB`,
		`${(Number(index) / 1e6).toFixed(0)} MB`,
	];
}

const server = await startPostgres([
	'-c',
	`shared_buffers=${option('buffers') ?? '512MB'}`,
	'-c',
	'max_wal_size=8GB',
	'-c',
	'synchronous_commit=off',
]);
try {
	const head = ['rows', 'form', 'claim', 'pending', 'commit', 'tally', 'load', 'inserts', 'vacuum', 'url', 'index'];
	for (const count of (option('rows') ?? '2e6,4e6,8e6').split(','))
		console.log(`${showTable([head, ...(await compare(Number(count)))])}\n`);
} finally {
	await server.stop();
}
