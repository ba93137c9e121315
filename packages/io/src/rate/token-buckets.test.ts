import { expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

const rate = { perMinute: 60, burst: 2 };

it('lets a burst through, then one request for each refilled token', () => {
	let time = 0;
	const buckets = new TokenBuckets(() => time);
	expect([1, 2, 3].map(() => buckets.take('a', rate))).toEqual([0, 0, 1000]);
	expect(buckets.take('b', rate)).toBe(0);
	time = 400;
	expect(buckets.peek('a', rate)).toEqual({ tokens: 0.4, wait: 600 });
	time = 1000;
	expect(buckets.take('a', rate)).toBe(0);
	expect(buckets.take('a', rate)).toBe(1000);
});

it('fills up to the burst, and looking spends nothing', () => {
	let time = 0;
	const buckets = new TokenBuckets(() => time);
	buckets.take('a', rate);
	time = 1_000_000;
	expect([1, 2, 3].map(() => buckets.peek('a', rate).tokens)).toEqual([2, 2, 2]);
});

it('forgets the least recent clients first', () => {
	const buckets = new TokenBuckets(() => 0, 2);
	for (const client of ['a', 'b', 'a', 'c']) buckets.take(client, rate);
	expect(['a', 'b', 'c'].map((client) => buckets.peek(client, rate).tokens)).toEqual([0, 2, 1]);
});
