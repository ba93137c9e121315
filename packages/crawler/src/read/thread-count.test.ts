import { afterEach, expect, it, vi } from 'vitest';
import { readSettings } from '../config/settings.ts';
import { threadsOr, usualThreads } from './thread-count.ts';

afterEach(() => vi.unstubAllEnvs());

it('WAYLEAVE_THREADS says how many threads there are, where nobody has said so', () => {
	const when = (wanted: string) => {
		vi.stubEnv('WAYLEAVE_THREADS', wanted);
		return threadsOr(3);
	};
	expect([when(''), when('0'), when('12')]).toEqual([3, 0, 12]);
	for (const odd of ['-1', 'two', '1.5', '1000'])
		expect(() => when(odd)).toThrow(
			expect.objectContaining({ code: 'bad-option', message: expect.stringContaining(odd) }),
		);
});

it('without it there is one reader on up to three processors, and on more at most one less than these', () => {
	expect([1, 2, 3, 4, 8, 64].map(usualThreads)).toEqual([1, 1, 1, 3, 7, 8]);
});

it('a crawl measures how many it needs only when nothing says how many', () => {
	vi.stubEnv('WAYLEAVE_THREADS', '');
	expect([readSettings({}), readSettings({ threads: 2 })].map((each) => each.measuredThreads)).toEqual([true, false]);
	vi.stubEnv('WAYLEAVE_THREADS', '2');
	expect(readSettings({}).measuredThreads).toBe(false);
});

it('a crawl heeds it, unless it is told how many', () => {
	vi.stubEnv('WAYLEAVE_THREADS', '5');
	expect([readSettings({}).threads, readSettings({ threads: 2 }).threads]).toEqual([5, 2]);
});
