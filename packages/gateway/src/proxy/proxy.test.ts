import { createHash, randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../engine/gateway.ts';
import { claimsOnly } from '../identify/claims-only.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Identity } from '../request/identity.ts';
import type { Visit } from '../request/visit.ts';
import { sendRaw, statusOf } from '../testing/raw.ts';
import { createProxy } from './server.ts';
import { createUpstream, type UpstreamOptions } from './upstream.ts';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
	for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface Seen {
	target: string;
	fields: string[];
	body: string;
}

/** A site that notes what it is asked for, behind a proxy. */
async function behind(
	config: Omit<ConfigInput, 'origin'> = {},
	listener?: (request: IncomingMessage, response: ServerResponse) => void,
	options: UpstreamOptions = {},
	more: GatewayOptions = {},
) {
	const seen: Seen[] = [];
	const note: RequestListener = (request, response) => {
		let body = '';
		request.on('data', (chunk) => {
			body += chunk;
		});
		request.on('end', () => {
			seen.push({ target: request.url!, fields: request.rawHeaders, body });
			if (listener === undefined) response.end(`you asked for ${request.url}`);
			else listener(request, response);
		});
	};
	const site = http.createServer(note);
	const sitePort = await new Promise<number>((resolve) => {
		site.listen(0, '127.0.0.1', () => resolve((site.address() as AddressInfo).port));
	});
	const upstream = createUpstream(`http://127.0.0.1:${sitePort}`, options);
	const entries: Entry[] = [];
	const gateway: Gateway = createGateway(checkConfig({ origin: 'http://site.example', ...config } as ConfigInput), {
		origin: upstream.fetch,
		onEntry: (entry) => entries.push(entry),
		...more,
	});
	const proxy = createProxy({ gateway: () => gateway, upstream });
	const { port } = await proxy.listen(0, '127.0.0.1');
	cleanups.push(
		() => new Promise((resolve) => site.close(resolve).closeAllConnections()),
		() => upstream.close(),
		() => proxy.close(200),
	);
	return { port, sitePort, seen, site, entries, proxy, gateway };
}

function ask(port: number, path: string, options: http.RequestOptions = {}, body?: string) {
	return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string; trailers: object }>(
		(resolve, reject) => {
			const request = http.request(
				{ port, path, ...options, headers: { 'user-agent': 'test', ...options.headers } },
				(response) => {
					let text = '';
					response.on('data', (chunk) => {
						text += chunk;
					});
					response.on('end', () => {
						resolve({ status: response.statusCode!, headers: response.headers, text, trailers: response.trailers });
					});
					response.on('error', reject);
				},
			);
			request.on('error', reject);
			request.end(body);
		},
	);
}

