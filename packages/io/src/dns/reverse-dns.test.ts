import type { Answer } from 'dns-packet';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer, type Zone } from '../testing/dns-server.ts';
import { confirmReverse } from './confirm.ts';
import { createResolver, type Resolution } from './resolver.ts';
import { reverseName } from './reverse.ts';
import { ReverseDns } from './reverse-dns.ts';

const suffixes = ['.googlebot.com', '.google.com'];
const a = (name: string, ...addresses: string[]): [string, Answer[]] => [
	`A ${name}`,
	addresses.map((data) => ({ type: 'A', name, data })),
];
const aaaa = (name: string, data: string): [string, Answer[]] => [`AAAA ${name}`, [{ type: 'AAAA', name, data }]];
const ptr = (address: string, ...names: string[]): [string, Answer[]] => {
	const name = reverseName(address);
	return [`PTR ${name}`, names.map((data) => ({ type: 'PTR', name, data }))];
};

const zone: Zone = Object.fromEntries<Zone[string]>([
	ptr('66.249.66.1', 'crawl-66-249-66-1.googlebot.com'),
	a('crawl-66-249-66-1.googlebot.com', '66.249.66.1'),
	ptr('2001:4860:4801:1::1', 'crawl-v6.googlebot.com'),
	aaaa('crawl-v6.googlebot.com', '2001:4860:4801:1:0:0:0:1'),
	ptr('192.0.2.10', 'Crawl-10.GoogleBot.COM.'),
	a('crawl-10.googlebot.com', '192.0.2.10'),
	ptr('203.0.113.17', 'crawl-203-0-113-17.googlebot.com'),
	ptr('203.0.113.96', 'crawl-66-249-66-1.googlebot.com'),
	ptr('203.0.113.1', 'host.googlebot.com.evil.test', 'evilgooglebot.com', 'googlebot.com', 'crawl\\.googlebot.com'),
	a('evilgooglebot.com', '203.0.113.1'),
	ptr('157.55.39.132', 'po18.ntwk.msn.net', 'msnbot-157-55-39-132.search.msn.com'),
	ptr('157.55.39.133', 'msnbot-157-55-39-132.search.msn.com', 'po18.ntwk.msn.net'),
	a('msnbot-157-55-39-132.search.msn.com', '157.55.39.132', '157.55.39.133'),
	['A po18.ntwk.msn.net', 'silence'],
	ptr('180.76.15.14', 'baiduspider-180-76-15-14.crawl.baidu.com'),
	aaaa('baiduspider-180-76-15-14.crawl.baidu.com', '2001:db8::1'),
	[`PTR ${reverseName('203.0.113.50')}`, 'SERVFAIL'],
	[`PTR ${reverseName('203.0.113.51')}`, 'silence'],
	ptr('203.0.113.52', 'a.googlebot.com', 'b.googlebot.com'),
	['A a.googlebot.com', 'SERVFAIL'],
	a('b.googlebot.com', '192.0.2.1'),
	ptr('203.0.113.53', 'a.googlebot.com', 'c.googlebot.com'),
	a('c.googlebot.com', '192.0.2.1', '203.0.113.53', '203.0.113.54'),
	ptr('203.0.113.54', ...Array.from({ length: 20 }, (_, n) => `n${n}.evil.test`), 'c.googlebot.com'),
]);

let server: Awaited<ReturnType<typeof startDnsServer>>;

beforeAll(async () => {
	server = await startDnsServer(zone);
});
afterAll(() => server.close());

function check(address: string, ends: readonly string[] = suffixes) {
	const resolver = createResolver({ servers: [server.address], timeout: 1000 });
	return confirmReverse(address, ends, { resolver, total: 5000 });
}

it('PB-11 the name under which the DNS knows an address, of either family', () => {
	expect(reverseName('192.0.2.1')).toBe('1.2.0.192.in-addr.arpa');
	expect(reverseName('2001:db8::567:89ab')).toBe(
		'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
	);
});

