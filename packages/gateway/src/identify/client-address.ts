import {
	type CidrFault,
	canonicalAddress,
	compileRanges,
	hostCidr,
	parseCidr,
	withoutHostBits,
} from '@wayleave/protocols/jafar';

/** One request as far as its sender is concerned. */
export interface Sender {
	/** Address of the peer: the client, or a proxy in front. */
	readonly address: string;
	/** The value of a field by its lower-case name; several lines joined by `, `. */
	header(name: string): string | undefined;
}

export interface ClientAddressOptions {
	/** Addresses and CIDR ranges of the proxies in front of us; what anybody else says about addresses is ignored. */
	readonly trustedProxies?: readonly string[];
	/**
	 * The one header in which these proxies say who is connected to them: `x-forwarded-for`, `forwarded`, or one that
	 * holds a single address, such as `cf-connecting-ip`. Default: the first two, where they do not contradict.
	 */
	readonly header?: string;
}

/** The address of the client, and its source: the connection, or a header of trusted proxies. */
export interface ClientAddress {
	/** Canonical; IPv4 mapped into IPv6 is IPv4. */
	readonly address: string;
	readonly via: string;
	/** The header with which an internal peer names a client although it is not a trusted proxy. */
	readonly ignored?: string;
}

/** Longer chains are not believed; reading one costs at most this many look-ups. */
const maxHops = 32;

/**
 * Makes a function that finds the address of the client behind trusted proxies. The chain is read from the right, where
 * our own proxy wrote, and the first address that is no trusted proxy is the client: whatever stands to
 * its left is what that client says about itself.
 *
 * @throws TypeError when a trusted proxy is neither an address nor a range.
 */
export function createClientAddress({ trustedProxies = [], header }: ClientAddressOptions) {
	const ranges = trustedProxies.map((text, index) => {
		const range = hostCidr(text) ?? parseCidr(text);
		if (typeof range === 'string') throw new TypeError(`identity.trustedProxies[${index}]: ${faultOf(text, range)}`);
		return { range, services: [] };
	});
	const trusted = compileRanges([{ prefixes: ranges }]);
	const isTrusted = (address: string) => trusted.lookup(address).length > 0;
	const isInternal = (address: string) =>
		(maybeInternal.test(address) && internal.lookup(address).length > 0) || (ranges.length > 0 && isTrusted(address));

	const names = header === undefined ? ['x-forwarded-for', 'forwarded'] : [header.toLowerCase()];
	const clientAddress = (sender: Sender): ClientAddress => {
		const peer = plainAddress(sender.address) ?? sender.address;
		if (ranges.length === 0 || !isTrusted(peer)) {
			// The prefix and the headers are cheaper than looking up the address, and mostly enough.
			const ignored = maybeInternal.test(peer) ? names.find((name) => sender.header(name) !== undefined) : undefined;
			return ignored === undefined || !isInternal(peer)
				? { address: peer, via: 'connection' }
				: { address: peer, via: 'connection', ignored };
		}
		const found = names.flatMap((via) => {
			const value = sender.header(via);
			return value === undefined ? [] : [{ address: walk(peer, hopsOf(via, value), isTrusted), via }];
		});
		const [first, second] = found;
		// A proxy writes one of the two and may pass the other on as the client made it up: then only it itself is known.
		const contradict = first !== undefined && second !== undefined && first.address !== second.address;
		return first === undefined || contradict ? { address: peer, via: 'connection' } : first;
	};
	return Object.assign(clientAddress, {
		/**
		 * Whether no crawler can have this address: it is of the loopback, a private or shared network, or one of our own
		 * proxies. It is no evidence for or against any agent.
		 */
		isInternal,
	});
}

/**
 * Networks from which no crawler comes: loopback, private (RFC 1918, RFC 4193), shared (RFC 6598), link-local, and
 * "this host" (RFC 6890).
 */
