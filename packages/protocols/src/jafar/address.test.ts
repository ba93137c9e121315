import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAddress, hostCidr, parseCidr } from './index.ts';

const addressLike = fc.oneof(
	fc.ipV4(),
	fc.ipV4Extended(),
	fc.ipV6(),
	fc.stringMatching(/^[0-9a-fA-F:.]{0,24}$/),
	fc
		.array(fc.constantFrom('::', ':', '0', 'ffff', '1', '1.2.3.4', '.', '00', '12345', 'g'), { maxLength: 12 })
		.map((parts) => parts.join('')),
);

describe('addresses', () => {
	it('are those that Node knows, zones aside', () => {
		fc.assert(
			fc.property(addressLike, (text) => {
				const family = isIP(text);
				expect(canonicalAddress(text) !== undefined, text).toBe(family !== 0);
				expect(hostCidr(text) !== undefined).toBe(family !== 0);
			}),
			{ numRuns: 5000 },
		);
	});

	it('are written as RFC 5952 and WHATWG URL write them', () => {
		fc.assert(
			fc.property(fc.ipV6(), (text) => {
				const canonical = canonicalAddress(text)!;
				expect(canonicalAddress(canonical)).toBe(canonical);
				expect(new URL(`http://[${canonical}]`).hostname).toBe(new URL(`http://[${text}]`).hostname);
				if (!canonical.includes('.')) expect(`[${canonical}]`).toBe(new URL(`http://[${text}]`).hostname);
			}),
		);
		expect(canonicalAddress('2001:0DB8:0:0:1:0:0:1')).toBe('2001:db8::1:0:0:1');
		expect(canonicalAddress('2001:db8:0:1:1:1:1:1')).toBe('2001:db8:0:1:1:1:1:1');
		expect(canonicalAddress('::FFFF:C000:201')).toBe('::ffff:192.0.2.1');
	});

	it('XB-69 decimal, octal and hexadecimal forms of IPv4 are no addresses', () => {
		for (const text of ['2130706433', '0x7f.1', '017700000001', '0177.0.0.1', '127.1', '127.0.0.1.']) {
			expect(canonicalAddress(text), text).toBeUndefined();
			expect(parseCidr(`${text}/32`), text).toBe('malformed');
		}
		expect(new URL('http://0x7f.1/').hostname).toBe('127.0.0.1');
	});
});

describe('ranges', () => {
	it('are canonical text and nothing wider', () => {
		const text = (cidr: string) => {
			const range = parseCidr(cidr);
			return typeof range === 'string' ? range : range.text;
		};
		expect(text('192.0.2.0/24')).toBe('192.0.2.0/24');
		expect(text('2001:DB8:0::/32')).toBe('2001:db8::/32');
		expect(text('0.0.0.0/0')).toBe('0.0.0.0/0');
		expect(text('192.0.2.1/24')).toBe('host-bits');
		expect(text('2001:db8::1/127')).toBe('host-bits');
		expect(text('192.0.2.0')).toBe('missing-length');
		expect(text('192.0.2.0/')).toBe('malformed');
		expect(text('::ffff:192.0.2.0/120')).toBe('mapped');
		expect(hostCidr('::ffff:192.0.2.1')?.text).toBe('192.0.2.1/32');
		expect(hostCidr('2001:db8::1')?.text).toBe('2001:db8::1/128');
	});
});
