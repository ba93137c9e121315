import { afterEach, describe, expect, it } from 'vitest';
import { hasPgBouncer, startPgBouncer } from '../../../io/src/testing/pgbouncer.ts';
import {
	copyServer,
	makeDatabase,
	makeServer,
	promote,
	removeServers,
	replicateSynchronously,
	startStandby,
	type TestServer,
	urlOfSeveral,
} from '../../../io/src/testing/postgres-replicas.ts';
import { hasSwift, startSwift } from '../../../io/src/testing/swift.ts';
import { describeFailures, type FailureReport, failFleet } from '../testing/failing-fleet.ts';
import { seeded } from '../testing/random.ts';

const seed = Date.now();
const site = { hosts: 10, pages: 40, delay: 100, lease: 12_000 };
const fleet = { ...site, workers: 3, kills: 1 };
/** Requests for pages. */
const [quarter, third, half, threeQuarters] = [100, 133, 200, 300];

let servers: TestServer[] = [];
let after: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of after) await close();
	await removeServers(servers);
	[servers, after] = [[], []];
});

async function start(): Promise<TestServer> {
	const server = await makeServer();
	servers.push(server);
	await server.start();
	return server;
}

async function follow(primary: TestServer): Promise<TestServer> {
	const standby = await startStandby(primary);
	servers.push(standby);
	return standby;
}

function expectWhole(title: string, report: FailureReport): void {
	console.log(`${title}, seed ${seed}: ${describeFailures(report)}`);
	expect(report.exported).toEqual(report.pages);
	expect(report.tally).toBe(`0 pending, ${report.pages.length} fetched`);
	expect(report.gap).toBeGreaterThanOrEqual(site.delay - 1);
}

const wentBack = ({ troubles }: FailureReport) => troubles.filter((each) => /went back|took over/.test(each));

describe('PostgreSQL fails over in mid-crawl, and one of three workers is killed', { timeout: 900_000 }, () => {
	it('synchronous standby: nothing is lost, and no page is requested again but what was in flight', async () => {
		const primary = await start();
		const name = await makeDatabase(primary);
		const standby = await follow(primary);
		await replicateSynchronously(primary);
		const failOver = async () => {
			await primary.stop('SIGKILL');
			await promote(standby);
		};
		const report = await failFleet({
			...fleet,
			store: urlOfSeveral([primary, standby], name),
			steps: new Map([[third, failOver]]),
			random: seeded(seed),
		});
		expectWhole('synchronous', report);
		expect(wentBack(report)).toEqual([]);
		// Requests in flight at the kill of a worker: at most one per host.
		expect(report.again).toBeLessThanOrEqual(site.hosts);
	});

	it('asynchronous standby that was behind: what is lost is reported and requested again', async () => {
		const primary = await start();
		const name = await makeDatabase(primary);
		const standby = await follow(primary);
		const report = await failFleet({
			...fleet,
			kills: 0,
			store: urlOfSeveral([primary, standby], name),
			steps: new Map([
				[quarter, () => standby.stop('SIGKILL')],
				[
					half,
					async () => {
						await primary.stop('SIGKILL');
						await standby.start([
							'hot_standby=on',
							`primary_conninfo=host=127.0.0.1 port=${primary.port} user=wayleave`,
						]);
						await promote(standby);
					},
				],
			]),
			random: seeded(seed),
		});
		expectWhole('asynchronous', report);
		expect(wentBack(report).join('\n')).toMatch(/timeline 1 → 2\): the last (?:\d+ )?commit/);
		expect(report.again).toBeGreaterThan(0);
	});

	it('the old primary is still alive: workers leave it', async () => {
		const primary = await start();
		const name = await makeDatabase(primary);
		const standby = await follow(primary);
		const report = await failFleet({
			...fleet,
			store: urlOfSeveral([primary, standby], name),
			stored: () => standby.url(name),
			steps: new Map([[third, () => promote(standby)]]),
			random: seeded(seed),
		});
		expectWhole('not fenced', report);
	});

	it('a rolling restart, then a backup of some moments ago is restored in its place', async () => {
		const first = await start();
		const name = await makeDatabase(first);
		let backup: TestServer | undefined;
		const store = urlOfSeveral([first], name);
		const report = await failFleet({
			...fleet,
			kills: 0,
			store,
			steps: new Map([
				[
					quarter / 2,
					async () => {
						await first.stop('SIGINT');
						await first.start();
					},
				],
				[
					third,
					async () => {
						backup = await copyServer(first, first.port);
						servers.push(backup);
					},
				],
				[
					half,
					async () => {
						await first.stop('SIGKILL');
						await backup?.start();
					},
				],
			]),
			random: seeded(seed),
		});
		expectWhole('restored', report);
		expect(wentBack(report).length).toBeGreaterThan(0);
	});
});

const title =
	'object storage, two databases, a failover of one, PgBouncer before the other, which is killed and back, four workers killed and one that joins';
const isComplete = hasPgBouncer && hasSwift;

it.skipIf(!isComplete)(
	isComplete ? title : `${title} (needs pgbouncer, swift-proxy-server and memcached)`,
	async () => {
		const swift = await startSwift();
		after.push(() => swift.stop());
		// The workers find them there.
		Object.assign(process.env, swift.owner);
		await swift.createBucket('crawl');
		const [primary, other] = [await start(), await start()];
		const [name, otherName] = [await makeDatabase(primary), await makeDatabase(other)];
		const standby = await follow(primary);
		await replicateSynchronously(primary);
		const pooler = await startPgBouncer(other.url(otherName), 30);
		after.push(() => pooler.close());
		const report = await failFleet({
			...site,
			store: `${urlOfSeveral([primary, standby], name)},${pooler.url}`,
			objects: `s3://crawl/${seed}?endpoint=${swift.endpoint}`,
			workers: 4,
			kills: 4,
			joinAt: third,
			steps: new Map([
				[
					quarter,
					async () => {
						await primary.stop('SIGKILL');
						await promote(standby);
					},
				],
				[
					half,
					async () => {
						await other.stop('SIGKILL');
						await other.start();
					},
				],
				[
					threeQuarters,
					async () => {
						await swift.setDoor(false);
						await swift.setDoor(true);
					},
				],
			]),
			random: seeded(seed),
		});
		expectWhole('everything', report);
		expect(wentBack(report)).toEqual([]);
		expect(report.killed).toBe(4);
		expect(report.rolled).toMatchObject({ lines: report.pages, responses: report.pages });
	},
	900_000,
);
