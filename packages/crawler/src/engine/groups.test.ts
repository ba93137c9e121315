import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@wayleave/io/sql';
import { expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { startPostgresProxy } from '../../../io/src/testing/postgres-proxy.ts';
import { openStoreView } from '../inspect/store-view.ts';
import { openStoreForReading } from '../store/groups/open-for-reading.ts';
import type { StoreSchema } from '../store/schema/tables.ts';
import { openStore } from '../store/sql/open.ts';
import { type FleetWorker, startFleetSite, startLocalWorker } from '../testing/fleet.ts';
import type { WorkerOptions } from '../testing/fleet-types.ts';
import { readRolled, rollingOptions } from '../testing/rolled.ts';

// On a busy machine two crawls in each worker take their time.
const timeout = 240_000;

const pagesOf = (workers: readonly FleetWorker[]): string[] =>
	workers.flatMap(({ said }) => said.filter(({ type }) => type === 'page').map(({ url }) => String(url)));

async function exported(store: string): Promise<string[]> {
	const view = await openStoreView(store);
	const urls: string[] = [];
	for await (const results of view.results()) urls.push(...results.map(({ url }) => url));
	await view.close();
	return urls;
}

it('two databases share the hosts of a crawl: every page once, with a limit for both, and refreshed together', {
	timeout,
}, async () => {
	const places = [await newDatabase(), await newDatabase()];
	const store = places.join(',');
	// Only links from hosts of the other database lead to most pages.
	const site = await startFleetSite({ hosts: 6, pages: 3, latency: 2, closed: true, chained: true });
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-groups-'));
	const options = { seeds: site.seeds, delay: 5, concurrency: 6, ...rollingOptions(`file:${folder}`) };
	const crawlByTwo = async (more: { readonly maxPages?: number } = {}) => {
		site.hold();
		const workers = [store, places.toReversed().join(',')].map((each) =>
			startLocalWorker({ ...options, ...more, store: each }),
		);
		await Promise.all(workers.map(({ start }) => start));
		site.open();
		await Promise.all(workers.map(({ end }) => end));
		return { pages: pagesOf(workers), modes: workers.map(({ said }) => said[0]?.mode) };
	};
	const first = await crawlByTwo({ maxPages: 7 });
	expect(first.pages.length).toBe(7);
	const second = await crawlByTwo();
	expect(second.modes).toContain('resume');
	const pages = [...first.pages, ...second.pages];
	expect(pages.length).toBe(site.pages);
	expect(new Set(pages).size).toBe(site.pages);
	expect(site.shortestGap()).toBeGreaterThanOrEqual(4);
	const rolled = await readRolled(`file:${folder}`);
	expect(rolled).toMatchObject({ lines: pages.toSorted(), responses: pages.toSorted(), leftovers: 0 });
	await expectOthersKept(store, join(folder, 'documents'));
	const urls = await exported(store);
	expect(urls.toSorted()).toEqual(pages.toSorted());
	const view = await openStoreView(store);
	const status = await view.status();
	expect(status).toMatchObject({ urls: site.pages, hosts: 6, pending: 0, run: { state: 'complete', mode: 'resume' } });
	expect(status).not.toHaveProperty('outgoing');
	expect(await view.explain(urls[0]!)).toMatchObject({ url: urls[0], outcome: 'fetched' });
	await view.close();
	const third = startLocalWorker({ ...options, store });
	await third.end;
	expect(third.said[0]).toMatchObject({ type: 'start', mode: 'refresh' });
	expect(pagesOf([third]).toSorted()).toEqual(pages.toSorted());
	await expectOthersRefused(places, options);
	await site.close();
	rmSync(folder, { recursive: true });
});

/** Each database has its documents in a folder of its own, and collects there only. */
async function expectOthersKept(store: string, documents: string): Promise<void> {
	const count = () =>
		readdirSync(documents, { recursive: true }).filter((name) => /[\da-f]{64}$/.test(String(name))).length;
	const named = count();
	const stray = `documents/00/${'0'.repeat(64)}`;
	for (const database of ['db1', 'db2']) {
		expect(readdirSync(join(documents, database))).toContain('wayleave-store.json');
		mkdirSync(join(documents, database, 'documents/00'), { recursive: true });
		writeFileSync(join(documents, database, stray), 'x');
	}
	const reader = await openStoreForReading(store);
	expect((await reader.prune({ grace: 0 })).objects).toEqual({ count: 2, bytes: 2 });
	await reader.close();
	expect(count()).toBe(named);
}

async function expectOthersRefused(places: readonly string[], options: Omit<WorkerOptions, 'store'>): Promise<void> {
	await expect(openStore(places[0]!)).rejects.toThrow(/one of 2 databases of a crawl: pass --store for each of them/);
	await expect(openStoreView(places[0]!)).rejects.toThrow(/one of 2 databases/);
	const more = startLocalWorker({ ...options, store: [...places, await newDatabase()].join(',') });
	await expect(more.end).rejects.toThrow(/lies in 2 databases .* cannot be added or removed later/);
	const plain = startLocalWorker({ ...options, store: places.join(','), out: join(tmpdir(), 'x.jsonl') });
	await expect(plain.end).rejects.toThrow(/x\.jsonl cannot be written: use rolling files/);
}

it('what a limit has put off in any database is fetched before a refresh begins', { timeout }, async () => {
	const places = [await newDatabase(), await newDatabase()];
	const store = places.join(',');
	// A hash decides which database a host belongs to: of twelve hosts, one database sometimes had none left.
	const site = await startFleetSite({ hosts: 40, pages: 2, latency: 2 });
	const options = { store, seeds: site.seeds, delay: 5, concurrency: 6 };
	const limited = startLocalWorker({ ...options, maxPages: 4 });
	await limited.end;
	// Only the database that does not decide has something left.
	const databases = places.map((place) => openDatabase<StoreSchema>(place));
	const left: boolean[] = [];
	for (const db of databases) {
		const { id, members } = await db.selectFrom('crawl_group').select(['id', 'members']).executeTakeFirstOrThrow();
		const putOff = db.updateTable('url').where('reason', '=', 'max-pages').where('state', '=', 1);
		const isFirst = JSON.parse(members)[0].id === id;
		const done = await putOff.set(isFirst ? { outcome: 'fetched', reason: null } : { depth: 0 }).executeTakeFirst();
		left.push(!isFirst && done.numUpdatedRows > 0n);
		await db.destroy();
	}
	expect(left.filter(Boolean)).toHaveLength(1);
	const next = startLocalWorker(options);
	await next.end;
	expect(next.said[0]).toMatchObject({ type: 'start', mode: 'resume' });
	await site.close();
});

it('a database that is away stops its own hosts only: links to them wait, and every page comes once', {
	timeout,
}, async () => {
	const proxy = await startPostgresProxy(await newDatabase());
	const store = `${await newDatabase()},${proxy.url}`;
	// Only a link from another host leads to a page: a link that is lost is a page that is lost.
	const site = await startFleetSite({ hosts: 12, pages: 4, latency: 2, chained: true });
	// Only hosts of the other database go on meanwhile: five pages, or all that their links lead to, which depends on the
	// hosts that it happens to have.
	let seen = 0;
	let idle: NodeJS.Timeout | undefined;
	site.onPage = () => {
		seen++;
		if (seen === 12) proxy.die(0, 'before', true);
		if (seen >= 12) clearTimeout(idle);
		if (seen >= 12 && seen < 17) idle = setTimeout(() => proxy.heal(), 3000);
		if (seen === 17) proxy.heal();
	};
	const worker = startLocalWorker({ store, seeds: site.seeds, delay: 20, concurrency: 8 });
	await worker.end;
	const said = worker.said.filter(({ type }) => type === 'store');
	// On a busy machine it may be lost more than once while it comes back.
	expect(said.map(({ state }) => state).join(' ')).toMatch(/^lost back(?: lost back)*$/);
	expect(said[0]!.detail).toContain('links to its hosts wait in the other databases');
	const pages = pagesOf([worker]);
	expect(pages.length).toBe(site.pages);
	expect(new Set(pages).size).toBe(site.pages);
	expect((await exported(store)).toSorted()).toEqual(pages.toSorted());
	expect(site.shortestGap()).toBeGreaterThanOrEqual(19);
	await proxy.close();
	await site.close();
});
