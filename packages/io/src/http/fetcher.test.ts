import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ResolvedAddress } from '../dns/types.ts';
import { type HostileServer, startHostileServer } from '../testing/hostile-server.ts';
import { startSlowAccept } from '../testing/slow-accept.ts';
import { decodeContent } from './decode-content.ts';
import { createFetcher } from './fetcher.ts';
import { redirectTarget } from './redirect.ts';
import type { Fetcher, FetcherOptions, FetchSuccess, GetOptions } from './types.ts';

const userAgent = 'AIWebIndex/2.0 (+https://example.com/bot; FetcherTest)';
const text = (response: { body: Uint8Array }) => Buffer.from(response.body).toString();

let server: HostileServer;
let fetchers: Fetcher[] = [];

beforeAll(async () => {
	server = await startHostileServer({ unit: 10 });
});

afterEach(async () => {
	await Promise.all(fetchers.map((fetcher) => fetcher.close()));
	fetchers = [];
	server.log.length = 0;
});

afterAll(() => server.close());

function open(options: Partial<FetcherOptions> = {}): Fetcher {
	const fetcher = createFetcher({ userAgent, lookup: server.lookup, allowPrivate: server.allowPrivate, ...options });
	fetchers.push(fetcher);
	return fetcher;
}

async function succeed(fetcher: Fetcher, url: string, options?: GetOptions): Promise<FetchSuccess> {
	const response = await fetcher.get(url, options);
	if (!response.ok) throw new Error(`${response.reason}: ${response.detail}`);
	return response;
}

describe('an answer', () => {
	it('tells everything about the exchange', async () => {
		const response = await succeed(open(), server.url('gzip.test', '/packed?q=1#part'));
		expect(response).toMatchObject({ status: 200, httpVersion: '1.1', truncated: false });
		expect(response.url).toBe(server.url('gzip.test', '/packed?q=1'));
		expect(response.address).toMatch(/^127\.0\.0\.\d+$/);
		expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
		expect(response.wireBytes).toBe(Number(response.headers.get('content-length')));
		expect(response.body.length).toBeGreaterThan(response.wireBytes);
		expect(response.body.constructor).toBe(Uint8Array);
	});

	it.each(['gzip', 'x-gzip', 'br', 'deflate', 'raw-deflate', 'zstd', 'stacked', 'label-none', 'trailing-garbage'])(
		'%s.test is read as the page that it is',
		async (host) => {
			const response = await succeed(open(), server.url(`${host}.test`));
			expect(text(response)).toMatch(/^<!doctype html>.*whole again.*<\/html>\n$/s);
		},
	);

	it('CB-142 keeps a header byte that is not ASCII', async () => {
		const response = await succeed(open(), server.url('latin1-header.test'));
		expect(response.headers.get('xx')).toBe('\xff');
		expect(text(response)).toContain('Odd but whole');
	});

	it('joins folded header lines', async () => {
		expect((await succeed(open(), server.url('folded-header.test'))).headers.get('x-folded')).toBe('a b c');
	});

	it('a failure after the headers carries them', async () => {
		const response = await open().get(server.url('truncated.test'));
		expect(response).toMatchObject({ ok: false, reason: 'truncated', status: 200 });
		expect(!response.ok && response.headers?.get('content-type')).toBe('text/html');
	});

	it.each([
		['/x?B=1&A=2', '/x?B=1&A=2'],
		['/x?', '/x?'],
		['/a b/%e3%7Ec', '/a%20b/%e3%7Ec'],
		['/x?q=%3A+:|', '/x?q=%3A+:|'],
		['//x//./y/../z', '//x//z'],
	])('CB-77 %s is asked for as %s', async (path, line) => {
		await succeed(open(), server.url('ordinary.test', path));
		expect(server.log[0]!.path).toBe(line);
	});

	it('a 304 may tell the length and the coding of what it does not send', async () => {
		const response = await succeed(open({ limits: { bodyBytes: 10 } }), server.url('long-304.test'));
		expect(response).toMatchObject({ status: 304, body: new Uint8Array(0) });
		await succeed(open({ limits: { bodyBytes: 10 } }), server.url('gzip.test'), { method: 'HEAD' });
	});

	it('undoes the coding of the transport only: a file that is gzip stays gzip', async () => {
		const { body } = await succeed(open(), server.url('sitemap-double-gzip.test'));
		expect([...body.subarray(0, 3)]).toEqual([0x1f, 0x8b, 8]);
	});

	it('HEAD gives the headers alone', async () => {
		const response = await succeed(open(), server.url('gzip.test'), { method: 'HEAD' });
		expect(response.body.length).toBe(0);
		expect(server.log.map(({ method }) => method)).toEqual(['HEAD']);
	});

	it('POST sends its body', async () => {
		const body = new TextEncoder().encode('a=1');
		await succeed(open(), server.url('ordinary.test', '/'), {
			method: 'POST',
			body,
			headers: { 'Content-Type': 'text/plain' },
		});
		expect(server.log[0]).toMatchObject({
			method: 'POST',
			headers: { 'content-length': '3', 'content-type': 'text/plain' },
		});
	});
});

