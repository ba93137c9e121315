import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { FrontierUrl, NewUrl } from '../packages/crawler/src/store/roles/frontier.ts';
import type { HostRecord } from '../packages/crawler/src/store/roles/leases.ts';
import type { Store } from '../packages/crawler/src/store/roles/store.ts';
import { openStore } from '../packages/crawler/src/store/sql/open.ts';
import { startPostgres } from '../packages/io/src/testing/postgres.ts';
import { middle, option, showTable } from './measure.ts';

// Measures the load that a crawl puts on a PostgreSQL server: processor time of all its processes, statements, bytes on the wire, and bytes of
// its log, for each call that workers make. Inputs of `npm run simulate` and of docs/explanation/scale.md.
//
// With `--saturate 1,2,4,8`, so many workers at a time commit pages as fast as they can: the server has core 0 for itself,
// and the workers core 1. How many pages a second does one core take, and how long does a commit take then?
//
// Run: npm run database-costs [-- --known 1e6] [--rounds 5] [--calls 200] [--connections 4] [--saturate 1,2,4,8]

const known = Number(option('known') ?? 1e6);
const rounds = Number(option('rounds') ?? 5);
const calls = Number(option('calls') ?? 200);
const saturate = option('saturate')?.split(',').map(Number) ?? [];
const connections = Math.max(Number(option('connections') ?? 4), ...saturate);
const at = Date.now();
const urlsPerHost = 100;

const toUrl = (url: string, depth: number): NewUrl => ({
	...{ url, kind: 'page', host: new URL(url).hostname, depth, dates: 0, seed: depth === 0 },
});
const knownUrl = (n: number): string => `http://known${Math.floor(n / urlsPerHost)}.test/articles/${n}`;

let statements = 0;
const sockets = new Set<{ bytesRead: number; bytesWritten: number }>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
	statements++;
	const { connection } = this as unknown as { connection: { stream: { bytesRead: number; bytesWritten: number } } };
	sockets.add(connection.stream);
	return (query as (...all: unknown[]) => unknown).apply(this, args);
} as never;
const wire = (): number => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);

const statOf = (pid: number): number[] =>
	readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ').map(Number) ?? [];

/** The stat line of a process and of each of its children, from the state on, by process id. */
function processesOf(parent: number): Map<number, number[]> {
	const found = new Map<number, number[]>();
	for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
		try {
			const fields = statOf(pid);
			if (pid === parent || fields[1] === parent) found.set(pid, fields);
		} catch {} // it has ended
	}
	return found;
}

/** Seconds of processor that a process and its children have had, those that have ended included. */
function processorTime(parent: number): number {
	let ticks = 0;
	for (const [pid, [, , , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0]] of processesOf(parent))
		ticks += user + system + (pid === parent ? endedUser + endedSystem : 0);
	return ticks / 100;
}

async function fill(db: Kysely<never>): Promise<void> {
	const hosts = Math.ceil(known / urlsPerHost) + 1;
	await sql`insert into host (name) select 'known' || i || '.test' from generate_series(0, ${sql.lit(hosts)}) as n(i)`.execute(
		db,
	);
	await sql`insert into url (key, kind, host, state, depth, dates, run, outcome, at)
		select 'http://known' || (i / ${sql.lit(urlsPerHost)}) || '.test/articles/' || i, 0,
			(select min(id) from host where name = 'known0.test') + i / ${sql.lit(urlsPerHost)}, 1, 3, 0, 1, 'fetched', ${sql.lit(at)}
		from generate_series(1, ${sql.lit(known)}) as n(i)`.execute(db);
	await sql`vacuum analyze`.execute(db);
	await sql`checkpoint`.execute(db);
}

const document = { identity: { title: 'T' }, content: { markdown: 'word '.repeat(100) } } as never;

/** Calls of one worker. */
class Caller {
	readonly #store: Store;
	readonly #number: number;
	#host: HostRecord | undefined;
	#waiting: FrontierUrl[] = [];
	#page = 0;

	constructor(store: Store, number: number) {
		this.#store = store;
		this.#number = number;
	}

