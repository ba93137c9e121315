import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SharedBudget } from './shared-budget.ts';

/** What a store grants, and what it was asked for. */
function places(max: number) {
	const asked: number[] = [];
	let taken = 0;
	const reserve = async (_: number, wanted: number) => {
		asked.push(wanted);
		await sleep(1);
		const granted = Math.min(wanted, max - taken);
		taken += granted;
		return { granted, exhausted: false };
	};
	return { asked, reserve, taken: () => taken };
}

/** Takes a place of a budget, and lets so many milliseconds pass. */
function takingPlaces(store: ReturnType<typeof places>) {
	let now = 0;
	const budget = new SharedBudget(
		1000,
		store,
		() => false,
		() => now,
	);
	return async (ms: number) => {
		await budget.reserve();
		now += ms;
	};
}

it('a worker that is quick takes several places at a time, one that is slow one', async () => {
	const store = places(1000);
	const take = takingPlaces(store);
	for (let n = 0; n < 100; n++) await take(10); // a hundred pages a second
	expect(store.asked.length).toBeLessThan(12);
	expect(Math.max(...store.asked)).toBe(32);
	while (store.asked.at(-1) !== 1) await take(2000);
	store.asked.length = 0;
	for (let n = 0; n < 5; n++) await take(2000);
	expect(store.asked).toEqual([1, 1, 1, 1, 1]);
});

it('several that wait ask once, and none gets more than there are', async () => {
	const store = places(3);
	let stopped = false;
	const budget = new SharedBudget(3, store, () => stopped);
	let granted = 0;
	const waiting = Array.from({ length: 5 }, async () => {
		if (await budget.reserve()) granted++;
	});
	expect(store.asked).toEqual([1]);
	while (store.taken() < 3 || granted < 3) await sleep(5);
	expect(store.asked.length).toBeLessThanOrEqual(5);
	stopped = true;
	await Promise.all(waiting);
	expect(granted).toBe(3);
});

it('places that are not used go back after a second', async () => {
	const store = places(1000);
	const take = takingPlaces(store);
	for (let n = 0; n < 10; n++) await take(10);
	const before = store.taken();
	expect(before).toBeGreaterThan(10);
	while (store.taken() > 10) await sleep(50);
	expect(store.asked.at(-1)).toBe(10 - before);
});

it('a place that a visit did not need goes back too, when it ends long after the place was taken', async () => {
	const store = places(1);
	const budget = new SharedBudget(1, store, () => false);
	expect(await budget.reserve()).toBe(true);
	await sleep(1500); // what was not used has gone back by now
	budget.finish(false);
	expect(store.taken()).toBe(1);
	while (store.taken() > 0) await sleep(50);
});
