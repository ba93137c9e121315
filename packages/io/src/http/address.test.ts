import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './address.ts';

describe('isPublicAddress', () => {
	it.each([
		'8.8.8.8',
		'1.1.1.1',
		'172.15.255.255',
		'172.32.0.0',
		'100.63.255.255',
		'100.128.0.0',
		'169.253.255.255',
		'223.255.255.255',
		'2606:4700:4700::1111',
		'[2a00:1450:4001::200e]',
		'::ffff:8.8.8.8',
		'64:ff9b::808:808',
		'2002:808:808::1',
	])('%s is public', (address) => {
		expect(isPublicAddress(address)).toBe(true);
	});

	it.each([
		// loopback, unspecified, "this network"
		'127.0.0.1',
		'127.255.255.254',
		'0.0.0.0',
		'0.1.2.3',
		'::',
		'::1',
		'[::1]',
		// private, shared, link-local
		'10.0.0.1',
		'172.16.0.1',
		'172.31.255.255',
		'192.168.0.1',
		'100.64.0.1',
		'100.127.255.255',
		'169.254.169.254',
		'fe80::1',
		'fe80::1%eth0',
		'fc00::1',
		'fd12:3456::1',
		'fec0::1',
		// multicast, broadcast, reserved
		'224.0.0.1',
		'239.255.255.255',
		'255.255.255.255',
		'240.0.0.1',
		'ff02::1',
		// documentation, benchmarks, protocol assignments, discard, relays
		'192.0.2.1',
		'198.51.100.1',
		'203.0.113.1',
		'198.18.0.1',
		'192.0.0.1',
		'192.88.99.1',
		'2001:db8::1',
		'3fff::1',
		'100::1',
		'2001:2::1',
		// IPv4 inside IPv6
		'::ffff:127.0.0.1',
		'::ffff:7f00:1',
		'::ffff:10.0.0.1',
		'::ffff:0:127.0.0.1',
		'::127.0.0.1',
		'::7f00:1',
		'::a00:1',
		'64:ff9b::7f00:1',
		'64:ff9b::10.0.0.1',
		'64:ff9b:1::808:808',
		'2002:7f00:1::',
		'2002:a00:1::1',
		'2002:c0a8:101::1',
		'2001:0:4136:e378:8000:63bf:3fff:fdd2',
		// no address at all
		'',
		'localhost',
		'0177.0.0.1',
		'127.1',
		'2130706433',
		'::ffff:0177.0.0.1',
		'1.2.3.4.5',
		':::',
	])('%s is not', (address) => {
		expect(isPublicAddress(address)).toBe(false);
	});

	it('an IPv4 address carried in IPv6 is judged like itself', () => {
		fc.assert(
			fc.property(fc.ipV4(), (address) => {
				expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
				expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublicAddress(address));
			}),
		);
	});

	it.each([
		['http://0x7f.1/', '127.0.0.1'],
		['http://2130706433/', '127.0.0.1'],
		['http://0177.0.0.01/', '127.0.0.1'],
		['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
	])('the host of %s is an address that is not public', (url, host) => {
		expect(new URL(url).hostname).toBe(host);
		expect(isPublicAddress(new URL(url).hostname)).toBe(false);
	});
});

describe('P2-131 blocks allocated for global unicast', () => {
	const nibbles = Array.from({ length: 16 }, (_, at) => at.toString(16));

	it.each(nibbles)('%s000::/4 is public if IANA allocates from it', (nibble) => {
		const inside = nibble === '2' || nibble === '3';
		expect(isPublicAddress(`${nibble}400:1234::1`)).toBe(inside);
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 }), (groups) => {
				const address = `${nibble}a00:${groups.map((group) => group.toString(16)).join(':')}`;
				expect(isPublicAddress(address)).toBe(inside);
			}),
			{ numRuns: 20 },
		);
	});

	it.each([
		'::8.8.8.8',
		'::ffff:0:8.8.8.8',
		'100:0:0:1::1',
		'200::1',
		'4000::1',
		'5f00::1',
		'64:ff9b:1::808:808',
		'fec0::1',
	])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));

	it.each([
		['10.1.2.3', false],
		['192.0.2.1', false],
		['240.0.0.1', false],
		['8.8.4.4', true],
	])('%s is judged alike in each form that carries it', (inner, expected) => {
		const hex = inner.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
		const [high, low] = [hex.slice(0, 2).join(''), hex.slice(2).join('')];
		for (const address of [inner, `::ffff:${inner}`, `64:ff9b::${inner}`, `2002:${high}:${low}::1`])
			expect([address, isPublicAddress(address)]).toEqual([address, expected]);
	});
});
