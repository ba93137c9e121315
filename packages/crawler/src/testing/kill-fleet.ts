import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@wayleave/io';
import { writeWhole } from '../engine/write-whole.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import { openStore } from '../store/open.ts';
import type { StoreSchema } from '../store/schema.ts';
import type { Store } from '../store/types.ts';
import { type FleetRequest, type FleetSite, startFleetSite, startWorker } from './fleet.ts';

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
}

export interface KillReport {
	/** Pages that there are, in order. */
	readonly pages: readonly string[];
	/** URLs of the file that the crawl itself has written, where it is alone, in order. */
	readonly written: readonly string[] | undefined;
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
	 * Milliseconds for which a host that had pages left was asked for nothing while a worker was alive, at most, for each
	 * kill meanwhile: a host may be taken over by one who dies next, and is then recovered twice. (In the log of a run one
	 * stood still for 11.3 seconds, with a kill at the beginning and one 4.6 seconds later.)
	 */
	readonly stall: number;
	/** The same for all hosts together. */
	readonly standstill: number;
}

interface Alive {
	readonly from: number;
	to: number;
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
	const site = await startFleetSite({ hosts, pages, latency: 20 });
	const alive: Alive[] = [];
	const start = () => {
		const worker = startWorker({ store, seeds: site.seeds, delay, lease, concurrency: 4, ...(out && { out }) });
		const life = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
		alive.push(life);
		void worker.start.then(() => {
			life.from = Date.now();
		});
		return { worker, life };
	};
	const workers = Array.from({ length: plan.workers }, start);
	let guest: Store | undefined;
	try {
		if (plan.store !== undefined) {
			await Promise.race(workers.map(({ worker }) => worker.start));
			guest = await joinRun(plan.store, lease);
		}
		const killedAt: number[] = [];
		let seen = 0;
		for (let kill = 0; kill < kills; kill++) {
			const left = Math.max(0, site.pages - seen);
			const after = seen + 1 + Math.floor(random() * (left / (kills - kill)) * 0.9);
			await new Promise<void>((resolve) => {
				site.onPage = () => {
					if (++seen >= after) resolve();
				};
			});
			// Not one that has yet to begin: where that takes long, the others would be done before it could be killed.
			await Promise.race(workers.map(({ worker }) => worker.start));
			const begun = workers.filter(({ life }) => life.from < Number.POSITIVE_INFINITY);
			const victim = begun[Math.floor(random() * begun.length)]!;
			victim.worker.kill('SIGKILL');
			victim.life.to = Date.now();
			killedAt.push(seen);
			workers[workers.indexOf(victim)] = start();
		}
		await Promise.all(workers.map(({ worker }) => worker.end));
		await guest?.end(true, Date.now());
		await guest?.close();
		const written = out === undefined ? undefined : urlsOf(out);
		const whole = join(folder, 'export.jsonl');
		return { ...(await stored(store, whole)), ...paceOf(site, alive), written, killedAt, pages: addresses(site, plan) };
	} finally {
		for (const { worker } of workers) worker.kill('SIGKILL');
		await site.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Takes part in a run and does nothing, so that who begins after all is done does not begin the next one. */
async function joinRun(url: string, lease: number): Promise<Store> {
	const db = openDatabase<StoreSchema>(url);
	const { scope } = await db.selectFrom('crawl_run').select('scope').executeTakeFirstOrThrow();
	await db.destroy();
	const store = await openStore(url, { lease });
	await store.begin({ seeds: [], scope, refresh: false, at: Date.now(), reconsider: () => undefined });
	return store;
}

async function stored(url: string, file: string) {
	const store = await openStore(url);
	const { pending, rows } = await store.tally();
	await writeWhole(jsonlSink(file), store);
	await store.close();
	const tally = `${pending} pending, ${rows.map(({ outcome, count }) => `${count} ${outcome}`)}`;
	return { tally, exported: urlsOf(file) };
}

const urlsOf = (file: string): string[] =>
	readFileSync(file, 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line).url as string)
		.sort();

const addresses = ({ seeds }: FleetSite, { pages }: KillPlan): string[] =>
	seeds.flatMap((seed) => Array.from({ length: pages }, (_, page) => seed.replace(/0$/, String(page)))).sort();

function paceOf(site: FleetSite, alive: readonly Alive[]) {
	const hosts = site.seeds.map((seed) => new URL(seed).hostname);
	const paths = site.log.map(({ host, path }) => host + path);
	return {
		again: paths.length - new Set(paths).size,
		gap: site.shortestGap(),
		stall: Math.max(
			...hosts.map((name) =>
				longestStall(
					site.log.filter(({ host }) => host === name),
					alive,
				),
			),
		),
		standstill: longestStall(site.log, alive),
	};
}

/** The longest time between two requests, less the time in which no worker was there. */
function longestStall(requests: readonly FleetRequest[], alive: readonly Alive[]): number {
	const sorted = requests.toSorted((a, b) => a.start - b.start);
	return Math.max(
		...sorted.slice(1).map(({ start }, at) => {
			const { end } = sorted[at]!;
			return livedBetween(end, start, alive) / Math.max(1, deathsBetween(sorted[at]!.start, start, alive));
		}),
	);
}

const deathsBetween = (from: number, to: number, alive: readonly Alive[]): number =>
	alive.filter((life) => life.to >= from && life.to <= to).length;

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
export function describeKills({ killedAt, again, gap, stall, standstill, tally, exported }: KillReport): string {
	return [
		`killed after ${killedAt.join(', ')} requests: ${tally}, ${new Set(exported).size} different in the export`,
		`${again} asked for again, shortest gap ${gap} ms, longest stall of a host ${stall.toFixed(0)} ms a kill, of all ${standstill} ms`,
	].join('\n');
}

/** Why the pages of the dead wait: for the lease, for somebody to look (four times per lease), for the rest after it. */
export const longestRecovery = (lease: number, rest: number): number => lease * 1.25 + rest;
