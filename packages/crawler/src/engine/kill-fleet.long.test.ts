import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import { describeKills, type KillReport, killFleet } from '../testing/kill-fleet.ts';
import { seeded } from '../testing/random.ts';

let server: TestPostgres;
beforeAll(async () => {
	server = await startPostgres();
});
afterAll(() => server.stop());

const site = { hosts: 12, pages: 100, delay: 150, lease: 4000 };
const seed = Date.now();

function expectWhole(report: KillReport): void {
	console.log(`seed ${seed}\n${describeKills(report)}`);
	expect(report.exported).toEqual(report.pages);
	expect(report.rolled.lines).toEqual(report.pages);
	expect(report.rolled.responses).toEqual(report.pages);
	expect(report.tally).toBe(`0 pending, ${report.pages.length} fetched`);
	expect(report.gap).toBeGreaterThanOrEqual(site.delay - 1);
	expect(report.killedAt.length).toBe(10);
	// A host goes on within the lease; on a machine that is busy, as much later as hosts wait there for a visit.
	expect(report.usual).toBeLessThan(site.lease);
	expect(report.recoveries.length).toBeGreaterThan(0);
	expect(report.recoveries.at(-1)).toBeLessThanOrEqual(site.lease + report.usual);
}

describe('kill -9 at twenty random moments', { timeout: 900_000 }, () => {
	it('ten times SQLite', async () => {
		const report = await killFleet({ ...site, workers: 1, kills: 10, random: seeded(seed) });
		expectWhole(report);
		expect(report.written).toEqual(report.pages);
	});

	it('ten times one of four workers with PostgreSQL', async () => {
		expectWhole(
			await killFleet({ ...site, store: await server.database(), workers: 4, kills: 10, random: seeded(seed + 1) }),
		);
	});
});
