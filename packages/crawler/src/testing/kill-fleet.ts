import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@wayleave/io/sql';
import type { Kysely } from 'kysely';
import { writeWhole } from '../engine/write-whole.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import type { Store } from '../store/roles/store.ts';
import type { StoreSchema } from '../store/schema/tables.ts';
import { openStore } from '../store/sql/open.ts';
import { type FleetSite, startFleetSite, startLocalWorker, startWorker } from './fleet.ts';
import { describeRolled, type Rolled, readRolled, rollingOptions, urlsIn } from './rolled.ts';
import type { TimedRequest } from './timed-web.ts';

export interface KillPlan {
	/** `postgres://…`; an SQLite file in a temporary folder where there is none. */
	readonly store?: string;
	readonly workers: number;
	readonly kills: number;
	readonly hosts: number;
	/** Of each host. */
	readonly pages: number;
	readonly delay: number;
	readonly lease: number;
	readonly random: () => number;
	/** A place for documents and rolling files; a folder where there is none. */
	readonly objects?: string;
	/** Whether only the first worker is a process of its own, and the one that is killed: it takes seconds to start each. */
	readonly local?: boolean;
	/** Done once after so many requests for pages. */
	readonly steps?: ReadonlyMap<number, () => Promise<void>>;
}

export interface KillReport {
	/** Pages that there are, in order. */
	readonly pages: readonly string[];
	/** URLs of the file that the crawl itself has written, where it is alone, in order. */
	readonly written: readonly string[] | undefined;
	/** The rolling files that the workers have written together. */
	readonly rolled: Rolled;
	/** URLs of the export of the store, in order. */
	readonly exported: readonly string[];
	readonly tally: string;
	/** Requests for pages that the site had seen at each kill. */
	readonly killedAt: readonly number[];
	/** Requests for something that had been asked for before: what was in flight at a kill. */
	readonly again: number;
	/** Milliseconds from the end of a request to the start of the next one of the host, at least. */
	readonly gap: number;
	/**
	 * For each host with pages left that a killed worker had: milliseconds from the kill to the next request, or to the
	 * kill of the one that had taken it over meanwhile, while a worker was alive. In order.
	 */
	readonly recoveries: readonly number[];
	/** The longest time that a host with pages left stood still otherwise; the delay, and what the machine adds. */
	readonly usual: number;
	/** The same for all hosts together, whoever was killed. */
	readonly standstill: number;
}

interface Alive {
	readonly isProcess: boolean;
	readonly from: number;
	/** When it was killed. */
	to: number;
	/** Hosts that it had then. */
	had: ReadonlySet<string>;
}

/**
 * Crawls with so many workers, kills one of them (SIGKILL) at random moments, starts another in its place, and lets them
 * end at last.
 */
