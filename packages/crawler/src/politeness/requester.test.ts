import { getEventListeners } from 'node:events';
import type { Fetcher, FetchResult, GetOptions } from '@wayleave/io/http';
import { expect, it } from 'vitest';
import { CrawlError } from '../base/errors.ts';
import { Meter } from '../engine/meter.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { HostSlot } from './host-slot.ts';
import { RequestScheduler } from './request-scheduler.ts';
import { createRequester } from './requester.ts';

const delay = 2000;
const aborted: FetchResult = { ok: false, url: 'http://a.test/', reason: 'aborted', detail: '' };
const answered: FetchResult = { ok: false, url: 'http://a.test/', reason: 'connection-reset', detail: 'an answer' };

/** A requester for one host, with what is asked, and when. */
function requesting(
	get: (options: GetOptions, time: number) => Promise<FetchResult>,
	assure: () => Promise<AbortSignal>,
) {
	const clock = new FakeClock();
	const start = clock.now();
	const asked: number[] = [];
	const fetcher: Fetcher = {
		get(_, options = {}) {
			asked.push(clock.now() - start);
			return get(options, asked.length);
		},
		async close() {},
	};
	const scheduler = new RequestScheduler(clock, 1);
	const send = createRequester({ fetcher, scheduler, clock, pace: clock, meter: new Meter(start), emit() {}, assure });
	const host = { id: 1, name: 'a.test', nextAt: 0, https: false };
	const slot = new HostSlot(host, { delay, own: false, connections: 1 });
	return { asked, slot, clock, send: () => send(slot, 'http://a.test/') };
}

it('a request that is cut off with the lease is made again when the host is ours again, after its delay', async () => {
	const holdings = [new AbortController(), new AbortController()];
	let assured = 0;
	const { asked, send } = requesting(
		async ({ signal }, time) => {
			if (time === 1) holdings[0]!.abort();
			return signal!.aborted ? aborted : answered;
		},
		async () => holdings[assured++]!.signal,
	);
	expect(await send()).toBe(answered);
	expect(asked).toEqual([0, delay]);
});

it('it is not where others have taken the host meanwhile', async () => {
	const holding = new AbortController();
	const lost = new CrawlError('lease-lost', 'others have it');
	const { asked, send } = requesting(
		async () => {
			holding.abort();
			return aborted;
		},
		async () => {
			if (holding.signal.aborted) throw lost;
			return holding.signal;
		},
	);
	await expect(send()).rejects.toBe(lost);
	expect(asked).toEqual([0]);
});

it('a pause that the host has asked for since the turn was given is kept', async () => {
	const { asked, slot, clock, send } = requesting(
		async () => answered,
		async () => {
			if (assured++ === 0) slot.pause(clock.now() + 30_000, 'retry-after');
			return new AbortController().signal;
		},
	);
	let assured = 0;
	expect(await send()).toBe(answered);
	expect(asked).toEqual([30_000]);
});

it('the lease signal ends a request, and no listener stays on it afterwards', async () => {
	const holding = new AbortController();
	let during = 0;
	const { send } = requesting(
		async ({ signal }) => {
			during = getEventListeners(holding.signal, 'abort').length;
			expect(signal?.aborted).toBe(false);
			return answered;
		},
		async () => holding.signal,
	);
	await send();
	expect(during).toBe(1);
	expect(getEventListeners(holding.signal, 'abort')).toEqual([]);
});
