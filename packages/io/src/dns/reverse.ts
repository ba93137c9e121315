import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The name under which the DNS keeps the names of an address (RFC 1035 §3.5, RFC 3596 §2.5):
 * `192.0.2.1` is `1.2.0.192.in-addr.arpa`. An IPv4 address mapped into IPv6 is looked up as IPv4.
 * @throws TypeError where the text is no IP address
 */
export function reverseName(address: string): string {
	if (isIP(address) === 0) throw new TypeError(`not an IP address: ${JSON.stringify(address)}`);
	const parsed = ipaddr.process(address);
	const bytes = parsed.toByteArray();
	if (parsed.kind() === 'ipv4') return `${bytes.reverse().join('.')}.in-addr.arpa`;
	const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15]).reverse();
	return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa`;
}
