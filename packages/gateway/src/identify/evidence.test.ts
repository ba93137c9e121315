import type { Resolver } from '@wayleave/io/dns';
import type { Fetcher } from '@wayleave/io/http';
import { formatKeyDirectory, loadSigningKey, RequestVerifier, signRequest } from '@wayleave/io/signatures';
import { findAgentByToken } from '@wayleave/protocols/identity';
import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { createGateway } from '../engine/gateway.ts';
import type { Entry } from '../ledger/entry.ts';
import { createClientAddress } from './client-address.ts';
import { openIdentityChecker } from './open.ts';
import { createProbedResolver } from './probed-resolver.ts';

const absent = { ok: false, reason: 'not-found', detail: 'ENOTFOUND' } as const;

/** A DNS of our own: names by address, addresses by name; everything else does not exist. */
function dns(names: Record<string, string>, delay = 0): Resolver {
	const later = <Value>(value: Value) => new Promise<Value>((resolve) => setTimeout(() => resolve(value), delay));
	const addressOf = (wanted: string) => Object.entries(names).find(([, name]) => name === wanted)?.[0];
	return {
		resolveTxt: () => later(absent),
		resolve6: () => later(absent),
		resolvePtr: (address) => later(names[address] === undefined ? absent : { ok: true, records: [names[address]] }),
		resolve4: (name) => later(addressOf(name) === undefined ? absent : { ok: true, records: [addressOf(name) ?? ''] }),
	};
}

interface Options {
	readonly config?: Omit<ConfigInput, 'origin'>;
	readonly resolver?: Resolver;
	/** Prefixes by the URL of a list; other lists cannot be fetched. */
	readonly lists?: Record<string, string[]>;
}

/** A gateway that checks identities as `wayleave gateway` does, with a network of its own. */
async function gatewayWith({ config = {}, resolver = dns({}), lists = {} }: Options = {}) {
	const checked = checkConfig({ origin: 'https://site.example.com', ...config } as ConfigInput);
	const notes: string[] = [];
	const entries: (Entry & { identity: unknown })[] = [];
	const fetcher = {
		async get(url: string) {
			const prefixes = lists[url];
			if (prefixes === undefined) return { ok: false, url, reason: 'connect-failed', detail: 'no route' };
			const body = JSON.stringify({
				creationTime: '2026-05-01T00:00:00Z',
				prefixes: prefixes.map((prefix) => ({ ipv4Prefix: prefix })),
			});
			const headers = { get: () => undefined, getAll: () => [], has: () => false };
			return { ok: true, url, status: 200, headers, body: new TextEncoder().encode(body) };
		},
	} as unknown as Fetcher;
	const opened = openIdentityChecker({
		config: checked,
		userAgent: 'AIWebIndex/2.0 (+https://site.example.com/; Wayleave-Gateway)',
		fetcher,
		resolver,
		onNote: (text) => notes.push(text),
	});
	await opened.lists?.firstRound;
	await new Promise((resolve) => setTimeout(resolve, 0));
	const gateway = createGateway(checked, {
		identifier: opened.checker,
		origin: async () => new Response('page'),
		onEntry: (entry) => entries.push({ ...entry, identity: JSON.parse(entry.evidence).reason }),
	});
	const visit = async (userAgent: string, address: string, headers: Record<string, string> = {}) => {
		const fields = { 'user-agent': userAgent, ...headers };
		const response = await gateway.handle(new Request('https://site.example.com/page', { headers: fields }), {
			address,
		});
		return response.status;
	};
	return { visit, notes, entries, opened };
}

const yandex = 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)';
const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const googleList = 'https://developers.google.com/static/crawling/ipranges/common-crawlers.json';

describe('host names of an operator', () => {
	for (const [userAgent, name, verified] of [
		[google, 'crawl-203-0-113-52.googlebot.com', true],
		[google, 'geo-crawl-203-0-113-52.geo.googlebot.com', true],
		[google, 'google-proxy-203-0-113-52.google.com', false],
		[google, 'rate-limited-proxy-203-0-113-52.google.com', false],
		[google, '203-0-113-52.gae.googleusercontent.com', false],
		[google, 'mail.google.com', false],
		['AdsBot-Google (+http://www.google.com/adsbot.html)', 'rate-limited-proxy-203-0-113-52.google.com', true],
		['AdsBot-Google (+http://www.google.com/adsbot.html)', 'google-proxy-203-0-113-52.google.com', false],
		['AdsBot-Google (+http://www.google.com/adsbot.html)', 'rate-limited-proxy-1.evil.google.com.evil.test', false],
		['Google-NotebookLM', 'google-proxy-203-0-113-52.google.com', true],
	] as const) {
		it(`${verified ? 'G2-31' : 'G2-29'}: ${name} ${verified ? 'verifies' : 'does not verify'} ${userAgent}`, async () => {
			const { visit, entries } = await gatewayWith({ resolver: dns({ '203.0.113.52': name }) });
			await visit(userAgent, '203.0.113.52');
			expect(entries.at(-1)?.outcome === 'verified').toBe(verified);
		});
	}
});

