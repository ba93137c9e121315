import http, { type RequestListener } from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import type { Visit } from '../request/visit.ts';
import { selfSigned } from '../testing/certificate.ts';
import { sendRaw, statusOf } from '../testing/raw.ts';
import { createProxy, type ProxyOptions } from './server.ts';
import { createUpstream, type UpstreamOptions } from './upstream.ts';

// When all have ended: tests that wait for a time-out run side by side.
const cleanups: (() => unknown)[] = [];
afterAll(() => Promise.all(cleanups.map((clean) => clean())), 60_000);

const host = 'Host: site.example\r\n';

/** A proxy in front of a site, with time-outs that a test can wait for. */
async function start(
	options: Partial<ProxyOptions> = {},
	listener: RequestListener = (_request, response) => response.end('page'),
	upstreamOptions: UpstreamOptions = {},
) {
	const site = http.createServer((request, response) => {
		let body = '';
		request.setEncoding('latin1').on('data', (chunk) => {
			body += chunk;
		});
		request.on('end', () => {
			seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
			listener(request, response);
		});
	});
	const seen: { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	const upstream = createUpstream(`http://127.0.0.1:${(site.address() as AddressInfo).port}`, upstreamOptions);
	const gateway = createGateway(checkConfig({ origin: 'http://site.example', paths: { disallow: ['/private'] } }), {
		origin: upstream.fetch,
	});
	const proxy = createProxy({ gateway: () => gateway, upstream, ...options });
	const { port } = await proxy.listen(0, '127.0.0.1');
	cleanups.push(async () => {
		await proxy.close(50);
		await upstream.close();
		await new Promise((resolve) => site.close(resolve).closeAllConnections());
	});
	return { port, proxy, site, seen };
}

interface Client {
	readonly socket: Socket;
	text: string;
	/** Milliseconds from the first byte of the response to the end of the connection. */
	readonly gone: Promise<number>;
}

/** A client that keeps its half open and goes on writing, whatever it is told. */
function stubborn(socket: Socket, bytes: string, more = 'x', every = 100): Client {
	let answeredAt = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const client: Client = {
		socket,
		text: '',
		gone: new Promise((resolve) => {
			socket.on('close', () => {
				clearInterval(timer);
				resolve(performance.now() - answeredAt);
			});
		}),
	};
	const begin = () => {
		socket.write(Buffer.from(bytes, 'latin1'));
		timer = setInterval(() => socket.writable && socket.write(more), every);
	};
	socket.on(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', begin);
	socket.on('data', (chunk: Buffer) => {
		if (client.text === '') answeredAt = performance.now();
		client.text += chunk.toString('latin1');
	});
	socket.on('error', () => {});
	cleanups.push(() => socket.destroy());
	return client;
}
const connect = (port: number) => net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
/** A client that writes nothing more notices only the end that it is told of. */
const quiet = (port: number, bytes: string) => stubborn(net.connect(port, '127.0.0.1'), bytes, '', 60_000);
const quietTls = (port: number, bytes: string) =>
	stubborn(tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }), bytes, '', 60_000);
const connectTls = (port: number) => {
	const options = { port, host: '127.0.0.1', allowHalfOpen: true, rejectUnauthorized: false };
	return tls.connect({ ...options, ALPNProtocols: ['http/1.1'] } as tls.ConnectionOptions);
};

const websocket = (path: string, more = '') =>
	`GET ${path} HTTP/1.1\r\n${host}User-Agent: GPTBot/1.2\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`;

