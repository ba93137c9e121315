import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { IdentityChecker } from './identity-checker.ts';
import { reasonFor } from './outcome.ts';
import { outcomeOf } from './reasons.ts';
import { request, startWorld, type World } from './testing/world.ts';
import type { Check } from './types.ts';

let world: World;
beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

describe('IdentityChecker', () => {
	it('PB-05 an identity at once is never late: the DNS is asked meanwhile, and known the next time', async () => {
		const { checker, close } = await world.open({ wait: {} });
		const facts = request('DnsBot/1.0', '192.0.2.1');
		expect(checker.now(facts)).toMatchObject({ outcome: 'unverified', reason: 'pending', name: 'DnsBot' });
		expect((await checker.identify(facts)).reason).toBe('pending');
		await checker.identify(facts, { dns: 3000, signatures: 0 });
		expect(checker.now(facts)).toMatchObject({ outcome: 'verified', reason: 'reverse-dns', client: 'DnsBot' });
		await close();
	});

	it('for the gateway: nothing to wait for is answered at once, a signature is waited for', async () => {
		const { checker, close } = await world.open();
		expect(checker.now(request('Mozilla/5.0', '192.0.2.1'))?.outcome).toBe('unknown');
		const signed = request('SignBot/1.0', '192.0.2.1', await world.sign());
		expect(checker.now(signed)).toBeUndefined();
		expect(await checker.ask(signed)).toMatchObject({ outcome: 'verified', operator: 'Test' });
		expect(checker.now(request('DnsBot/1.0', '192.0.2.2'))).toBeUndefined();
		await close();
	});

	it('evidence holds what was claimed, and what each check said', async () => {
		const { checker, close } = await world.open();
		const headers: Record<string, string> = {
			...(await world.sign({ at: 'https://other.example/' })),
			'x-agent-identity': 'BothBot/1 (monitoring)',
		};
		const { evidence, categories } = await checker.identify(request('BothBot/1.0', '203.0.113.1', headers));
		expect(categories).toEqual(['monitoring']);
		expect(evidence).toMatchObject({
			claimed: {
				userAgent: 'BothBot/1.0',
				agentIdentity: 'BothBot/1 (monitoring)',
				signatureAgent: headers['signature-agent'],
			},
			addressFrom: 'connection',
			checks: [
				{ method: 'signature', outcome: 'invalid', reason: 'wrong-signature', agent: world.url('signer.test') },
				{ method: 'ranges', list: world.url('lists.test', '/agents.json'), result: 'not-listed', stale: false },
				{
					method: 'reverse-dns',
					outcome: 'mismatch',
					names: ['crawl-99.dnsbot.test'],
					forward: [{ name: 'crawl-99.dnsbot.test', result: 'not-found' }],
				},
			],
		});
		await close();
	});

	it('one client: a verified agent by its name, others by address, IPv6 by network', async () => {
		const { checker, close } = await world.open();
		const client = async (userAgent: string, address: string, headers = {}) =>
			(await checker.identify(request(userAgent, address, headers))).client;
		expect(await client('ListBot/1', '198.51.100.1')).toBe('ListBot');
		expect(await client('ListBot/1', '2001:db8:100::1')).toBe('ListBot');
		expect(await client('ListBot/1', '2001:db8:200:1::1')).toBe('2001:db8:200:1::/64');
		expect(await client('Mozilla/5.0', '::ffff:192.0.2.9')).toBe('192.0.2.9');
		const named = { ...(await world.sign()), 'x-agent-identity': '192.0.2.9/1 (ai-assistant)' };
		expect(await client('x (+https://signer.test/)', '203.0.113.9', named)).toBe(
			new URL(world.url('signer.test')).host,
		);
		await close();
	});

	it('the address behind a trusted proxy is the one that is checked', async () => {
		const verify = { ranges: true, reverseDns: false, signatures: false };
		const { checker, close } = await world.open({}, { trustedProxies: ['10.0.0.0/8'], verify });
		const from = (peer: string) =>
			checker.identifyNow(request('ListBot/1', peer, { 'x-forwarded-for': '1.1.1.1, 198.51.100.7' }));
		expect(from('10.0.0.1')).toMatchObject({
			outcome: 'verified',
			address: '198.51.100.7',
			evidence: { addressFrom: 'x-forwarded-for' },
		});
		expect(from('203.0.113.4')).toMatchObject({ outcome: 'unverified', address: '203.0.113.4' });
		await close();
	});

	it('PB-16 each agent of an operator is verified by the list of its own', async () => {
		const { checker, close } = await world.open();
		const google = 'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)';
		expect(checker.identifyNow(request(google, '198.51.100.7'))).toMatchObject({
			name: 'Google-InspectionTool',
			operator: 'Google',
		});
		expect(checker.identifyNow(request('ListBot/1', '198.51.100.7')).outcome).toBe('verified');
		expect(checker.identifyNow(request('EmptyBot/1', '198.51.100.7')).outcome).toBe('unverified');
		await close();
	});

	it('a server that does not say which host was asked for means ours', async () => {
		const { checker, close } = await world.open();
		const signed = await world.sign();
		const facts = request('SignBot/1', '192.0.2.1', signed);
		const web = { ...facts, header: (name: string) => (name === 'host' ? undefined : facts.header(name)) };
		expect((await checker.identify(web)).outcome).toBe('verified');
		const other = await world.sign({ at: 'https://other.example/' });
		const replayed = { ...web, header: (name: string) => (name === 'host' ? 'other.example' : other[name]) };
		expect((await checker.identify(replayed)).reason).toBe('signature-invalid');
		await close();
	});

	it('PB-46 a public proxy is believed in the one header that the policy file names', async () => {
		const verify = { ranges: true, reverseDns: false, signatures: false };
		const { checker, close } = await world.open(
			{},
			{ trustedProxies: ['203.0.113.0/24'], header: 'CF-Connecting-IP', verify },
		);
		const from = (peer: string) =>
			checker.identifyNow(
				request('ListBot/1', peer, { 'x-forwarded-for': '1.1.1.1', 'cf-connecting-ip': '198.51.100.7' }),
			);
		expect(from('203.0.113.9')).toMatchObject({ address: '198.51.100.7', outcome: 'verified' });
		expect(from('192.0.2.9')).toMatchObject({ address: '192.0.2.9', outcome: 'unverified' });
		await close();
	});

	it('agents and hosts that only the policy file knows are checked like the others', async () => {
		const own = { token: 'HouseBot', operator: 'We', source: 'https://signer.test/bot' };
		const { checker, close } = await world.open(
			{},
			checkConfig({
				origin: 'https://example.com',
				identity: { agents: [{ ...own, category: 'monitoring' }], authorities: ['WWW.example.com'] },
			}).identity,
		);
		const headers = await world.sign({ at: 'https://www.example.com/' });
		const signed = request('HouseBot/1.0', '192.0.2.1', { ...headers, host: 'www.example.com' });
		expect(await checker.identify(signed)).toMatchObject({
			outcome: 'verified',
			operator: 'We',
			categories: ['monitoring'],
		});
		await close();
	});

	it('skips checks that the site turns off', async () => {
		const verify = { ranges: false, reverseDns: false, signatures: false };
		const { checker, lists, close } = await world.open({}, { verify });
		const signed = await world.sign();
		expect(lists).toBeUndefined();
		for (const name of ['ListBot', 'DnsBot', 'SignBot'])
			expect((await checker.identify(request(name, '198.51.100.7', signed))).reason).toBe('no-method');
		await close();
	});

	it('JAF-18 JAF-22 over TLS: the validator is sent, and a list that fails later stays in use', async () => {
		const { checker, lists, close } = await world.open();
		const url = world.url('lists.test', '/agents.json');
		world.state.time += 25 * 3_600_000;
		await lists?.refresh(url);
		expect(world.tls.received.at(-1)).toMatchObject({ ':path': '/agents.json', 'if-none-match': '"v1"' });
		world.state.listsFail = true;
		world.state.time += 25 * 3_600_000;
		expect(await lists?.refresh(url)).toMatchObject({ failures: 1, fault: 'http-503', ranges: 2 });
		expect(checker.identifyNow(request('ListBot/1', '198.51.100.7')).outcome).toBe('verified');
		world.state.listsFail = false;
		await close();
	});

	it('a request without a claim costs no more than reading two headers', () => {
		const asked: string[] = [];
		const facts = {
			method: 'GET',
			target: '/',
			address: '192.0.2.1',
			header(name: string) {
				asked.push(name);
				return name === 'user-agent' ? 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' : undefined;
			},
		};
		expect(new IdentityChecker().identifyNow(facts).reason).toBe('no-claim');
		expect(new Set(asked)).toEqual(new Set(['user-agent', 'x-agent-identity']));
	});
});