describe('keys that a standard prints', () => {
	it('G2-30: a signature by the key of RFC 9421 appendix B.1.4 is refused as test-key', async () => {
		const printed = loadSigningKey(
			JSON.stringify({
				kty: 'OKP',
				crv: 'Ed25519',
				x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
				d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
			}),
		);
		const { KeyDirectories } = await import('@wayleave/io/signatures');
		const now = 1_790_000_000;
		const body = new TextEncoder().encode(formatKeyDirectory([printed]));
		const type = 'application/http-message-signatures-directory+json';
		const headers = { get: (name: string) => (name === 'content-type' ? type : undefined), has: () => false };
		const fetcher = {
			get: async (url: string) => ({ ok: true, url, status: 200, headers, body }),
		} as unknown as Fetcher;
		const verifier = new RequestVerifier({
			directories: new KeyDirectories({ fetcher, now: () => now * 1000 }),
			now: () => now,
		});
		const request = { method: 'GET', url: 'https://site.example.com/' };
		const times = { created: now, expires: now + 60 };
		const signed: Record<string, string> = {
			...(await signRequest(request, printed, { agent: 'https://signer.example.com', ...times })),
		};
		const verdict = await verifier.verify({ ...request, header: (name) => signed[name] });
		expect(verdict).toMatchObject({ outcome: 'invalid', reason: 'test-key' });
	});
});

