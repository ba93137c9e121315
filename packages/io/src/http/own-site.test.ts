import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTlsServer } from '../testing/tls-server.ts';
import { createFetcher } from './fetcher.ts';
import type { Cookie } from './own-site.ts';
import type { Fetcher, FetcherOptions, FetchSuccess } from './types.ts';

const userAgent = 'AIWebIndex/2.0 (+https://example.com/bot; OwnSiteTest)';
let server: Server;
let origin: string;
const received: IncomingMessage['headers'][] = [];
const open: Fetcher[] = [];

beforeAll(async () => {
	server = createServer((request, response) => {
		received.push(request.headers);
		response.setHeader('Set-Cookie', ['sid=s3cret; Path=/', 'theme=dark']);
		response.end('ok');
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
	for (const fetcher of open.splice(0)) await fetcher.close();
	received.length = 0;
});

afterAll(() => server.close());

function fetcherWith(credentials: FetcherOptions['credentials'], more: Partial<FetcherOptions> = {}): Fetcher {
	const fetcher = createFetcher({ userAgent, allowPrivate: () => true, ...(credentials && { credentials }), ...more });
	open.push(fetcher);
	return fetcher;
}

const cookie = (more: Partial<Cookie>): Cookie => ({
	name: 'sid',
	value: 's3cret',
	domain: '127.0.0.1',
	subdomains: false,
	...more,
});

describe('credentials for own sites', () => {
	it('goes to the origins that are named and to no other scheme, host or port', async () => {
		const fetcher = fetcherWith({
			origins: [origin],
			headers: { Authorization: 'Bearer s3cret' },
			cookies: [cookie({})],
		});
		await fetcher.get(`${origin}/a`);
		await fetcher.get(`${origin.replace('127.0.0.1', 'localhost')}/a`);
		expect(received.map(({ authorization, cookie: sent }) => [authorization, sent])).toEqual([
			['Bearer s3cret', 'sid=s3cret'],
			[undefined, undefined],
		]);
		const elsewhere = fetcherWith({
			origins: [origin.replace('http:', 'https:'), 'http://127.0.0.1'],
			headers: { Authorization: 'x' },
		});
		await elsewhere.get(`${origin}/a`);
		expect(received[2]).not.toHaveProperty('authorization');
	});

	it('is in no record of the exchange, nor is what the site renews of it', async () => {
		const fetcher = fetcherWith({
			origins: [origin],
			headers: { 'X-Token': 's3cret', 'Accept-Language': 'da' },
			cookies: [cookie({})],
		});
		const response = (await fetcher.get(`${origin}/a`, {
			raw: true,
			headers: { 'Accept-Language': '*' },
		})) as FetchSuccess;
		expect(received[0]).toMatchObject({ 'x-token': 's3cret', 'accept-language': 'da', cookie: 'sid=s3cret' });
		const { request, head } = response.raw ?? {};
		expect(Buffer.from(request ?? []).toString()).not.toMatch(/s3cret|x-token|cookie|language/i);
		expect(Buffer.from(head ?? []).toString()).not.toMatch(/s3cret|set-cookie/i);
		expect(Buffer.from(head ?? []).toString()).toMatch(/^HTTP\/1.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n$/);
		const plain = (await fetcherWith(undefined).get(`${origin}/a`, { raw: true })) as FetchSuccess;
		expect(Buffer.from(plain.raw?.head ?? []).toString()).toContain('Set-Cookie: sid=s3cret');
	});

	it('goes over HTTP/2 as well, and not with a request that is to be anonymous', async () => {
		const tls = await startTlsServer({ names: ['own.test'] });
		const own = new URL(tls.url('/')).origin;
		const fetcher = fetcherWith(
			{ origins: [own], headers: { 'X-Token': 's3cret' } },
			{ ca: tls.ca, lookup: tls.lookup },
		);
		const response = (await fetcher.get(tls.url('/a'), { raw: true })) as FetchSuccess;
		await fetcher.get(tls.url('/b'), { anonymous: true });
		expect(response.httpVersion).toBe('2');
		expect(tls.received.map((headers) => headers['x-token'])).toEqual(['s3cret', undefined]);
		expect(Buffer.from(response.raw?.request ?? []).toString()).not.toContain('s3cret');
		await tls.close();
	});

	it.each([
		['user-agent', 'User-Agent'],
		['identity', 'X-Agent-Identity'],
		['person', 'FROM'],
		['signature', 'Signature'],
		['signature input', 'Signature-Input'],
		['signature agent', 'signature-agent'],
		['host', 'Host'],
		['connection', 'Connection'],
		['keep-alive', 'Keep-Alive'],
		['proxy login', 'Proxy-Authorization'],
		['te', 'TE'],
		['trailer', 'Trailer'],
		['upgrade', 'Upgrade'],
		['length', 'Content-Length'],
		['transfer', 'Transfer-Encoding'],
		['coding', 'Accept-Encoding'],
		['no name', 'X Token'],
	])('is never a field of %s', (_, name) => {
		expect(() => fetcherWith({ origins: [origin], headers: { [name]: 's3cret' } })).toThrow(
			new RegExp(`^the header ${name} cannot be sent to one's own site: (?!.*s3cret)`),
		);
	});

	it('that cannot be sent is refused without being repeated', () => {
		for (const value of ['s3cret\r\nX: y', 's3cret€'])
			expect(() => fetcherWith({ origins: [origin], headers: { 'X-Token': value } })).toThrow(
				/^(?!.*s3cret).*x-token/i,
			);
		expect(() => fetcherWith({ origins: [origin], cookies: [cookie({ value: 's3cret; x' })] })).toThrow(
			/^(?!.*s3cret)/,
		);
	});

	it.each<[string, Partial<Cookie>, string, string | undefined]>([
		['another host', { domain: 'other.test' }, '/', undefined],
		['a path', { path: '/a' }, '/a/b', 'sid=s3cret'],
		['the path itself', { path: '/a' }, '/a', 'sid=s3cret'],
		['a path that only begins like it', { path: '/a' }, '/ab', undefined],
		['https only', { secure: true }, '/', undefined],
		['one that is over', { expires: 1 }, '/', undefined],
		['one of the session', {}, '/', 'sid=s3cret'],
	])('a cookie for %s (RFC 6265 §5.4)', async (_, more, path, sent) => {
		await fetcherWith({ origins: [origin], cookies: [cookie(more)] }).get(origin + path);
		expect(received[0]?.cookie).toBe(sent);
	});
});

describe('a client that names no contact', () => {
	it('asks loopback and its own hosts, and nothing of any other', async () => {
		const fetcher = fetcherWith(undefined, { unintroduced: (host) => host === 'own.test' });
		expect(await fetcher.get(`${origin}/`)).toMatchObject({ ok: true });
		expect(await fetcher.get('http://harbour.invalid/')).toMatchObject({ ok: false, reason: 'no-contact' });
		expect(await fetcher.get('http://192.0.2.1/')).toMatchObject({ ok: false, reason: 'no-contact' });
		expect(await fetcher.get('http://own.test:1/')).not.toMatchObject({ reason: 'no-contact' });
	});

	it('goes by addresses where names are mapped', async () => {
		const port = new URL(origin).port;
		const lookup = async (name: string) => [
			{ address: name === 'here.test' ? '127.0.0.1' : '192.0.2.1', family: 4 as const },
		];
		const fetcher = fetcherWith(undefined, { unintroduced: () => false, lookup });
		expect(await fetcher.get(`http://here.test:${port}/`)).toMatchObject({ ok: true });
		expect(await fetcher.get(`http://there.test:${port}/`)).toMatchObject({ reason: 'no-contact' });
	});
});
