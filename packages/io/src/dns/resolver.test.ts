import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer } from '../testing/dns-server.ts';
import { createResolver, type Resolver } from './resolver.ts';
import { reverseName } from './reverse.ts';

let server: Awaited<ReturnType<typeof startDnsServer>>;
let resolver: Resolver;

beforeAll(async () => {
	server = await startDnsServer({
		'A host.test': [{ type: 'A', name: 'host.test', data: '192.0.2.7' }],
		'AAAA host.test': [{ type: 'AAAA', name: 'host.test', data: '2001:db8::7' }],
		'TXT host.test': [
			{ type: 'TXT', name: 'host.test', data: ['aiwebindex-verify=', 'abc'] },
			{ type: 'TXT', name: 'host.test', data: 'v=spf1 -all' },
		],
		'PTR 7.2.0.192.in-addr.arpa': [{ type: 'PTR', name: '7.2.0.192.in-addr.arpa', data: 'host.test' }],
		'A silent.test': 'silence',
		'A broken.test': 'SERVFAIL',
		'A closed.test': 'REFUSED',
	});
	resolver = createResolver({ servers: [server.address], timeout: 300 });
});

afterAll(() => server.close());

describe('createResolver', () => {
	it('joins the strings of a TXT record', async () => {
		expect(await resolver.resolveTxt('host.test')).toEqual({
			ok: true,
			records: ['aiwebindex-verify=abc', 'v=spf1 -all'],
		});
	});

	it('gives addresses of both families and names of an address', async () => {
		expect(await resolver.resolve4('host.test')).toEqual({ ok: true, records: ['192.0.2.7'] });
		expect(await resolver.resolve6('host.test')).toEqual({ ok: true, records: ['2001:db8::7'] });
		expect(await resolver.resolvePtr('192.0.2.7')).toEqual({ ok: true, records: ['host.test'] });
	});

	it.each([
		['missing.test', 'not-found'],
		['broken.test', 'failed'],
		['closed.test', 'failed'],
		['silent.test', 'timeout'],
	])('%s: %s', async (name, reason) => {
		expect(await resolver.resolve4(name)).toMatchObject({ ok: false, reason });
	});

	it('tells a name without such a record from one that does not exist', async () => {
		expect(await resolver.resolve6('broken.test')).toMatchObject({ ok: false, reason: 'no-data' });
	});

	it('reports a malformed name as a failure, never as an exception', async () => {
		expect(await resolver.resolveTxt(`${'a'.repeat(64)}.test`)).toMatchObject({ ok: false });
		expect(await resolver.resolvePtr('not an address')).toMatchObject({ ok: false, reason: 'failed' });
	});

	it('one look-up that waits does not end another', async () => {
		const [silent, found] = await Promise.all([resolver.resolve4('silent.test'), resolver.resolve4('host.test')]);
		expect([silent.ok, found.ok]).toEqual([false, true]);
	});
});

describe('reverseName', () => {
	it.each([
		['192.0.2.1', '1.2.0.192.in-addr.arpa'],
		['::ffff:192.0.2.1', '1.2.0.192.in-addr.arpa'],
		['2001:db8::567:89ab', 'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
	])('%s', (address, name) => {
		expect(reverseName(address)).toBe(name);
	});

	it('asks for an address', () => {
		expect(() => reverseName('0177.0.0.1')).toThrow(TypeError);
	});
});
