import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import { startPostgresProxy } from '../../../io/src/testing/postgres-proxy.ts';
import { openStore } from '../store/sql/open.ts';
import {
	type FleetSite,
	type FleetSiteOptions,
	type FleetWorker,
	startFleetSite,
	startLocalWorker,
	startWorker,
} from '../testing/fleet.ts';
import type { WorkerOptions } from '../testing/fleet-types.ts';

let server: TestPostgres;
beforeAll(async () => {
	server = await startPostgres();
});
afterAll(() => server.stop());

let site: FleetSite;
let store: string;
let workers: FleetWorker[] = [];
beforeEach(async () => {
	store = await server.database();
});
afterEach(async () => {
	await site.close();
	for (const worker of workers) worker.kill('SIGKILL');
	workers = [];
});

const pace = { delay: 60, concurrency: 4, lease: 1500 };

/** Starts so many workers, and lets the site answer when all have begun. */
async function start(
	count: number,
	as: typeof startWorker,
	options: FleetSiteOptions,
	more: Partial<WorkerOptions> = {},
): Promise<void> {
	site = await startFleetSite({ ...options, closed: true });
	for (let at = 0; at < count; at++) workers.push(as({ store, seeds: site.seeds, ...pace, ...more }));
	await Promise.all(workers.map((worker) => worker.start));
	site.open();
}

/** Resolves when the site has been asked for so many pages. */
function asked(count: number): Promise<void> {
	return new Promise((resolve) => {
		let seen = 0;
		site.onPage = () => {
			if (++seen === count) resolve();
		};
	});
}

async function tally() {
	const opened = await openStore(store);
	const { pending, rows } = await opened.frontier.tally();
	await opened.close();
	return { pending, fetched: rows.find(({ outcome }) => outcome === 'fetched')?.count };
}

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await sleep(10);
}

const paths = () => site.log.map(({ host, path }) => `${host}${path}`);

// On a busy machine processes take their time to start.
describe('a fleet', { timeout: 240_000 }, () => {
	it('shares a crawl: every page asked for once, no host inside its delay, all end when all is done', async () => {
		// None is to be lost: a busy machine may keep a worker from its lease for a second.
		await start(3, startLocalWorker, { hosts: 8, pages: 15 }, { lease: 20_000 });
		const ends = await Promise.all(workers.map(({ end }) => end));
		expect(await tally()).toEqual({ pending: 0, fetched: site.pages });
		expect(new Set(paths()).size).toBe(paths().length);
		expect(site.shortestGap()).toBeGreaterThanOrEqual(pace.delay - 1);
		expect(ends.map(({ complete }) => complete)).toEqual([true, true, true]);
		const modes = workers.map(({ said }) => said[0]!.mode);
		expect(modes.sort()).toEqual(['new', 'resume', 'resume']);
	});

	it('one that was stopped for longer than its lease neither sends nor commits what others have taken over', async () => {
		await start(2, startWorker, { hosts: 4, pages: 20, latency: 20 }, { concurrency: 2 });
		const [sleeper, other] = workers;
		await asked(20);
		sleeper!.kill('SIGSTOP');
		await other!.end;
		expect(await tally()).toEqual({ pending: 0, fetched: site.pages });
		const before = site.log.length;
		sleeper!.kill('SIGCONT');
		await sleeper!.end;
		expect(sleeper!.said).toContainEqual(expect.objectContaining({ type: 'store', state: 'lease-lost' }));
		expect(site.log.length).toBe(before);
		expect(site.shortestGap()).toBeGreaterThanOrEqual(pace.delay - 1);
	});

	it('one that is interrupted finishes what is in flight, gives back its hosts, and the others go on', async () => {
		await start(2, startLocalWorker, { hosts: 4, pages: 20 }, { concurrency: 2 });
		const [first, second] = workers;
		await asked(20);
		first!.kill('SIGINT');
		expect(await first!.end).toMatchObject({ complete: false });
		expect(await second!.end).toMatchObject({ complete: true });
		expect(await tally()).toEqual({ pending: 0, fetched: site.pages });
		expect(new Set(paths()).size).toBe(paths().length);
	});

	it('keeps the limit of pages together', async () => {
		await start(2, startLocalWorker, { hosts: 4, pages: 20 }, { concurrency: 2, maxPages: 25 });
		await Promise.all(workers.map(({ end }) => end));
		expect(await tally()).toEqual({ pending: 0, fetched: 25 });
		expect(site.log.filter(({ path }) => path.startsWith('/p')).length).toBe(25);
	});

	it('PostgreSQL killed and started again: the crawl waits, says so, goes on; nothing lost or doubled', async () => {
		await start(2, startLocalWorker, { hosts: 6, pages: 20 }, { concurrency: 3 });
		for (let time = 0; time < 2; time++) {
			await asked(20);
			await server.kill();
			await server.restart();
		}
		await expectOnce();
	});

	it('nobody is taken for dead because the server could not be reached for longer than a lease', async () => {
		const proxy = await startPostgresProxy(store);
		await start(2, startLocalWorker, { hosts: 6, pages: 20 }, { concurrency: 3, store: proxy.url });
		await asked(20);
		proxy.die(0, 'before', true);
		await sleep(2 * pace.lease);
		proxy.heal();
		await expectOnce();
		await proxy.close();
	});

	/** Although the server was away: each page is asked for once, and nobody has lost its lease. */
	async function expectOnce(): Promise<void> {
		await Promise.all(workers.map(({ end }) => end));
		expect(await tally()).toEqual({ pending: 0, fetched: site.pages });
		expect(new Set(paths()).size).toBe(paths().length);
		expect(site.shortestGap()).toBeGreaterThanOrEqual(pace.delay - 1);
		const states = workers.flatMap(({ said }) => said.filter(({ type }) => type === 'store').map(({ state }) => state));
		expect(new Set(states)).toEqual(new Set(['lost', 'back']));
	}

	it('one that cannot reach the server cuts off what is in flight before others ask its hosts', async () => {
		site = await startFleetSite({ hosts: 1, pages: 2, closed: true });
		const proxy = await startPostgresProxy(store);
		const work = { seeds: site.seeds, ...pace };
		const first = startLocalWorker({ store: proxy.url, ...work });
		workers.push(first);
		// Its first request is not answered.
		await until(() => site.log.length === 1);
		proxy.die(0, 'before', true);
		const second = startLocalWorker({ store, ...work });
		workers.push(second);
		await until(() => site.log.length === 2);
		expect(site.shortestGap()).toBeGreaterThanOrEqual(pace.delay - 1);
		site.open();
		expect(await second.end).toMatchObject({ complete: true });
		proxy.heal();
		await first.end;
		expect(first.said).toContainEqual(expect.objectContaining({ type: 'store', state: 'lease-lost' }));
		expect(site.shortestGap()).toBeGreaterThanOrEqual(pace.delay - 1);
		await proxy.close();
	});
});
