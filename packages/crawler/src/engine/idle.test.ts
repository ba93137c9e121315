import { queryObjects } from 'node:v8';
import { expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { readSettings } from '../config/settings.ts';
import { createScope } from '../discover/scope.ts';
import { openStore } from '../store/sql/open.ts';
import { useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
const { places } = useStorePlaces();

it('a worker that waits for others needs no more memory for it, however long it does', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home') });
	const url = await places.PostgreSQL();
	const other = await openStore(url);
	await other.leases.recover(Date.now());
	const seed = { url: sites.url('h.test/'), kind: 'page', host: 'h.test', depth: 0, dates: 0, seed: true } as const;
	const scope = `${createScope('host', [seed.url], []).key} depth ${readSettings({}).maxDepth}`;
	await other.begin({ seeds: [seed], scope, refresh: false, at: Date.now(), reconsider: () => undefined });
	await other.leases.claimHosts(1);
	const stop = new AbortController();
	const promises: number[] = [];
	let sleeps = 0;
	const clock: Clock = {
		now: () => Date.now(),
		async sleep() {
			sleeps++;
			if (sleeps % 40 === 20) promises.push(Number(queryObjects(Promise)));
			if (promises.length === 3) stop.abort();
			await new Promise(setImmediate);
		},
	};
	const { summary } = await sites.crawl(['h.test/'], { store: url, clock, signal: stop.signal });
	expect(summary).toMatchObject({ complete: false, pending: 1 });
	const [first, , last] = promises;
	expect(last! - first!).toBeLessThan(100);
	await other.close();
}, 60_000);
