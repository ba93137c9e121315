import { expect, it } from 'vitest';
import { ReaderCount } from './reader-count.ts';

/** Reads pages on a machine that has a rate for each number of threads; returns the numbers that there were. */
function sizesOf(most: number, pages: number, rateOf: (threads: number, page: number) => number, waiting = true) {
	let now = 0;
	const count = new ReaderCount(most, () => now);
	const sizes = [count.size];
	for (let page = 0; page < pages; page++) {
		now += 1 / rateOf(count.size, page);
		count.count(waiting);
		if (count.size !== sizes.at(-1)) sizes.push(count.size);
	}
	return sizes;
}

it('adds readers as long as each brings more pages', () => {
	expect(sizesOf(7, 20_000, (threads) => 0.1 * Math.min(threads, 3))).toEqual([1, 2, 3, 4, 3, 4, 3]);
	expect(sizesOf(2, 20_000, (threads) => 0.1 * threads)).toEqual([1, 2]);
});

it('keeps to one where a second brings nothing, and tries again when the machine may have become free', () => {
	expect(sizesOf(3, 5000, () => 0.1)).toEqual([1, 2, 1]);
	expect(sizesOf(3, 20_000, (threads, page) => (page < 8000 ? 0.1 : 0.1 * Math.min(threads, 2)))).toEqual([
		1, 2, 1, 2, 3, 2,
	]);
});

it('adds none while pages wait for the network and not for a reader', () => {
	expect(sizesOf(3, 20_000, (threads) => 0.1 * threads, false)).toEqual([1]);
});
