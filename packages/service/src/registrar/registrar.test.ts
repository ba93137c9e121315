import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@wayleave/crawler';
import { createResolver } from '@wayleave/io/dns';
import { createFetcher, type Fetcher } from '@wayleave/io/http';
import { buildUserAgent } from '@wayleave/protocols/identity';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer } from '../../../io/src/testing/dns-server.ts';
import { checkDns, type NamedResolver, namedResolvers } from './check-dns.ts';
import { checkDomain } from './check-domain.ts';
import { checkFile } from './check-file.ts';
import { readDomain } from './domain.ts';
import { Pace } from './pace.ts';
import { startTlsSites, type TlsSites } from './testing/tls-sites.ts';
import { issueToken } from './token.ts';

const token = 'a'.repeat(40);
const proof = `aiwi-verify=${token}`;
const other = `aiwi-verify=${'b'.repeat(40)}`;

it('AWI-75 tokens carry 160 random bits, none twice, and nothing of domain or owner', () => {
	const tokens = Array.from({ length: 10_000 }, issueToken);
	expect(new Set(tokens).size).toBe(10_000);
	for (const each of tokens) expect(each).toMatch(/^[0-9a-f]{40}$/);
});

describe('the name of a domain', () => {
	it.each([
		['Example.COM.', 'example.com'],
		[' www.example.co.uk ', 'www.example.co.uk'],
		['bücher.example', 'xn--bcher-kva.example'],
		['me.github.io', 'me.github.io'],
		['a_b.example.com', 'a_b.example.com'],
	])('%j is %s', (text, domain) => expect(readDomain(text)).toEqual({ domain }));

	it.each([
		['github.io', 'public-suffix'],
		['co.uk', 'public-suffix'],
		['127.0.0.1', 'address'],
		['[::1]', 'address'],
		['localhost', 'not-a-name'],
		['https://example.com', 'not-a-name'],
		['example.com:443', 'not-a-name'],
		['example.com/path', 'not-a-name'],
		['', 'not-a-name'],
		['a b.example', 'not-a-name'],
	])('%j is none: %s', (text, fault) => expect(readDomain(text)).toEqual({ fault }));
});

describe('the DNS record', () => {
	const name = '_aiwebindex-verify.site.test';
	const txt = (...data: (string | string[])[]) => ({
		[`TXT ${name}`]: data.map((each) => ({ type: 'TXT' as const, name, data: each })),
	});
	type Zone = Parameters<typeof startDnsServer>[0];
	const servers: Awaited<ReturnType<typeof startDnsServer>>[] = [];
	afterEach(async () => {
		await Promise.all(servers.splice(0).map((server) => server.close()));
	});

	async function check(zones: readonly Zone[], tokens = [token]) {
		for (const zone of zones) servers.push(await startDnsServer(zone));
		const named: NamedResolver[] = servers.map(({ address }, index) => ({
			name: `resolver ${index}`,
			resolver: createResolver({ servers: [address], timeout: 400 }),
		}));
		return checkDns('site.test', tokens, named);
	}

	it('AWI-58 AWI-59 the exact value at _aiwebindex-verify is a proof, asked of a resolver as TXT', async () => {
		expect(await check([txt(proof)])).toMatchObject({ verified: true, token, record: name, agreed: ['resolver 0'] });
		expect(new Set(servers[0]!.asked)).toEqual(new Set([`TXT ${name}`]));
	});

	it('AWI-59 with no resolver to be reached nothing is verified', async () => {
		const gone = namedResolvers(['127.0.0.1:1'], 300);
		const answer = await checkDns('site.test', [token], gone);
		expect(answer).toMatchObject({ verified: false, failed: [{ resolver: '127.0.0.1:1' }] });
	});

	it('AWI-60 one resolver fails, one has nothing, one is right: verified, and all are named', async () => {
		const answer = await check([{ [`TXT ${name}`]: 'SERVFAIL' }, {}, txt(proof)]);
		expect(answer).toMatchObject({
			verified: true,
			agreed: ['resolver 2'],
			differed: [{ resolver: 'resolver 1', found: [] }],
			failed: [{ resolver: 'resolver 0', reason: expect.stringContaining('failed') }],
		});
	});

	it('AWI-60 a resolver that is silent does not keep the others waiting longer than itself', async () => {
		const answer = await check([{ [`TXT ${name}`]: 'silence' }, { [`TXT ${name}`]: 'silence' }, txt(proof)]);
		expect(answer.agreed).toEqual(['resolver 2']);
		expect(answer.failed.map(({ reason }) => reason)).toEqual([
			expect.stringContaining('timeout'),
			expect.stringContaining('timeout'),
		]);
	});

	it('resolvers that give different values are told apart', async () => {
		const answer = await check([txt(other), txt(proof)]);
		expect(answer).toMatchObject({
			verified: true,
			agreed: ['resolver 1'],
			differed: [{ resolver: 'resolver 0', found: [other] }],
		});
	});

	it.each([
		['several records, one of them right', txt('v=spf1 -all', proof, other), true],
		['a record in two strings', txt([proof.slice(0, 20), proof.slice(20)]), true],
		['a record that goes on behind the token', txt(`${proof}f`), false],
		['a record with words before it', txt(`x ${proof}`), false],
		['the token of another domain', txt(other), false],
		['the record at the domain itself', { 'TXT site.test': [{ type: 'TXT', name: 'site.test', data: proof }] }, false],
	] as const)('AWI-58 %s', async (_, zone, verified) => {
		expect((await check([zone as Zone])).verified).toBe(verified);
	});
});

