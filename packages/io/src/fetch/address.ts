import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv6 blocks that carry an IPv4 address, and the bits after which it stands: the address inside decides. */
const carriers: readonly (readonly [prefix: string, bits: number, at: number])[] = [
	['::ffff:0:0', 96, 12], // mapped, RFC 4291 §2.5.5.2
	['::ffff:0:0:0', 96, 12], // translated, RFC 2765 §2.1
	['::', 96, 12], // compatible, RFC 4291 §2.5.5.1; `::` and `::1` are inside and lead to 0.0.0.0/8
	['64:ff9b::', 96, 12], // NAT64, RFC 6052 §2.1
	['2002::', 16, 2], // 6to4, RFC 3056 §2
];

/** Blocks that are not for the public although no range of the library says so. */
const blocked: readonly (readonly [prefix: string, bits: number])[] = [
	['64:ff9b:1::', 48], // NAT64 for local use, RFC 8215
	['fec0::', 10], // site-local, RFC 3879
	['5f00::', 16], // segment routing, RFC 9602
	['3fff::', 20], // documentation, RFC 9637
	['192.88.99.0', 24], // 6to4 relays, RFC 7526
];

/**
 * Whether an address is one of the public Internet. Loopback, private, link-local, shared (RFC 6598), multicast,
 * reserved, documentation and unspecified addresses are not, nor is an IPv6 form that carries one of them.
 * What is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
	const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
	if (isIP(bare) === 0) return false; // stricter than the library, which reads octal and short forms
	return isPublic(ipaddr.parse(bare));
}

/** Whether an address leads to this machine. */
export const isLoopbackAddress = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address);

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
	if (address instanceof ipaddr.IPv6) {
		const inner = carriedAddress(address);
		if (inner !== undefined) return isPublic(inner);
	}
	return address.range() === 'unicast' && !blocked.some(([prefix, bits]) => within(address, prefix, bits));
}

function carriedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
	const carrier = carriers.find(([prefix, bits]) => within(address, prefix, bits));
	return carrier && new ipaddr.IPv4(address.toByteArray().slice(carrier[2], carrier[2] + 4));
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: string, bits: number): boolean {
	const block = ipaddr.parse(prefix);
	return block.kind() === address.kind() && (address as ipaddr.IPv6).match(block as ipaddr.IPv6, bits);
}