describe('forwards exactly the request that was judged, or none', () => {
	const host = 'Host: site.example\r\n';
	const end = 'Connection: close\r\n\r\n';
	const get = (target: string) => `GET ${target} HTTP/1.1\r\n${host}User-Agent: GPTBot/1.2\r\n${end}`;

	// Status; and, where it comes through, the target that the site has to see.
	const table: [name: string, bytes: string, status: number, target?: string][] = [
		['plain', get('/a?x=1'), 200, '/a?x=1'],
		['PB-57 a query with semicolons', get('/a?b=1;c=2&d=%zz'), 200, '/a?b=1;c=2&d=%zz'],
		['an encoded slash below an open folder', get('/a%2Fb'), 200, '/a%2Fb'],
		['PB-52 a twice encoded slash', get('/%252fadmin'), 200, '/%252fadmin'],
		['PB-51 a withheld path in another spelling', get('/%61dmin'), 403],
		['PB-54 two slashes', get('//admin'), 403],
		['PB-54 two slashes to an open path', get('//open'), 200, '//open'],
		['PB-51 an encoded slash to a withheld path', get('/%2Fadmin'), 403],
		['PB-51 dot segments', get('/open/../admin'), 400],
		['PB-51 encoded dot segments', get('/open/%2e%2E/admin'), 400],
		['PB-52 dots behind an encoded slash', get('/open/..%2fadmin'), 400],
		['a backslash', get('/open\\..\\admin'), 400],
		['a fragment', get('/open#/admin'), 400],
		['a broken escape in the path', get('/%zz'), 400],
		['an encoded NUL', get('/a%00.html'), 400],
		['raw bytes', get('/caf\xc3\xa9'), 400],
		['PB-56 the absolute form with our authority', get('http://site.example/a'), 200, '/a'],
		['PB-56 the absolute form with another', get('http://evil.example/a'), 421],
		['PB-56 the absolute form with a withheld path', get('http://site.example/admin'), 403],
		['no path at all', get('admin'), 400],
		['two Host fields', `GET / HTTP/1.1\r\n${host}Host: evil.example\r\n${end}`, 400],
		['two equal Host fields', `GET / HTTP/1.1\r\n${host}${host}${end}`, 400],
		['no Host', `GET / HTTP/1.1\r\n${end}`, 400],
		['a Host with a path', `GET / HTTP/1.1\r\nHost: a/b\r\n${end}`, 400],
		[
			'length and coding',
			`POST / HTTP/1.1\r\n${host}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\nG`,
			400,
		],
		['two lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n${end}ab`, 400],
		['a list of lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 1, 1\r\n${end}a`, 400],
		['a signed length', `POST / HTTP/1.1\r\n${host}Content-Length: +1\r\n${end}a`, 400],
		['another coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n${end}0\r\n\r\n`, 400],
		['a hidden coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n${end}0\r\n\r\n`, 400],
		[
			'a coding twice',
			`POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\n`,
			400,
		],
		['a coding in HTTP/1.0', `POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n${end}0\r\n\r\n`, 400],
		['a folded line', `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n${end}`, 400],
		['a blank before the colon', `GET / HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n${end}0\r\n\r\n`, 400],
		[
			'a lone line feed in a chunk',
			`POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n${end}1\na\r\n0\r\n\r\n`,
			400,
		],
		['CONNECT', `CONNECT site.example:443 HTTP/1.1\r\n${host}\r\n`, 405],
	];

	it('holds for every shape that servers read in two ways', async () => {
		const { port, seen } = await behind({ paths: { disallow: ['/admin'] } });
		for (const [name, bytes, status, target] of table) {
			seen.length = 0;
			const answer = await sendRaw(port, bytes);
			expect([name, statusOf(answer)]).toEqual([name, status]);
			expect([name, answer.match(/HTTP\/1\.1 \d/g)!.length]).toEqual([name, 1]);
			// A site behind sees either these very bytes, or nothing; a length that lies ends the exchange.
			expect([name, seen.map((request) => request.target)]).toEqual([name, target === undefined ? [] : [target]]);
		}
	}, 60_000);

	it('an asterisk goes to the site as it is', async () => {
		const { port, seen } = await behind();
		await sendRaw(port, `OPTIONS * HTTP/1.1\r\n${host}${end}`);
		expect(seen.map(({ target }) => target)).toEqual(['*']);
	});

	it('a length that Connection names stays: the body does not become a request', async () => {
		const { port, seen } = await behind();
		const inner = 'GET /admin HTTP/1.1\r\nHost: a\r\n\r\n';
		const bytes = `GET /a HTTP/1.1\r\n${host}Content-Length: ${inner.length}\r\nConnection: close, content-length\r\n\r\n${inner}`;
		expect(statusOf(await sendRaw(port, bytes))).toBe(200);
		expect(seen.map(({ target, body }) => [target, body])).toEqual([['/a', inner]]);
	});

	it('no HTTP/2 is tunnelled by an upgrade: the request is forwarded as the plain one that it is', async () => {
		const { port, site, seen } = await behind();
		let upgraded = 0;
		site.on('upgrade', (_request, socket) => {
			upgraded++;
			socket.destroy();
		});
		const bytes = `GET /a HTTP/1.1\r\n${host}User-Agent: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`;
		expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 200 [\s\S]*you asked for \/a$/);
		expect([upgraded, seen.length]).toEqual([0, 1]);
	});

	it('fields of the connection stay on it; what we know of the client is ours to say (PB-43)', async () => {
		const { port, seen } = await behind();
		await sendRaw(
			port,
			`GET / HTTP/1.1\r\n${host}X-Forwarded-For: 203.0.113.1\r\nForwarded: for=203.0.113.1\r\nX-Secret: 1\r\nX-Keep: 2\r\nX-Real-IP: 203.0.113.1\r\nConnection: close, X-Secret, Host, X-Forwarded-For\r\nKeep-Alive: 5\r\nProxy-Authorization: x\r\n\r\n`,
		);
		const names = seen[0]!.fields.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
		expect(names).toEqual(
			expect.arrayContaining(['host', 'x-keep', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via']),
		);
		for (const name of ['x-secret', 'keep-alive', 'proxy-authorization', 'forwarded'])
			expect(names).not.toContain(name);
		expect(seen[0]!.fields[seen[0]!.fields.indexOf('x-forwarded-for') + 1]).toBe('127.0.0.1');
		expect(names.filter((name) => name === 'host')).toHaveLength(1);
	});
});

describe('streams', () => {
	it('bodies go both ways unchanged, of any length, chunked or not', async () => {
		const { port, seen } = await behind({}, (_request, response) => response.end(seen.at(-1)!.body));
		const body = randomBytes(300_000).toString('hex');
		const length = await ask(port, '/', { method: 'POST', headers: { 'content-length': body.length } }, body);
		const chunked = await ask(port, '/', { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } }, body);
		expect([length.text === body, chunked.text === body]).toEqual([true, true]);
		expect(seen[1]!.fields.map((field) => field.toLowerCase())).toContain('chunked');
	});

	it('trailers pass, of the request and of the response', async () => {
		let trailers: object = {};
		const { port } = await behind({}, (request, response) => {
			trailers = request.trailers;
			response.writeHead(200, { trailer: 'x-sum' });
			response.write('body');
			response.addTrailers({ 'x-sum': '42' });
			response.end();
		});
		const answer = await new Promise<object>((resolve) => {
			const request = http.request(
				{ port, method: 'POST', headers: { trailer: 'x-check', 'transfer-encoding': 'chunked' } },
				(response) => response.resume().on('end', () => resolve(response.trailers)),
			);
			request.write('x');
			request.addTrailers({ 'x-check': '1' });
			request.end();
		});
		expect([trailers, answer]).toEqual([{ 'x-check': '1' }, { 'x-sum': '42' }]);
	});

	it('100-continue comes from the site, and a refusal before the body too', async () => {
		const { port, site, entries } = await behind({ paths: { disallow: ['/admin'] } });
		site.on('checkContinue', (request, response) => {
			if (request.url === '/no') response.writeHead(417).end();
			else {
				response.writeContinue();
				request.resume().on('end', () => response.end('taken'));
			}
		});
		const send = (path: string, userAgent = 'x') =>
			new Promise<[number, boolean]>((resolve) => {
				let told = false;
				const headers = { expect: '100-continue', 'content-length': 4, 'user-agent': userAgent };
				const request = http.request({ port, path, method: 'POST', headers }, (response) => {
					response.resume().on('end', () => resolve([response.statusCode!, told]));
				});
				request.on('continue', () => {
					told = true;
					request.end('body');
				});
				request.on('error', () => {});
				request.flushHeaders();
			});
		expect(await send('/yes')).toEqual([200, true]);
		expect(await send('/no')).toEqual([417, false]);
		expect(await send('/admin', 'GPTBot/1.2')).toEqual([403, false]);
		expect(entries).toHaveLength(1);
	});

	it('reads the site no faster than the client takes it', async () => {
		let written = 0;
		const { port } = await behind({}, (_request, response) => {
			const block = Buffer.alloc(64 * 1024);
			const more = () => {
				while (written < 64 * 1024 * 1024 && response.write(block)) written += block.length;
				if (written >= 64 * 1024 * 1024) response.end();
				else response.once('drain', more);
			};
			more();
		});
		const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
		socket.once('data', () => socket.pause());
		// Until nothing has been written for a while: all buffers on the way are full, or the site has written all of it.
		let held = -1;
		while (held !== written) {
			held = written;
			await new Promise((resolve) => setTimeout(resolve, 700));
		}
		expect(held).toBeLessThan(40 * 1024 * 1024);
		socket.destroy();
	});

	it('PB-66 PB-67 clients that break off take no connection to the site with them', async () => {
		const { port, proxy } = await behind(
			{},
			(request, response) => {
				if (request.url === '/small') response.end('ok');
				else {
					const timer = setInterval(() => response.write(Buffer.alloc(256 * 1024)), 2);
					response.on('close', () => clearInterval(timer));
				}
			},
			{ maxConnections: 8 },
		);
		for (let round = 0; round < 5; round++) {
			await Promise.all(
				Array.from({ length: 20 }, () => {
					return new Promise<void>((resolve) => {
						const request = http.get(
							{ port, path: '/large', agent: false, headers: { 'user-agent': 'test' } },
							(response) => {
								response.once('data', () => {
									response.pause();
									setTimeout(() => request.destroy(), 5);
								});
								response.on('error', () => {});
							},
						);
						request.on('error', () => {});
						request.on('close', () => resolve());
					});
				}),
			);
		}
		expect((await ask(port, '/small')).text).toBe('ok');
		expect(proxy.inFlight).toBe(0);
	}, 20_000);

	it('a site that dies half-way breaks the answer, one that is away gives 502, one that returns is used again', async () => {
		const { port, site, sitePort } = await behind({}, (request, response) => {
			if (request.url !== '/half') response.end('ok');
			else {
				response.writeHead(200, { 'content-length': 1000 });
				response.write('half');
				setTimeout(() => response.destroy(), 20);
			}
		});
		await expect(ask(port, '/half')).rejects.toThrow();
		await new Promise((resolve) => site.close(resolve).closeAllConnections());
		const away = await ask(port, '/');
		expect([away.status, away.headers['content-type']]).toEqual([502, 'application/problem+json']);
		await new Promise<void>((resolve) => site.listen(sitePort, '127.0.0.1', resolve));
		expect((await ask(port, '/')).text).toBe('ok');
	});

	it('a site that does not answer gives 504', async () => {
		const { port } = await behind({}, () => {}, { timeout: 80 });
		expect((await ask(port, '/')).status).toBe(504);
	});

	it('a kept connection that the site closes under the request is replaced, once', async () => {
		let requests = 0;
		const { port, site } = await behind({}, (request, response) => {
			requests++;
			if (requests === 2) request.socket.resetAndDestroy();
			else response.end(`answer ${requests}`);
		});
		expect(site.listening).toBe(true);
		expect((await ask(port, '/')).text).toBe('answer 1');
		expect((await ask(port, '/')).text).toBe('answer 3');
	});
});

describe('protocols', () => {
	it('speaks HTTP/2 without TLS on the same port, with bodies, cookies in crumbs and our own answers', async () => {
		const { port, seen } = await behind({ paths: { disallow: ['/admin'] } });
		const client = http2.connect(`http://127.0.0.1:${port}`);
		const send = (headers: http2.OutgoingHttpHeaders, body?: string) =>
			new Promise<{ status: number; text: string }>((resolve, reject) => {
				const stream = client.request(headers, { endStream: body === undefined });
				let status = 0;
				let text = '';
				stream.on('response', (fields) => {
					status = fields[':status']!;
				});
				stream.on('data', (chunk) => {
					text += chunk;
				});
				stream.on('end', () => resolve({ status, text }));
				stream.on('error', reject);
				if (body !== undefined) stream.end(body);
			});
		expect(await send({ ':path': '/a', cookie: ['a=1', 'b=2'] })).toEqual({ status: 200, text: 'you asked for /a' });
		expect((await send({ ':path': '/b', ':method': 'POST' }, 'hello')).status).toBe(200);
		expect((await send({ ':path': '/admin', 'user-agent': 'GPTBot/1.2' })).status).toBe(403);
		expect((await send({ ':path': '/robots.txt' })).text).toContain('Disallow: /admin');
		expect([seen[0]!.fields.includes('a=1; b=2'), seen[1]!.body]).toEqual([true, 'hello']);
		await new Promise<void>((resolve) => client.close(resolve));
	});

	it('passes WebSockets through, and judges the request that opens them', async () => {
		const { port, site } = await behind({ paths: { disallow: ['/admin'] } });
		site.on('upgrade', (request, socket) => {
			const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
			const accept = createHash('sha1').update(key).digest('base64');
			socket.write(
				`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
			);
			socket.on('data', (data: Buffer) => socket.write(data));
			socket.on('end', () => socket.end());
			socket.on('error', () => {});
		});
		const open = (path: string, userAgent: string) =>
			`GET ${path} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${userAgent}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
		const text = await new Promise<string>((resolve) => {
			let all = '';
			const socket = net.connect(port, '127.0.0.1', () => socket.write(open('/socket', 'x')));
			socket.on('data', (chunk) => {
				all += chunk;
				if (all.includes('ping')) socket.end();
				else if (all.includes('\r\n\r\n')) socket.write('ping');
			});
			socket.on('close', () => resolve(all));
		});
		expect(text).toMatch(/^HTTP\/1\.1 101 .*s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=.*ping$/s);
		expect(statusOf(await sendRaw(port, open('/admin', 'GPTBot/1.2')))).toBe(403);
	});

	it('pipelined requests are answered in their order', async () => {
		const { port } = await behind();
		const one = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
		const text = await sendRaw(port, one('/1') + one('/robots.txt') + one('/3', 'Connection: close\r\n'), 10_000);
		expect(text).toMatch(/asked for \/1.*User-agent.*asked for \/3/s);
	});

	it('ends what is in flight before it closes', async () => {
		let isAsked = false;
		const { port, proxy } = await behind({}, (_request, response) => {
			isAsked = true;
			setTimeout(() => response.end('done'), 150);
		});
		const answer = ask(port, '/slow', { agent: false });
		await expect.poll(() => isAsked, { interval: 5 }).toBe(true);
		await Promise.all([proxy.close(5000), expect(answer).resolves.toMatchObject({ text: 'done' })]);
		await expect(ask(port, '/', { agent: false })).rejects.toThrow();
	});
});

describe('HTTP/1.0', () => {
	const line = (text: string) => `${text}\r\nUser-Agent: check\r\n\r\n`;

	it.each([
		['G2-72', 'OPTIONS / HTTP/1.0'],
		['G2-72', 'OPTIONS * HTTP/1.0'],
		['G2-73', 'GET / HTTP/1.0'],
		['G2-73', 'HEAD / HTTP/1.0'],
		['G2-73', 'GET http://site.example/ HTTP/1.0'],
	])('%s: %s without Host goes on with the host of the site', async (_id, request) => {
		const { port, seen } = await behind();
		expect(statusOf(await sendRaw(port, line(request)))).toBe(200);
		const { fields } = seen[0] ?? { fields: [] };
		const hosts = fields.flatMap((name, at) => (name.toLowerCase() === 'host' ? [fields[at + 1]] : []));
		expect(hosts).toEqual(['site.example']);
	});

	it('G2-73: the response ends with the connection, and a body of unknown length is not chunked', async () => {
		const { port } = await behind({}, (_request, response) => {
			response.write('in ');
			response.end('pieces');
		});
		const text = await sendRaw(port, line('GET / HTTP/1.0'));
		expect(text).not.toMatch(/transfer-encoding/i);
		expect(text.endsWith('\r\n\r\nin pieces')).toBe(true);
	});

	it('G2-73: rules hold without a Host', async () => {
		const { port, seen } = await behind({ paths: { disallow: ['/private'] } });
		const ask = (target: string) => sendRaw(port, `GET ${target} HTTP/1.0\r\nUser-Agent: GPTBot/1.2\r\n\r\n`);
		expect(statusOf(await ask('/private'))).toBe(403);
		expect(statusOf(await ask('http://site.example/private'))).toBe(403);
		expect(statusOf(await ask('http://other.example/private'))).toBe(421);
		expect(seen).toEqual([]);
	});

	it('G2-74: HTTP/1.1 without Host is refused', async () => {
		const { port, seen } = await behind();
		expect(statusOf(await sendRaw(port, line('GET / HTTP/1.1')))).toBe(400);
		expect(seen).toEqual([]);
	});
});

describe('headers that name another path', () => {
	const overrides = {
		'x-original-url': '/private/x',
		'X-Rewrite-URL': '/private/x',
		'X-Forwarded-Prefix': '/private',
		'X-Forwarded-Path': '/private/x',
		'X-Accel-Redirect': '/private/x',
		'X-Replaced-Path': '/private/x',
		'Script-Name': '/open',
		SCRIPT_NAME: '/open',
		'X-Http-Method-Override': 'DELETE',
		'X-Method-Override': 'DELETE',
		X_Original_URL: '/private/x',
		X_HTTP_Method_Override: 'PUT',
	};
	const names = (fields: readonly string[]) => fields.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());

	it('G2-78: are dropped, on the fast path and on the other, and the page of the request line is served', async () => {
		const { port, seen } = await behind({ paths: { disallow: ['/private'] } });
		for (const options of [{}, { method: 'POST' }] as const) {
			const headers = { ...overrides, 'x-own': '1', 'user-agent': 'GPTBot/1.2' };
			expect((await ask(port, '/open', { ...options, headers }, options.method && 'x')).status).toBe(200);
		}
		expect(seen.map(({ target }) => target)).toEqual(['/open', '/open']);
		for (const { fields } of seen) {
			expect(names(fields)).toContain('x-own');
			expect(
				names(fields).filter((name) => Object.keys(overrides).some((each) => each.toLowerCase() === name)),
			).toEqual([]);
		}
	});

	it('G2-78: pass from a trusted proxy, and are judged as the page that they name', async () => {
		const throughProxy = (visit: Visit) => ({
			...(claimsOnly.now(visit) as Identity),
			address: visit.header('x-forwarded-for') ?? visit.address,
		});
		const identifier = { now: throughProxy, ask: async (visit: Visit) => throughProxy(visit) };
		const { port, seen } = await behind({ paths: { disallow: ['/private'] } }, undefined, {}, { identifier });
		const through = (name: string, value: string) =>
			ask(port, '/open', { headers: { 'user-agent': 'GPTBot/1.2', 'x-forwarded-for': '192.0.2.7', [name]: value } });
		expect((await through('x-original-url', '/open')).status).toBe(200);
		expect(names(seen[0]?.fields ?? [])).toContain('x-original-url');
		for (const value of ['/private/x', 'https://site.example/private/x', '//private/x', 'private/x', '/%2Fprivate']) {
			expect([value, (await through('X-Original-URL', value)).status]).toEqual([value, 403]);
			expect([value, (await through('X-Rewrite-URL', value)).status]).toEqual([value, 403]);
		}
		expect((await through('x-forwarded-prefix', '/private')).status).toBe(403);
		for (const name of ['script-name', 'x-script-name', 'x-forwarded-prefix']) {
			const headers = { 'user-agent': 'GPTBot/1.2', 'x-forwarded-for': '192.0.2.7', [name]: '/open' };
			expect([name, (await ask(port, '/open/private/x', { headers })).status]).toEqual([name, 403]);
		}
		expect((await through('x-original-url', '/public/..%2fprivate')).status).toBe(400);
		expect(seen).toHaveLength(1);
	});
});
