import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway, type Gateway } from '../engine/gateway.ts';
import type { Entry } from '../ledger/entry.ts';
import { expressGateway } from './express.ts';
import { fastifyGateway } from './fastify.ts';
import { honoGateway } from './hono.ts';
import { nextGateway } from './next.ts';
import { withGateway } from './node.ts';
import { webHandler } from './web.ts';
import { workersGateway } from './workers.ts';

const config = checkConfig({
	origin: 'https://example.com',
	paths: { disallow: ['/admin'] },
	policy: { train: 'no', store: 'no' },
	honeypots: ['/trap'],
});
let gateway: Gateway;
let entries: Entry[];
beforeEach(() => {
	entries = [];
	gateway = createGateway(config, { onEntry: (entry) => entries.push(entry) });
});

type Ask = (path: string, userAgent: string) => Promise<Response>;

/** What holds in every framework: the contract of an adapter. */
async function keepsTheContract(ask: Ask) {
	const robots = await ask('/robots.txt', 'Mozilla/5.0 Firefox/140');
	expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
	expect(await robots.text()).toContain('Disallow: /admin');
	const denied = await ask('/admin/x?y=1', 'GPTBot/1.2');
	expect([denied.status, denied.headers.get('content-type')]).toEqual([403, 'application/problem+json']);
	expect((await ask('/nested/../admin', 'GPTBot/1.2')).status).toBeGreaterThanOrEqual(400);
	expect(await (await ask('/trap', 'GPTBot/1.2')).text()).toContain('compliance');
	const page = await ask('/admin/x', 'Mozilla/5.0 Firefox/140');
	expect([page.status, await page.text()]).toEqual([200, 'the page']);
	expect(page.headers.get('x-own')).toBe('1');
	// The page has a word of its own; ours is beside it, once.
	expect(page.headers.get('x-robots-tag')).toBe('nosnippet, noarchive, noai');
	expect(page.headers.get('content-signal')).toBe('ai-train=no');
	await ask('/page', 'GPTBot/1.2');
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(entries.map(({ action, status }) => `${action} ${status}`).sort()).toEqual(
		expect.arrayContaining(['deny 403', 'file 200', 'honeypot 200', 'pass 200']),
	);
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

async function over(server: Server): Promise<Ask> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
	const { port } = server.address() as AddressInfo;
	return askAt(port);
}

/** The path as it is: `fetch` would take the dots out. */
function askAt(port: number): Ask {
	return (path, userAgent) =>
		new Promise((resolve, reject) => {
			http
				.get({ port, path, headers: { 'user-agent': userAgent } }, (response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk) => chunks.push(chunk));
					response.on('end', () => {
						const headers = new Headers();
						for (let at = 0; at < response.rawHeaders.length; at += 2) {
							headers.append(response.rawHeaders[at]!, response.rawHeaders[at + 1]!);
						}
						resolve(new Response(Buffer.concat(chunks), { status: response.statusCode!, headers }));
					});
				})
				.on('error', reject);
		});
}

const headers = { 'x-own': '1', 'x-robots-tag': 'nosnippet' };

describe('every adapter keeps the contract', () => {
	it('node:http', async () => {
		const listener = withGateway(gateway, (_request, response) => response.writeHead(200, headers).end('the page'));
		await keepsTheContract(await over(http.createServer(listener)));
	});

	it('Express', async () => {
		const app = express();
		app.use(expressGateway(gateway));
		app.use((_request, response) => void response.set(headers).send('the page'));
		await keepsTheContract(await over(http.createServer(app)));
	});

	it('Fastify', async () => {
		const app = fastify();
		fastifyGateway(app, gateway);
		app.get('/*', async (_request, reply) => reply.headers(headers).send('the page'));
		closing.push(() => app.close());
		await app.listen({ port: 0, host: '127.0.0.1' });
		await keepsTheContract(askAt((app.server.address() as AddressInfo).port));
	});

	const asWeb =
		(handle: (request: Request) => Response | Promise<Response>): Ask =>
		async (path, userAgent) =>
			await handle(new Request(`https://example.com${path}`, { headers: { 'user-agent': userAgent } }));

	it('Hono', async () => {
		const app = new Hono();
		app.use(honoGateway(gateway, () => '192.0.2.1'));
		app.get('*', (context) => context.text('the page', 200, headers));
		await keepsTheContract(asWeb(app.fetch));
	});

	it('the Web standard', async () => {
		const handle = webHandler(
			gateway,
			() => '192.0.2.1',
			async () => new Response('the page', { headers }),
		);
		await keepsTheContract(asWeb((request) => handle(request, undefined)));
	});

	it('Workers, without stores', async () => {
		const worker = workersGateway(config, {
			onEntry: (entry) => entries.push(entry),
			origin: async () => new Response('the page', { headers }),
		});
		await keepsTheContract(asWeb((request) => worker.fetch(request)));
	});
});

it('Next.js: what is not answered goes on, with the terms among its headers', async () => {
	const middleware = nextGateway(gateway);
	const ask = (path: string) =>
		middleware(
			new Request(`https://example.com${path}`, {
				headers: { 'user-agent': 'GPTBot/1', 'x-forwarded-for': '1.1.1.1, 192.0.2.4' },
			}),
		);
	const page = await ask('/page');
	expect([page.headers.get('x-middleware-next'), page.headers.get('content-signal')]).toEqual(['1', 'ai-train=no']);
	const denied = await ask('/admin');
	expect([denied.status, denied.headers.get('x-middleware-next')]).toEqual([403, null]);
	expect(entries.at(-1)!.address).toBe('192.0.2.4');
});