describe('limits', () => {
	it('a body over the limit is cut where its beginning is wanted, and the rest not read', async () => {
		const response = await succeed(open(), server.url('robots-endless.test'), {
			maxBytes: 512_000,
			onLimit: 'truncate',
		});
		expect(response).toMatchObject({ status: 200, truncated: true });
		expect(response.body.length).toBe(512_000);
		expect(text(response)).toMatch(/^User-agent: \*\nDisallow: \/about\n/);
	});

	it('a body of exactly the limit is whole', async () => {
		const { body } = await succeed(open(), server.url('ordinary.test', '/'));
		const again = await succeed(open(), server.url('ordinary.test', '/'), {
			maxBytes: body.length,
			onLimit: 'truncate',
		});
		expect(again).toMatchObject({ truncated: false, body });
		const less = await open().get(server.url('ordinary.test', '/'), { maxBytes: body.length - 1 });
		expect(less).toMatchObject({ ok: false, reason: 'too-large', status: 200 });
	});

	it('a compressed body is cut by its decoded length', async () => {
		const response = await succeed(open(), server.url('gzip-bomb.test'), { maxBytes: 1_000_000, onLimit: 'truncate' });
		expect(response).toMatchObject({ truncated: true });
		expect(response.body.length).toBe(1_000_000);
	});

	it.each([
		'gzip-bomb.test',
		'br-bomb.test',
		'deflate-bomb.test',
		'zstd-bomb.test',
		'stacked-bomb.test',
		'endless-body.test',
	])('CB-147 %s costs less memory than the limit and 50 MB', async (host) => {
		const fetcher = open({ limits: { bodyBytes: 16 << 20 } });
		await fetcher.get(server.url(host)); // makes the bomb
		const before = process.memoryUsage().rss;
		let most = before;
		const timer = setInterval(() => {
			most = Math.max(most, process.memoryUsage().rss);
		}, 5);
		expect(await fetcher.get(server.url(host))).toMatchObject({ ok: false, reason: 'too-large' });
		clearInterval(timer);
		expect((most - before) / 2 ** 20).toBeLessThan(16 + 50);
	});

	it('the times of one request replace those of the fetcher', async () => {
		const response = await open().get(server.url('slow-headers.test'), { timeouts: { headers: 50 } });
		expect(response).toMatchObject({ ok: false, reason: 'headers-timeout', detail: 'timed out after 50 ms' });
	});

	it('a look-up without an answer ends in time', async () => {
		const fetcher = open({ lookup: () => new Promise(() => {}), limits: { dns: 30 } });
		expect(await fetcher.get('http://lost.test/')).toMatchObject({ ok: false, reason: 'dns-failed' });
	});

	it('one host has no more requests in flight than it may, others do not wait for it', async () => {
		const fetcher = open({ connectionsPerHost: 2, limits: { headers: 150 } });
		const slow = Promise.all([1, 2, 3, 4].map((part) => fetcher.get(server.url('slow-headers.test', `/slow?${part}`))));
		await succeed(fetcher, server.url('ordinary.test', '/'));
		expect(server.requests('slow-headers.test').length).toBeLessThanOrEqual(2);
		expect((await slow).map((response) => !response.ok && response.reason)).toEqual(Array(4).fill('headers-timeout'));
		const [first, second, third, fourth] = server.requests('slow-headers.test');
		expect(Math.min(third!.start, fourth!.start)).toBeGreaterThanOrEqual(Math.min(first!.end, second!.end));
	});
});

