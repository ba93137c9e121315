// Processor time of the decision path, requests as they come: crawlers from some hundred addresses, people from many.
// Run by gateway.ts; prints one line of JSON. With the URL of a database, the gateway shares its state there.
import { join } from 'node:path';
import { createGateway, openLedger, openSharing, type Visit } from '@wayleave/gateway';
import { RangeLists } from '@wayleave/io/ranges';
import { IdentityChecker } from '../packages/gateway/src/identify/identity-checker.ts';
import { agents, config, page } from './gateway-config.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const lists = new RangeLists({
	fetcher: { fetch: () => Promise.reject(new Error('nothing is fetched here')) } as never,
});
const ledger = await openLedger(`sqlite:${join(folder, 'ledger.db')}`);
const [, , url] = process.argv;
const sharing = url === undefined ? undefined : await openSharing(url, config.origin);
// Each request of an agent takes from a bucket, which never runs dry.
const limited = { ...config, rate: { ...config.rate, default: 10_000, burst: 10_000_000 } };
const gateway = createGateway(limited, {
	identifier: new IdentityChecker({ lists }),
	recorder: ledger,
	...(sharing !== undefined && { sharing }),
});

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
function request(userAgent: string, addresses: number): void {
	const decided = gateway.decide(visit(userAgent, addresses));
	if (decided instanceof Promise) throw new Error('nothing is to be looked up here');
	const responded = gateway.respond(decided);
	if (responded instanceof Promise) throw new Error('nothing is to be compiled here');
	if (responded === undefined) gateway.termsOfPage(decided, { status: 200, type: 'text/html' });
	gateway.record(decided, responded?.served ?? { status: 200, bytes: page.length });
}

/** A batch is what comes in a quarter of a second; it is written as it is at work. */
async function batch(userAgent: string, addresses: number, size: number): Promise<void> {
	for (let at = 0; at < size; at++) request(userAgent, addresses);
	await ledger.flush();
	await sharing?.refresh();
}

const ways = {
	'people, 50,000 addresses': [agents.browser, 50_000],
	'an agent, 300 addresses': [agents.allowed, 300],
	'an agent that is denied': [agents.denied, 300],
	'an agent, 50,000 addresses': [agents.allowed, 50_000],
} as const;
const samples: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < 12; round++) {
	for (const [name, [userAgent, addresses]] of Object.entries(ways)) {
		const start = process.cpuUsage();
		for (let at = 0; at < 10; at++) await batch(userAgent, addresses, 500);
		const { user, system } = process.cpuUsage(start);
		// The first rounds warm up.
		if (round >= 3) samples[name]!.push(((user + system) * 1e3) / 5000);
	}
}
await ledger.close();
await sharing?.close();
console.log(JSON.stringify(samples));
