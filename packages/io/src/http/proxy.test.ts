import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ForwardProxy, startForwardProxy } from '../testing/forward-proxy.ts';
import { startTlsServer, type TlsServer } from '../testing/tls-server.ts';
import { createFetcher } from './fetcher.ts';
import { fixedProxy, ProxyError, proxyFromEnvironment } from './proxy.ts';
import type { Fetcher, FetcherOptions } from './types.ts';

const userAgent = 'AIWebIndex/2.0 (+https://example.com/bot; ProxyTest)';

let site: Server;
let port: number;
let tls: TlsServer;
let proxy: ForwardProxy;
const asked: string[] = [];
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
	site = createServer((request, response) => {
		asked.push(`${request.headers.host}${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
		if (request.url === '/407') response.writeHead(407);
		response.end('the page');
	});
	await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
	port = (site.address() as AddressInfo).port;
	tls = await startTlsServer({ names: ['secure.test'] });
	proxy = await startForwardProxy();
});

afterEach(async () => {
	for (const each of open.splice(0)) await each.close();
	asked.length = 0;
	proxy.log.length = 0;
});

afterAll(async () => {
	site.close();
	await tls.close();
	await proxy.close();
});

const neverLookedUp = async (name: string) => {
	throw new Error(`${name} was looked up`);
};

function fetcherBy(address: string, more: Partial<FetcherOptions> = {}, env = {}): Fetcher {
	const fetcher = createFetcher({ userAgent, lookup: neverLookedUp, proxy: fixedProxy(address, env), ...more });
	open.push(fetcher);
	return fetcher;
}

const text = (response: { body?: Uint8Array }) => Buffer.from(response.body ?? []).toString();

describe('a request through a proxy', () => {
	it('passes http with the whole address, looks no name up, and keeps the archive as it would be without', async () => {
		const response = await fetcherBy(proxy.url).get(`http://harbour.test:${port}/a?b`, { raw: true });
		expect(response).toMatchObject({ ok: true, status: 200, address: '' });
		expect(proxy.log).toEqual([`GET http://harbour.test:${port}/a?b`]);
		expect(asked).toEqual([`harbour.test:${port}/a?b`]);
		if (response.ok) expect(Buffer.from(response.raw?.request ?? []).toString()).toMatch(/^GET \/a\?b HTTP\/1.1\r\n/);
	});

	it.each([true, false])(
		'opens a tunnel for https, with http2 %s, and checks the certificate of the site',
		async (http2) => {
			const fetcher = fetcherBy(proxy.url, { ca: tls.ca, http2 });
			const response = await fetcher.get(tls.url('/inside'));
			expect(response).toMatchObject({ ok: true, httpVersion: http2 ? '2' : '1.1', address: '' });
			const { host } = new URL(tls.url('/'));
			expect(proxy.log).toEqual([`CONNECT ${host}`]);
			expect(await fetcher.get(tls.url('/', 'other.test'))).toMatchObject({ ok: false, reason: 'tls-failed' });
		},
	);

	it('gives the proxy the login of its address, and the site nothing of it', async () => {
		const strict = await startForwardProxy({ login: 'ann:s3cret@x' });
		open.push(strict);
		const fetcher = fetcherBy(`http://ann:s3cret%40x@127.0.0.1:${strict.port}`, { ca: tls.ca });
		const plain = await fetcher.get(`http://harbour.test:${port}/`, { raw: true });
		expect(text(plain as never)).toBe('the page');
		expect(
			JSON.stringify(plain, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
		).not.toMatch(/s3cret|proxy-auth|YW5u/i);
		expect(asked).toEqual([`harbour.test:${port}/`]);
		expect(await fetcher.get(tls.url('/'))).toMatchObject({ ok: true });
	});

	it.each([
		['without a login', '', 'requires a user name and password'],
		['with a wrong one', 'ann:wr0ng@', 'rejected the user name and password in its URL'],
	])('says what 407 means %s, in a sentence without the password', async (_, login, sentence) => {
		const strict = await startForwardProxy({ login: 'ann:s3cret' });
		open.push(strict);
		const fetcher = fetcherBy(`http://${login}127.0.0.1:${strict.port}`, { ca: tls.ca });
		for (const url of [`http://harbour.test:${port}/`, tls.url('/')]) {
			const response = await fetcher.get(url);
			expect(response).toMatchObject({ ok: false, reason: 'proxy-failed', detail: expect.stringContaining(sentence) });
			expect(JSON.stringify(response)).not.toMatch(/wr0ng|s3cret|ann/);
		}
		expect(asked).toEqual([]);
	});

	it('says that the proxy refused the connection, or the tunnel', async () => {
		const fetcher = fetcherBy('http://ann:s3cret@127.0.0.1:9');
		expect(
			await createFetcher({ userAgent, proxy: fixedProxy('127.0.0.1:1024', {}) }).get('http://a.test/'),
		).toMatchObject({
			reason: 'proxy-failed',
			detail: 'the proxy 127.0.0.1:1024 refused the connection',
		});
		expect(JSON.stringify(await fetcher.get('https://a.test/'))).not.toContain('s3cret');
		const closed = await startForwardProxy({ connectStatus: 403 });
		open.push(closed);
		expect(await fetcherBy(closed.url).get('https://a.test/')).toMatchObject({
			reason: 'proxy-failed',
			detail: `the proxy 127.0.0.1:${closed.port} responded with 403 to CONNECT a.test:443`,
		});
	});

	it.each(['http://10.0.0.1/', 'http://127.0.0.1/', 'http://[::1]/', 'http://[::ffff:10.0.0.1]/', 'http://0x7f.1/'])(
		'refuses the private literal %s, unless it was named',
		async (url) => {
			expect(await fetcherBy(proxy.url).get(url)).toMatchObject({ ok: false, reason: 'private-address' });
			expect(proxy.log).toEqual([]);
		},
	);

	it.each(['localhost', 'a.localhost', 'printer', 'nas.local', 'wiki.internal', 'x.home.arpa', 'localhost.'])(
		'refuses the private name %s, unless it was named',
		async (host) => {
			const url = `http://${host}:${port}/`;
			expect(await fetcherBy(proxy.url).get(url)).toMatchObject({ ok: false, reason: 'private-address' });
			expect(await fetcherBy(proxy.url, { allowPrivate: (name) => name === host }).get(url)).toMatchObject({
				ok: true,
			});
		},
	);

	it('a site that answers 407 itself is no proxy', async () => {
		const fetcher = createFetcher({ userAgent, allowPrivate: () => true });
		open.push(fetcher);
		expect(await fetcher.get(`http://127.0.0.1:${port}/407`)).toMatchObject({ ok: true, status: 407 });
	});
});