describe('connections', () => {
	it('are used again', async () => {
		const fetcher = open();
		for (let visit = 0; visit < 5; visit++) await succeed(fetcher, server.url('ordinary.test', '/about'));
		expect(server.log.map(({ connection }) => connection)).toEqual(Array(5).fill(server.log[0]!.connection));
	});

	it('are not used again after a body that was given up', async () => {
		const fetcher = open();
		await succeed(fetcher, server.url('endless-body.test'), { maxBytes: 10, onLimit: 'truncate' });
		await succeed(fetcher, server.url('endless-body.test', '/about'));
		expect(new Set(server.log.map(({ connection }) => connection)).size).toBe(2);
	});

	it('are used again after a small body that could not be decoded', async () => {
		const fetcher = open();
		expect(await fetcher.get(server.url('gzip-garbage.test'))).toMatchObject({ reason: 'bad-encoding' });
		await succeed(fetcher, server.url('gzip-garbage.test', '/about'));
		await succeed(fetcher, server.url('gzip-garbage.test', '/'));
	});

	it('CB-136 a socket closed after each keep-alive answer costs no page', async () => {
		const fetcher = open();
		for (let visit = 0; visit < 20; visit++) {
			expect(await fetcher.get(server.url('stale-socket.test'))).toMatchObject({ ok: true, status: 200 });
		}
	});

	it('CB-137 nor do fifty workers on stale sockets', async () => {
		const fetcher = open({ connectionsPerHost: 50 });
		for (let round = 0; round < 4; round++) {
			const answers = await Promise.all(Array.from({ length: 50 }, () => fetcher.get(server.url('stale-socket.test'))));
			expect(answers.filter(({ ok }) => !ok)).toEqual([]);
		}
	});

	it('bytes that nobody asked for spoil the connection, not the next answer', async () => {
		const fetcher = open();
		await succeed(fetcher, server.url('late-bytes.test'));
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(text(await succeed(fetcher, server.url('late-bytes.test', '/about')))).toContain('About the almanac');
	});

	it('a fresh socket that is reset is not tried again', async () => {
		expect(await open().get(server.url('reset-before.test'))).toMatchObject({ ok: false, reason: 'connection-reset' });
		expect(server.log.length).toBe(1);
	});

	it('a request that was begun to be answered is not sent again', async () => {
		const fetcher = open();
		await succeed(fetcher, server.url('reset-headers.test', '/about'));
		expect(await fetcher.get(server.url('reset-headers.test'))).toMatchObject({
			ok: false,
			reason: 'connection-reset',
		});
		expect(server.requests('reset-headers.test').length).toBe(2);
	});

	it('are closed when they have been idle too long', async () => {
		const fetcher = open({ limits: { keepAlive: 20 } });
		await succeed(fetcher, server.url('ordinary.test', '/'));
		await new Promise((resolve) => setTimeout(resolve, 80));
		await succeed(fetcher, server.url('ordinary.test', '/'));
		expect(new Set(server.log.map(({ connection }) => connection)).size).toBe(2);
	});

	it('addresses that refuse are passed over', async () => {
		const [good] = await server.lookup('ordinary.test');
		const bad: ResolvedAddress[] = [
			{ address: '127.255.255.254', family: 4 },
			{ address: '::1', family: 6 },
		];
		const fetcher = open({ lookup: async () => [...bad, good!] });
		expect((await succeed(fetcher, server.url('ordinary.test', '/'))).address).toBe(good!.address);
	});

	it('CB-145 a host far away, with several addresses, connects after more than 300 ms', async () => {
		const far = await startSlowAccept(400);
		const addresses: ResolvedAddress[] = [
			{ address: '127.0.0.1', family: 4 },
			{ address: '::1', family: 6 },
		];
		const start = performance.now();
		const fetcher = open({ lookup: async () => addresses, allowPrivate: () => true });
		const response = await fetcher.get(`http://far.test:${far.port}/`);
		expect(response).toMatchObject({ ok: true, status: 200 });
		expect(performance.now() - start).toBeGreaterThan(300);
		await far.close();
	});
});

