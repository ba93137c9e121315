import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { Heap } from './heap.ts';
import { HostSlot, type Pace } from './host-slot.ts';
import { RequestScheduler } from './request-scheduler.ts';

const foreign: Pace = { delay: 2000, own: false, connections: 4 };
const own: Pace = { delay: 0, own: true, connections: 4 };
const slotOf = (name: string, pace: Pace) => new HostSlot({ id: 1, name, nextAt: 0, https: false }, pace);

it('the heap gives the smallest first, equal ones in order', () => {
	const heap = new Heap<string>();
	for (const [key, item] of [
		[3, 'c'],
		[1, 'a'],
		[2, 'b'],
		[1, 'a2'],
		[0, 'z'],
	] as const)
		heap.push(key, item);
	expect(Array.from({ length: 6 }, () => heap.pop())).toEqual(['z', 'a', 'a2', 'b', 'c', undefined]);
});

describe('the request scheduler', () => {
	/** Takes `count` leases, each lasting `ms`; returns when they began and ended. */
	async function requests(clock: FakeClock, scheduler: RequestScheduler, slot: HostSlot, count: number, ms = 100) {
		const log: { start: number; end: number }[] = [];
		const zero = clock.now();
		await Promise.all(
			Array.from({ length: count }, async () => {
				const turn = await scheduler.take(slot);
				const start = clock.now() - zero;
				await clock.sleep(ms, new AbortController().signal);
				log.push({ start, end: clock.now() - zero });
				if (typeof turn !== 'string') turn.end();
			}),
		);
		return log;
	}

	it('one at a time, two seconds from the end of one to the start of the next', async () => {
		const clock = new FakeClock();
		const log = await requests(clock, new RequestScheduler(clock, 8), slotOf('a', foreign), 4);
		for (let at = 1; at < log.length; at++) expect(log[at]!.start - log[at - 1]!.end).toBe(2000);
	});

	it('hosts do not wait for each other', async () => {
		const clock = new FakeClock();
		const scheduler = new RequestScheduler(clock, 8);
		const [a, b] = [slotOf('a', foreign), slotOf('b', foreign)];
		a.pause(clock.now() + 60_000, 'retry-after');
		const [slow, quick] = await Promise.all([requests(clock, scheduler, a, 1), requests(clock, scheduler, b, 3)]);
		expect(slow[0]!.start).toBe(60_000);
		expect(quick.at(-1)!.start).toBeLessThan(6000);
	});

	it('a pause that comes while others wait holds them', async () => {
		const clock = new FakeClock();
		const scheduler = new RequestScheduler(clock, 8);
		const slot = slotOf('a', foreign);
		const first = await scheduler.take(slot);
		const second = scheduler.take(slot);
		slot.pause(clock.now() + 7000, 'retry-after');
		const zero = clock.now();
		if (typeof first !== 'string') first.end();
		await second;
		expect(clock.now() - zero).toBe(7000);
	});

	it('a request that is no longer wanted leaves the queue and takes no turn from others', async () => {
		const clock = new FakeClock();
		const scheduler = new RequestScheduler(clock, 8);
		const slot = slotOf('a', foreign);
		const first = await scheduler.take(slot);
		const stop = new AbortController();
		const unwanted = [scheduler.take(slot, stop.signal), scheduler.take(slot, stop.signal)];
		stop.abort();
		expect(await Promise.all([...unwanted, scheduler.take(slot, stop.signal)])).toEqual([
			'stopped',
			'stopped',
			'stopped',
		]);
		const last = scheduler.take(slot);
		const zero = clock.now();
		if (typeof first !== 'string') first.end();
		expect(await last).toMatchObject({ end: expect.any(Function) });
		expect(clock.now() - zero).toBe(2000);
	});

	it('an own site without delay gets several at a time, within the permits', async () => {
		const clock = new FakeClock();
		const log = await requests(clock, new RequestScheduler(clock, 3), slotOf('a', own), 6);
		expect(log.map(({ start }) => start)).toEqual([0, 0, 0, 100, 100, 100]);
	});

	it('while they are held nobody gets one, and then everybody does', async () => {
		const clock = new FakeClock();
		const scheduler = new RequestScheduler(clock, 4);
		scheduler.hold(true);
		const waiting = Promise.all([scheduler.take(slotOf('a', own)), scheduler.take(slotOf('b', own))]);
		expect(await Promise.race([waiting, Promise.resolve('nobody')])).toBe('nobody');
		scheduler.hold(false);
		expect((await waiting).every((turn) => typeof turn !== 'string')).toBe(true);
	});

	it('stopping tells those who wait', async () => {
		const clock = new FakeClock();
		const scheduler = new RequestScheduler(clock, 1);
		const held = await scheduler.take(slotOf('a', foreign));
		const waiting = scheduler.take(slotOf('b', foreign));
		scheduler.stop();
		expect(await waiting).toBe('stopped');
		expect(await scheduler.take(slotOf('c', foreign))).toBe('stopped');
		if (typeof held !== 'string') held.end();
	});
});

it('CB-133 a pause longer than anybody waits is told at once', async () => {
	const clock = new FakeClock();
	const scheduler = new RequestScheduler(clock, 2, 300_000);
	const slot = slotOf('a', foreign);
	const first = await scheduler.take(slot);
	const second = scheduler.take(slot);
	slot.pause(clock.now() + 86_400_000, 'retry-after');
	if (typeof first !== 'string') first.end();
	expect(await second).toBe('too-long');
	expect(await scheduler.take(slot)).toBe('too-long');
});

describe('pace', () => {
	it.each([
		[{}, 2000],
		[{ crawlDelay: 1 }, 2000],
		[{ crawlDelay: 0.01 }, 2000],
		[{ crawlDelay: 5 }, 5000],
		[{ rate: 120 }, 2000],
		[{ rate: 6 }, 10_000],
		[{ rate: 6, crawlDelay: 15 }, 15_000],
	])('CB-16 the slowest wins: %o', (site, delay) => {
		const slot = slotOf('a', foreign);
		slot.setSitePace(site);
		expect(slot.delay).toBe(delay);
	});

	it('the user cannot go below two seconds on a foreign site, but on loopback', () => {
		const slot = slotOf('a', { ...own, own: false });
		expect(slot.delay).toBe(2000);
		slot.setLoopback();
		expect(slot.delay).toBe(0);
	});

	it('the longer delay that a site turns out to want counts from the last request of whoever had the host before', () => {
		const slot = new HostSlot({ id: 1, name: 'a', nextAt: 12_000, delay: 2000, https: false }, foreign);
		expect(slot.readyAt).toBe(12_000);
		slot.setSitePace({ crawlDelay: 60 });
		expect(slot.readyAt).toBe(70_000);
	});

	it('where that one knew no delay, the usual one counts from there', () => {
		const slot = new HostSlot({ id: 1, name: 'a', nextAt: 10_000, delay: 0, https: false }, foreign);
		expect(slot.waiting(11_000)).toEqual({ why: 'cooldown', until: 12_000 });
	});

	it('the clock of the host outlives the slot', () => {
		const host = { id: 1, name: 'a', nextAt: 0, https: false };
		const slot = new HostSlot(host, foreign);
		slot.begin();
		slot.end(10_000);
		expect(host.nextAt).toBe(12_000);
		expect(new HostSlot(host, foreign).waiting(11_000)).toEqual({ why: 'cooldown', until: 12_000 });
	});
});