describe('the well-known file', () => {
	const path = '/.well-known/aiwebindex-verify.txt';
	const names = [
		'site.test',
		'www.site.test',
		'a.site.test',
		'b.site.test',
		'other.test',
		'x.github.io',
		'y.github.io',
	];
	let sites: TlsSites;
	let fetcher: Fetcher;
	let plain: ReturnType<typeof createServer>;
	let plainRequests = 0;

	beforeAll(async () => {
		sites = await startTlsSites(names);
		plain = createServer((_, response) => {
			plainRequests++;
			response.end(proof);
		}).listen(0, '127.0.0.1');
		fetcher = createFetcher({
			userAgent: buildUserAgent({ botUrl: 'https://index.test/bot', botName: 'Test', verification: true }),
			lookup: sites.lookup,
			ca: sites.ca,
			allowPrivate: () => true,
		});
	});
	afterEach(() => {
		sites.pages.clear();
		sites.log.length = 0;
	});
	afterAll(async () => {
		await fetcher.close();
		await sites.close();
		plain.close();
	});

	const turn = async () => () => {};
	const check = (domain = 'site.test') => checkFile(domain, [token], { fetcher, turn, port: sites.port });

	it('AWI-61 a line of its own is a proof, after a comment and with white space', async () => {
		sites.pages.set(`site.test${path}`, `# AIWebIndex\r\n  ${proof} \r\n`);
		expect(await check()).toMatchObject({ verified: true, token });
	});

	it.each([
		['another token', other],
		['a token that goes on', `${proof}0`],
		['the token alone', token],
		['a page about nothing', '<html><body>Not found</body></html>'],
	])('AWI-61 %s is none', async (_, body) => {
		sites.pages.set(`site.test${path}`, body);
		expect(await check()).toMatchObject({ verified: false, fault: 'no-proof' });
	});

	it('AWI-03 the look says that it is a verification', async () => {
		await check();
		expect(sites.log.map(({ userAgent }) => userAgent)).toEqual([
			'AIWebIndex/2.0 verification (+https://index.test/bot)',
		]);
	});

	it.each([
		[1, true],
		[3, true],
		[4, false],
	])('AWI-64 %i redirects within the registrable domain: %s', async (count, verified) => {
		const hosts = ['www.site.test', 'a.site.test', 'b.site.test', 'site.test'];
		sites.pages.set(`site.test${path}`, { status: 302, location: `https://${hosts[0]}:PORT/0` });
		for (let hop = 0; hop < count; hop++) {
			const location = `https://${hosts[hop + 1]}:PORT/${hop + 1}`;
			sites.pages.set(`${hosts[hop]}/${hop}`, hop === count - 1 ? proof : { status: 301, location });
		}
		const answer = await check();
		expect(answer.verified).toBe(verified);
		expect(sites.log.length).toBe(Math.min(count, 3) + 1);
		if (!verified) expect(answer.fault).toBe('too-many-redirects');
	});

	it('AWI-65 a redirect to another registrable domain proves nothing, and is not followed', async () => {
		sites.pages.set(`site.test${path}`, { status: 302, location: 'https://other.test:PORT/proof' });
		sites.pages.set('other.test/proof', proof);
		expect(await check()).toMatchObject({ verified: false, fault: 'other-domain' });
		expect(sites.log.map(({ url }) => url)).toEqual([`site.test${path}`]);
	});

	it('AWI-65 two names below a private suffix are two domains', async () => {
		sites.pages.set(`x.github.io${path}`, { status: 302, location: 'https://y.github.io:PORT/proof' });
		sites.pages.set('y.github.io/proof', proof);
		expect(await check('x.github.io')).toMatchObject({ verified: false, fault: 'other-domain' });
	});

	it('AWI-63 a redirect to plain HTTP proves nothing, and is not followed', async () => {
		const { port } = plain.address() as AddressInfo;
		sites.pages.set(`site.test${path}`, { status: 301, location: `http://site.test:${port}${path}` });
		expect(await check()).toMatchObject({ verified: false, fault: 'not-https' });
		expect(plainRequests).toBe(0);
	});

	it('AWI-63 a file that is there over plain HTTP only is no proof', async () => {
		const { port } = plain.address() as AddressInfo;
		const answer = await checkFile('site.test', [token], { fetcher, turn, port });
		expect(answer).toMatchObject({ verified: false, fault: 'fetch-failed' });
		expect(plainRequests).toBe(0);
	});

	it('a redirect to another port proves nothing', async () => {
		sites.pages.set(`site.test${path}`, { status: 301, location: `https://site.test:8443${path}` });
		expect(await check()).toMatchObject({ verified: false, fault: 'other-port' });
	});

	it('robots.txt is not asked (AMB-37); a pause that the server wants is kept', async () => {
		sites.pages.set(`site.test${path}`, { status: 429, headers: { 'retry-after': '3600' } });
		const pace = new Pace(systemClock, new AbortController().signal);
		const options = { fetcher, turn: (host: string) => pace.turn(host), port: sites.port };
		expect(await checkFile('site.test', [token], options)).toMatchObject({ fault: 'busy', retryAfter: '3600' });
		expect(await checkFile('site.test', [token], options)).toMatchObject({ fault: 'busy', hops: [{}] });
		expect(sites.log.map(({ url }) => url)).toEqual([`site.test${path}`]);
	});

	it('AWI-56 AWI-57 either method is enough, and each says what it saw', async () => {
		const dns = await startDnsServer({
			'TXT _aiwebindex-verify.other.test': [{ type: 'TXT', name: '_aiwebindex-verify.other.test', data: proof }],
		});
		const options = { fetcher, turn, port: sites.port, resolvers: namedResolvers([dns.address], 500) };
		sites.pages.set(`site.test${path}`, proof);
		const byFile = await checkDomain('site.test', [token], options);
		const byDns = await checkDomain('other.test', [token], options);
		const byNone = await checkDomain('www.site.test', [token], options);
		await dns.close();
		expect([byFile.verified, byFile.dns.verified, byFile.file.verified]).toEqual([true, false, true]);
		expect([byDns.verified, byDns.dns.verified, byDns.file.verified]).toEqual([true, true, false]);
		expect([byNone.verified, byNone.conclusive]).toEqual([false, true]);
	});

	it('trouble of resolvers and servers is no word of the owner', async () => {
		sites.pages.set(`site.test${path}`, { status: 502 });
		const options = { fetcher, turn, port: sites.port, resolvers: namedResolvers(['127.0.0.1:1'], 300) };
		expect(await checkDomain('site.test', [token], options)).toMatchObject({ verified: false, conclusive: false });
	});
});