describe('guard', () => {
	it.each([
		'http://127.0.0.1/',
		'http://0x7f.1/',
		'http://2130706433/',
		'http://[::1]/',
		'http://[::ffff:7f00:1]/',
		'http://169.254.169.254/latest/meta-data/',
		'http://0.0.0.0/',
		'http://10.1.2.3/',
		'http://[64:ff9b::7f00:1]/',
	])('%s is not connected to', async (url) => {
		expect(await open().get(url)).toMatchObject({ ok: false, reason: 'private-address' });
	});

	it('a name that leads to a private address is not connected to', async () => {
		expect(await open({ allowPrivate: () => false }).get(server.url('ordinary.test'))).toMatchObject({
			ok: false,
			reason: 'private-address',
			detail: expect.stringContaining('127.0.0.'),
		});
		expect(server.log).toEqual([]);
	});

	it('only the public ones of several addresses are used', async () => {
		const [own] = await server.lookup('ordinary.test');
		const lookup = async () => [own!, { address: '192.0.2.1', family: 4 } as const];
		const response = await open({ lookup, allowPrivate: () => false }).get(server.url('ordinary.test'));
		expect(response).toMatchObject({ ok: false, reason: 'private-address' });
	});

	it('the address that was checked is the one connected to: one look-up for each connection', async () => {
		const [own] = await server.lookup('ordinary.test');
		const answers = [[own!], [{ address: '169.254.169.254', family: 4 } as const]];
		let lookups = 0;
		const fetcher = open({ lookup: async () => answers[lookups++] ?? [] });
		expect((await succeed(fetcher, server.url('ordinary.test', '/'))).address).toBe(own!.address);
		expect(lookups).toBe(1);
	});

	it('ignores results of a look-up that are not addresses', async () => {
		const lookup = async () => [{ address: 'localhost', family: 4 } as const];
		expect(await open({ lookup }).get('http://x.test/')).toMatchObject({ ok: false, reason: 'dns-not-found' });
	});

	it.each([
		['file:///etc/passwd', 'unsupported-scheme'],
		['ftp://example.com/', 'unsupported-scheme'],
		['javascript:alert(1)', 'unsupported-scheme'],
		['http://example.com:25/', 'unsafe-port'],
		['/relative', 'bad-url'],
		['http://', 'bad-url'],
		['', 'bad-url'],
	])('%s: %s', async (url, reason) => {
		expect(await open().get(url)).toMatchObject({ ok: false, url, reason });
	});
});