describe('the environment', () => {
	const via = (env: Record<string, string>, url: string) => proxyFromEnvironment(env)?.(new URL(url))?.url.host;

	it('has one proxy for each scheme, and lower case wins', () => {
		const env = { HTTP_PROXY: 'http://upper:1', http_proxy: 'http://lower:2', HTTPS_PROXY: 'plain:3' };
		expect(via(env, 'http://a.test/')).toBe('lower:2');
		expect(via(env, 'https://a.test/')).toBe('plain:3');
		expect(proxyFromEnvironment({ HTTP_PROXY: '', https_proxy: ' ' })).toBeUndefined();
		expect(proxyFromEnvironment({})).toBeUndefined();
	});

	it('of a CGI program does not set HTTP_PROXY (CVE-2016-5385)', () => {
		expect(via({ HTTP_PROXY: 'http://evil:1', REQUEST_METHOD: 'GET' }, 'http://a.test/')).toBeUndefined();
	});

	it.each([
		['*', 'http://a.test/', false],
		['a.test', 'http://a.test/', false],
		['a.test', 'http://www.a.test/', false],
		['.a.test', 'http://a.test/', false],
		['*.a.test', 'http://b.a.test/', false],
		['a.test', 'http://ba.test/', true],
		['A.Test.', 'http://a.test./', false],
		['x.test, a.test', 'http://a.test/', false],
		['x.test a.test', 'http://a.test/', false],
		['a.test:8080', 'http://a.test:8080/', false],
		['a.test:8080', 'http://a.test/', true],
		['a.test:443', 'https://a.test/', false],
		['a.test:80', 'http://a.test/', false],
		['192.168.0.0/16', 'http://192.168.3.4/', false],
		['192.168.0.0/16', 'http://192.169.3.4/', true],
		['10.0.0.1', 'http://10.0.0.1/', false],
		['10.0.0.1:81', 'http://10.0.0.1:81/', false],
		['10.0.0.0/33', 'http://10.0.0.1/', true],
		['fd00::/8', 'http://[fd12::1]/', false],
		['[fd12::1]', 'http://[fd12::1]/', false],
		['[fd12::1]:8080', 'http://[fd12::1]:8080/', false],
		['::1', 'http://[::1]/', false],
		['', 'http://a.test/', true],
		[',', 'http://a.test/', true],
	])('NO_PROXY=%s and %s: by the proxy %s', (list, url, proxied) => {
		for (const name of ['NO_PROXY', 'no_proxy'])
			expect(via({ http_proxy: 'p:1', https_proxy: 'p:1', [name]: list }, url)).toBe(proxied ? 'p:1' : undefined);
	});

	it.each(['socks5://ann:s3cret@x:1', 'http://ann:s3cret@', 'ann:s3cret@:x'])(
		'%s is refused by the name of the variable alone',
		(address) => {
			const attempt = () => proxyFromEnvironment({ HTTPS_PROXY: address });
			expect(attempt).toThrow(ProxyError);
			expect(attempt).toThrow(/^HTTPS_PROXY(?!.*s3cret)/);
		},
	);
});