describe('settle', () => {
	const ranges = fc.record({
		method: fc.constant('ranges' as const),
		list: fc.constant('https://a.test/'),
		result: fc.constantFrom('listed', 'not-listed', 'empty', 'unavailable'),
		stale: fc.boolean(),
	});
	const none = { names: [], forward: [], checkedAt: 0 };
	const dns = fc
		.constantFrom('confirmed', 'mismatch', 'no-forward', 'no-ptr', 'dns-failed', 'timeout', 'pending')
		.map((outcome) => ({ method: 'reverse-dns', outcome, ...none }) as Check);
	const reasons = [
		'expired',
		'malformed',
		'unknown-key',
		'uncovered-component',
		'wrong-signature',
		'replayed',
	] as const;
	const signature = fc.oneof(
		fc
			.constantFrom(...reasons)
			.map((reason) => ({ method: 'signature', outcome: 'invalid', reason, detail: '' }) as Check),
		fc
			.boolean()
			.map(
				(related) =>
					({ method: 'signature', outcome: 'valid', agent: 'https://a.test', keyId: '', label: '', related }) as Check,
			),
		fc.constantFrom<Check>(
			{ method: 'signature', outcome: 'unverifiable', reason: 'directory-unavailable', detail: '' },
			{ method: 'signature', outcome: 'pending' },
		),
	);
	const option = (arbitrary: fc.Arbitrary<Check>) => fc.option(arbitrary, { nil: undefined });
	const checks = fc
		.tuple(option(signature), option(ranges as fc.Arbitrary<Check>), option(dns))
		.map((all) => all.filter((check) => check !== undefined));
	const isTrouble = (check: Check) =>
		check.method === 'reverse-dns'
			? ['dns-failed', 'timeout', 'pending', 'no-forward'].includes(check.outcome)
			: check.method === 'ranges' && (check.result === 'unavailable' || check.result === 'empty' || check.stale);
	const isForged = (check: Check) =>
		check.method === 'signature' && check.outcome === 'invalid' && /wrong-signature|replayed/.test(check.reason);
	const outcome = (all: readonly Check[], strict = false) => outcomeOf(reasonFor(all, strict));

	it('trouble is never taken for a lie, and one yes is enough', () => {
		fc.assert(
			fc.property(checks, fc.boolean(), (all, strict) => {
				if (all.some(isTrouble) && !all.some(isForged)) expect(outcome(all, strict)).not.toBe('spoofed');
				const yes: Check = { method: 'ranges', list: '', result: 'listed', stale: true };
				expect(outcome([...all, yes], strict)).toBe('verified');
			}),
		);
	});

	it('a signature that proves nothing excuses nothing: without it the outcome is the same', () => {
		fc.assert(
			fc.property(checks, (all) => {
				const others = all.filter(({ method }) => method !== 'signature');
				const weak = all.find((check) => check.method === 'signature');
				fc.pre(weak?.method === 'signature' && !isForged(weak) && others.length > 0);
				fc.pre(
					!(weak?.method === 'signature' && (weak.outcome === 'pending' || (weak.outcome === 'valid' && weak.related))),
				);
				expect(outcome(all)).toBe(outcome(others));
			}),
		);
	});

	it('the order of the checks decides nothing', () => {
		fc.assert(
			fc.property(checks, fc.boolean(), (all, strict) => {
				expect(outcome([...all].reverse(), strict)).toBe(outcome(all, strict));
			}),
		);
	});

	it('AMB-67 a miss alone is proof only where the site says so', () => {
		const miss: Check = { method: 'ranges', list: '', result: 'not-listed', stale: false };
		expect([outcome([miss]), outcome([miss], true)]).toEqual(['unverified', 'spoofed']);
	});
});
