import { createResolver } from '@wayleave/io/dns';
import { createFetcher } from '@wayleave/io/http';
import {
	formatKeyDirectory,
	generateSigningKey,
	keyDirectoryPath,
	keyDirectoryType,
	loadSigningKey,
	type SigningKey,
	signRequest,
} from '@wayleave/io/signatures';
import type { KnownAgent } from '@wayleave/protocols/identity';
import type { Answer } from 'dns-packet';
import { reverseName } from '../../../../io/src/dns/reverse.ts';
import { startDnsServer, type Zone } from '../../../../io/src/testing/dns-server.ts';
import { type StreamHandler, startTlsServer } from '../../../../io/src/testing/tls-server.ts';
import { checkConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import { type OpenIdentityCheckerOptions, openIdentityChecker } from '../open.ts';
import type { RequestFacts } from '../types.ts';

const hosts = ['lists.test', 'signer.test', 'other-signer.test', 'down.test', 'slow.test'];

/** A DNS server, a TLS server with range lists and key directories, and a clock: the world outside, on the loopback. */
export async function startWorld() {
	const dns = await startDnsServer(zone);
	const key = loadSigningKey(generateSigningKey());
	const state = { time: Date.parse('2026-01-01T00:00:00Z'), keys: [key], listsFail: false };
	const list =
		(prefixes: readonly object[]): StreamHandler =>
		(stream) => {
			const body = { formatVersion: '1.0', synctoken: 'a', creationTime: '2026-01-01T00:00:00Z', prefixes };
			stream.respond(state.listsFail ? { ':status': 503 } : { ':status': 200, etag: '"v1"' });
			stream.end(state.listsFail ? '' : JSON.stringify(body));
		};
	const tls = await startTlsServer({
		names: hosts,
		handlers: {
			'/agents.json': list([{ ipv4Prefix: '198.51.100.0/24' }, { ipv6Prefix: '2001:db8:100::/48' }]),
			'/empty.json': list([]),
			'/down.json': (stream) => {
				stream.respond({ ':status': 500 });
				stream.end();
			},
			[keyDirectoryPath]: (stream) => {
				const authority = String(tls.received.at(-1)?.[':authority']);
				if (authority.startsWith('slow.')) return;
				stream.respond({ ':status': authority.startsWith('down.') ? 503 : 200, 'content-type': keyDirectoryType });
				stream.end(formatKeyDirectory(state.keys));
			},
		},
	});
	const url = (host: string, path = '') => new URL(path, tls.url('/', host)).href.replace(/\/$/, '');
	const fetcher = createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://example.com/bot; IdentityTest)',
		ca: tls.ca,
		async lookup(host) {
			if (!hosts.includes(host)) throw Object.assign(new Error('not in this world'), { code: 'ENOTFOUND' });
			return tls.lookup(host);
		},
		allowPrivate: () => true,
	});
	const agents = testAgents(url);
	/** A checker in this world; its lists have been asked for once. */
	async function open(options: Partial<OpenIdentityCheckerOptions> = {}, identity: Partial<Config['identity']> = {}) {
		const config = checkConfig({ origin: 'https://example.com' });
		const opened = openIdentityChecker({
			config: { ...config, identity: { ...config.identity, agents, ...identity } },
			userAgent: 'AIWebIndex/2.0 (+https://example.com/bot; IdentityTest)',
			fetcher,
			resolver: createResolver({ servers: [dns.address], timeout: 1000 }),
			now: () => state.time,
			wait: { dns: 6000, signatures: 6000 },
			...options,
		});
		const urls = new Set(agents.flatMap(({ ranges }) => ranges ?? []));
		await Promise.all([...urls].map((each) => opened.lists?.refresh(each)));
		return opened;
	}
	/** Headers of a request that is signed at the time of this world. */
	async function sign(
		options: { host?: string; by?: SigningKey; at?: string; nonce?: string; label?: string; created?: number } = {},
	): Promise<Record<string, string>> {
		const { host = 'signer.test', by = key, at = 'https://example.com/', ...rest } = options;
		const created = rest.created ?? Math.floor(state.time / 1000);
		const times = { created, expires: created + 60 };
		const { nonce, label } = rest;
		const more = { ...(nonce !== undefined && { nonce }), ...(label !== undefined && { label }) };
		return { ...(await signRequest({ method: 'GET', url: at }, by, { agent: url(host), ...times, ...more })) };
	}
	async function close() {
		await fetcher.close();
		await tls.close();
		await dns.close();
	}
	return { dns, tls, state, key, agents, url, open, sign, close };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A request as a gateway would see it. */
export function request(
	userAgent: string | undefined,
	address: string,
	headers: Record<string, string> = {},
): RequestFacts {
	const all: Record<string, string> = {
		host: 'example.com',
		...(userAgent !== undefined && { 'user-agent': userAgent }),
		...headers,
	};
	return { method: 'GET', target: '/', address, header: (name) => all[name] };
}

function testAgents(url: (host: string, path?: string) => string): KnownAgent[] {
	const source = 'https://operator.test/bots';
	const operator = 'Test';
	const dnsSuffix = ['.dnsbot.test'];
	return [
		{ token: 'ListBot', operator, source, ranges: url('lists.test', '/agents.json'), category: 'data-harvester' },
		{ token: 'EmptyBot', operator, source, ranges: url('lists.test', '/empty.json') },
		{ token: 'DownBot', operator, source, ranges: url('lists.test', '/down.json') },
		{ token: 'DnsBot', operator, source, reverseDns: dnsSuffix },
		{ token: 'BothBot', operator, source, ranges: url('lists.test', '/agents.json'), reverseDns: dnsSuffix },
		{ token: 'DownBothBot', operator, source, ranges: url('lists.test', '/down.json'), reverseDns: dnsSuffix },
		{ token: 'SignBot', operator, source: 'https://www.signer.test/bot' },
		{ token: 'PlainBot', operator, source, userTriggered: true, category: 'ai-assistant' },
	];
}

const a = (name: string, ...addresses: string[]): [string, Answer[]] => [
	`A ${name}`,
	addresses.map((data) => ({ type: 'A', name, data })),
];
const ptr = (address: string, ...names: string[]): [string, Answer[]] => {
	const name = reverseName(address);
	return [`PTR ${name}`, names.map((data) => ({ type: 'PTR', name, data }))];
};

const zone: Zone = Object.fromEntries<Zone[string]>([
	ptr('192.0.2.1', 'crawl-1.dnsbot.test'),
	a('crawl-1.dnsbot.test', '192.0.2.1'),
	ptr('192.0.2.2', 'Crawl-2.DnsBot.TEST'),
	a('crawl-2.dnsbot.test', '192.0.2.2'),
	ptr('192.0.2.3', 'po18.network.test', 'crawl-3.dnsbot.test'),
	a('crawl-3.dnsbot.test', '192.0.2.3'),
	['A po18.network.test', 'silence'],
	ptr('203.0.113.1', 'crawl-99.dnsbot.test'),
	ptr('203.0.113.2', 'crawl-1.dnsbot.test'),
	ptr('203.0.113.3', 'evildnsbot.test', 'crawl.dnsbot.test.evil.test'),
	a('evildnsbot.test', '203.0.113.3'),
	[`PTR ${reverseName('203.0.113.5')}`, 'SERVFAIL'],
	[`PTR ${reverseName('203.0.113.6')}`, 'silence'],
	ptr('203.0.113.7', 'crawl-7.dnsbot.test'),
	['AAAA crawl-7.dnsbot.test', []],
]);