	/** Takes a host, and gives it back. */
	async claim(): Promise<void> {
		if (this.#host !== undefined) await this.#store.leases.releaseHost({ ...this.#host, nextAt: Date.now() });
		[this.#host] = await this.#store.leases.claimHosts(1);
		this.#waiting = [];
	}

	/** Asks for hosts when none is free: another number of them each time, which is written. */
	async claimInVain(): Promise<void> {
		await this.#store.leases.claimHosts(++this.#page % 2 === 0 ? 8 : 32);
	}

	/** The look for hosts that a worker without work repeats (engine/run.ts). */
	async look(): Promise<void> {
		await this.#store.leases.claimHosts(8);
		await this.#store.frontier.scopeExpansions();
		await this.#store.frontier.unfinished();
	}

	async read(): Promise<void> {
		await this.#store.frontier.find(knownUrl(this.#random(++this.#page, 3)));
	}

	async pending(): Promise<void> {
		const { id = 0 } = this.#host ?? {};
		this.#waiting = await this.#store.frontier.pending(id, 'page', Date.now(), 40);
	}

	/** A page with 50 links: 5 new, 9 known anywhere, 36 known of one host. */
	async page(): Promise<void> {
		if (this.#waiting.length === 0) await this.pending();
		const next = this.#waiting.shift();
		const host = this.#host;
		if (next === undefined || host === undefined) throw new Error('nothing waits');
		const number = ++this.#page;
		const found = Array.from({ length: 50 }, (_, n): NewUrl => {
			if (n < 5) return toUrl(`http://${host.name}/${this.#number}-${number}-${n}`, 1);
			const to = n % 5 === 0 ? this.#random(number, n) : this.#random(number, 0) - (this.#random(number, 0) % 100) + n;
			return toUrl(knownUrl(to + 1), 1);
		});
		const content = { etag: `"${number}"`, bodyHash: new Uint8Array(32), snapshot: { fetchedAt: at, document } };
		const visit = { id: next.id, ending: { outcome: 'fetched' as const }, attempts: 1, at, found, content };
		await this.#store.commit({ visits: [visit], hosts: [host], positions: new Map(), scopeExpansions: [] });
	}

	#random(a: number, b: number): number {
		return (a * 7919 + b * 104_729 + this.#number * 15_485_863) % (known - 200);
	}
}

/** Pages that so many workers commit in ten seconds, with a core of its own for the server. */
async function saturation(workers: readonly Caller[], postmaster: number): Promise<string[]> {
	const times: number[] = [];
	const before = [processorTime(postmaster), process.cpuUsage()] as const;
	const started = performance.now();
	const end = started + 10_000;
	await Promise.all(
		workers.map(async (worker) => {
			for (let from = performance.now(); from < end; from = performance.now()) {
				await worker.page();
				times.push(performance.now() - from);
			}
		}),
	);
	const seconds = (performance.now() - started) / 1000;
	const own = process.cpuUsage(before[1]);
	times.sort((a, b) => a - b);
	const share = (used: number): string => `${Math.round((used / seconds) * 100)} %`;
	return [
		String(workers.length),
		(times.length / seconds).toFixed(0),
		share(processorTime(postmaster) - before[0]),
		share((own.user + own.system) / 1e6),
		`${middle(times).toFixed(1)} ms`,
		`${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(1)} ms`,
	];
}

/** Puts a process with all its threads on one core. */
const pin = (pid: number, core: number) => execFileSync('taskset', ['-acp', String(core), String(pid)]);

async function showSaturation(callers: readonly Caller[], postmaster: number): Promise<void> {
	pin(process.pid, 1);
	for (const pid of processesOf(postmaster).keys()) pin(pid, 0);
	await saturation(callers, postmaster); // warms up
	const rows: string[][] = [];
	for (const workers of saturate) rows.push(await saturation(callers.slice(0, workers), postmaster));
	const heads = ['workers', 'pages/s', 'core of PostgreSQL', 'core of the workers', 'commit, median', '99 %'];
	console.log(showTable([heads, ...rows]));
}

async function showCosts(callers: readonly Caller[], postmaster: number, log: () => Promise<number>): Promise<void> {
	const steps: readonly (readonly [string, (caller: Caller) => Promise<void>])[] = [
		['a page, 50 links', (caller) => caller.page()],
		['host given back and taken', (caller) => caller.claim()],
		['claim of hosts in vain', (caller) => caller.claimInVain()],
		['look of a worker without work', (caller) => caller.look()],
		['URLs of a host', (caller) => caller.pending()],
		['look up one URL', (caller) => caller.read()],
	];
	const samples = new Map(steps.map(([name]) => [name, [] as number[][]]));
	for (let round = 0; round <= rounds; round++) {
		for (const [name, step] of steps) {
			const before = [processorTime(postmaster), statements, wire(), await log()];
			const started = performance.now();
			await Promise.all(
				callers.map(async (caller) => {
					for (let n = 0; n < calls; n++) await step(caller);
				}),
			);
			const seconds = (performance.now() - started) / 1000;
			const after = [processorTime(postmaster), statements - 1, wire(), await log()];
			const count = calls * connections;
			// The first round warms up.
			if (round > 0)
				samples.get(name)?.push([...after.map((value, n) => (value - (before[n] ?? 0)) / count), count / seconds]);
		}
	}
	const column = (list: readonly number[][], n: number) => middle(list.map((one) => one[n] ?? 0));
	console.log(
		`${known.toLocaleString('en')} known URLs, ${connections} workers, medians of ${rounds} rounds of ${calls} calls each\n`,
	);
	console.log(
		showTable([
			['call', 'processor of PostgreSQL', 'rounds', 'statements', 'on the wire', 'log', 'calls/s'],
			...[...samples].map(([name, list]) => [
				...[
					name,
					`${(column(list, 0) * 1000).toFixed(2)} ms`,
					list.map(([cpu = 0]) => (cpu * 1000).toFixed(2)).join(' '),
				],
				...[column(list, 1).toFixed(1), `${column(list, 2).toFixed(0)} B`, `${column(list, 3).toFixed(0)} B`],
				column(list, 4).toFixed(0),
			]),
		]),
	);
}

const server = await startPostgres(['-c', 'shared_buffers=512MB']);
try {
	const url = await server.database();
	const stores = await Promise.all(Array.from({ length: connections }, () => openStore(url)));
	const seeds = Array.from({ length: connections }, (_, n) => toUrl(`http://live${n}.test/`, 0));
	for (const store of stores)
		await store.begin({ seeds, scope: 'bench', refresh: false, at, reconsider: () => undefined });
	const db = openDatabase<never>(url, { statementTimeout: 0, connections: 1 });
	await fill(db);
	const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
	const [, postmaster = 0] = statOf(rows[0]?.pid ?? 0);
	const log = async () => {
		const { rows: places } = await sql<{
			bytes: string;
		}>`select (pg_current_wal_lsn() - '0/0')::bigint as bytes`.execute(db);
		return Number(places[0]?.bytes);
	};
	const callers = stores.map((store, number) => new Caller(store, number));
	for (const caller of callers) await caller.claim();
	if (saturate.length > 0) await showSaturation(callers, postmaster);
	else await showCosts(callers, postmaster, log);
	await db.destroy();
	for (const store of stores) await store.close();
} finally {
	await server.stop();
}
process.exit(0);
