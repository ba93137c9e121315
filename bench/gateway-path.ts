// Processor time of the decision path, requests as they come: crawlers from some hundred addresses, people from many.
// Run by gateway.ts with the URL of a database; prints one line of JSON. Two gateways take turns: one alone, and one that
// shares its state in that database.
import { join } from 'node:path';
import {
	createGateway,
	type Gateway,
	type GatewayOptions,
	openLedger,
	openSharing,
	type Visit,
} from '@wayleave/gateway';
import { RangeLists } from '@wayleave/io/ranges';
import { IdentityChecker } from '../packages/gateway/src/identify/identity-checker.ts';
import { agents, config, page } from './gateway-config.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const lists = new RangeLists({
	fetcher: { fetch: () => Promise.reject(new Error('nothing is fetched here')) } as never,
});
const [, , url = ''] = process.argv;
// Exchanges are made here and measured apart; the first of its own would come after the bench.
const sharing = await openSharing(url, config.origin, { interval: 86_400_000 });
// Each request of an agent takes from a bucket, which never runs dry.
const limited = { ...config, rate: { ...config.rate, default: 10_000, burst: 10_000_000 } };
const gatewayWith = async (name: string, options: Pick<GatewayOptions, 'sharing'>) => {
	const ledger = await openLedger(`sqlite:${join(folder, `${name}.db`)}`);
	const identifier = new IdentityChecker({ lists });
	return { ledger, gateway: createGateway(limited, { identifier, recorder: ledger, ...options }) };
};
const contestants = {
	alone: await gatewayWith('alone', {}),
	shared: await gatewayWith('shared', { sharing }),
} as const;
type Contestant = (typeof contestants)['alone'];

let count = 0;
/** A request whose parts are strings of its own, as those of a socket are. */
function visit(userAgent: string, addresses: number): Visit {
	count++;
	const headers: Record<string, string> = { 'user-agent': userAgent, host: 'bench.example', accept: 'text/html' };
	const from = count % addresses;
	return {
		method: 'GET',
		target: `/docs/page-${count % 50_000}.html`,
		address: `203.0.${from >> 8}.${from & 255}`,
		header: (name) => headers[name],
	};
}

/** Stages 1 to 5 without the network: identify, decide, answer or the headers of the page, record. */
function request(gateway: Gateway, userAgent: string, addresses: number): void {
	const decided = gateway.decide(visit(userAgent, addresses));
	if (decided instanceof Promise) throw new Error('nothing is to be looked up here');
	const responded = gateway.respond(decided);
	if (responded instanceof Promise) throw new Error('nothing is to be compiled here');
	if (responded === undefined) gateway.termsOfPage(decided, { status: 200, type: 'text/html' });
	gateway.record(decided, responded?.served ?? { status: 200, bytes: page.length });
}

/** Nanoseconds of processor time. */
async function processorTime(work: () => unknown): Promise<number> {
	const start = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(start);
	return (user + system) * 1e3;
}

const batches = 10;
const batchSize = 500;
const ways = {
	'people, 50,000 addresses': [agents.browser, 50_000],
	'an agent, 300 addresses': [agents.allowed, 300],
	'an agent that is denied': [agents.denied, 300],
	'an agent, 50,000 addresses': [agents.allowed, 50_000],
} as const;
/** Nanoseconds: of a request while it is decided, of its part of writing the ledger, and of one exchange. */
type Samples = Record<'decision' | 'ledger' | 'exchange', number[]>;
const samples: Record<string, Record<keyof typeof contestants, Samples>> = {};

async function measure(
	{ gateway, ledger }: Contestant,
	way: keyof typeof ways,
	isShared: boolean,
): Promise<Record<keyof Samples, number>> {
	const [userAgent, addresses] = ways[way];
	const sums = { decision: 0, ledger: 0, exchange: 0 };
	for (let batch = 0; batch < batches; batch++) {
		// No exchange can begin before this loop is over: it is what a request waits for.
		sums.decision += await processorTime(() => {
			for (let at = 0; at < batchSize; at++) request(gateway, userAgent, addresses);
		});
		sums.ledger += await processorTime(() => ledger.flush());
		if (isShared) sums.exchange += await processorTime(() => sharing.refresh());
	}
	const requests = batches * batchSize;
	return { decision: sums.decision / requests, ledger: sums.ledger / requests, exchange: sums.exchange / batches };
}

for (let round = 0; round < 15; round++) {
	for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
		// In turns, and the first one changes, so that what else the machine does falls on both.
		const order = Object.entries(contestants) as [keyof typeof contestants, Contestant][];
		if (round % 2 === 1) order.reverse();
		for (const [name, contestant] of order) {
			const times = await measure(contestant, way, name === 'shared');
			// The first rounds warm up.
			if (round < 4) continue;
			const empty = (): Samples => ({ decision: [], ledger: [], exchange: [] });
			samples[way] ??= { alone: empty(), shared: empty() };
			for (const part of ['decision', 'ledger', 'exchange'] as const) samples[way][name][part].push(times[part]);
		}
	}
}
for (const { ledger } of Object.values(contestants)) await ledger.close();
await sharing.close();
console.log(JSON.stringify(samples));
