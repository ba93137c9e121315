import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ChangeObserver } from '../engine/change-observer.ts';
import { createGateway, type Gateway } from '../engine/gateway.ts';
import { expressGateway } from './express.ts';
import { fastifyGateway } from './fastify.ts';
import { honoGateway } from './hono.ts';
import { withGateway } from './node.ts';

let told: unknown[][];
let gateway: Gateway;
beforeEach(() => {
	told = [];
	const changeObserver: ChangeObserver = {
		wants: () => true,
		observe: (path, body, type) => void told.push(['observe', path, Buffer.from(body).toString(), type]),
		forget: (path) => void told.push(['forget', path]),
		revisionOf: () => 7,
		respond: () => undefined,
	};
	gateway = createGateway(checkConfig({ origin: 'https://example.com' }), { changeObserver });
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

async function over(listener: RequestListener): Promise<number> {
	const server = http.createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
	return (server.address() as AddressInfo).port;
}

async function ask(port: number, path: string, init: RequestInit = {}): Promise<string> {
	const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
	return await response.text();
}

const html = 'text/html; charset=utf-8';
const page = ['observe', '/page', '<p>the page ä</p>', html];

/** Waits for what is told beside the answers. */
const expectTold = (expected: unknown[][]) => expect.poll(() => told).toEqual(expected);

describe('PD-20 pages are learned where they pass', () => {
	it('node:http: in pieces of any kind, packed or not, and nothing that not everybody gets', async () => {
		const port = await over(
			withGateway(gateway, (request, response) => {
				const type = { 'content-type': html };
				if (request.url === '/gone') return void response.writeHead(410).end();
				if (request.url === '/own') return void response.writeHead(200, { 'cache-control': 'private' }).end('mine');
				if (request.url === '/packed') {
					const packed = gzipSync('<p>the page ä</p>');
					response.writeHead(200, { ...type, 'content-encoding': 'gzip' });
					response.write(packed.subarray(0, 9));
					return void response.end(packed.subarray(9));
				}
				if (request.url === '/half') {
					response.writeHead(200, { ...type, 'content-length': 100 }).write('<p>the');
					return void setTimeout(() => response.destroy(), 20);
				}
				response.setHeader('content-type', html);
				response.write('<p>the ');
				response.write(Buffer.from('page '), () => {});
				response.end(Buffer.from('ä</p>').toString('base64'), 'base64');
			}),
		);
		expect(await ask(port, '/page')).toBe('<p>the page ä</p>');
		expect(await ask(port, '/packed')).toBe('<p>the page ä</p>');
		await ask(port, '/own');
		await ask(port, '/page', { method: 'HEAD' });
		await ask(port, '/page', { headers: { cookie: 'a=b' } });
		await ask(port, '/half').catch(() => {});
		await ask(port, '/gone');
		await expectTold([page, ['observe', '/packed', '<p>the page ä</p>', html], ['forget', '/gone']]);
	});

	it('Express', async () => {
		const app = express();
		app.use(expressGateway(gateway));
		app.get('/page', (_request, response) => void response.send('<p>the page ä</p>'));
		const port = await over(app);
		expect(await ask(port, '/page')).toBe('<p>the page ä</p>');
		await ask(port, '/none');
		await expectTold([page, ['forget', '/none']]);
	});

	it('Fastify: payloads and streams, after the hooks that change them', async () => {
		const app = fastify();
		fastifyGateway(app, gateway);
		app.addHook('onSend', async (request, reply, payload) => {
			if (request.url !== '/page') return payload;
			reply.header('content-encoding', 'gzip').removeHeader('content-length');
			return gzipSync(String(payload));
		});
		app.get('/page', async (_request, reply) => reply.type(html).send('<p>the page ä</p>'));
		app.get('/stream', async (_request, reply) => reply.type(html).send(Readable.from(['<p>a ', 'stream</p>'])));
		closing.push(() => app.close());
		await app.listen({ port: 0, host: '127.0.0.1' });
		const { port } = app.server.address() as AddressInfo;
		expect(await ask(port, '/page')).toBe('<p>the page ä</p>');
		expect(await ask(port, '/stream')).toBe('<p>a stream</p>');
		await ask(port, '/none');
		await expectTold([page, ['observe', '/stream', '<p>a stream</p>', html], ['forget', '/none']]);
	});

	it('Hono', async () => {
		const app = new Hono();
		app.use(honoGateway(gateway, () => '192.0.2.1'));
		app.get('/page', (context) => context.html('<p>the page ä</p>'));
		const answer = await app.fetch(new Request('https://example.com/page'));
		expect(await answer.text()).toBe('<p>the page ä</p>');
		await expectTold([['observe', '/page', '<p>the page ä</p>', 'text/html; charset=UTF-8']]);
	});
});
