import { option, showTable } from './measure.ts';
import { databaseCosts, usual } from './simulate/distributions.ts';
import { type SimulationResult, simulate } from './simulate/simulation.ts';

// A large crawl without network: simulated hosts, links, delays and failures, on which the real engine runs with a clock
// that jumps. Which resource is the first to run out?
//
// `--engine whole` runs `crawl()` once for each worker; `scheduler` only what decides which host gets a request when
// (`Hosts`, `HostSlot`, `RequestScheduler`, the contract of stores), for ten million URLs. `--cycles 30` looks at all
// pages again for 30 days, when the revisit policy wants.
//
// Run: npm run simulate -- --urls 1e6 --workers 100 --seed 1 [--engine scheduler] [--concurrency 8] [--cycles 30]

const numberOf = (name: string, otherwise: number): number => Number(option(name) ?? otherwise);
const options = {
	urls: numberOf('urls', 100_000),
	workers: numberOf('workers', 10),
	seed: numberOf('seed', 1),
	concurrency: numberOf('concurrency', 8),
	cycles: numberOf('cycles', 1),
	databases: numberOf('databases', 1),
	engine: option('engine') === 'scheduler' ? 'scheduler' : 'whole',
} as const;

const result = await simulate({
	...options,
	onProgress: (ended, seconds) => process.stderr.write(`${ended} URLs ended after ${Math.round(seconds)} s\n`),
});
report(result);

function report(of: SimulationResult): void {
	const { seconds, until, seen, calls, urls } = of;
	const rate = (count: number, during = seconds): string => `${(count / during).toFixed(1)} a second`;
	// Most of the time the last large hosts are waited for: what the parts have to bear is the busy half.
	const busy = until.half;
	const perUrl = (count: number): string => (count / urls).toFixed(3);
	const duringBusy = (count: number): number => (count / seconds) * busy;
	const database = {
		pages: (urls / 2) * databaseCosts.page,
		claims: (calls.claims - calls.emptyClaims) * databaseCosts.claim,
		'empty claims': duringBusy(calls.emptyClaims) * databaseCosts.emptyClaim,
		looks: duringBusy(calls.looks) * databaseCosts.look,
		reads: (calls.reads / 2) * databaseCosts.read,
	};
	const cores = Object.values(database).reduce((sum, cost) => sum + cost, 0) / busy;
	console.log(
		showTable([
			['urls', 'hosts', 'workers', 'engine', 'simulated', 'half', '95 %', 'lost', 'doubled', 'early', 'overlapping'],
			[
				...[urls, of.hosts, options.workers].map((count) => count.toLocaleString('en')),
				...[options.engine, ...[seconds, until.half, until.most].map((time) => `${Math.round(time)} s`)],
				...[of.lost, of.doubled, seen.early, seen.overlapping].map(String),
			],
		]),
	);
	console.log(
		`\n${showTable([
			[
				'of each URL',
				'requests',
				'policy files',
				'links',
				'commits',
				'claims',
				'empty claims',
				'looks',
				'reads',
				'jumps',
			],
			[
				'',
				...[seen.requests, seen.policyFiles, calls.links, calls.commits, calls.claims, calls.emptyClaims].map(perUrl),
				...[calls.looks, calls.reads, of.jumps].map(perUrl),
			],
		])}`,
	);
	console.log(
		`\nbusy half: ${rate(urls / 2, busy)}, ${(urls / 2 / busy / options.workers).toFixed(2)} a worker and second;`,
	);
	console.log(`processor of a worker ${((urls / 2 / busy / options.workers) * usual.pageWork * 0.1).toFixed(1)} %`);
	const shares = Object.entries(database).map(([name, cost]) => `${name} ${(cost / busy).toFixed(2)}`);
	console.log(`cores of PostgreSQL in the busy half: ${cores.toFixed(1)} (${shares.join(', ')})`);
	console.log(
		`workers brought ${of.shares[0].toLocaleString('en')} to ${of.shares[1].toLocaleString('en')} pages each`,
	);
	if (options.cycles > 1)
		console.log(`${seen.notModified} answers 304, ${seen.changed} changes seen, in ${seen.requests} requests`);
	for (const [ending, count] of of.endings) console.log(`${ending}: ${count.toLocaleString('en')}`);
	if (of.databases.length > 1) reportDatabases(of);
	const cpu = `${of.cpuSeconds.toFixed(0)} s of processor, ${((of.cpuSeconds / urls) * 1e6).toFixed(0)} µs a URL`;
	const memory = `${of.megabytes} MB, ${((of.megabytes * 1e6) / urls).toFixed(0)} bytes a URL`;
	console.log(`${of.realSeconds.toFixed(0)} s on this machine, ${cpu}; ${memory}`);
}

function reportDatabases({ databases, calls, urls }: SimulationResult): void {
	const range = (values: readonly number[]) =>
		`${Math.min(...values).toLocaleString('en')} to ${Math.max(...values).toLocaleString('en')}`;
	const [hosts, known, commits] = (['hosts', 'urls', 'commits'] as const).map((of) => databases.map((one) => one[of]));
	console.log(
		`${databases.length} databases: ${range(hosts ?? [])} hosts, ${range(known ?? [])} URLs, ${range(commits ?? [])} commits each`,
	);
	const share = ((calls.handed / calls.links) * 100).toFixed(1);
	console.log(`links for another database: ${share} %, in ${(calls.outboxes / urls).toFixed(3)} outbox rows a URL`);
}