export async function killFleet(plan: KillPlan): Promise<KillReport> {
	const { hosts, pages, delay, lease, kills, random } = plan;
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-kills-'));
	const store = plan.store ?? `sqlite:${join(folder, 'crawl.db')}`;
	const out = plan.store === undefined ? join(folder, 'out.jsonl') : undefined;
	const objects = plan.objects ?? `file:${folder}`;
	const rolling = rollingOptions(objects);
	const { local = false } = plan;
	const site = await startFleetSite({ hosts, pages, latency: 20, closed: local });
	const alive: Alive[] = [];
	const start = (isProcess: boolean) => {
		const worker = (isProcess ? startWorker : startLocalWorker)({
			store,
			seeds: site.seeds,
			delay,
			lease,
			concurrency: 4,
			...rolling,
			...(out && { out }),
		});
		const life = { isProcess, from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY, had: new Set<string>() };
		alive.push(life);
		const begin = () => {
			life.from = Date.now();
		};
		worker.start.then(begin, () => {});
		return { worker, life };
	};
	const workers = [start(true)];
	// The process has hosts before the others take what is left.
	if (local) await workers[0]?.worker.start;
	while (workers.length < plan.workers) workers.push(start(!local));
	const db = plan.store === undefined ? undefined : openDatabase<StoreSchema>(plan.store);
	let guest: Store | undefined;
	try {
		if (db !== undefined) {
			await Promise.race(workers.map(({ worker }) => worker.start));
			guest = await joinRun(store, db, lease);
		}
		if (local) {
			await Promise.all(workers.map(({ worker }) => worker.start));
			site.open();
		}
		const killedAt: number[] = [];
		const looks: Promise<void>[] = [];
		// A little later, since the server may still commit what it had heard of; its lease is not over then.
		const lookAfter = async ({ worker, life }: (typeof workers)[number]) => {
			await sleep(lease / 4);
			life.had = new Set(db === undefined ? namesOf(site) : await hostsOf(db, worker.pid));
		};
		let seen = 0;
		let step = Promise.resolve();
		const countPage = () => {
			seen++;
			const next = plan.steps?.get(seen);
			if (next !== undefined) step = step.then(next);
		};
		site.onPage = countPage;
		for (let kill = 0; kill < kills; kill++) {
			const left = Math.max(0, site.pages - seen);
			const after = seen + 1 + Math.floor(random() * (left / (kills - kill)) * 0.9);
			await new Promise<void>((resolve) => {
				site.onPage = () => {
					countPage();
					if (seen >= after) resolve();
				};
			});
			// Not one that has yet to begin: where that takes long, the others would be done before it could be killed.
			await Promise.race(workers.map(({ worker }) => worker.start));
			const begun = workers.filter(({ life }) => life.isProcess && life.from < Number.POSITIVE_INFINITY);
			const victim = begun[Math.floor(random() * begun.length)]!;
			victim.worker.kill('SIGKILL');
			victim.life.to = Date.now();
			killedAt.push(seen);
			// A process takes seconds to start; one in this process would find the store in use.
			if (local) await victim.worker.end.catch(() => {});
			workers[workers.indexOf(victim)] = start(!local);
			looks.push(lookAfter(victim));
		}
		await Promise.all([...looks, ...workers.map(({ worker }) => worker.end)]);
		await step;
		await guest?.end(true, Date.now());
		await guest?.close();
		const written = out === undefined ? undefined : urlsOf(out);
		const whole = join(folder, 'export.jsonl');
		return {
			...(await stored(store, whole)),
			rolled: await readRolled(objects),
			...paceOf(site, alive, lease),
			written,
			killedAt,
			pages: addresses(site, plan),
		};
	} finally {
		await db?.destroy();
		for (const { worker } of workers) worker.kill('SIGKILL');
		await site.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Takes part in a run and does nothing, so that who begins after all is done does not begin the next one. */
async function joinRun(url: string, db: Kysely<StoreSchema>, lease: number): Promise<Store> {
	const { scope } = await db.selectFrom('crawl_run').select('scope').executeTakeFirstOrThrow();
	const store = await openStore(url, { lease });
	await store.begin({ seeds: [], scope, refresh: false, at: Date.now(), reconsider: () => undefined });
	return store;
}

/** What a process had when it was killed: nobody takes it away before its lease is over. */
async function hostsOf(db: Kysely<StoreSchema>, pid: number | undefined): Promise<string[]> {
	const hosts = await db
		.selectFrom('host')
		.innerJoin('crawl_worker', 'crawl_worker.id', 'host.holder')
		.select('host.name')
		.where('crawl_worker.name', 'like', `${hostname()} ${pid} %`)
		.execute();
	return hosts.map(({ name }) => name);
}

const namesOf = ({ seeds }: FleetSite): string[] => seeds.map((seed) => new URL(seed).hostname);

async function stored(url: string, file: string) {
	const store = await openStore(url);
	const { pending, rows } = await store.frontier.tally();
	await writeWhole(jsonlSink(file), store.pages);
	await store.close();
	const tally = `${pending} pending, ${rows.map(({ outcome, count }) => `${count} ${outcome}`)}`;
	return { tally, exported: urlsOf(file) };
}

const urlsOf = (file: string): string[] => urlsIn(readFileSync(file, 'utf8'));

const addresses = ({ seeds }: FleetSite, { pages }: KillPlan): string[] =>
	seeds.flatMap((seed) => Array.from({ length: pages }, (_, page) => seed.replace(/0$/, String(page)))).sort();

function paceOf(site: FleetSite, alive: readonly Alive[], lease: number) {
	const paths = site.log.map(({ host, path }) => host + path);
	const stalls = namesOf(site).flatMap((name) => {
		const log = site.log.filter(({ host }) => host === name);
		// What it had sent may be seen a little later; nobody else asks so soon.
		const lastOf = (kill: number) =>
			Math.max(kill, ...log.map(({ start }) => start).filter((start) => start < kill + lease / 8));
		const kills = alive.filter(({ had }) => had.has(name)).map(({ to }) => lastOf(to));
		return stallsOf(log, alive, kills);
	});
	return {
		again: paths.length - new Set(paths).size,
		gap: site.shortestGap(),
		recoveries: stalls.flatMap(({ lived, killed }) => (killed ? lived : [])).toSorted((a, b) => a - b),
		usual: Math.max(...stalls.flatMap(({ lived, killed }) => (killed ? [] : lived))),
		standstill: Math.max(...stallsOf(site.log, alive, []).map(({ lived }) => lived)),
	};
}

/** The times between two requests, less the time in which no worker was there; `killed`: from a kill on. */
function stallsOf(requests: readonly TimedRequest[], alive: readonly Alive[], kills: readonly number[]) {
	const sorted = requests.toSorted((a, b) => a.start - b.start);
	return sorted.slice(1).flatMap(({ start: to }, at) => {
		const { start, end } = sorted[at]!;
		// A request that was in flight has ended with its process, but is seen to have ended a little later.
		const since = kills.filter((kill) => kill >= start && kill < to).toSorted((a, b) => a - b);
		const marks = [...(since[0] !== undefined && since[0] <= end ? [] : [end]), ...since, to];
		return marks.slice(1).map((mark, index) => ({
			lived: livedBetween(marks[index]!, mark, alive),
			killed: since.includes(marks[index]!),
		}));
	});
}

function livedBetween(from: number, to: number, alive: readonly Alive[]): number {
	let lived = 0;
	let until = from;
	for (const life of alive.toSorted((a, b) => a.from - b.from)) {
		const begin = Math.max(until, life.from);
		const end = Math.min(to, life.to);
		if (end <= begin) continue;
		lived += end - begin;
		until = end;
	}
	return lived;
}

/** For people. */
export function describeKills(report: KillReport): string {
	const { killedAt, again, gap, recoveries, usual, standstill, tally, exported, rolled } = report;
	const [median, longest] = [recoveries[recoveries.length >> 1], recoveries.at(-1)];
	return [
		`killed after ${killedAt.join(', ')} requests: ${tally}, ${new Set(exported).size} different in the export`,
		`${again} asked for again, shortest gap ${gap} ms, all hosts together stood still for at most ${standstill} ms`,
		`${recoveries.length} hosts lost their worker: half of them for ${median} ms, none for more than ${longest} ms`,
		`no host stood still for more than ${usual} ms otherwise`,
		describeRolled(rolled),
	].join('\n');
}