const internal = compileRanges([
	{
		prefixes: [
			'0.0.0.0/8',
			'10.0.0.0/8',
			'100.64.0.0/10',
			'127.0.0.0/8',
			'169.254.0.0/16',
			'172.16.0.0/12',
			'192.168.0.0/16',
			'::/128',
			'::1/128',
			'fc00::/7',
			'fe80::/10',
		].flatMap((text) => {
			const range = parseCidr(text);
			return typeof range === 'string' ? [] : [{ range, services: [] }];
		}),
	},
]);

/** Prefixes of canonical addresses in these networks: most addresses have none, and need no look-up. */
const maybeInternal = /^(?:(?:0|10|100|127|169\.254|172|192\.168)\.|::|f[cde])/;

/** Why a trusted proxy cannot be read, and what to write instead. */
function faultOf(text: string, fault: CidrFault): string {
	if (fault === 'host-bits') {
		return `${text} has bits set beyond its prefix length; did you mean ${withoutHostBits(text)}?`;
	}
	if (fault === 'mapped') return `${text} is IPv4 written as IPv6: write it as IPv4`;
	if (/^[a-z][\w.-]*$/i.test(text.trim())) {
		return `${text} is a host name, and host names are not resolved: write its address`;
	}
	return `${text} is not an address or a range such as 10.0.0.0/24`;
}

/** From the right to the first hop that is no trusted proxy; an unreadable hop ends at the proxy that wrote it. */
function walk(peer: string, hops: Iterable<string>, isTrusted: (address: string) => boolean): string {
	let known = peer;
	let count = 0;
	for (const exchange of hops) {
		const address = plainAddress(exchange);
		if (address === undefined || ++count > maxHops) return known;
		known = address;
		if (!isTrusted(address)) return known;
	}
	return known;
}

function* hopsOf(header: string, value: string): Iterable<string> {
	let end = value.length;
	while (end >= 0) {
		const comma = end === 0 ? -1 : value.lastIndexOf(',', end - 1);
		const part = value.slice(comma + 1, end);
		yield header === 'forwarded' ? forParameter(part) : part.trim();
		end = comma;
	}
}

/** The `for` parameter of one element (RFC 7239 §5.2); a comma in a quoted string cuts it, and then it is no address. */
function forParameter(element: string): string {
	return /(?:^|;)[ \t]*for=(?:"([^"\\]*)"|([^";, \t]*))[ \t]*(?:;|$)/i.exec(element)?.slice(1).find(Boolean) ?? '';
}

/** The canonical address in a hop: without port, brackets and zone. */
function plainAddress(text: string): string | undefined {
	const address = canonicalAddress(text) ?? canonicalAddress(withoutTrimmings(text));
	return address?.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function withoutTrimmings(text: string): string {
	const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
	const bare = bracketed ?? (/^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
	return bare.replace(/%[^%]*$/, '');
}

/**
 * Key of a client: an IPv4 address, or the network of an IPv6 address, since one machine has them all
 *. Any text is taken; what is no address is a client of its own.
 *
 * @param length of the IPv6 network in bits, 64 or less; providers give a customer a /64 or a /56.
 */
export function clientKey(address: string, length = 64): string {
	const plain = address.includes(':') ? plainAddress(address) : undefined;
	return plain === undefined ? address : networkOf(plain, length);
}

/** The network of a canonical address; an IPv4 address is its own. */
export function networkOf(address: string, length = 64): string {
	if (!address.includes(':')) return address;
	const [before = '', after] = address.split('::', 2);
	const head = before === '' ? [] : before.split(':');
	const tail = after === undefined || after === '' ? [] : after.split(':');
	const missing = Math.max(0, 8 - head.length - tail.length);
	const groups = after === undefined ? head : [...head, ...Array(missing).fill('0'), ...tail];
	const kept = groups.slice(0, Math.ceil(length / 16));
	const rest = length % 16;
	if (rest > 0) kept.push((Number.parseInt(kept.pop() ?? '0', 16) & (0xffff << (16 - rest))).toString(16));
	while (kept.at(-1) === '0') kept.pop();
	// The zeros behind are four groups at least, and so the longest run (RFC 5952 §4.2.3).
	return `${kept.join(':')}::/${length}`;
}
