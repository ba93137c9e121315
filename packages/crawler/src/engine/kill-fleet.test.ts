import { describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { type KillReport, killFleet } from '../testing/kill-fleet.ts';
import { seeded } from '../testing/random.ts';

// One kill, and one process, since each takes seconds to start; a long test makes twenty, and looks at the time that they
// cost.
const plan = { hosts: 6, pages: 12, delay: 60, lease: 1500, kills: 1, local: true };

function expectWhole(report: KillReport): void {
	expect(report.killedAt.length).toBe(plan.kills);
	expect(report.exported).toEqual(report.pages);
	expect(report.rolled.lines).toEqual(report.pages);
	expect(report.rolled.responses).toEqual(report.pages);
	expect(report.rolled.files).toBeGreaterThan(1);
	expect(report.tally).toBe(`0 pending, ${report.pages.length} fetched`);
	expect(report.gap).toBeGreaterThanOrEqual(plan.delay - 1);
}

// On a busy machine processes take their time to start.
describe('kill -9 at a random moment: every page once in the store, in the export and in the rolling files, no host inside its delay', {
	timeout: 240_000,
}, () => {
	it('CB-115 CB-121 SQLite: and once in the file that the crawl has written', async () => {
		const report = await killFleet({ ...plan, workers: 1, random: seeded(10) });
		expectWhole(report);
		expect(report.written).toEqual(report.pages);
	});

	it('CB-108 CB-111 two workers with PostgreSQL, of which one is killed: its hosts go to the other', async () => {
		const report = await killFleet({ ...plan, store: await newDatabase(), workers: 2, random: seeded(11) });
		expectWhole(report);
		expect(report.recoveries.length).toBeGreaterThan(0);
	});
});