const refusals: Record<string, [bytes: string, status: number]> = {
	'G2-14: CONNECT': ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
	'G2-15: a WebSocket to a withheld page': [websocket('/private/ws'), 403],
	'G2-15: an upgrade that could be read in two ways': [
		websocket('/ws', 'Content-Length: 1\r\nContent-Length: 2\r\n'),
		400,
	],
	'G2-15: a WebSocket that the site does not speak': [websocket('/ws').replace('GPTBot/1.2', 'Firefox'), 200],
	'a malformed request': ['GET / HTTP/1.1\r\nno field\r\n\r\n', 400],
	'two lengths': [`POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`, 400],
	'a length besides a coding': [
		`POST / HTTP/1.1\r\n${host}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
		400,
	],
	'fields without end': [`GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(40_000)}`, 431],
	'a body that a refusal does not wait for': [
		`POST /private/x HTTP/1.1\r\n${host}User-Agent: GPTBot/1.2\r\nContent-Length: 100000\r\n\r\n`,
		403,
	],
};

describe.concurrent('a refused client is disconnected within seconds', () => {
	for (const fastPath of ['plain', 'TLS'] as const) {
		for (const [name, [bytes, status]] of Object.entries(refusals)) {
			it(`${name} (${fastPath})`, async ({ expect }) => {
				const tls = fastPath === 'TLS' ? { tls: await selfSigned() } : {};
				const { port, proxy } = await start(tls);
				const clients = Array.from({ length: 10 }, () =>
					stubborn(fastPath === 'TLS' ? connectTls(port) : connect(port), bytes),
				);
				for (const { gone } of clients) expect(await gone).toBeLessThan(8000);
				for (const { text } of clients) {
					expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
					expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
				}
				await expect.poll(() => proxy.connections.open).toBe(0);
			}, 30_000);
		}
	}

	it('G2-14: CONNECT in HTTP/2 is a request that is refused', async ({ expect }) => {
		const { port } = await start();
		const session = http2.connect(`http://127.0.0.1:${port}`);
		cleanups.push(() => session.destroy());
		const stream = session.request({ ':method': 'CONNECT', ':authority': 'a:1' });
		const status = await new Promise((resolve, reject) => {
			stream.on('response', (fields) => resolve(fields[':status']));
			stream.on('error', reject);
		});
		expect(status).toBe(405);
	});
});

