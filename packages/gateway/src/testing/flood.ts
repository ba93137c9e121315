import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseManifest } from '@wayleave/protocols/pagedigest';
import { expect } from 'vitest';
import type { ConfigInput } from '../config/schema.ts';
import { countMapWrites } from './count-steps.ts';
import { type RunningSite, startSite } from './running-site.ts';

export interface FloodSize {
	/** Distinct names of agents, and distinct query strings. */
	readonly names: number;
	/** Clients that never finish a request, and as many that never close a refused connection. */
	readonly clients: number;
}

/** What was counted. Each list has the figures of ten equal parts: work that grows shows in the last of them. */
export interface FloodFigures {
	/** Entries written into maps, per request. */
	readonly stepsPerName: readonly number[];
	readonly stepsPerQuery: readonly number[];
	/** Clients in memory, after all names. */
	readonly remembered: number;
	/** Labels of agents in the metrics. */
	readonly agentLabels: number;
	/** Rows that the ledger has lost. */
	readonly dropped: number;
	/** What the manifest lists after all queries. */
	readonly listed: readonly string[];
	/** First lines of the responses to the two kinds of clients, and how many got each. */
	readonly dribbled: Readonly<Record<string, number>>;
	readonly lingered: Readonly<Record<string, number>>;
	/** The slowest response that somebody else got meanwhile, and its status; milliseconds, for the reader only. */
	readonly meanwhile: { readonly statuses: readonly number[]; readonly slowest: number };
	/** Connections that are left when all is over. */
	readonly connectionsLeft: number;
	/** Statuses of an agent at a withheld page, an agent at an open page and a browser, as the site dies and returns. */
	readonly deaths: Readonly<Record<string, readonly number[]>>;
}

const rules = 'User-agent: *\nDisallow: /admin/\n';
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const page = (links: string) => `<!doctype html><title>Page</title><main><h1>Page</h1><p>A page.</p></main>${links}`;

