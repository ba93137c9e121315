import { once } from 'node:events';
import { constants } from 'node:http2';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type StreamHandler, startTlsServer, type TlsServer } from '../testing/tls-server.ts';
import { createFetcher } from './fetcher.ts';
import type { Fetcher, FetcherOptions, GetOptions } from './types.ts';

const userAgent = 'AIWebIndex/2.0 (+https://example.com/bot; TlsTest)';
const limits = { bodyBytes: 4 << 20 };
const ok = { ':status': 200, 'content-type': 'text/html' };

const bomb = gzipSync(Buffer.alloc(8 << 20));

const handlers: Record<string, StreamHandler> = {
	'/gzip': (stream) => {
		stream.respond({ ...ok, 'content-encoding': 'gzip' });
		stream.end(gzipSync('packed'));
	},
	'/bomb': (stream) => {
		stream.respond({ ...ok, 'content-encoding': 'gzip' });
		stream.end(bomb);
	},
	'/endless': (stream) => {
		stream.respond(ok);
		const more = () => {
			while (!stream.destroyed && stream.write(Buffer.alloc(65_536, 'x')));
		};
		stream.on('drain', more);
		more();
	},
	'/large': (stream) => {
		stream.respond(ok);
		stream.end(Buffer.alloc(3 << 20, 'x'));
	},
	'/latin1': (stream) => {
		stream.respond({ ...ok, xx: 'caf\xe9', 'set-cookie': ['a=1', 'b=2'] });
		stream.end();
	},
	'/huge-headers': (stream) => {
		stream.respond({
			...ok,
			...Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-${index}`, 'y'.repeat(1000)])),
		});
		stream.end();
	},
	'/silent': () => {},
	'/stalls': (stream) => {
		stream.respond(ok);
		stream.write('half');
	},
	'/reset-before': (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
	'/reset-body': (stream) => {
		stream.respond(ok);
		stream.write('half', () => stream.destroy(new Error('broken')));
	},
	'/destroyed-body': (stream) => {
		stream.respond(ok);
		stream.write('half', () => stream.destroy());
	},
	'/short': (stream) => {
		stream.respond({ ...ok, 'content-length': 100 });
		stream.end('half');
	},
	'/cut-off': (stream) => {
		stream.respond(ok);
		stream.write('half', () => server.cut());
	},
	'/cut-off-before': () => server.cut(),
	'/hints': (stream) => {
		stream.additionalHeaders({ ':status': 103, link: '</x>; rel=preload' });
		stream.respond(ok);
		stream.end('after hints');
	},
	'/unmodified': (stream) => stream.respond({ ':status': 304, 'content-length': 99_999_999 }, { endStream: true }),
};

let server: TlsServer;
let fetchers: Fetcher[] = [];

beforeAll(async () => {
	server = await startTlsServer({ handlers });
});

afterEach(async () => {
	await Promise.all(fetchers.map((fetcher) => fetcher.close()));
	fetchers = [];
});

afterAll(() => server.close());

function open(options: Partial<FetcherOptions> = {}, to = server): Fetcher {
	const { lookup, ca } = to;
	const fetcher = createFetcher({ userAgent, lookup, ca, limits, allowPrivate: () => true, ...options });
	fetchers.push(fetcher);
	return fetcher;
}

async function outcome(fetcher: Fetcher, url: string, options?: GetOptions): Promise<number | string> {
	const response = await fetcher.get(url, options);
	return response.ok ? response.status : response.reason;
}

const text = (response: unknown) => Buffer.from((response as { body: Uint8Array }).body).toString();

describe('HTTP/2', () => {
	it('RFC 9113 is spoken where both sides can, on one connection', async () => {
		const fetcher = open();
		const before = server.connections();
		await fetcher.get(server.url('/first'));
		const answers = await Promise.all([1, 2, 3, 4, 5].map((page) => fetcher.get(server.url(`/${page}`))));
		expect(answers.map(text)).toEqual([1, 2, 3, 4, 5].map((page) => `HTTP/2 /${page}`));
		expect(
			answers.every((response) => response.ok && response.httpVersion === '2' && response.address === '127.0.0.1'),
		).toBe(true);
		expect(server.connections() - before).toBe(1);
	});

	it('HTTP/1.1 is spoken where HTTP/2 is switched off, or not offered by the server', async () => {
		expect(await open({ http2: false }).get(server.url('/x'))).toMatchObject({ ok: true, httpVersion: '1.1' });
		const old = await startTlsServer({ http2: false });
		expect(text(await open({}, old).get(old.url('/x')))).toBe('HTTP/1.1 /x');
		await old.close();
	});

	it('connections made at once do not stay side by side', async () => {
		const fetcher = open();
		await Promise.all([1, 2, 3, 4].map((page) => fetcher.get(server.url(`/${page}`))));
		await expect.poll(() => server.sessions.size).toBe(1);
		await fetcher.get(server.url('/again'));
		expect(server.sessions.size).toBe(1);
	});

	it.each([
		['/gzip', 200],
		['/large', 200],
		['/hints', 200],
		['/unmodified', 304],
		['/bomb', 'too-large'],
		['/endless', 'too-large'],
		['/huge-headers', 'headers-too-large'],
		['/silent', 'headers-timeout'],
		['/stalls', 'body-timeout'],
		['/reset-before', 'connection-reset'],
		['/reset-body', 'connection-reset'],
		['/destroyed-body', 'truncated'],
		['/short', 'truncated'],
		['/cut-off', 'truncated'],
		['/cut-off-before', 'connection-reset'],
	])('%s: %s, and the next request succeeds', async (path, expected) => {
		const both = server;
		server = await startTlsServer({ handlers, http1: false });
		const fetcher = open();
		const impatient = /timeout/.test(`${expected}`) ? { timeouts: { headers: 400, bodyIdle: 400 } } : {};
		expect(await outcome(fetcher, server.url(path), impatient)).toBe(expected);
		expect(await outcome(fetcher, server.url('/next'))).toBe(200);
		await server.close();
		server = both;
	});

	it.each([
		['no stream is answered', () => {}],
		['HTTP_1_1_REQUIRED', (stream) => stream.close(0xd)],
		['PROTOCOL_ERROR', (stream) => stream.close(1)],
		['GOAWAY at once', (stream) => stream.session?.goaway(0)],
		['the connection is destroyed', (stream) => stream.session?.destroy()],
		[
			'421',
			(stream) => {
				stream.respond({ ':status': 421 });
				stream.end();
			},
		],
	] satisfies [string, StreamHandler][])('C2-90 where %s, HTTP/1.1 is spoken, and remembered', async (_, handler) => {
		const server = await startTlsServer({ handlers: { '/a': handler, '/b': handler, '/c': handler } });
		const fetcher = open({ limits: { ...limits, headers: 400 } }, server);
		for (const path of ['/a', '/b', '/c'])
			expect(await fetcher.get(server.url(path))).toMatchObject({ ok: true, status: 200, httpVersion: '1.1' });
		expect(server.received.length).toBe(1);
		await server.close();
	});

	it('C2-90 a host that only stalls on pages is requested over HTTP/1.1; a page that is slow over both is slow', async () => {
		const server = await startTlsServer({ handlers: { '/a': () => {} } });
		const fetcher = open({ limits: { ...limits, headers: 400 } }, server);
		expect(await fetcher.get(server.url('/robots.txt'))).toMatchObject({ ok: true, httpVersion: '2' });
		expect(await fetcher.get(server.url('/a'))).toMatchObject({ ok: true, httpVersion: '1.1' });
		await server.close();
	});

	it('one stream that is given up leaves the others alone', async () => {
		const fetcher = open();
		await fetcher.get(server.url('/first'));
		const cut = fetcher.get(server.url('/endless'), { maxBytes: 1000, onLimit: 'truncate' });
		const other = fetcher.get(server.url('/large'));
		expect(await cut).toMatchObject({ ok: true, truncated: true });
		expect(await other).toMatchObject({ ok: true, truncated: false, wireBytes: 3 << 20 });
		expect(server.sessions.size).toBe(1);
	});

	it('CB-142 keeps header bytes and repeated headers', async () => {
		const response = await open().get(server.url('/latin1'));
		expect(response.ok && response.headers.get('xx')).toBe('caf\xe9');
		expect(response.ok && response.headers.getAll('set-cookie')).toEqual(['a=1', 'b=2']);
		expect(response.ok && [...response.headers].some(([name]) => name.startsWith(':'))).toBe(false);
	});

	it('a session that the server has closed costs no page', async () => {
		const fetcher = open();
		for (let visit = 0; visit < 5; visit++) {
			expect(await outcome(fetcher, server.url('/page'))).toBe(200);
			for (const session of server.sessions) session.close();
		}
	});

	it('a refused stream is sent again on a fresh connection (RFC 9113 §8.7)', async () => {
		let refusals = 0;
		handlers['/refused'] = (stream) => {
			if (refusals++ === 0) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
			stream.respond(ok);
			stream.end();
		};
		const fetcher = open();
		await fetcher.get(server.url('/first'));
		expect(await outcome(fetcher, server.url('/refused'))).toBe(200);
		expect(refusals).toBe(2);
	});

	it('close ends what is in flight', async () => {
		const fetcher = open();
		const answers = ['/silent', '/stalls'].map((path) => outcome(fetcher, server.url(path)));
		await new Promise((resolve) => setTimeout(resolve, 100));
		await fetcher.close();
		expect(await Promise.all(answers)).toEqual(['aborted', 'aborted']);
	});

	it('AWI-01 AWI-80 carries our User-Agent and no cookie', async () => {
		const fetcher = open();
		for (const path of ['/latin1', '/latin1', '/x']) await fetcher.get(server.url(path));
		const headers = server.received.slice(-3);
		expect(headers.map((each) => each['user-agent'])).toEqual([userAgent, userAgent, userAgent]);
		expect(headers.some((each) => 'cookie' in each)).toBe(false);
	});
});

describe('TLS', () => {
	it.each([
		['a certificate of an unknown authority', () => open({ ca: undefined as unknown as string }), '/x', 'secure.test'],
		['a certificate of another host', () => open(), '/x', 'other.test'],
	])('%s is refused', async (_what, fetcher, path, host) => {
		expect(await outcome(fetcher(), server.url(path, host))).toBe('tls-failed');
	});

	it('a certificate that is over is refused', async () => {
		const old = await startTlsServer({ notAfter: new Date('2021-01-01') });
		expect(await open({}, old).get(old.url('/x'))).toMatchObject({
			ok: false,
			reason: 'tls-failed',
			detail: 'the certificate has expired',
		});
		await old.close();
	});

	describe('a server that does not speak it', () => {
		let plain: Server;
		let silent: Server;

		beforeAll(async () => {
			plain = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
				0,
				'127.0.0.1',
			);
			silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
			await Promise.all([once(plain, 'listening'), once(silent, 'listening')]);
		});

		afterAll(() => {
			plain.close();
			silent.close();
		});

		it('fails', async () => {
			const { port } = plain.address() as AddressInfo;
			expect(await outcome(open(), `https://secure.test:${port}/`)).toBe('tls-failed');
		});

		it('fails in time where it says nothing', async () => {
			const { port } = silent.address() as AddressInfo;
			expect(await outcome(open({ limits: { connect: 200 } }), `https://secure.test:${port}/`)).toBe('connect-timeout');
		});
	});
});
