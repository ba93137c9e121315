import { canonicalAddress } from '@wayleave/protocols/jafar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClientAddressOptions, clientKey, createClientAddress } from './client-address.ts';

function find(peer: string, headers: Record<string, string>, options: ClientAddressOptions = {}) {
	return createClientAddress(options)({ address: peer, header: (name) => headers[name] });
}

const behind = { trustedProxies: ['10.0.0.0/8', '2001:db8:1::/48', '203.0.113.5'] };
const forwarded = (peer: string, value: string, options = behind) =>
	find(peer, { 'x-forwarded-for': value }, options).address;

describe('the address of the client', () => {
	it('PB-43 X-Forwarded-For of a peer that is no configured proxy is ignored', () => {
		expect(find('192.0.2.1', { 'x-forwarded-for': '1.1.1.1' })).toEqual({ address: '192.0.2.1', via: 'connection' });
		expect(forwarded('192.0.2.1', '1.1.1.1')).toBe('192.0.2.1');
	});

	it('PB-44 of a chain the right-most address that is no proxy of ours is the client', () => {
		expect(forwarded('10.0.0.1', '1.1.1.1, 192.0.2.7')).toBe('192.0.2.7');
		expect(forwarded('10.0.0.1', '1.1.1.1, 192.0.2.7, 10.0.0.2 ,203.0.113.5')).toBe('192.0.2.7');
		expect(forwarded('10.0.0.1', '10.0.0.3,10.0.0.2')).toBe('10.0.0.3');
		expect(forwarded('::ffff:10.0.0.1', '192.0.2.7')).toBe('192.0.2.7');
		expect(forwarded('2001:db8:1::9', '2001:DB8:2:0::7')).toBe('2001:db8:2::7');
	});

	it('PB-46 a public proxy may be trusted, and a header of its own is believed from it alone', () => {
		const options = { trustedProxies: ['203.0.113.0/24'], header: 'CF-Connecting-IP' };
		const headers = { 'cf-connecting-ip': '192.0.2.7', 'x-forwarded-for': '1.1.1.1' };
		expect(find('203.0.113.80', headers, options)).toEqual({ address: '192.0.2.7', via: 'cf-connecting-ip' });
		expect(find('198.51.100.1', headers, options).address).toBe('198.51.100.1');
		expect(find('203.0.113.80', {}, options)).toEqual({ address: '203.0.113.80', via: 'connection' });
	});

	it.each([
		['for=192.0.2.7', '192.0.2.7'],
		['for=1.1.1.1;proto=http, For="192.0.2.7:4711";by=10.0.0.1', '192.0.2.7'],
		['proto=https;for="[2001:db8:2::7]:80"', '2001:db8:2::7'],
		['for=192.0.2.7, for=10.0.0.2', '192.0.2.7'],
		['for="forged, for=192.0.2.7', '192.0.2.7'],
		['for=192.0.2.7, for=_hidden', '10.0.0.1'],
		['for=192.0.2.7, for=unknown, for=10.0.0.2', '10.0.0.2'],
		['by=192.0.2.7', '10.0.0.1'],
		['xfor=192.0.2.7', '10.0.0.1'],
	])('Forwarded: %s is %s', (value, address) => {
		expect(find('10.0.0.1', { forwarded: value }, behind).address).toBe(address);
	});

	it.each([
		['', '10.0.0.1'],
		[',', '10.0.0.1'],
		['192.0.2.7, nonsense', '10.0.0.1'],
		['192.0.2.7, nonsense, 10.0.0.2', '10.0.0.2'],
		['192.0.2.7:80', '192.0.2.7'],
		['[2001:db8:2::7]', '2001:db8:2::7'],
		['::ffff:192.0.2.7', '192.0.2.7'],
		['0177.0.0.1', '10.0.0.1'],
	])('X-Forwarded-For: %j is %s', (value, address) => {
		expect(forwarded('10.0.0.1', value)).toBe(address);
	});

	it('when two headers contradict, one of them was made up, and only the proxy is known', () => {
		const contradiction = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.8' };
		expect(find('10.0.0.1', contradiction, behind)).toEqual({ address: '10.0.0.1', via: 'connection' });
		const agreement = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.7' };
		expect(find('10.0.0.1', agreement, behind).address).toBe('192.0.2.7');
		expect(find('10.0.0.1', contradiction, { ...behind, header: 'forwarded' }).address).toBe('192.0.2.8');
	});

	it('PB-22, PB-24 a mapped address is its IPv4 address, and no address is empty', () => {
		expect(find('::ffff:66.249.66.1', {}).address).toBe('66.249.66.1');
		expect(find('fe80::1%eth0', {}).address).toBe('fe80::1');
		expect(find('/run/socket', {}).address).toBe('/run/socket');
	});

	it('a proxy that is no address is refused at the start', () => {
		expect(() => createClientAddress({ trustedProxies: ['10.0.0.1/8'] })).toThrow(TypeError);
		expect(() => createClientAddress({ trustedProxies: ['10.0.0.1', 'proxy.internal'] })).toThrow(
			/trustedProxies\[1\]/,
		);
	});

	it('entries that a client adds on the left change nothing', () => {
		const honest = fc.constantFrom('192.0.2.7', '2001:db8:2::7');
		const header = fc.constantFrom('x-forwarded-for', 'forwarded');
		fc.assert(
			fc.property(honest, header, fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6())), (client, name, forged) => {
				const own = name === 'forwarded' ? `for="${client.includes(':') ? `[${client}]` : client}"` : client;
				const value = [...forged, own].join(', ');
				expect(find('10.0.0.1', { [name]: value }, behind).address).toBe(client);
			}),
		);
	});

	it('reads no more of a long chain than its end', () => {
		expect(forwarded('10.0.0.1', `192.0.2.7${', 10.0.0.2'.repeat(5000)}`)).toBe('10.0.0.2');
	});
});