describe('identity', () => {
	it('AWI-01 AWI-04 every request carries our User-Agent, which nothing replaces, not even a refusal', async () => {
		const fetcher = open({ headers: { 'X-Agent-Identity': 'FetcherTest/1 (ai-assistant)' } });
		expect(await succeed(fetcher, server.url('browsers-only.test'))).toMatchObject({ status: 403 });
		for (const path of ['/', '/robots.txt']) await fetcher.get(server.url('browsers-only.test', path));
		expect(server.log.map(({ headers }) => headers['user-agent'])).toEqual([userAgent, userAgent, userAgent]);
		expect(server.log[0]!.headers['x-agent-identity']).toBe('FetcherTest/1 (ai-assistant)');
		await expect(
			fetcher.get(server.url('ordinary.test'), { headers: { 'User-Agent': 'Mozilla/5.0' } }),
		).rejects.toThrow(TypeError);
		expect(() => open({ headers: { 'user-agent': 'Mozilla/5.0' } })).toThrow(TypeError);
		for (const other of ['Mozilla/5.0', 'AIWebIndex/2.01', 'x AIWebIndex/2.0', `${userAgent}\r\nCookie: a=b`]) {
			expect(() => open({ userAgent: other })).toThrow(TypeError);
		}
	});

	it.each([401, 402, 403])('AWI-79 a wall of %i is the answer, and nothing is tried to get past it', async (status) => {
		const response = await succeed(open(), server.url(`wall-${status}.test`).replace('//', '//user:secret@'));
		expect(response.status).toBe(status);
		expect(server.log.length).toBe(1);
		expect(JSON.stringify(server.log)).not.toMatch(/secret|authorization|cookie/);
		expect(response.url).not.toContain('secret');
	});

	it.each(['Cookie', 'Authorization', 'X-Forwarded-For', 'Forwarded', 'Host', 'Content-Length', 'Accept-Encoding'])(
		'AWI-80 no caller can set %s',
		async (name) => {
			await expect(open().get(server.url('ordinary.test'), { headers: { [name]: 'x' } })).rejects.toThrow(TypeError);
		},
	);

	it('AWI-80 CB-150 CB-152 cookies are not kept, whatever they look like', async () => {
		const fetcher = open();
		for (const path of ['/page', '/Antonov++A', '/page']) {
			expect(
				(await succeed(fetcher, server.url('cookies.test', path))).headers.getAll('set-cookie').length,
			).toBeGreaterThan(0);
		}
		expect(server.log.some(({ headers }) => 'cookie' in headers)).toBe(false);
	});

	it('zstd is not offered', async () => {
		await succeed(open(), server.url('ordinary.test'));
		expect(server.log[0]!.headers['accept-encoding']).toBe('gzip, br, deflate');
	});

	it('PD-42 requests bytes to compare without content coding', async () => {
		await open().get(server.url('ordinary.test'), { identity: true });
		expect(server.log[0]!.headers['accept-encoding']).toBe('identity');
	});

	it.each([{ 'a b': 'x' }, { a: 'x\r\ny: z' }, { a: '\u2026' }])('%j cannot be smuggled in', async (headers) => {
		await expect(
			open().get(server.url('ordinary.test'), { headers: headers as Record<string, string> }),
		).rejects.toThrow(TypeError);
	});

	it('an ETag of odd bytes goes back as it came', async () => {
		await succeed(open(), server.url('ordinary.test'), { headers: { 'If-None-Match': '"caf\xe9\x01"' } });
		expect(server.log[0]!.headers['if-none-match']).toBe('"caf\xe9\x01"');
	});
});

describe('ends', () => {
	it('an abort ends a request at once, whatever it waits for', async () => {
		const fetcher = open({ connectionsPerHost: 1 });
		const controller = new AbortController();
		const { signal } = controller;
		const answers = ['slow-headers.test', 'slow-headers.test', 'slow-body.test', 'dripping-headers.test'].map((host) =>
			fetcher.get(server.url(host), { signal }),
		);
		setTimeout(() => controller.abort(), 50);
		expect((await Promise.all(answers)).map((response) => !response.ok && response.reason)).toEqual(
			Array(4).fill('aborted'),
		);
		expect(await fetcher.get(server.url('ordinary.test'), { signal })).toMatchObject({ ok: false, reason: 'aborted' });
	});

	it('the place of an aborted request is free again', async () => {
		const fetcher = open({ connectionsPerHost: 1 });
		const signal = AbortSignal.timeout(20);
		await Promise.all([1, 2, 3].map(() => fetcher.get(server.url('slow-headers.test'), { signal })));
		await succeed(fetcher, server.url('slow-headers.test', '/about'));
	});

	it('close ends what is in flight and what comes later', async () => {
		const fetcher = open();
		const response = fetcher.get(server.url('slow-headers.test'));
		await new Promise((resolve) => setTimeout(resolve, 30));
		await fetcher.close();
		expect(await response).toMatchObject({ ok: false, reason: 'aborted' });
		expect(await fetcher.get(server.url('ordinary.test'))).toMatchObject({ ok: false, reason: 'aborted' });
	});
});

