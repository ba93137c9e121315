import { expect, it } from 'vitest';
import { LookPace, maxSteps } from './look-pace.ts';

const paces = (pace: LookPace, looks: number) => Array.from({ length: looks }, () => pace.next(true));

it('looks for hosts get rarer while they find none, up to a limit, and often again after one that finds a host', () => {
	const pace = new LookPace(() => 0);
	expect(paces(pace, 6)).toEqual([1, 2, 4, maxSteps, maxSteps, maxSteps]);
	expect(pace.next(false)).toBe(1);
	expect(paces(pace, 2)).toEqual([1, 2]);
});

it('workers that became idle together do not look together, and none waits longer than the limit', () => {
	const paced = new LookPace(() => 0.999_999);
	expect(paces(paced, 5)).toEqual([1, 2, 3, 5, 5]);
	const steps = Array.from({ length: 200 }, () => paces(new LookPace(), 5).at(-1) ?? 0);
	expect(new Set(steps)).toEqual(new Set([5, 6, 7, 8]));
});
