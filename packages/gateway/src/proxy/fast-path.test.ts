import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import type { Entry } from '../ledger/entry.ts';
import { sendRaw, statusOf } from '../testing/raw.ts';
import { createProxy, type ProxyOptions } from './server.ts';
import { createUpstream } from './upstream.ts';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
	for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function behind(
	listener: (request: IncomingMessage, response: ServerResponse) => void,
	options: Pick<ProxyOptions, 'idleTimeout' | 'maxInFlight'> = {},
) {
	const site = http.createServer(listener);
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	const upstream = createUpstream(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
	const entries: Entry[] = [];
	const config = checkConfig({ origin: 'http://site.example', paths: { disallow: ['/admin'] } });
	const gateway = createGateway(config, { origin: upstream.fetch, onEntry: (entry) => entries.push(entry) });
	const proxy = createProxy({ gateway: () => gateway, upstream, ...options });
	const { port } = await proxy.listen(0, '127.0.0.1');
	cleanups.push(
		() => new Promise((resolve) => site.close(resolve).closeAllConnections()),
		() => upstream.close(),
		() => proxy.close(200),
	);
	return { port, proxy, entries };
}

const get = (path: string, agent = 'GPTBot/1.2', method = 'GET') =>
	`${method} ${path} HTTP/1.1\r\nHost: site.example\r\nUser-Agent: ${agent}\r\n\r\n`;

/** What comes back; the server of Node says how long it keeps a connection, a lane does not. */
async function send(port: number, request: string) {
	const text = await sendRaw(port, request, 400);
	const own = /^(?:date|connection|keep-alive):.*\r\n/gim;
	const [head = '', ...rest] = text.replace(own, '').split('\r\n\r\n');
	return {
		byNode: /^keep-alive:/im.test(text),
		lines: head.toLowerCase().split('\r\n').sort(),
		body: rest.join('\r\n\r\n'),
	};
}

describe('a connection on which plain requests come', () => {
	const answers: Record<string, (response: ServerResponse) => void> = {
		'/sized': (response) => response.writeHead(200, { 'content-length': 5, 'X-Own': '\xe4' }).end('hello'),
		'/empty': (response) => response.writeHead(200, { 'content-length': 0 }).end(),
		'/chunked': (response) => {
			response.write('hel');
			setTimeout(() => response.end('lo'), 30);
		},
		'/idle-trailers': (response) => {
			response.socket!.end('HTTP/1.1 200 OK\r\nTrailer: x-sum\r\nContent-Length: 5\r\n\r\nhello');
		},
		'/trailers': (response) => {
			if (response.req.method === 'GET') response.writeHead(200, { trailer: 'x-sum' });
			response.write('hello');
			response.addTrailers({ 'x-sum': '42' });
			response.end();
		},
		'/no-content': (response) => response.writeHead(204).end(),
		'/not-modified': (response) => response.writeHead(304, { etag: '"a"' }).end(),
		'/fields-of-the-connection': (response) =>
			response.writeHead(200, { 'x-hop': '1', connection: 'x-hop' }).end('hello'),
		'/until-close': (response) => {
			response.socket!.end('HTTP/1.1 200 Fine\r\nX: 1\r\n\r\nhello');
		},
		'/broken': (response) => {
			response.socket!.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 9\r\n\r\nhello');
		},
		'/early': (response) => {
			response.writeEarlyHints({ link: '</a.css>; rel=preload' });
			response.writeHead(200, { 'content-length': 5 }).end('hello');
		},
	};
	const listener = (request: IncomingMessage, response: ServerResponse) => answers[request.url!]!(response);

	it('gets what the server of Node gives for a request that says the same and is no plain one', async () => {
		const { port } = await behind(listener);
		const paths = [...Object.keys(answers), '/robots.txt', '/admin'];
		for (const method of ['GET', 'HEAD']) {
			// Each connection is read until it has been silent for a while: those of one method wait side by side.
			const compared = paths.map(async (path) => {
				const text = get(path, 'GPTBot/1.2', method);
				const [plain, node] = await Promise.all([
					send(port, text),
					send(port, text.replace('Host', 'A: b\r\nA: c\r\nHost')),
				]);
				expect([path, plain.lines, plain.body]).toEqual([path, node.lines, node.body]);
				expect([path, plain.byNode, node.byNode]).toEqual([path, false, true]);
			});
			await Promise.all(compared);
		}
	}, 60_000);

	it('goes to the server of Node with the first bytes that are anything else, and comes through whole', async () => {
		const { port, entries } = await behind((request, response) => {
			let body = '';
			request.on('data', (chunk) => {
				body += chunk;
			});
			request.on('end', () => response.end(`${request.method} ${request.url} ${body}.`));
		});
		const post = 'POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
		const pieces = [get('/a'), `${post}3\r\nabc\r\n`, `0\r\n\r\n${get('/c')}`, get('/d')];
		const text = await new Promise<string>((resolve) => {
			let all = '';
			const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(pieces.shift()!));
			socket.on('data', (chunk) => {
				all += chunk;
				if (all.includes('GET /d .')) socket.destroy();
				else if (pieces.length > 0 && (pieces.length > 2 || all.includes('GET /c'))) socket.write(pieces.shift()!);
				if (pieces.length === 2) setTimeout(() => socket.write(pieces.shift()!), 30);
			});
			socket.on('close', () => resolve(all));
		});
		expect(text).toMatch(/GET \/a \.[\s\S]*POST \/b abc\.[\s\S]*GET \/c \.[\s\S]*GET \/d \./);
		expect(entries.filter(({ agent }) => agent === 'GPTBot').map(({ path }) => path)).toEqual(['/a', '/c', '/d']);
	});

	it('requests that come before their turn wait for it, however many', async () => {
		const { port } = await behind((request, response) => void setTimeout(() => response.end(`<${request.url}>`), 20));
		const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
		const text = await new Promise<string>((resolve) => {
			let all = '';
			socket.on('connect', async () => {
				for (let at = 0; at < 30; at++) {
					socket.write(get(at % 3 === 2 ? '/robots.txt' : `/${at}`, `Firefox/${at}`));
					if (at % 4 === 0) await new Promise((next) => setTimeout(next, 5));
				}
			});
			socket.on('data', (chunk) => {
				all += chunk;
				if (all.includes('</28>') && all.trimEnd().endsWith('Disallow: /admin')) socket.destroy();
			});
			socket.setTimeout(3000, () => socket.destroy());
			socket.on('close', () => resolve(all));
		});
		const order = [...text.matchAll(/<\/(\d+)>|Disallow: \/admin\s/g)].map(([, number]) => number ?? 'robots');
		expect(order).toEqual(Array.from({ length: 30 }, (_, at) => (at % 3 === 2 ? 'robots' : String(at))));
	}, 15_000);

	it('bytes are not written over while a slow client still waits for them', async () => {
		const blocks = Array.from({ length: 300 }, (_, at) => Buffer.alloc(50_000 + at, at));
		const whole = createHash('sha256').update(Buffer.concat(blocks)).digest('hex');
		const length = blocks.reduce((sum, block) => sum + block.length, 0);
		const { port } = await behind(async (request, response) => {
			if (request.url === '/sized') response.setHeader('content-length', length);
			for (const block of blocks) {
				if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
			}
			response.end();
		});
		const slowly = (path: string, pause: number) =>
			new Promise<string>((resolve, reject) => {
				const hash = createHash('sha256');
				const agent = new http.Agent({ keepAlive: true });
				const request = http.get({ port, path, agent, headers: { 'user-agent': 'x' } }, (response) => {
					let count = 0;
					response.on('data', (chunk) => {
						hash.update(chunk);
						if (++count % 20 !== 0) return;
						response.pause();
						setTimeout(() => response.resume(), pause);
					});
					response.on('end', () => {
						agent.destroy();
						resolve(hash.digest('hex'));
					});
				});
				request.on('error', reject);
			});
		const found = await Promise.all([slowly('/sized', 1), slowly('/chunked', 3), slowly('/sized', 7)]);
		expect(found).toEqual([whole, whole, whole]);
	}, 60_000);

	it('the head of an answer goes out before its body comes', async () => {
		const { port } = await behind(
			(_request, response) => void response.writeHead(200, { 'x-own': '1' }).flushHeaders(),
		);
		expect(await sendRaw(port, get('/events'), 500)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*x-own: 1[\s\S]*\r\n\r\n$/);
		expect(await sendRaw(port, get('/events').replace('Host', 'Connection: close\r\nHost'), 500)).toContain('x-own: 1');
	});

	it('is closed when it has been still for too long, between requests and within one', async () => {
		const { port, proxy } = await behind((request, response) => void (request.url === '/a' && response.end('a')), {
			idleTimeout: 200,
		});
		expect(await sendRaw(port, '', 10_000)).toBe('');
		expect(await sendRaw(port, get('/a'), 10_000)).toMatch(/a$/);
		expect(await sendRaw(port, get('/never'), 10_000)).toBe('');
		await expect.poll(() => proxy.inFlight).toBe(0);
	}, 40_000);

	it('no more requests are forwarded at once than there is room for', async () => {
		let finish: (() => void) | undefined;
		const { port } = await behind(
			(_request, response) => {
				finish = () => response.end('done');
			},
			{ maxInFlight: 1 },
		);
		const last = get('/').replace('Host', 'Connection: close\r\nHost');
		const first = sendRaw(port, last, 10_000);
		await expect.poll(() => finish, { interval: 5 }).toBeDefined();
		expect(statusOf(await sendRaw(port, last))).toBe(503);
		finish?.();
		expect(statusOf(await first)).toBe(200);
	});

	it('the last answer says that it is the last', async () => {
		let isAsked = false;
		const { port, proxy } = await behind((_request, response) => {
			isAsked = true;
			setTimeout(() => response.end('done'), 150);
		});
		const answer = sendRaw(port, get('/'), 10_000);
		await expect.poll(() => isAsked, { interval: 5 }).toBe(true);
		await proxy.close(5000);
		expect(await answer).toMatch(/connection: close\r\n[\s\S]*done/);
	});
});