describe('redirectTarget', () => {
	const target = async (host: string) => redirectTarget(await succeed(open(), server.url(host)));

	it('is undefined where nothing is moved', async () => {
		expect(await target('ordinary.test')).toBeUndefined();
		expect(await target('unasked-304.test')).toBeUndefined();
	});

	it('resolves against the URL, and the fetch does not follow', async () => {
		expect(await target('redirect-relative.test')).toEqual({
			ok: true,
			url: server.url('redirect-relative.test', '/new%20place'),
			permanent: false,
		});
		expect(server.log.length).toBe(1);
	});

	it('reads raw UTF-8 bytes', async () => {
		expect(await target('redirect-utf8.test')).toMatchObject({ url: server.url('redirect-utf8.test', '/caf%C3%A9') });
	});

	it('knows permanent ones', async () => {
		expect(await target('redirect-away.test')).toMatchObject({
			ok: true,
			url: server.url('ordinary.test', '/about'),
			permanent: true,
		});
	});

	it.each([
		['redirect-file.test', 'unsupported-scheme'],
		['redirect-script.test', 'unsupported-scheme'],
		['redirect-port.test', 'unsafe-port'],
		['redirect-nowhere.test', 'no-location'],
		['redirect-nonsense.test', 'bad-url'],
	])('%s: %s', async (host, reason) => {
		expect(await target(host)).toMatchObject({ ok: false, reason });
	});
});

describe('the exchange as it was', () => {
	it('is told only when asked for', async () => {
		expect(await succeed(open(), server.url('gzip.test'))).not.toHaveProperty('raw');
	});

	it('has the lines of the request and of the answer, and the body with its content coding', async () => {
		const response = await succeed(open(), server.url('gzip.test', '/packed?q=1'), { raw: true });
		const { request, head, body, coded } = response.raw!;
		expect(Buffer.from(request).toString('latin1')).toMatch(
			/^GET \/packed\?q=1 HTTP\/1\.1\r\nHost: gzip\.test:\d+\r\nUser-Agent: AIWebIndex\/2\.0 .*\r\n\r\n$/s,
		);
		expect(Buffer.from(head).toString('latin1')).toMatch(/^HTTP\/1\.1 200 [^\r]*\r\n(?:[^\r]+\r\n)+\r\n$/);
		expect(coded).toBe(true);
		expect(body.length).toBe(response.wireBytes);
		expect(gunzipSync(body)).toEqual(Buffer.from(response.body));
	});

	it('has no chunks in the body, and no interim response in the head', async () => {
		const chunky = createServer((_, response) => {
			response.writeEarlyHints({ link: '</style.css>; rel=preload' });
			response.write('one ');
			response.end('two');
		}).listen(0, '127.0.0.1');
		await once(chunky, 'listening');
		const { port } = chunky.address() as AddressInfo;
		const { raw } = await succeed(open({ allowPrivate: () => true }), `http://127.0.0.1:${port}/`, { raw: true });
		chunky.close();
		const { head, body, coded } = raw!;
		expect(Buffer.from(head).toString('latin1')).toMatch(/transfer-encoding: chunked/i);
		expect(coded).toBe(false);
		expect(Buffer.from(head).toString('latin1')).not.toMatch(/style/);
		expect(Buffer.from(body).toString()).toBe('one two');
	});
});

it('decodes content that lies here', async () => {
	expect(Buffer.from((await decodeContent(gzipSync('hello'), 'gzip', 100)) as Uint8Array).toString()).toBe('hello');
	expect(await decodeContent(gzipSync('hello'.repeat(100)), 'gzip', 100)).toBe('too-large');
	expect(await decodeContent(gzipSync('hello').subarray(0, 15), 'gzip', 100)).toBe('truncated');
	expect(await decodeContent(Buffer.from('hello'), 'gzip', 100)).toBe('bad-encoding');
});