describe('an upgrade with a body', () => {
	const upgrade = (token: string, rest: string) =>
		`POST /form HTTP/1.1\r\n${host}User-Agent: x\r\nConnection: Upgrade, HTTP2-Settings, X-Odd\r\nUpgrade: ${token}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nX-Odd: 1\r\nX-Kept: \xe9\r\n${rest}`;
	for (const [name, rest, body] of [
		['G2-16: with a length', 'Content-Length: 3\r\n\r\nabc', 'abc'],
		['G2-16: in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
		['G2-16: that comes after 100-continue', 'Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc', 'abc'],
	] as const)
		for (const token of ['websocket', 'h2c', 'TLS/1.0, websocket'])
			it(`${name}, Upgrade: ${token}: forwarded as the plain request that it is too`, async () => {
				const { port, seen } = await start();
				const client = stubborn(connect(port), upgrade(token, rest), '', 1000);
				await expect.poll(() => client.text).toMatch(/HTTP\/1\.1 200 [\s\S]*page/);
				expect(seen).toMatchObject([{ method: 'POST', url: '/form', body, headers: { 'x-kept': '\xe9' } }]);
				expect(seen[0]?.headers).not.toHaveProperty('upgrade');
				expect(seen[0]?.headers).not.toHaveProperty('x-odd');
			});

	it('G2-16: the connection goes on, and a WebSocket may follow on it; over TLS too', async () => {
		const { port, seen } = await start({ tls: await selfSigned() });
		const client = stubborn(connectTls(port), upgrade('h2c', 'Content-Length: 3\r\n\r\nabc'), '', 1000);
		await expect.poll(() => client.text).toMatch(/HTTP\/1\.1 200 [\s\S]*page/);
		client.socket.write(`GET /next HTTP/1.1\r\n${host}\r\n`);
		await expect.poll(() => seen.map(({ url }) => url)).toEqual(['/form', '/next']);
	});

	it('G2-16: is judged like any other', async () => {
		const { port, seen } = await start();
		const bytes = upgrade('h2c', 'Content-Length: 3\r\n\r\nabc')
			.replace('/form', '/private')
			.replace('Agent: x', 'Agent: GPTBot/1');
		const client = stubborn(connect(port), bytes, '', 1000);
		await expect.poll(() => client.text).toMatch(/^HTTP\/1\.1 403/);
		expect(seen).toEqual([]);
	});
});

describe.concurrent('time-outs that bytes do not renew', () => {
	const times = { headerTimeout: 400, requestTimeout: 600, restTimeout: 400, idleTimeout: 60_000 };

	for (const fastPath of ['plain', 'TLS'] as const) {
		it(`G2-17: a head that never ends is answered with 408, and the connection is gone (${fastPath})`, async ({
			expect,
		}) => {
			const tls = fastPath === 'TLS' ? { tls: await selfSigned() } : {};
			const { port, proxy } = await start({ ...times, ...tls });
			const clients = Array.from({ length: 20 }, () => {
				const socket = fastPath === 'TLS' ? connectTls(port) : connect(port);
				return stubborn(socket, `GET / HTTP/1.1\r\n${host}`, 'X-More: 1\r\n', 50);
			});
			for (const { gone } of clients) expect(await gone).toBeLessThan(8000);
			for (const { text } of clients) expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
			await expect.poll(() => proxy.connections.open).toBe(0);
		}, 30_000);

		it(`G2-17: after a request that was answered it is the same (${fastPath})`, async ({ expect }) => {
			const tls = fastPath === 'TLS' ? { tls: await selfSigned() } : {};
			const { port } = await start({ ...times, ...tls });
			const socket = fastPath === 'TLS' ? connectTls(port) : connect(port);
			const client = stubborn(socket, `GET / HTTP/1.1\r\n${host}\r\n`, '', 1000);
			await expect.poll(() => client.text).toContain('page');
			client.socket.write(`GET /2 HTTP/1.1\r\n${host}`);
			const timer = setInterval(() => client.socket.writable && client.socket.write('X-More: 1\r\n'), 50);
			await client.gone;
			clearInterval(timer);
			expect(client.text).toMatch(/page[\s\S]*HTTP\/1\.1 408 /);
		}, 30_000);

		it(`a body that comes byte by byte is cut off, one that comes at an honest pace is not (${fastPath})`, async ({
			expect,
		}) => {
			const tls = fastPath === 'TLS' ? { tls: await selfSigned() } : {};
			const { port, seen } = await start({ ...times, ...tls });
			const open = () => (fastPath === 'TLS' ? connectTls(port) : connect(port));
			const head = (length: number) => `POST / HTTP/1.1\r\n${host}Content-Length: ${length}\r\n\r\n`;
			const slow = stubborn(open(), head(100_000), 'x', 50);
			const honest = stubborn(open(), head(40_000), 'x'.repeat(2000), 100);
			await slow.gone;
			await expect.poll(() => honest.text, { timeout: 10_000 }).toContain('page');
			expect(seen.map(({ body }) => body.length)).toEqual([40_000]);
		}, 30_000);
	}

	it('an HTTP/2 session without a request is closed, pings or not; with one it stays', async ({ expect }) => {
		const { port, proxy } = await start(times, (request, response) => {
			setTimeout(() => response.end('page'), request.url === '/slow' ? 1500 : 0);
		});
		const session = http2.connect(`http://127.0.0.1:${port}`);
		session.on('error', () => {});
		const pings = setInterval(() => !session.destroyed && session.ping(() => {}), 50);
		const slow = session.request({ ':path': '/slow' });
		slow.resume();
		await new Promise((resolve) => slow.on('close', resolve));
		await new Promise((resolve) => session.on('close', resolve));
		clearInterval(pings);
		await expect.poll(() => proxy.connections.open).toBe(0);
	}, 30_000);

	it('a connection on which nothing ever comes, and one that rests, are closed', async ({ expect }) => {
		const { port, proxy } = await start(times);
		const silent = quiet(port, '');
		const rests = quiet(port, `GET / HTTP/1.1\r\n${host}\r\n`);
		await silent.gone;
		await rests.gone;
		expect(rests.text).toContain('page');
		await expect.poll(() => proxy.connections.open).toBe(0);
	}, 30_000);

	it('a WebSocket over which nothing goes is closed after the idle time', async ({ expect }) => {
		const { port, site } = await start({ ...times, idleTimeout: 500 });
		let open = 0;
		site.on('upgrade', (_request, socket) => {
			open++;
			socket.on('close', () => open--);
			socket.on('error', () => {});
			socket.on('end', () => socket.end()).resume();
			socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
		});
		const client = quiet(port, websocket('/ws'));
		await expect.poll(() => client.text).toContain('101');
		await client.gone;
		await expect.poll(() => open).toBe(0);
	}, 30_000);
});

describe('connections are bounded', () => {
	const get = `GET / HTTP/1.1\r\n${host}User-Agent: Firefox\r\n\r\n`;

	it('the longest idle connection is closed for a new one; the figures say so', async () => {
		const { port, proxy } = await start({ maxConnections: 3 });
		const clients: Client[] = [];
		for (const _ of [0, 1, 2]) {
			const client = quiet(port, get);
			await expect.poll(() => client.text).toContain('page');
			clients.push(client);
		}
		// The first has been used since.
		clients[0]?.socket.write(get);
		await expect.poll(() => clients[0]?.text.match(/page/g)?.length).toBe(2);
		const fourth = quiet(port, get);
		await expect.poll(() => fourth.text).toContain('page');
		await clients[1]?.gone;
		expect([clients[0]?.socket.destroyed, clients[2]?.socket.destroyed]).toEqual([false, false]);
		expect(proxy.connections).toEqual({ open: 3, evicted: 1, refused: 0 });
	});

	for (const fastPath of ['plain', 'TLS'] as const) {
		it(`where none is idle the new one gets 503, and is served again later (${fastPath})`, async () => {
			const tls = fastPath === 'TLS' ? { tls: await selfSigned() } : {};
			const waiting: http.ServerResponse[] = [];
			const { port, proxy } = await start({ maxConnections: 2, ...tls }, (_request, response) => {
				waiting.push(response);
			});
			const open = () => (fastPath === 'TLS' ? quietTls(port, get) : quiet(port, get));
			const busy = [open(), open()];
			await expect.poll(() => waiting.length).toBe(2);
			const refused = open();
			await refused.gone;
			expect(refused.text).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d[\s\S]*"code":"too-many-connections"/);
			expect(proxy.connections).toMatchObject({ open: 2, refused: 1 });
			for (const response of waiting) response.end('page');
			await expect.poll(() => busy.every(({ text }) => text.includes('page'))).toBe(true);
			await new Promise((resolve) => setTimeout(resolve, 100));
			open();
			await expect.poll(() => waiting.length).toBe(3);
		}, 20_000);
	}

	it('heads that never end do not keep others out', async () => {
		const { port, proxy } = await start({ maxConnections: 20 });
		for (let count = 0; count < 20; count++) stubborn(connect(port), `GET / HTTP/1.1\r\n${host}`, 'X: 1\r\n', 200);
		await expect.poll(() => proxy.connections.open).toBe(20);
		for (let count = 0; count < 40; count++) {
			const client = quiet(port, get);
			await expect.poll(() => client.text).toContain('page');
		}
	}, 30_000);

	it('a client that aborts while all connections are busy leaves nothing in the queue', async () => {
		const { port, proxy } = await start({}, () => {}, { maxConnections: 1 });
		const first = quiet(port, get);
		await expect.poll(() => proxy.inFlight).toBe(1);
		for (let count = 0; count < 50; count++) {
			const client = quiet(port, get);
			await expect.poll(() => proxy.inFlight, { interval: 2 }).toBe(2);
			client.socket.destroy();
			await expect.poll(() => proxy.inFlight, { interval: 2 }).toBe(1);
		}
		expect(first.socket.destroyed).toBe(false);
	}, 60_000);

	it('a client that reads nothing is cut off when others wait for its connection to the site', async () => {
		const block = Buffer.alloc(1 << 20);
		const { port } = await start(
			{ headerTimeout: 2000 },
			(request, response) => {
				if (request.url !== '/large') return void response.end('page');
				const more = () => {
					while (!response.destroyed && response.write(block));
				};
				response.on('drain', more);
				more();
			},
			{ maxConnections: 4 },
		);
		const readers = Array.from({ length: 4 }, () => {
			const socket = connect(port);
			socket.on('connect', () => socket.write(`GET /large HTTP/1.1\r\n${host}\r\n`));
			socket.once('readable', () => socket.pause());
			socket.on('error', () => {});
			cleanups.push(() => socket.destroy());
			return socket;
		});
		expect(readers).toHaveLength(4);
		await new Promise((resolve) => setTimeout(resolve, 500));
		const client = quiet(port, get);
		await expect.poll(() => client.text, { timeout: 30_000 }).toContain('page');
	}, 40_000);
});

