import { mkdtempSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../io/src/testing/postgres.ts';
import type { ConfigInput } from '../config/schema.ts';
import { type GatewayProcess, startGatewayProcess } from '../testing/gateway-process.ts';

// Two gateways in processes of their own, with one PostgreSQL: limits counted from outside, over the death of a gateway
// and of the database.

const origin = 'https://site.example.com';
const rate = { default: 120, burst: 30 };
/** The share of a full bucket that the other gateway may give before it hears that the bucket is empty. */
const bound = rate.burst / 2;
const clients = 8;

let postgres: TestPostgres;
let site: http.Server;
let start: () => Promise<GatewayProcess>;
const gateways: GatewayProcess[] = [];
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

beforeAll(async () => {
	postgres = await startPostgres([]);
	site = http.createServer((_, response) => response.end('page'));
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	const config: ConfigInput = {
		origin,
		shared: await postgres.database(),
		rate,
		identity: {
			trustedProxies: ['127.0.0.1'],
			header: 'X-Forwarded-For',
			verify: { ranges: false, reverseDns: false, signatures: false },
		},
	};
	const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	start = async () => {
		const base = mkdtempSync(join(tmpdir(), 'wayleave-gateway-'));
		const ledger = { store: `sqlite:${join(base, 'ledger.db')}` };
		return startGatewayProcess({ config: { ...config, ledger }, upstream, base });
	};
	gateways.push(...(await Promise.all([start(), start()])));
});
afterAll(async () => {
	agent.destroy();
	for (const gateway of gateways) gateway.kill('SIGKILL');
	site.close().closeAllConnections();
	await postgres.stop();
});

function get(gateway: GatewayProcess, client: number, userAgent = 'GPTBot/1.2'): Promise<number> {
	const headers = { host: new URL(origin).host, 'user-agent': userAgent, 'x-forwarded-for': `198.51.100.${client}` };
	return new Promise((resolve) => {
		const request = http.get({ port: gateway.port, path: '/page', agent, headers }, (response) => {
			response.resume().on('end', () => resolve(response.statusCode ?? 0));
		});
		// A gateway that was killed.
		request.on('error', () => resolve(0));
	});
}

/**
 * Every client asks both gateways in turns, as fast as they respond, for some seconds, and until each was refused at least
 * as often as it was served; returns the pages of each client, and how many seconds it took.
 */
async function hunger(seconds: number, meanwhile?: () => Promise<void>): Promise<{ pages: number[]; lasted: number }> {
	const counts = Array.from({ length: clients }, () => ({ pages: 0, refused: 0 }));
	const began = performance.now();
	let isOver = false;
	const all = counts.map(async (count, client) => {
		for (let turn = client; !isOver || count.refused < count.pages; turn++) {
			const gateway = gateways[turn % 2];
			const status = gateway === undefined ? 0 : await get(gateway, client);
			if (status === 200) count.pages++;
			if (status === 429) count.refused++;
			await sleep(20);
		}
	});
	await Promise.all([sleep(seconds * 1000), meanwhile?.()]);
	isOver = true;
	await Promise.all(all);
	return { pages: counts.map(({ pages }) => pages), lasted: (performance.now() - began) / 1000 };
}

/** What a client may have after `seconds` that begin with an empty bucket. */
const allowed = (seconds: number) => (seconds * rate.default) / 60;

it('two gateways together: at most the limit and a share more, and the whole limit', async () => {
	const { pages, lasted } = await hunger(10);
	const limit = rate.burst + allowed(lasted);
	console.log(
		`pages of a client in ${lasted.toFixed(1)} s: ${Math.min(...pages)} to ${Math.max(...pages)}, limit ${limit.toFixed(1)}, bound ${(limit + bound).toFixed(1)}`,
	);
	expect(Math.max(...pages)).toBeLessThanOrEqual(limit + bound);
	expect(Math.min(...pages)).toBeGreaterThanOrEqual(Math.floor(limit * 0.8));
});

it('a gateway is killed and starts again: it knows what the clients had', async () => {
	const { pages, lasted } = await hunger(10, async () => {
		await sleep(2000);
		gateways[1]?.kill('SIGKILL');
		await gateways[1]?.end;
		gateways[1] = await start();
	});
	console.log(
		`a gateway killed: ${Math.min(...pages)} to ${Math.max(...pages)} pages of a client in ${lasted.toFixed(1)} s, limit ${allowed(lasted).toFixed(1)}`,
	);
	// What the dead one gave in its last moment is not known; its successor begins with what is in the database.
	expect(Math.max(...pages)).toBeLessThanOrEqual(allowed(lasted) + bound);
});

it('the database is killed: people get the site, agents no more than before, and all is settled afterwards', async () => {
	const people: number[] = [];
	const { pages, lasted } = await hunger(15, async () => {
		await sleep(2000);
		await postgres.kill();
		for (let at = 0; at < 50; at++) {
			const gateway = gateways[at % 2];
			if (gateway !== undefined) people.push(await get(gateway, 200 + (at % 50), 'Mozilla/5.0 Firefox/140.0'));
			await sleep(100);
		}
		await postgres.restart();
	});
	console.log(
		`the database killed: ${Math.min(...pages)} to ${Math.max(...pages)} pages of a client in ${lasted.toFixed(1)} s, limit ${allowed(lasted).toFixed(1)}`,
	);
	expect(new Set(people)).toEqual(new Set([200]));
	expect(Math.max(...pages)).toBeLessThanOrEqual(allowed(lasted) + 2 * bound);
	for (const { notes } of gateways) {
		await expect.poll(() => notes.join('\n'), { timeout: 20_000 }).toContain('is back after');
		expect(notes.join('\n')).toContain('goes on with what it knows');
	}
	// The buckets fill while nobody asks.
	const after = await hunger(5);
	expect(Math.max(...after.pages)).toBeLessThanOrEqual(rate.burst + allowed(after.lasted) + bound);
});