/** Everything that a crowd of hostile clients can write, and a site that dies, in one run through one gateway. */
export async function flood({ names, clients }: FloodSize): Promise<FloodFigures> {
	const listener: Parameters<RunningSite['serve']>[0] = (request, response) => {
		if (request.url === '/robots.txt') response.writeHead(200, { 'content-type': 'text/plain' }).end(rules);
		else if (/sitemap|llms/.test(request.url ?? '')) response.writeHead(404).end();
		else
			response
				.writeHead(200, { 'content-type': 'text/html' })
				.end(page(request.url === '/' ? '<a href="/hello">hello</a>' : ''));
	};
	const config: Omit<ConfigInput, 'origin'> = {
		paths: { disallow: ['/private'] },
		policy: { train: 'no' },
		pagedigest: {},
		som: {},
	};
	// It is not up yet when the gateway starts.
	const site = await startSite(config, undefined, { headerTimeout: 1500, maxClients: clients * 4 });
	try {
		const deaths: Record<string, number[]> = {};
		const look = async (when: string) => {
			deaths[when] = [
				(await site.get('/admin/x')).status,
				(await site.get('/page')).status,
				(await site.get('/page', browser)).status,
			];
		};
		await look('not up yet');
		await site.serve(listener);
		await until(() => site.running.site().state === 'found');
		await look('up');
		const named = await byNames(site, names);
		const queried = await byQueries(site, names);
		const slow = await crowd(site, clients, `GET / HTTP/1.1\r\nHost: site.example.com\r\n`, 'X-More: 1\r\n');
		const upgrade = `GET /private/ws HTTP/1.1\r\nHost: site.example.com\r\nUser-Agent: GPTBot/1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
		const open = await crowd(site, clients, upgrade, 'x');
		await site.serve(undefined);
		await site.running.reload(site.config({ ...config, policy: { train: 'no', read: 'yes' } }));
		await look('dead on reload');
		await site.serve(listener);
		await until(() => site.running.site().state === 'found');
		await look('up again');
		return {
			...named,
			...queried,
			dribbled: slow.answers,
			lingered: open.answers,
			meanwhile: {
				statuses: [...new Set([...slow.statuses, ...open.statuses])],
				slowest: Math.max(slow.slowest, open.slowest),
			},
			connectionsLeft: open.left,
			deaths,
		};
	} finally {
		await site.close();
	}
}

/** Distinct names, each denied one page and given another, from a handful of addresses. */
async function byNames({ running }: RunningSite, count: number) {
	const gateway = running.gateway();
	const send = (at: number, target: string) => {
		const headers: Record<string, string> = {
			host: 'site.example.com',
			'user-agent': `Tool${at}/1.0`,
			'x-agent-identity': `Name${at}/1 (ai-assistant)`,
		};
		const address = `198.51.100.${at % 200}`;
		const decided = gateway.decide({ method: 'GET', target, address, header: (name) => headers[name] });
		if (decided instanceof Promise) throw new Error('nothing is to be looked up here');
		const responded = gateway.respond(decided);
		if (responded instanceof Promise) throw new Error('nothing is to be compiled here');
		gateway.record(decided, responded?.served ?? { status: 200, bytes: 1 });
	};
	const work = (at: number) => {
		send(at, '/private/x');
		send(at, '/open');
	};
	const stepsPerName = await inTenths(count, work, () => running.ledger.flush());
	return {
		stepsPerName,
		remembered: gateway.clientMemory.size,
		agentLabels: new Set(running.metrics().match(/agents_total\{agent="[^"]*"/g)).size,
		dropped: running.ledger.dropped,
	};
}

/** Distinct queries of one page, as browsers ask for them, over the wire; and their steps, without it. */
async function byQueries(site: RunningSite, count: number) {
	await site.get('/', browser);
	await site.get('/hello', browser);
	let next = 0;
	const asker = async () => {
		for (let at = next++; at < count; at = next++) await site.get(`/hello?offer-${at}`, browser);
	};
	await Promise.all(Array.from({ length: 16 }, asker));
	const { changeObserver } = site.running.gateway();
	const body = Buffer.from(page(''));
	const stepsPerQuery = await inTenths(count, (at) => changeObserver?.observe(`/hello?other-${at}`, body, 'text/html'));
	await sleep(1500);
	const { text } = await site.get('/.well-known/pagedigest.json', browser);
	return { stepsPerQuery, listed: [...(parseManifest(text).value?.entries.keys() ?? [])].sort() };
}

/** Counts the steps of each tenth of the work; what waits is done in between, as it is when requests come one by one. */
async function inTenths(
	count: number,
	work: (at: number) => void,
	between: () => Promise<void> = async () => {},
): Promise<number[]> {
	const part = Math.ceil(count / 10);
	const found: number[] = [];
	for (let tenth = 0; tenth < 10; tenth++) {
		const steps = countMapWrites(() => {
			for (let at = tenth * part; at < (tenth + 1) * part; at++) work(at);
		});
		found.push(Math.round((steps / part) * 100) / 100);
		await between();
	}
	return found;
}

/** Clients that write on, and keep their half open, until they are cut off; somebody else asks for a page meanwhile. */
async function crowd(site: RunningSite, count: number, first: string, more: string) {
	const answers: Record<string, number> = {};
	const gone: Promise<void>[] = [];
	const join = () => {
		const socket = net.connect({ port: site.port, host: '127.0.0.1', allowHalfOpen: true });
		const timer = setInterval(() => socket.writable && socket.write(more), 200);
		let text = '';
		socket.on('connect', () => socket.write(first));
		socket.on('data', (chunk) => {
			text += chunk.toString('latin1');
		});
		socket.on('error', () => {});
		gone.push(
			new Promise((resolve) => {
				socket.on('close', () => {
					clearInterval(timer);
					const line = text.slice(0, 12);
					answers[line] = (answers[line] ?? 0) + 1;
					resolve();
				});
			}),
		);
	};
	while (gone.length < count) {
		for (let some = 0; some < 50 && gone.length < count; some++) join();
		await sleep(20);
	}
	const statuses: number[] = [];
	let slowest = 0;
	let over = false;
	const all = Promise.all(gone).then(() => {
		over = true;
	});
	while (!over) {
		const start = performance.now();
		statuses.push((await site.get('/hello', browser)).status);
		slowest = Math.max(slowest, performance.now() - start);
		await sleep(100);
	}
	await all;
	// One is the connection of the one who asked meanwhile.
	await until(() => site.running.proxy.connections.open <= 20);
	return { answers, statuses, slowest: Math.round(slowest), left: site.running.proxy.connections.open };
}

async function until(condition: () => boolean): Promise<void> {
	for (let times = 0; times < 1500 && !condition(); times++) await sleep(20);
	if (!condition()) throw new Error('it does not recover');
}

/** What holds for a crowd of any size. */
export function expectFlat(figures: FloodFigures, clients: number): void {
	for (const steps of [figures.stepsPerName, figures.stepsPerQuery]) {
		// The first tenths fill what is bounded; the last ones must not cost more.
		expect(steps.at(-1)).toBeLessThanOrEqual(Math.max(...steps.slice(0, 3)) * 1.1);
	}
	expect(figures.remembered).toBeLessThanOrEqual(100_000);
	expect(figures.dropped).toBe(0);
	expect(figures.agentLabels).toBeLessThanOrEqual(110);
	expect(figures.listed).toEqual(['/', '/hello']);
	expect(figures.dribbled).toEqual({ 'HTTP/1.1 408': clients });
	const { 'HTTP/1.1 403': denied = 0, 'HTTP/1.1 429': slowed = 0 } = figures.lingered;
	expect(denied + slowed).toBe(clients);
	expect(figures.meanwhile.statuses).toEqual([200]);
	expect(figures.connectionsLeft).toBeLessThanOrEqual(20);
	expect(figures.deaths).toEqual({
		'not up yet': [503, 503, 502],
		up: [403, 200, 200],
		'dead on reload': [403, 502, 502],
		'up again': [403, 200, 200],
	});
}