describe.concurrent('a request line of HTTP/1 that claims another version', () => {
	const targets: Record<string, string> = {
		GET: `GET /a HTTP/2.0\r\n${host}\r\n`,
		'two lengths': `POST /a HTTP/2.0\r\n${host}Content-Length: 3\r\nContent-Length: 30\r\n\r\nabc`,
		'chunks and a length': `POST /a HTTP/2.0\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
		CONNECT: `CONNECT a:1 HTTP/2.0\r\n${host}\r\n`,
		'a WebSocket': `GET /a HTTP/2.0\r\n${host}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
		'another upgrade': `GET /a HTTP/2.0\r\n${host}Connection: upgrade\r\nUpgrade: h2c\r\n\r\n`,
		'a go-ahead': `POST /a HTTP/2.0\r\n${host}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`,
		'no Host': 'GET /a HTTP/2.0\r\n\r\n',
		'version 0.9': `GET /a HTTP/0.9\r\n${host}\r\n`,
		'version 3.0': `GET /a HTTP/3.0\r\n${host}\r\n`,
	};
	for (const [name, bytes] of Object.entries(targets)) {
		it(`is refused, and affects no other request: ${name}`, async ({ expect }) => {
			const { port, seen } = await start();
			const text = await sendRaw(port, bytes, 500);
			expect([400, 405, 505]).toContain(statusOf(text));
			expect(seen).toEqual([]);
			expect(statusOf(await sendRaw(port, `GET /b HTTP/1.1\r\n${host}Connection: close\r\n\r\n`))).toBe(200);
		});
	}
});

