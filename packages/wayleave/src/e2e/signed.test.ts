import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { crawl } from '@wayleave/crawler';
import { checkConfig, type Entry, openGateway, openIdentityChecker, type RunningGateway } from '@wayleave/gateway';
import { type Fetcher, ReceivedHeaders } from '@wayleave/io/http';
import { formatKeyDirectory, generateSigningKey, keyDirectoryType, loadSigningKey } from '@wayleave/io/signatures';
import { afterEach, beforeEach, expect, it } from 'vitest';

// Our crawler signs its requests, and our gateway knows by that who it is.

const bot = 'https://bot.test';
const signingKey = generateSigningKey();
const identity = { botName: 'Testbot', botUrl: `${bot}/about` };

/** The web as far as the gateway asks it: the key directory of the bot. */
const directory: Fetcher = {
	async get(url) {
		const found = url === `${bot}/.well-known/http-message-signatures-directory`;
		const body = new TextEncoder().encode(found ? formatKeyDirectory([loadSigningKey(signingKey)]) : '');
		const headers = new ReceivedHeaders([['content-type', keyDirectoryType]]);
		const facts = { truncated: false, wireBytes: body.length, httpVersion: '1.1', address: '203.0.113.1' } as const;
		return { ok: true, url, status: found ? 200 : 404, headers, body, ...facts };
	},
	async close() {},
};

let site: http.Server;
let gateway: RunningGateway;
let origin: string;
let entries: Entry[];
beforeEach(async () => {
	site = http.createServer((request, response) => {
		if (request.url !== '/') return void response.writeHead(404).end();
		response.setHeader('content-type', 'text/html');
		response.end(
			'<!doctype html><title>Home</title><main><h1>Home</h1><p>A sentence to be read by anybody.</p></main>',
		);
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	entries = [];
	const config = checkConfig({
		origin: 'http://127.0.0.1',
		policy: { crawl: 'yes', read: 'ask' },
		ask: { read: { decision: 'allow' } },
		identity: { verify: { ranges: false, reverseDns: false, signatures: true } },
		ledger: { store: 'sqlite::memory:' },
	});
	// Under which port it is reached is known only now: any authority is taken for its own.
	const taken = http.createServer();
	await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
	const { port } = taken.address() as AddressInfo;
	await new Promise((resolve) => taken.close(resolve));
	origin = `http://127.0.0.1:${port}`;
	const { checker } = openIdentityChecker({
		config: { ...config, origin },
		userAgent: 'AIWebIndex/2.0 (+https://site.test/; Gateway)',
		fetcher: directory,
	});
	gateway = await openGateway(
		{ ...config, origin },
		{
			upstream: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
			onEntry: (entry) => entries.push(entry),
			parts: { identifier: checker },
		},
	);
	await gateway.listen(port, '127.0.0.1');
});
afterEach(async () => {
	await gateway.close(200);
	await new Promise((resolve) => site.close(resolve).closeAllConnections());
});

const outcomes = () => entries.map(({ path, outcome }) => [path.split('?')[0], outcome]);

it('control files, the ask and pages of a crawler with a key are those of a verified agent', async () => {
	const signed = { ...identity, signingKey, keyDirectory: bot };
	const { totals } = await crawl([`${origin}/`], { identity: signed, delay: 0, sitemaps: false }).run();
	expect(totals.fetched).toBe(1);
	expect(Object.fromEntries(outcomes())).toEqual({
		'/robots.txt': 'verified',
		'/robots2.txt': 'verified',
		'/.well-known/pagedigest.json': 'verified',
		'/.well-known/robots2-ask': 'verified',
		'/': 'verified',
	});
});

it('without a key it is not verified', async () => {
	await crawl([`${origin}/`], { identity, delay: 0, sitemaps: false }).run();
	expect(new Set(outcomes().map(([, outcome]) => outcome))).toEqual(new Set(['unverified']));
});

it('with a key that its directory does not have it is found out', async () => {
	const other = { ...identity, signingKey: generateSigningKey(), keyDirectory: bot };
	await crawl([`${origin}/`], { identity: other, delay: 0, sitemaps: false }).run();
	expect(outcomes().map(([, outcome]) => outcome)).not.toContain('verified');
});
