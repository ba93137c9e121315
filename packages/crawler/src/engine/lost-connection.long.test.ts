import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import { diesForGood, diesOnce } from '../testing/lost-connection.ts';

let server: TestPostgres;
beforeAll(async () => {
	server = await startPostgres();
});
afterAll(() => server.stop());

describe('a connection to PostgreSQL that dies', { timeout: 1_800_000 }, () => {
	it('before or after any statement of a crawl: each page is asked for once, and is there at the end', async () => {
		expect(await diesOnce(server, 1)).toEqual([]);
	});

	it('for good, at any statement: whoever comes next has every page at the end', async () => {
		expect(await diesForGood(server, 1)).toEqual([]);
	});
});
