import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import { type Deaths, diesForGood, diesOnce } from '../testing/lost-connection.ts';

let server: TestPostgres;
beforeAll(async () => {
	server = await startPostgres();
});
afterAll(() => server.stop());

function expectWhole({ died, wrong }: Deaths): void {
	console.log(`${died} crawls with a death, ${wrong.length} wrong`);
	expect(wrong).toEqual([]);
	// A crawl has more than a hundred statements, and each has a before and an after.
	expect(died).toBeGreaterThan(200);
}

describe('a connection to PostgreSQL that dies', { timeout: 1_800_000 }, () => {
	it('before or after any statement of a crawl: each page is asked for once, and is there at the end', async () => {
		expectWhole(await diesOnce(server, 1, console.log));
	});

	it('for good, at any statement: whoever comes next has every page at the end', async () => {
		expectWhole(await diesForGood(server, 1, console.log));
	});
});
