import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import type { TestPostgres } from '../../../io/src/testing/postgres.ts';
import { type Death, type PostgresProxy, startPostgresProxy } from '../../../io/src/testing/postgres-proxy.ts';
import { openStore } from '../store/sql/open.ts';
import { type FleetSite, startFleetSite } from './fleet.ts';
import type { WorkerOptions } from './fleet-types.ts';
import { runWorker } from './fleet-worker.ts';

/** Enough for links within a host and to another one. */
const small = { hosts: 2, pages: 2 };
/** Statements with which a store is opened, which is told to whoever opens it when it fails. */
const opening = 15;

interface Tried {
	readonly site: FleetSite;
	readonly proxy: PostgresProxy;
	/** Behind the proxy. */
	readonly store: string;
}

/** A site and a proxy for one try, and an empty store. */
async function trying<Value>(store: string, work: (tried: Tried) => Promise<Value>): Promise<Value> {
	await empty(store);
	const site = await startFleetSite(small);
	const proxy = await startPostgresProxy(store);
	try {
		return await work({ site, proxy, store });
	} finally {
		await proxy.close();
		await site.close();
	}
}

async function newStore(server: TestPostgres): Promise<string> {
	const url = await server.database();
	await (await openStore(url)).close();
	return url;
}

async function empty(url: string): Promise<void> {
	const db = openDatabase(url);
	const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
		where schemaname = 'public' and tablename <> 'wayleave_migrations'`.execute(db);
	await sql`truncate ${sql.join(rows.map(({ name }) => sql.table(name)))} restart identity`.execute(db);
	await db.destroy();
}

function crawl(store: string, { seeds }: FleetSite, more: Partial<WorkerOptions> = {}): Promise<void> {
	const options = { store, seeds, delay: 0, concurrency: 1, ...more };
	return runWorker(options, new AbortController().signal, () => {});
}

async function outcomes(url: string): Promise<string> {
	const store = await openStore(url);
	const { pending, rows } = await store.frontier.tally();
	await store.close();
	return `${pending} pending, ${rows.map(({ outcome, count }) => `${count} ${outcome}`)}`;
}

/** Made when they are first needed, for each server: every try empties its store. */
const prepared = new WeakMap<TestPostgres, Promise<string>[]>();

function storeOf(server: TestPostgres, number: number): Promise<string> {
	const made = prepared.get(server) ?? [];
	prepared.set(server, made);
	made[number] ??= newStore(server);
	return made[number];
}

/** What is wrong after a crawl. */
type Check = (tried: Tried, at: number, death: Death) => Promise<string | undefined>;

/** The crawl has failed before its connection died: the machine let it stand still for longer than its lease. */
const tooSlow = 'too slow';

export interface Deaths {
	/** Crawls in which a connection has died. */
	readonly died: number;
	/** What was wrong after it. */
	readonly wrong: readonly string[];
}

/**
 * Lets a connection, or all of them, die at statement after statement, until a crawl ends without so many.
 *
 * @param every 1 for each of them
 * @param say is told from time to time how far it is
 */
async function atEach(
	server: TestPostgres,
	every: number,
	say: (progress: string) => void,
	check: Check,
): Promise<Deaths> {
	const wrong: string[] = [];
	// Crawls at a time, each with a database: most of the time they wait for a server that has gone away. In a short test
	// most of six would begin behind the last statement.
	const together = every === 1 ? 6 : 2;
	let died = 0;
	let next = opening + 1;
	let end = Number.POSITIVE_INFINITY;
	const tryOne = async (store: string, at: number, death: Death, tries = 5): Promise<void> => {
		const found = await trying(store, async (tried) => {
			const amiss = await check(tried, at, death);
			if (amiss === tooSlow) return amiss;
			if (tried.proxy.deaths > 0) died++;
			else end = Math.min(end, at);
			return amiss;
		}).catch((error: Error) => error.message);
		if (found === tooSlow && tries > 1) return tryOne(store, at, death, tries - 1);
		if (found === undefined) return;
		wrong.push(`${death} statement ${at}: ${found}`);
		say(wrong.at(-1)!);
	};
	const work = async (number: number) => {
		while (next < end) {
			const at = next;
			next += every;
			const store = await storeOf(server, number);
			for (const death of ['before', 'after'] as const) await tryOne(store, at, death);
			if (at % 10 === 0) say(`statement ${at}: ${died} crawls with a death, ${wrong.length} wrong`);
		}
	};
	await Promise.all(Array.from({ length: together }, (_, number) => work(number)));
	return { died, wrong };
}

const good = `0 pending, ${small.hosts * small.pages} fetched`;

/** A connection dies once: each page is asked for once, and is there at the end. */
export const diesOnce = (server: TestPostgres, every: number, say: (progress: string) => void = () => {}) =>
	atEach(server, every, say, async ({ site, proxy, store }, at, death) => {
		proxy.die(at, death);
		await crawl(proxy.url, site);
		const found = await outcomes(store);
		if (found !== good) return found;
		const paths = site.log.map(({ host, path }) => host + path);
		return new Set(paths).size === paths.length ? undefined : `asked twice: ${paths.sort()}`;
	});

/** All connections die for good: whoever comes next has every page at the end, and keeps the delays. */
export const diesForGood = (server: TestPostgres, every: number, say: (progress: string) => void = () => {}) =>
	atEach(server, every, say, async ({ site, proxy, store }, at, death) => {
		const pace = { lease: 1500, delay: 20 };
		proxy.die(at, death, true);
		// Whether it fails depends on what is left to do then.
		const ended = await crawl(proxy.url, site, { ...pace, patience: 0 }).then(
			() => true,
			() => false,
		);
		if (proxy.deaths === 0) return ended ? undefined : tooSlow;
		await crawl(store, site, pace);
		const found = await outcomes(store);
		// Where only the last answer was lost, the next crawl is another one.
		if (found !== good && found !== good.replace('fetched', 'unchanged')) return found;
		return site.shortestGap() >= pace.delay - 1 ? undefined : `${site.shortestGap()} ms apart`;
	});
