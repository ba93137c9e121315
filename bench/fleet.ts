import { openStore } from '../packages/crawler/src/store/sql/open.ts';
import { startFleetSite, startWorker } from '../packages/crawler/src/testing/fleet.ts';
import { startPostgres } from '../packages/io/src/testing/postgres.ts';
import { option, showTable } from './measure.ts';

// One worker and four on one PostgreSQL. First 40 hosts that answer in 200 ms, without delay, four requests in flight per
// worker: four workers are to bring at least three times the pages of one. Then hosts that want half a second between
// two requests, with requests to spare: the same rate, and no host early. The log of the site is the measure.
// Run: npm run bench:fleet [-- --seconds 20]

const seconds = Number(option('seconds') ?? 20);

interface Case {
	readonly name: string;
	readonly hosts: number;
	readonly latency: number;
	readonly delay: number;
	readonly concurrency: number;
}

const cases: readonly Case[] = [
	{ name: '40 hosts, 200 ms, no delay', hosts: 40, latency: 200, delay: 0, concurrency: 4 },
	{ name: '20 hosts, 20 ms, delay 500 ms', hosts: 20, latency: 20, delay: 500, concurrency: 32 },
];

const server = await startPostgres([]);
const rows = [['', 'workers', 'pages/s', 'times', 'shortest gap', 'doubled', 'requests']];
try {
	for (const each of cases) {
		let one: number | undefined;
		for (const workers of [1, 4]) {
			const measured = await measure(each, workers);
			one ??= measured.rate;
			const { rate, gap, doubled, shares } = measured;
			rows.push([
				each.name,
				String(workers),
				rate.toFixed(1),
				`${(rate / one).toFixed(2)}×`,
				each.delay === 0 ? '' : `${gap.toFixed(0)} ms`,
				String(doubled),
				shares,
			]);
		}
	}
} finally {
	await server.stop();
}
console.log(showTable(rows));

async function measure({ hosts, latency, delay, concurrency }: Case, count: number) {
	const store = await server.database();
	await (await openStore(store)).close();
	const site = await startFleetSite({ hosts, pages: 10_000, latency });
	const options = { store, seeds: site.seeds, delay, concurrency, threads: 0 };
	const workers = Array.from({ length: count }, () => startWorker(options));
	// From when all are there and each host is being visited.
	while (workers.some(({ said }) => said.length === 0)) await sleep(50);
	await sleep(3000);
	const from = Date.now();
	await sleep(seconds * 1000);
	const to = Date.now();
	for (const worker of workers) worker.kill('SIGINT');
	const ends = await Promise.all(workers.map(({ end }) => end));
	await site.close();
	const pages = site.log.filter(({ path, end }) => path.startsWith('/p') && end >= from && end < to);
	const paths = site.log.map(({ host, path }) => host + path);
	return {
		rate: pages.length / ((to - from) / 1000),
		gap: delay === 0 ? 0 : site.shortestGap(),
		doubled: paths.length - new Set(paths).size,
		shares: ends.map(({ requests }) => requests).join(' + '),
	};
}

function sleep(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
