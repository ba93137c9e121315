import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import { startPostgresProxy } from '../../../io/src/testing/postgres-proxy.ts';
import { openStore } from '../store/sql/open.ts';
import { startFleetSite } from '../testing/fleet.ts';
import { fleetFetcher } from '../testing/fleet-worker.ts';
import { type Deaths, diesForGood, diesOnce } from '../testing/lost-connection.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { crawlWith } from './crawl.ts';

let server: TestPostgres;
beforeAll(async () => {
	server = await startPostgres();
});
afterAll(() => server.stop());

/** Every so many statements; a long test takes each. */
const every = 40;
/** Of the hundred and more statements of the shortest crawl, for each kind of death. */
const least = 2 * Math.floor(100 / every);

function expectWhole({ died, wrong }: Deaths): void {
	expect(wrong).toEqual([]);
	expect(died).toBeGreaterThanOrEqual(least);
}

describe('a connection to PostgreSQL that dies', { timeout: 240_000 }, () => {
	it('before or after a statement of a crawl: each page is asked for once, and is there at the end', async () => {
		expectWhole(await diesOnce(server, every));
	});

	it('for good: whoever comes next has every page at the end', async () => {
		expectWhole(await diesForGood(server, every));
	});

	it('with the whole server, under a crawl that goes on cycle after cycle: it says so, and that it is back', async () => {
		const store = await server.database();
		const site = await startFleetSite({ hosts: 1, pages: 20 });
		const stop = new AbortController();
		const fetcher = fleetFetcher(1);
		const ownSites = site.seeds.map((seed) => new URL(seed).hostname);
		const more = { every: 3_600_000, sitemaps: false, delay: 0, concurrency: 1, ownSites, fetcher };
		const crawling = crawlWith(simpleReader, site.seeds, { ...more, store, signal: stop.signal });
		let killed: Promise<void> | undefined;
		site.onPage = () => {
			killed ??= server.kill();
		};
		const told: string[] = [];
		crawling.on('store', ({ state }) => {
			told.push(state);
			if (state === 'lost') void killed!.then(() => server.restart());
		});
		crawling.on('cycle', () => stop.abort());
		await crawling.run();
		expect(told).toEqual(['lost', 'back']);
		await fetcher.close();
		await site.close();
	});

	it('with the whole server, which gives the number of the lost transaction to another one: it is made again', async () => {
		const url = await server.database();
		const proxy = await startPostgresProxy(url);
		const [own, other] = [await openStore(proxy.url, { lease: 60_000 }), await openStore(url)];
		const page = (path: string) => ({
			url: `http://h.test/${path}`,
			kind: 'page' as const,
			host: 'h.test',
			depth: 0,
			dates: 0,
		});
		for (const store of [own, other]) await store.frontier.offer([page('known')]);
		const before = proxy.statements;
		await own.frontier.offer([page('first')]);
		// The last statement is the one behind the commit.
		proxy.die(2 * proxy.statements - before - 1, 'before', true);
		const offered = own.frontier.offer([page('lost')]);
		while (proxy.deaths === 0) await new Promise((resolve) => setTimeout(resolve, 1));
		await server.kill();
		await server.restart();
		await other.frontier.offer([page('other')]);
		proxy.heal();
		await offered;
		expect(await own.frontier.find('http://h.test/other')).toBeDefined();
		expect(await own.frontier.find('http://h.test/lost')).toBeDefined();
		for (const store of [own, other]) await store.close();
		await proxy.close();
	});
});
