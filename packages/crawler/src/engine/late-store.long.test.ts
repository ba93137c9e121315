import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import { stress } from '../testing/stress.ts';

let server: TestPostgres;
beforeAll(async () => {
	server = await startPostgres();
});
afterAll(() => server.stop());

const site = { hosts: 10, pages: 20, delay: 50 };
const seed = Date.now();

describe('a store whose answers are late: each page once, none lost, no host early, limits exact, nothing kept that may not be', {
	timeout: 1_800_000,
}, () => {
	it.each([
		['SQLite', 1, false],
		['PostgreSQL, one worker', 1, false],
		['PostgreSQL, two workers', 2, false],
		['PostgreSQL, three workers', 3, false],
		['PostgreSQL, two processes', 2, true],
		['PostgreSQL, three processes', 3, true],
	])('%s', async (name, workers, processes) => {
		const store = name === 'SQLite' ? {} : { store: await server.database() };
		console.log(`${name}: seed ${seed}`);
		expect(await stress({ ...site, ...store, workers, processes, seed })).toEqual([]);
	});
});
