import { afterEach, expect, it, vi } from 'vitest';
import { readSettings } from '../config/settings.ts';
import { threadsOr } from './thread-count.ts';

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

it('a crawl heeds it, unless it is told how many', () => {
	vi.stubEnv('WAYLEAVE_THREADS', '5');
	expect([readSettings({}).threads, readSettings({ threads: 2 }).threads]).toEqual([5, 2]);
});
