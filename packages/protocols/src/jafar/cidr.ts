import { type Family, formatAddress, isMapped, readAddress } from './address.ts';

/** An address range in CIDR notation, without host bits. */
export interface Cidr {
	readonly family: Family;
	/** One 32-bit word for IPv4, four for IPv6. */
	readonly words: readonly number[];
	/** Number of leading bits that matter. */
	readonly length: number;
	/** The canonical text: `192.0.2.0/24`, `2001:db8::/32`. */
	readonly text: string;
}

/** Why a text is no range. */
export type CidrFault = 'malformed' | 'missing-length' | 'host-bits' | 'mapped';

/**
 * Reads `ADDRESS/LENGTH`. Host bits must be zero, since dropping them would widen the range,
 * and IPv4 written as `::ffff:a.b.c.d` is no IPv6 range: such clients are matched as IPv4.
 */
export function parseCidr(text: string): Cidr | CidrFault {
	const slash = text.indexOf('/');
	const scratch = new Uint32Array(4);
	const family = readAddress(slash < 0 ? text : text.slice(0, slash), scratch);
	if (family === 0) return 'malformed';
	if (slash < 0) return 'missing-length';
	const digits = text.slice(slash + 1);
	const length = Number(digits);
	if (!/^(?:0|[1-9]\d{0,2})$/.test(digits) || length > bitsOf(family)) return 'malformed';
	if (family === 6 && isMapped(scratch) && length >= 96) return 'mapped';
	const words = [...scratch.subarray(0, family === 4 ? 1 : 4)];
	return hasHostBits(words, length) ? 'host-bits' : makeCidr(family, words, length);
}

/** The range that is one address (`/32` or `/128`; a mapped one becomes IPv4), or undefined when the text is no address. */
export function hostCidr(text: string): Cidr | undefined {
	const scratch = new Uint32Array(4);
	const family = readAddress(text, scratch);
	if (family === 0) return undefined;
	if (family === 4) return makeCidr(4, [scratch[0] ?? 0], 32);
	return isMapped(scratch) ? makeCidr(4, [scratch[3] ?? 0], 32) : makeCidr(6, [...scratch], 128);
}

export function makeCidr(family: Family, words: readonly number[], length: number): Cidr {
	return { family, words, length, text: `${formatAddress(family, words)}/${length}` };
}

/** How many bits an address of the family has. */
export function bitsOf(family: Family): number {
	return family === 4 ? 32 : 128;
}

/** The bits of word `index` that a prefix of `length` bits fixes. */
export function wordMask(index: number, length: number): number {
	const bits = length - index * 32;
	if (bits <= 0) return 0;
	return bits >= 32 ? 0xffffffff : (0xffffffff << (32 - bits)) >>> 0;
}

/** The range that `ADDRESS/LENGTH` would be without its host bits: for saying what may have been meant. */
export function withoutHostBits(text: string): string {
	const [address = '', length = ''] = text.split('/');
	const host = hostCidr(address);
	if (host === undefined) return text;
	const words = host.words.map((word, index) => (word & wordMask(index, Number(length))) >>> 0);
	return makeCidr(host.family, words, Number(length)).text;
}

function hasHostBits(words: readonly number[], length: number): boolean {
	return words.some((word, index) => (word & ~wordMask(index, length)) !== 0);
}

/** IPv4 before IPv6, then by address, the wider range first. */
export function compareCidrs(a: Cidr, b: Cidr): number {
	return a.family - b.family || compareWords(a.words, b.words) || a.length - b.length;
}

function compareWords(a: readonly number[], b: readonly number[]): number {
	for (let index = 0; index < a.length; index++) {
		const difference = (a[index] ?? 0) - (b[index] ?? 0);
		if (difference !== 0) return difference;
	}
	return 0;
}

/** Whether `outer` holds every address of `inner`. */
export function contains(outer: Cidr, inner: Cidr): boolean {
	if (outer.family !== inner.family || outer.length > inner.length) return false;
	return outer.words.every((word, index) => ((word ^ (inner.words[index] ?? 0)) & wordMask(index, outer.length)) === 0);
}
