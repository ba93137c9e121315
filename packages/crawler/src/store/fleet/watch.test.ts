import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Others, Watch } from './watch.ts';

const lease = 16_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A watch that sees the others as `looks` tells, look after look, and what it does; times are milliseconds. */
function watching(looks: Others[], buries: () => Promise<boolean> = async () => true) {
	const start = Date.now();
	const done: string[] = [];
	const note = (what: string) => done.push(`${what} ${Date.now() - start}`);
	const watch = new Watch(lease, {
		async observe() {
			note('look');
			return looks.shift() ?? { left: undefined, before: 0 };
		},
		async takeOver() {
			note('bury');
			return buries();
		},
		onFreed: () => note('freed'),
		wake: async () => void note('wake'),
	});
	return { watch, done };
}

it('the first lease that is over is noticed then, and others look a little later', async () => {
	for (const [before, at] of [
		[0, 501],
		[3, 531],
	] as const) {
		const { watch, done } = watching([{ left: -1, before }]);
		watch.see({ left: 500, before });
		await vi.advanceTimersByTimeAsync(lease);
		expect(done).toEqual([`look ${at}`, `bury ${at}`, `freed ${at}`, `look ${at}`, `wake ${at}`, `freed ${at}`]);
	}
});

it('nobody looks while all leases are renewed in time', async () => {
	const { watch, done } = watching([]);
	for (let beat = 0; beat < 10; beat++) {
		watch.see({ left: (lease * 3) / 4, before: 0 });
		await vi.advanceTimersByTimeAsync(lease / 4);
	}
	expect(done).toEqual([]);
});

it('where somebody else was first, what is free now is looked for, and the next lease waited for', async () => {
	const { watch, done } = watching([{ left: 2000, before: 0 }]);
	watch.see({ left: 500, before: 1 });
	await vi.advanceTimersByTimeAsync(2000);
	expect(done).toEqual(['look 511', 'freed 511']);
	await vi.advanceTimersByTimeAsync(512);
	expect(done.slice(2)).toEqual(['look 2512', 'freed 2512']);
});

it('one that is over and locked by somebody is looked at again after a while', async () => {
	const over = { left: -1, before: 0 };
	const { watch, done } = watching([over, over, over], async () => false);
	watch.see(over);
	await vi.advanceTimersByTimeAsync(1002);
	expect(done).toEqual(['look 0', 'bury 0', 'freed 0', 'look 0', 'look 1001', 'bury 1001', 'freed 1001', 'look 1001']);
});

it('one that is stopped looks no more', async () => {
	const { watch, done } = watching([]);
	watch.see({ left: 500, before: 0 });
	await watch.stop();
	await vi.advanceTimersByTimeAsync(lease);
	expect(done).toEqual([]);
});