describe('confirmReverse', () => {
	it.each(['66.249.66.1', '::ffff:66.249.66.1', '2001:4860:4801:1::1'])('confirms %s', async (address) => {
		expect((await check(address)).outcome).toBe('confirmed');
	});

	it('PB-13 upper case and a final dot make no difference', async () => {
		expect(await check('192.0.2.10')).toMatchObject({ outcome: 'confirmed', names: ['crawl-10.googlebot.com'] });
	});

	it('PB-01 a forged PTR whose name does not exist is a mismatch, with what was found', async () => {
		expect(await check('203.0.113.17')).toEqual({
			outcome: 'mismatch',
			names: ['crawl-203-0-113-17.googlebot.com'],
			forward: [{ name: 'crawl-203-0-113-17.googlebot.com', result: 'not-found', addresses: [] }],
		});
	});

	it('PB-02 a forged PTR with a name that leads to another address is a mismatch', async () => {
		const { outcome, forward } = await check('203.0.113.96');
		expect([outcome, forward[0]]).toEqual([
			'mismatch',
			{ name: 'crawl-66-249-66-1.googlebot.com', result: 'other-address', addresses: ['66.249.66.1'] },
		]);
	});

	it('a suffix begins at the boundary of a label, and nothing else is looked up', async () => {
		const before = server.asked.length;
		expect(await check('203.0.113.1')).toMatchObject({ outcome: 'mismatch', forward: [] });
		expect(server.asked.slice(before).filter((question) => question.startsWith('A'))).toEqual([]);
	});

	it('PB-04, PB-05 of two names the right one counts, and the other is not waited for', async () => {
		const before = server.asked.length;
		for (const address of ['157.55.39.132', '157.55.39.133'])
			expect((await check(address, ['.search.msn.com'])).outcome).toBe('confirmed');
		expect(server.asked.slice(before)).not.toContain('A po18.ntwk.msn.net');
	});

	it('PB-06 a name without an address of the family is no mismatch', async () => {
		expect((await check('180.76.15.14', ['.baidu.com'])).outcome).toBe('no-forward');
	});

	it.each([
		['PB-07 no PTR', '203.0.113.49', 'no-ptr'],
		['PB-07 SERVFAIL', '203.0.113.50', 'dns-failed'],
		['PB-07 time-out', '203.0.113.51', 'timeout'],
		['trouble with one name, a mismatch of the other', '203.0.113.52', 'dns-failed'],
		['trouble with one name, the other right', '203.0.113.53', 'confirmed'],
		['the right name behind many others', '203.0.113.54', 'confirmed'],
		['no address', 'nonsense', 'dns-failed'],
	])('%s: %s is %s', async (_, address, outcome) => {
		expect((await check(address)).outcome).toBe(outcome);
	});

	it('PB-12 the whole ends in its own time, whatever the resolver does', async () => {
		const never = () => new Promise<Resolution<string>>(() => {});
		const resolver = { resolvePtr: never, resolve4: never, resolve6: never };
		expect((await confirmReverse('192.0.2.1', suffixes, { resolver, total: 20 })).outcome).toBe('timeout');
	});

	it('confirms nothing but names below a suffix that lead back, whatever the DNS says', async () => {
		const label = fc.constantFrom('googlebot', 'com', 'crawl', 'evil', 'xgooglebot', 'a\\.googlebot', 'GoogleBot', '');
		const name = fc.array(label, { maxLength: 5 }).map((labels) => labels.join('.'));
		const reason = fc.constantFrom('not-found', 'no-data', 'failed', 'timeout');
		const answer = (record: fc.Arbitrary<string>): fc.Arbitrary<Resolution<string>> =>
			fc.oneof(
				fc.array(record, { maxLength: 6 }).map((records) => ({ ok: true as const, records })),
				reason.map((why) => ({ ok: false as const, reason: why, detail: '' })),
			);
		const address = fc.constantFrom('192.0.2.1', '192.0.2.2');
		await fc.assert(
			fc.asyncProperty(answer(name), fc.infiniteStream(answer(address)), async (names, answers) => {
				const resolve = async () => answers.next().value as Resolution<string>;
				const resolver = { resolvePtr: async () => names, resolve4: resolve, resolve6: resolve };
				const { outcome, forward } = await confirmReverse('192.0.2.1', ['.googlebot.com'], { resolver, total: 1000 });
				const led = forward.some(
					(each) => each.result === 'contains-address' && /(^|[^\\])\.googlebot\.com$/.test(each.name),
				);
				expect(outcome === 'confirmed').toBe(led);
				const trouble = forward.some(({ result }) => result === 'failed' || result === 'timeout');
				if (trouble || (!names.ok && /failed|timeout/.test(names.reason))) expect(outcome).not.toBe('mismatch');
			}),
		);
	});
});

