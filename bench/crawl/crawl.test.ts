import { expect, it } from 'vitest';
import { allocatedBytes } from './allocation.ts';
import { childSeconds, processSeconds, secondsByRole, threadSeconds } from './threads.ts';

it('reads the time of a thread, and that of a process whose name has a bracket', () => {
	expect(threadSeconds('2500000000 8768536 2\n')).toBe(2.5);
	const stat = '7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 1250 50 900 9 20 0 11 0 100 1 1 1';
	expect(processSeconds(stat)).toBe(13);
	expect(childSeconds(stat)).toBe(9.09);
});

it('splits the time between two looks by what the threads are for', () => {
	const from = new Map([
		[7, 1],
		[8, 1],
	]);
	const to = new Map([
		[7, 3],
		[8, 1.5],
		[12, 4],
		[20, 5],
	]);
	expect(secondsByRole(7, { readers: [20], files: [12] }, from, to)).toEqual({
		main: 2,
		readers: 5,
		files: 4,
		V8: 0.5,
	});
});

it('adds up what was allocated between collections, for each heap', () => {
	const trace = `[7:0x10]       39 ms: Mark-Compact 3.0 (4.0) -> 2.0 (5.0) MB, 2.88 / 0.00 ms  (average mu = 1.000) testing
[7:0x7f00]      175 ms: Scavenge 6.0 (8.2) -> 2.5 (8.2) MB, 1.38 / 0.00 ms
something else
[7:0x10]      180 ms: Mark-Compact (reduce) 10.0 (12.0) -> 4.0 (12.0) MB, 3 / 0 ms
[7:0x7f00]      190 ms: Scavenge 8.5 (8.2) -> 2.5 (8.2) MB, 1.38 / 0.00 ms`;
	expect(allocatedBytes(trace)).toEqual([11 * 2 ** 20, 12 * 2 ** 20]);
});
