import { expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { hasPgBouncer, startPgBouncer } from '../../../io/src/testing/pgbouncer.ts';
import { openStore } from '../store/sql/open.ts';
import { startFleetSite, startLocalWorker } from '../testing/fleet.ts';

const title = 'two workers share a crawl through PgBouncer in transaction mode, each page once';

it.skipIf(!hasPgBouncer)(hasPgBouncer ? title : `${title} (needs pgbouncer)`, async () => {
	const pooler = await startPgBouncer(await newDatabase(), 3);
	const site = await startFleetSite({ hosts: 4, pages: 8, latency: 5, closed: true });
	const options = { store: pooler.url, seeds: site.seeds, delay: 10, concurrency: 4 };
	const workers = [startLocalWorker(options), startLocalWorker(options)];
	await Promise.all(workers.map(({ start }) => start));
	site.open();
	await Promise.all(workers.map(({ end }) => end));
	const paths = site.log.map(({ host, path }) => host + path);
	expect(paths.length).toBe(new Set(paths).size);
	const urls = workers.flatMap(({ said }) => said.filter(({ type }) => type === 'page').map(({ url }) => String(url)));
	expect(urls.length).toBe(site.pages);
	expect(new Set(urls).size).toBe(site.pages);
	expect(site.shortestGap()).toBeGreaterThanOrEqual(9);
	// Asked to prepare statements all the same, it says what to do.
	const opened = (async () => {
		const store = await openStore(`${pooler.url}?prepared=true`);
		await Promise.all(Array.from({ length: 40 }, () => store.frontier.size())).finally(() => store.close());
	})();
	await expect(opened).rejects.toThrow(/remove prepared=true/);
	await pooler.close();
	await site.close();
});
