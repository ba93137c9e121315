import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import { hasSwift, type SwiftServer, startSwift } from '../../../io/src/testing/swift.ts';
import { describeKills, killFleet } from '../testing/kill-fleet.ts';
import { seeded } from '../testing/random.ts';

const seed = Date.now();

describe.skipIf(!hasSwift)(
	'documents and rolling files in OpenStack Swift (needs swift-proxy-server and memcached)',
	() => {
		let swift: SwiftServer;
		let server: TestPostgres;
		beforeAll(async () => {
			[swift, server] = await Promise.all([startSwift(), startPostgres()]);
			// The workers find them there.
			Object.assign(process.env, swift.owner);
			await swift.createBucket('crawl');
		});
		afterAll(async () => {
			await swift?.stop();
			await server?.stop();
		});

		it('four workers with PostgreSQL, eight kill -9, and a server for objects that is killed twice: each page once', async () => {
			const restart = async () => {
				await swift.setDoor(false);
				await swift.setDoor(true);
			};
			const report = await killFleet({
				store: await server.database(),
				objects: `s3://crawl/${seed}?endpoint=${swift.endpoint}`,
				workers: 4,
				kills: 8,
				hosts: 12,
				pages: 60,
				delay: 150,
				lease: 4000,
				steps: new Map([
					[150, restart],
					[400, restart],
				]),
				random: seeded(seed),
			});
			console.log(`seed ${seed}\n${describeKills(report)}`);
			expect(report.exported).toEqual(report.pages);
			expect(report.rolled.lines).toEqual(report.pages);
			expect(report.rolled.responses).toEqual(report.pages);
			expect(report.tally).toBe(`0 pending, ${report.pages.length} fetched`);
			expect(report.gap).toBeGreaterThanOrEqual(149);
		});
	},
);
