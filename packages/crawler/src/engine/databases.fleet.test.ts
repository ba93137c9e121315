import { afterEach, describe, expect, it } from 'vitest';
import {
	makeDatabase,
	makeServer,
	promote,
	removeServers,
	replicateSynchronously,
	startStandby,
	type TestServer,
	urlOfSeveral,
} from '../../../io/src/testing/postgres-replicas.ts';
import { describeFailures, type FailureReport, failFleet } from '../testing/failing-fleet.ts';
import { seeded } from '../testing/random.ts';

const seed = Date.now();
const site = { hosts: 10, pages: 40, delay: 100, lease: 12_000 };
const fleet = { ...site, workers: 3, kills: 1 };
/** Requests for pages. */
const [quarter, third, half] = [100, 133, 200];

let servers: TestServer[] = [];
afterEach(async () => {
	await removeServers(servers);
	servers = [];
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
});
