import { queryObjects } from 'node:v8';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { readSettings } from '../config/settings.ts';
import { createScope } from '../discover/scope.ts';
import { openStore } from '../store/sql/open.ts';
import { useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
const { places } = useStorePlaces();

afterEach(() => vi.restoreAllMocks());

/** A store whose only host another worker holds, which has one URL to visit. */
async function heldElsewhere() {
	await sites.serve({ 'h.test/': htmlPage('Home') });
	const url = await places.PostgreSQL();
	const other = await openStore(url);
	await other.leases.recover(Date.now());
	const seed = { url: sites.url('h.test/'), kind: 'page', host: 'h.test', depth: 0, dates: 0, seed: true } as const;
	const scope = `${createScope('host', [seed.url], []).key} depth ${readSettings({}).maxDepth}`;
	await other.begin({ seeds: [seed], scope, refresh: false, at: Date.now(), reconsider: () => undefined });
	const [host] = await other.leases.claimHosts(1);
	return { url, other, host: host! };
}

/** Crawls with a clock that calls `onSleep` with the number of the sleep instead of sleeping; its result stops the crawl. */
async function crawlSleepless(store: string, onSleep: (sleep: number) => Promise<boolean>) {
	const stop = new AbortController();
	let sleeps = 0;
	const clock: Clock = {
		now: () => Date.now(),
		async sleep() {
			if (await onSleep(++sleeps)) stop.abort();
			await new Promise(setImmediate);
		},
	};
	return sites.crawl(['h.test/'], { store, clock, signal: stop.signal });
}

it('a worker that waits for others needs no more memory for it, however long it does', async () => {
	const { url, other } = await heldElsewhere();
	const promises: number[] = [];
	const { summary } = await crawlSleepless(url, async (sleep) => {
		if (sleep % 160 === 80) promises.push(Number(queryObjects(Promise)));
		return promises.length === 3;
	});
	expect(summary).toMatchObject({ complete: false, pending: 1 });
	const [first, , last] = promises;
	expect(last! - first!).toBeLessThan(100);
	await other.close();
}, 60_000);

it('a worker without work looks every eight steps at most, with three statements, none of which writes', async () => {
	const { url, other } = await heldElsewhere();
	const query = vi.spyOn(pg.Client.prototype, 'query');
	let before = 0;
	let texts: string[] = [];
	await crawlSleepless(url, async (sleep) => {
		if (sleep === 20) before = query.mock.calls.length;
		if (sleep < 180) return false;
		texts = query.mock.calls.slice(before).map(([asked]) => String((asked as { text?: string }).text ?? asked));
		return true;
	});
	// 160 steps: 20 looks if chance takes all steps, 32 if it takes the fewest.
	expect(texts.length).toBeGreaterThan(19 * 3);
	expect(texts.length).toBeLessThan(34 * 3);
	expect(texts.filter((text) => !/^\s*select\b/.test(text))).toEqual([]);
	await other.close();
}, 60_000);

it('a worker without work takes a host within eight steps after it is free', async () => {
	// Chance takes nothing off: the pauses are the longest there are.
	vi.spyOn(Math, 'random').mockReturnValue(0);
	const { url, other, host } = await heldElsewhere();
	const freedAt = 43;
	let takenAt = 0;
	const { summary } = await crawlSleepless(url, async (sleep) => {
		if (sleep === freedAt) await other.leases.releaseHost(host);
		if (sleep <= freedAt || (await other.leases.stateOf('h.test'))?.held !== true) return false;
		takenAt = sleep;
		return true;
	});
	expect(summary).toMatchObject({ complete: false, pending: 1 });
	expect(takenAt).toBeGreaterThan(freedAt);
	expect(takenAt - freedAt).toBeLessThanOrEqual(8 + 1);
	await other.close();
}, 60_000);
