import { expect, it } from 'vitest';
import { Meter } from './meter.ts';

it('the speed is that of the last ten seconds, and of pages that were come to', () => {
	const meter = new Meter(0);
	for (let at = 1000; at <= 20_000; at += 500) meter.count('fetched', at);
	expect(meter.pagesPerSecond(20_000)).toBeCloseTo(2, 0);
	meter.countAtOnce('deferred', 1_000_000);
	expect(meter.pagesPerSecond(20_000)).toBeCloseTo(2, 0);
	expect(meter).toMatchObject({ done: 1_000_039, outcomes: { fetched: 39, deferred: 1_000_000 } });
	expect(meter.pagesPerSecond(40_000)).toBe(0);
});
