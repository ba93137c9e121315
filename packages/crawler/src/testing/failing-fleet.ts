import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreView } from '../inspect/store-view.ts';
import { type FleetWorker, startFleetSite, startWorker } from './fleet.ts';
import type { Said } from './fleet-types.ts';
import { describeRolled, type Rolled, readRolled, rollingOptions } from './rolled.ts';

export interface FailurePlan {
	/** As for `--store`. */
	readonly store: string;
	/** To read at the end, where that is another place. */
	readonly stored?: () => string;
	/** All are there when the site begins to answer. */
	readonly workers: number;
	/** Workers that are killed (SIGKILL) at random moments; fewer than there are, with one that joins. */
	readonly kills: number;
	readonly hosts: number;
	/** Of each host. */
	readonly pages: number;
	readonly delay: number;
	readonly lease: number;
	/** Done once after so many requests for pages. */
	readonly steps: ReadonlyMap<number, () => Promise<void>>;
	/** After so many requests for pages the site waits until another worker takes part. */
	readonly joinAt?: number;
	/** The place of documents and rolling files. Without it documents are in the database, and no files are written. */
	readonly objects?: string;
	readonly random: () => number;
}

export interface FailureReport {
	/** All pages, in order. */
	readonly pages: readonly string[];
	/** What the databases have at the end, in order. */
	readonly exported: readonly string[];
	/** The rolling files, where there is a place for them. */
	readonly rolled?: Rolled;
	readonly tally: string;
	readonly killed: number;
	/** Requests for pages that had been requested before. */
	readonly again: number;
	/** Milliseconds from the end of a request to the start of the next one of the host, at least. */
	readonly gap: number;
	/** What workers have said of their databases. */
	readonly troubles: readonly string[];
	readonly milliseconds: number;
}

/** Crawls with workers that are killed, and databases that fail. */
export async function failFleet(plan: FailurePlan): Promise<FailureReport> {
	const { store, hosts, pages, delay, lease, random, steps } = plan;
	const site = await startFleetSite({ hosts, pages, latency: 10, closed: true });
	const places = plan.objects === undefined ? {} : rollingOptions(plan.objects);
	const options = { store, seeds: site.seeds, delay, lease, concurrency: 8, ...places };
	const workers = Array.from({ length: plan.workers }, () => startWorker(options));
	const alive = new Set(workers);
	const kills = Array.from({ length: plan.kills }, () => 1 + Math.floor(random() * site.pages * 0.6)).sort(
		(a, b) => a - b,
	);
	let killed = 0;
	let step = Promise.resolve();
	let seen = 0;
	site.onPage = () => {
		seen++;
		if (seen === plan.joinAt) {
			const late = startWorker(options);
			workers.push(late);
			alive.add(late);
			site.hold();
			void late.start.finally(() => site.open()).catch(() => {});
		}
		const next = steps.get(seen);
		if (next !== undefined) step = step.then(next);
		// The last one is killed when another has joined.
		if (seen >= (kills[killed] ?? Number.POSITIVE_INFINITY) && alive.size > 1) {
			killOne(alive, random);
			killed++;
		}
	};
	try {
		await Promise.all(workers.map(({ start }) => start));
		const began = Date.now();
		site.open();
		const ended = (worker: FleetWorker) => worker.end.catch((error) => rethrow(error, alive.has(worker)));
		for (let waited = 0; waited < workers.length; ) {
			const next = workers.slice(waited);
			waited = workers.length;
			await Promise.all(next.map(ended));
		}
		await step;
		const paths = site.log.map(({ host, path }) => host + path).filter((path) => /\/p\d+$/.test(path));
		return {
			...(await stored(plan.stored?.() ?? store)),
			...(plan.objects !== undefined && { rolled: await readRolled(plan.objects) }),
			killed,
			pages: pagesOf(site.seeds, pages),
			again: paths.length - new Set(paths).size,
			gap: site.shortestGap(),
			troubles: workers.flatMap(({ said }) => said.filter(isTrouble).map(({ state, detail }) => `${state}: ${detail}`)),
			milliseconds: Date.now() - began,
		};
	} finally {
		for (const { kill } of alive) kill('SIGKILL');
		await sleep(100);
		await site.close();
	}
}

const isTrouble = ({ type }: Said): boolean => type === 'store';

function killOne(alive: Set<FleetWorker>, random: () => number): void {
	const victim = [...alive][Math.floor(random() * alive.size)];
	if (victim === undefined) return;
	alive.delete(victim);
	victim.kill('SIGKILL');
}

function rethrow(error: unknown, isAlive: boolean): void {
	if (isAlive) throw error;
}

async function stored(store: string): Promise<Pick<FailureReport, 'exported' | 'tally'>> {
	const view = await openStoreView(store);
	const exported: string[] = [];
	for await (const results of view.results()) exported.push(...results.map(({ url }) => url));
	const { pending, rows } = await view.status();
	await view.close();
	const tally = `${pending} pending, ${rows.map(({ outcome, count }) => `${count} ${outcome}`)}`;
	return { exported: exported.sort(), tally };
}

const pagesOf = (seeds: readonly string[], pages: number): string[] =>
	seeds.flatMap((seed) => Array.from({ length: pages }, (_, page) => seed.replace(/0$/, String(page)))).sort();

/** For people. */
export const describeFailures = ({
	tally,
	killed,
	again,
	gap,
	troubles,
	milliseconds,
	rolled,
}: FailureReport): string =>
	[
		`${tally}; ${killed} workers killed, ${again} requested again, shortest gap ${gap} ms, ${milliseconds} ms`,
		...(rolled ? [`  ${describeRolled(rolled)}`] : []),
		...new Set(troubles.map((each) => `  ${each}`)),
	].join('\n');
