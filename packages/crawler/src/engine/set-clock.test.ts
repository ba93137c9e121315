import { afterEach, expect, it, vi } from 'vitest';
import { type FleetSite, startFleetSite } from '../testing/fleet.ts';
import type { Said } from '../testing/fleet-types.ts';
import { fleetFetcher, runWorker } from '../testing/fleet-worker.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { crawlWith } from './crawl.ts';

const delay = 100;
const hour = 3_600_000;

let site: FleetSite;
afterEach(async () => {
	vi.restoreAllMocks();
	await site.close();
});

/** A crawl of one host while the clock of the machine is set by so many hours after every page. */
async function crawl(hours: number): Promise<{ end: Said; times: readonly number[] }> {
	site = await startFleetSite({ hosts: 1, pages: 5 });
	const now = Date.now;
	let set = 0;
	vi.spyOn(Date, 'now').mockImplementation(() => now() + set);
	const times: number[] = [];
	site.onPage = () => times.push(performance.now());
	const said: Said[] = [];
	const options = { store: 'memory', seeds: site.seeds, delay, concurrency: 1 };
	await runWorker(options, new AbortController().signal, (line) => {
		said.push(line);
		if (line.type === 'page') set += hours * hour;
	});
	return { end: said.at(-1)!, times };
}

it('a clock that is set back during a crawl puts no page off, and the crawl took no less time than none', async () => {
	const { end } = await crawl(-1);
	expect(end).toMatchObject({ totals: { fetched: site.pages, deferred: 0 } });
	expect(end.milliseconds).toBeGreaterThan(0);
});

it('a clock that is set forward during a crawl makes no delay shorter', async () => {
	const { times } = await crawl(1);
	expect(times).toHaveLength(site.pages);
	for (const [at, time] of times.slice(1).entries()) expect(time - times[at]!).toBeGreaterThanOrEqual(delay - 1);
});

it('a run that has ended lasted as long as it took, whatever the clock says', async () => {
	site = await startFleetSite({ hosts: 1, pages: 1 });
	const now = Date.now;
	let set = 0;
	vi.spyOn(Date, 'now').mockImplementation(() => now() + set);
	const fetcher = fleetFetcher(1);
	const ownSites = site.seeds.map((seed) => new URL(seed).hostname);
	const crawling = crawlWith(simpleReader, site.seeds, { fetcher, sitemaps: false, delay: 0, ownSites });
	crawling.on('page', () => {
		set = -hour;
	});
	const { milliseconds } = await crawling.run();
	await fetcher.close();
	expect(crawling.stats().milliseconds).toBeGreaterThanOrEqual(milliseconds);
});