describe('addresses that cannot be a crawler’s', () => {
	it('G2-47: the loopback never makes a search engine spoofed, whatever X-Forwarded-For says', async () => {
		const { visit, entries } = await gatewayWith();
		for (let time = 0; time < 3; time++) {
			expect(await visit(yandex, '127.0.0.1', { 'x-forwarded-for': '77.88.5.60' })).toBe(200);
		}
		expect(entries.map(({ outcome, identity }) => [outcome, identity])).toEqual(
			Array(3).fill(['unverified', 'no-public-address']),
		);
	});

	for (const forwarded of [
		{},
		...[
			'192.168.1.4',
			'fd00::5',
			'100.64.1.2',
			'169.254.10.1',
			'::1',
			'not an address',
			'10.9.8.7',
			'172.20.0.1',
			'fe80::1',
			'0.0.0.0',
			'127.0.0.9',
		].map((address) => ({ 'x-forwarded-for': address })),
		{ 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.10' },
	] as Record<string, string>[]) {
		it(`G2-48: behind a trusted proxy ${JSON.stringify(forwarded)} is evidence against no client`, async () => {
			const { visit, entries } = await gatewayWith({ config: { identity: { trustedProxies: ['127.0.0.1'] } } });
			for (let time = 0; time < 3; time++) expect(await visit(yandex, '127.0.0.1', forwarded)).toBe(200);
			expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['unverified']));
		});
	}

	it('G2-48: a trusted proxy with a public address is evidence for no client, even in a list', async () => {
		const { visit, entries } = await gatewayWith({
			config: { identity: { trustedProxies: ['66.249.64.5'] } },
			lists: { [googleList]: ['66.249.64.0/19'] },
		});
		expect(await visit(google, '66.249.64.5')).toBe(200);
		expect(entries[0]).toMatchObject({ outcome: 'unverified', identity: 'no-public-address' });
	});

	for (const [peer, header, value, shown] of [
		['127.0.0.1', 'x-forwarded-for', '203.0.113.9', 'X-Forwarded-For'],
		['10.0.0.7', 'forwarded', 'for=203.0.113.9', 'Forwarded'],
		['::ffff:172.18.0.2', 'x-forwarded-for', '203.0.113.9', 'X-Forwarded-For'],
	] as const) {
		it(`G2-49: ${shown} from ${peer} is explained once, with the line that mends it`, async () => {
			const { visit, notes } = await gatewayWith();
			for (let time = 0; time < 3; time++) await visit('Mozilla/5.0 Firefox/140.0', peer, { [header]: value });
			const said = notes.filter((note) => note.includes('trustedProxies'));
			const address = peer.replace('::ffff:', '');
			expect(said).toHaveLength(1);
			expect(said[0]).toContain(
				`${shown} comes from ${address}, which is not in identity.trustedProxies: all visitors count as this address`,
			);
			expect(said[0]).toContain(`trustedProxies: ["${address}"]`);
		});
	}

	it('G2-49: no stranger on the Internet can make the gateway recommend trusting it', async () => {
		const { visit, notes } = await gatewayWith();
		await visit('Mozilla/5.0 Firefox/140.0', '203.0.113.66', { 'x-forwarded-for': '198.51.100.1' });
		expect(notes.filter((note) => note.includes('trustedProxies'))).toEqual([]);
	});

	it('G2-50: an unnamed proxy is not one client to be limited', async () => {
		const { visit, notes } = await gatewayWith({ config: { rate: { default: 10 } } });
		const statuses: number[] = [];
		for (let time = 0; time < 15; time++) {
			const agent = time % 2 === 0 ? 'GPTBot/1.2' : 'ClaudeBot/1.0';
			statuses.push(await visit(agent, '127.0.0.1', { 'x-forwarded-for': `203.0.113.${time}` }));
		}
		expect(statuses).toEqual(Array(15).fill(200));
		expect(notes.filter((note) => note.includes('trustedProxies'))).toHaveLength(1);
	});

	it('G2-50: a client that is known is limited as before', async () => {
		const { visit } = await gatewayWith({ config: { rate: { default: 10 } } });
		const statuses: number[] = [];
		for (let time = 0; time < 15; time++) statuses.push(await visit('GPTBot/1.2', '203.0.113.7'));
		expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5);
	});

	for (const [text, sentence] of [
		['10.0.0.2/26', /10\.0\.0\.2\/26 has bits set beyond its prefix length; did you mean 10\.0\.0\.0\/26\?/],
		['fd00::1/64', /did you mean fd00::\/64\?/],
		['proxy.internal', /proxy\.internal is a host name, and host names are not resolved: write its address/],
		['localhost', /localhost is a host name/],
		['300.1.1.1', /300\.1\.1\.1 is not an address or a range/],
		['10.0.0.0/33', /10\.0\.0\.0\/33 is not an address or a range/],
	] as const) {
		it(`G2-51: trustedProxies: [${text}] is explained`, () => {
			expect(() => createClientAddress({ trustedProxies: ['127.0.0.1', text] })).toThrow(sentence);
			expect(() => createClientAddress({ trustedProxies: ['127.0.0.1', text] })).toThrow(/trustedProxies\[1\]/);
		});
	}

	it('G2-52: an address without a name is spoofed behind a trusted proxy', async () => {
		const { visit } = await gatewayWith({ config: { identity: { trustedProxies: ['127.0.0.1'] } } });
		await visit(yandex, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' });
		expect(await visit(yandex, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(403);
	});

	it('a resolver that knows no name at all makes no client an impostor', async () => {
		let time = 0;
		const closed = createProbedResolver(dns({}), () => time);
		expect(await closed.resolvePtr('203.0.113.9')).toMatchObject({ ok: false, reason: 'failed' });
		const names: Record<string, string> = {};
		const reopened = createProbedResolver(dns(names), () => time);
		expect(await reopened.resolvePtr('203.0.113.9')).toMatchObject({ reason: 'failed' });
		names['198.41.0.4'] = 'a.root-servers.net';
		time += 60_000;
		expect(await reopened.resolvePtr('203.0.113.9')).toMatchObject({ reason: 'not-found' });
	});
});

describe('the first request of a name', () => {
	it('G2-53: waits for the DNS, and an impostor is refused at once', async () => {
		const { visit } = await gatewayWith({
			config: { identity: { trustedProxies: ['127.0.0.1'] } },
			resolver: dns({}, 20),
		});
		for (let last = 1; last <= 5; last++) {
			expect(await visit(yandex, '127.0.0.1', { 'x-forwarded-for': `203.0.113.${last}` })).toBe(403);
		}
	});

	it('G2-53: counts as unverified when the wait is over', async () => {
		const never: Resolver = { ...dns({}), resolvePtr: () => new Promise(() => {}) };
		const { visit, entries } = await gatewayWith({ config: { identity: { wait: 20 } }, resolver: never });
		expect(await visit(yandex, '203.0.113.1')).toBe(200);
		expect(entries[0]).toMatchObject({ outcome: 'unverified', identity: 'pending' });
	});

	it('G2-54: says after the first round which lists are missing and what follows', async () => {
		const none = await gatewayWith();
		const total = none.opened.lists?.statuses().length ?? 0;
		expect(total).toBeGreaterThan(10);
		expect(none.notes[0]).toContain(`0 of ${total} address lists could be fetched`);
		expect(none.notes[0]).toContain('agents cannot be verified by address');
		const some = await gatewayWith({ lists: { [googleList]: ['66.249.64.0/19'] } });
		expect(some.notes[0]).toContain(`1 of ${total} address lists could be fetched`);
	});
});

describe('a request that names no agent, from the address of a crawler', () => {
	const policy = { paths: { agents: { Googlebot: { disallow: ['/page'] } } } };
	for (const userAgent of ['', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0']) {
		it(`is attributed and flagged: ${userAgent === '' ? 'no User-Agent' : userAgent}`, async () => {
			const { visit, entries } = await gatewayWith({
				config: policy as Omit<ConfigInput, 'origin'>,
				lists: { [googleList]: ['66.249.64.0/19'] },
			});
			expect(await visit(userAgent, '66.249.66.1')).toBe(403);
			expect(entries[0]).toMatchObject({ agent: 'Googlebot', outcome: 'verified', identity: 'undeclared' });
			expect(await visit('Mozilla/5.0 Firefox/140.0', '203.0.113.5')).toBe(200);
		});
	}

	it('is not attributed behind a trusted proxy whose own address is in a list', async () => {
		const { visit, entries } = await gatewayWith({
			config: { identity: { trustedProxies: ['66.249.64.5'] }, ...policy } as Omit<ConfigInput, 'origin'>,
			lists: { [googleList]: ['66.249.64.0/19'] },
		});
		expect(await visit('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '66.249.64.5')).toBe(
			200,
		);
		expect(entries).toEqual([]);
	});

	it('is not attributed by the list of a fetcher that acts for people', async () => {
		const url = findAgentByToken('ChatGPT-User')?.ranges ?? '';
		expect(url).not.toBe('');
		const { visit, entries } = await gatewayWith({ lists: { [url]: ['203.0.113.0/24'] } });
		expect(await visit('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '203.0.113.5')).toBe(
			200,
		);
		expect(entries).toEqual([]);
	});
});

describe('rates and search engines', () => {
	const config = { rate: { default: 30 } };
	const lists = { [googleList]: ['66.249.64.0/19'] };

	it('G2-91: a verified search engine has no limit unless the policy gives it one', async () => {
		const { visit } = await gatewayWith({ config, lists });
		const statuses = new Set<number>();
		for (let time = 0; time < 40; time++) statuses.add(await visit(google, '66.249.66.1'));
		expect([...statuses]).toEqual([200]);
	});

	it('G2-91: a search engine that could not be checked keeps the terms of its name', async () => {
		const failing: Resolver = {
			...dns({}),
			resolvePtr: async () => ({ ok: false, reason: 'failed', detail: 'ESERVFAIL' }),
		};
		const { visit } = await gatewayWith({ config, resolver: failing });
		const statuses = new Set<number>();
		for (let time = 0; time < 40; time++) statuses.add(await visit(google, '203.0.113.77'));
		expect([...statuses]).toEqual([200]);
	});

	it('G2-91: rate.searchEngines limits them', async () => {
		const { visit } = await gatewayWith({ config: { rate: { searchEngines: 6 } }, lists });
		const statuses: number[] = [];
		for (let time = 0; time < 10; time++) statuses.push(await visit(google, '66.249.66.1'));
		expect(statuses).toContain(429);
	});

	it('G2-91: rate.unknown limits tools that claim nothing, and no browser', async () => {
		const { visit } = await gatewayWith({ config: { rate: { unknown: 6 } } });
		const tools: number[] = [];
		const browsers: number[] = [];
		for (let time = 0; time < 10; time++) {
			tools.push(await visit('some-tool/1.0', '203.0.113.5'));
			browsers.push(
				await visit('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '203.0.113.5'),
			);
		}
		expect(tools).toContain(429);
		expect(new Set(browsers)).toEqual(new Set([200]));
	});
});