describe('an error of the gateway itself', () => {
	const broken = (gateway: ReturnType<ProxyOptions['gateway']>, how: 'now' | 'later' | 'response') => ({
		...gateway,
		decide(visit: Visit) {
			if (visit.target !== '/broken') return gateway.decide(visit);
			if (how === 'now') throw new Error('broken');
			return how === 'later' ? Promise.resolve(gateway.decide(visit)) : gateway.decide(visit);
		},
		respond(decided: Parameters<typeof gateway.respond>[0]) {
			if (decided.visit.target === '/broken') throw new Error('broken');
			return gateway.respond(decided);
		},
	});
	const requests: Record<string, string> = {
		'a plain request': `GET /broken HTTP/1.1\r\n${host}\r\n`,
		'a request with a body': `POST /broken HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\nx`,
		'a WebSocket': `GET /broken HTTP/1.1\r\n${host}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
	};
	for (const how of ['now', 'later', 'response'] as const) {
		for (const [name, bytes] of Object.entries(requests)) {
			it(`ends only ${name}: ${how}`, async () => {
				const trouble: unknown[] = [];
				const upstream = createUpstream('http://127.0.0.1:1');
				const sound = createGateway(checkConfig({ origin: 'http://site.example' }));
				const gateway = broken(sound, how);
				const proxy = createProxy({ gateway: () => gateway, upstream, onTrouble: (error) => trouble.push(error) });
				const { port } = await proxy.listen(0, '127.0.0.1');
				cleanups.push(async () => {
					await proxy.close(50);
					await upstream.close();
				});
				expect(await sendRaw(port, bytes)).toBe('');
				expect(trouble).toEqual([expect.objectContaining({ message: 'broken' })]);
				expect(statusOf(await sendRaw(port, `GET /robots.txt HTTP/1.1\r\n${host}Connection: close\r\n\r\n`))).toBe(200);
			});
		}
	}
});