describe('ReverseDns', () => {
	function counted(answers: readonly Resolution<string>[]) {
		let asked = 0;
		const ask = async () => answers[Math.min(asked++, answers.length - 1)]!;
		const yes = async (): Promise<Resolution<string>> => ({ ok: true, records: ['192.0.2.1', '192.0.2.2'] });
		return { resolver: { resolvePtr: ask, resolve4: yes, resolve6: yes }, asked: () => asked };
	}
	const right: Resolution<string> = { ok: true, records: ['a.google.com'] };
	const trouble: Resolution<string> = { ok: false, reason: 'failed', detail: 'ESERVFAIL' };

	it('keeps an answer, and callers at the same time share it', async () => {
		const { resolver, asked } = counted([right]);
		const dns = new ReverseDns({ resolver });
		expect(dns.peek('192.0.2.1', suffixes)).toBeUndefined();
		const answers = await Promise.all(Array.from({ length: 10 }, () => dns.confirm('192.0.2.1', suffixes)));
		expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['confirmed']));
		expect([dns.peek('192.0.2.1', suffixes)?.outcome, asked()]).toEqual(['confirmed', 1]);
		expect(dns.peek('192.0.2.1', ['.other.test'])).toBeUndefined();
	});

	it('PB-08 a server in trouble is asked once more, and its trouble is forgotten within a minute', async () => {
		const recovers = counted([trouble, right]);
		expect((await new ReverseDns(recovers).confirm('192.0.2.1', suffixes)).outcome).toBe('confirmed');
		let time = 0;
		const broken = counted([trouble, trouble, right]);
		const dns = new ReverseDns({ resolver: broken.resolver, now: () => time });
		expect((await dns.confirm('192.0.2.1', suffixes)).outcome).toBe('dns-failed');
		expect((await dns.confirm('192.0.2.1', suffixes)).outcome).toBe('dns-failed');
		time = 60_000;
		expect((await dns.confirm('192.0.2.1', suffixes)).outcome).toBe('confirmed');
	});

	it('a resolver that throws is one in trouble', async () => {
		const broken = async (): Promise<never> => {
			throw new Error('no socket');
		};
		const dns = new ReverseDns({ resolver: { resolvePtr: broken, resolve4: broken, resolve6: broken } });
		expect(await dns.confirm('192.0.2.1', suffixes)).toMatchObject({
			outcome: 'dns-failed',
			detail: 'Error: no socket',
		});
	});

	it('remembers a bounded number of addresses, and has a bounded number under way', async () => {
		const { resolver, asked } = counted([right]);
		const dns = new ReverseDns({ resolver, maxKept: 2, maxPending: 2 });
		for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.1']) await dns.confirm(address, suffixes);
		expect(asked()).toBe(4);
		const flood = await Promise.all(['::1', '::2', '::3'].map((address) => dns.confirm(address, suffixes)));
		expect(flood.map(({ detail }) => detail)).toEqual([undefined, undefined, 'too many pending DNS lookups']);
		expect(dns.peek('::3', suffixes)).toBeUndefined();
	});
});
