import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Blocks allocated for global unicast: every other address, in a registry or not, is not public. */
const allocated: readonly (readonly [family: 4 | 6, block: string])[] = [
	[4, '0.0.0.0/0'],
	[6, '2000::/3'], // RFC 4291 §2.4; IANA allocates from nothing else
];

/** Blocks inside them that are not public (IANA special-purpose address registries). */
const special: readonly (readonly [family: 4 | 6, block: string])[] = [
	[4, '0.0.0.0/8'], // this network
	[4, '10.0.0.0/8'], // private
	[4, '100.64.0.0/10'], // shared, RFC 6598
	[4, '127.0.0.0/8'], // loopback
	[4, '169.254.0.0/16'], // link-local
	[4, '172.16.0.0/12'], // private
	[4, '192.0.0.0/24'], // protocol assignments
	[4, '192.0.2.0/24'], // documentation
	[4, '192.31.196.0/24'], // AS112, RFC 7535
	[4, '192.52.193.0/24'], // AMT, RFC 7450
	[4, '192.88.99.0/24'], // 6to4 relays, RFC 7526
	[4, '192.168.0.0/16'], // private
	[4, '192.175.48.0/24'], // AS112, RFC 7534
	[4, '198.18.0.0/15'], // benchmarks
	[4, '198.51.100.0/24'], // documentation
	[4, '203.0.113.0/24'], // documentation
	[4, '224.0.0.0/4'], // multicast
	[4, '240.0.0.0/4'], // reserved, and broadcast
	[6, '2001::/23'], // protocol assignments: Teredo, benchmarks, ORCHID
	[6, '2001:db8::/32'], // documentation
	[6, '2620:4f:8000::/48'], // AS112, RFC 7534
	[6, '3fff::/20'], // documentation, RFC 9637
];

/** IPv6 blocks that carry an IPv4 address, which decides, and the byte offset of that address. */
const carriers: readonly (readonly [block: string, at: number])[] = [
	['::ffff:0:0/96', 12], // mapped, RFC 4291 §2.5.5.2: how a socket for both families shows IPv4
	['64:ff9b::/96', 12], // NAT64, RFC 6052 §2.1
	['2002::/16', 2], // 6to4, RFC 3056 §2
];

const listOf = (blocks: readonly (readonly [4 | 6, string])[]): BlockList => {
	const list = new BlockList();
	for (const [family, block] of blocks) {
		const [address = '', bits] = block.split('/');
		list.addSubnet(address, Number(bits), `ipv${family}`);
	}
	return list;
};

const allocatedList = listOf(allocated);
const specialList = listOf(special);
const carrierLists = carriers.map(([block, at]) => [listOf([[6, block]]), at] as const);

/**
 * Whether an address is on the public Internet: allocated for global unicast, and in no special-purpose block
 * (loopback, private, link-local, shared, multicast, documentation). For an IPv6 address that carries an IPv4 address,
 * the latter decides. Text that is not an address is not public.
 */
export function isPublicAddress(text: string): boolean {
	const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
	const family = isIP(bare);
	if (family === 0) return false;
	if (family === 4) return isListedPublic(bare, 4);
	const carrier = carrierLists.find(([list]) => list.check(bare, 'ipv6'));
	return carrier === undefined ? isListedPublic(bare, 6) : isListedPublic(carriedAddress(bare, carrier[1]), 4);
}

/** Whether an address leads to this machine. */
export const isLoopbackAddress = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address);

function isListedPublic(address: string, family: 4 | 6): boolean {
	return allocatedList.check(address, `ipv${family}`) && !specialList.check(address, `ipv${family}`);
}

/** The IPv4 address inside an IPv6 one, from a byte on. */
function carriedAddress(address: string, at: number): string {
	const bytes = ipaddr.parse(address).toByteArray();
	return bytes.slice(at, at + 4).join('.');
}
