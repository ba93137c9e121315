import { describe, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { stress } from '../testing/stress.ts';

// A small site; a long test has a larger one, more workers, and processes. Most of the time they wait.
const site = { hosts: 5, pages: 5, delay: 20, seed: 7 };

describe.concurrent('a store whose answers are late: each page once, none lost, no host early, limits exact, nothing kept that may not be', {
	timeout: 240_000,
}, () => {
	it('SQLite', async ({ expect }) => {
		expect(await stress({ ...site, workers: 1 })).toEqual([]);
	});

	it('two workers with PostgreSQL', async ({ expect }) => {
		expect(await stress({ ...site, workers: 2, store: await newDatabase() })).toEqual([]);
	});
});