it('G2-48: only loopback, private, shared and link-local addresses are internal', () => {
	const { isInternal } = createClientAddress({});
	const inside =
		'0.0.0.0 0.255.0.1 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.9 169.254.0.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 :: ::1 fc00::1 fdff::1 fe80::1 febf::1';
	const outside =
		'1.0.0.1 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.0.0.1 128.0.0.1 169.253.0.1 172.15.0.1 172.32.0.1 192.167.0.1 192.169.0.1 203.0.113.9 ::2 2001:db8::1 fb00::1 fec0::1 ff02::1 nonsense';
	for (const address of inside.split(' ')) expect([address, isInternal(address)]).toEqual([address, true]);
	for (const address of outside.split(' ')) expect([address, isInternal(address)]).toEqual([address, false]);
});

describe('clientKey', () => {
	it('PB-48 a thousand addresses of one /64 are one client', () => {
		const keys = Array.from({ length: 1000 }, (_, n) => clientKey(`2001:db8:0:7:${n.toString(16)}::${n.toString(16)}`));
		expect(new Set(keys)).toEqual(new Set(['2001:db8:0:7::/64']));
		expect(clientKey('2001:db8:0:8::1')).not.toBe(keys[0]);
		expect(clientKey('2001:db8:0:7ff::1', 56)).toBe('2001:db8:0:700::/56');
	});

	it.each([
		['192.0.2.1', '192.0.2.1'],
		['::ffff:192.0.2.1', '192.0.2.1'],
		['::1', '::/64'],
		['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
		['not:an:address', 'not:an:address'],
		['', ''],
	])('%j is %j', (address, key) => {
		expect(clientKey(address)).toBe(key);
	});

	it('addresses are one client exactly when their first 64 bits are the same', () => {
		const group = fc.constantFrom('0', '1', 'ffff', '7');
		const groups = fc.array(group, { minLength: 8, maxLength: 8 });
		fc.assert(
			fc.property(groups, groups, (one, other) => {
				// An address mapped into IPv6 is an IPv4 address, and one client.
				fc.pre(![one, other].some((each) => each.join(':').startsWith('0:0:0:0:0:ffff')));
				const same = one.slice(0, 4).join() === other.slice(0, 4).join();
				const key = (each: string[]) => clientKey(canonicalAddress(each.join(':'))!);
				expect(key(one) === key(other)).toBe(same);
			}),
		);
	});
});
