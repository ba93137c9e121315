import { compareCidrs } from './cidr.ts';
import type { RangePrefix } from './types.ts';

/**
 * A synctoken that depends on nothing but which ranges serve which services: 16 hexadecimal digits,
 * the same however the entries are ordered or written, so that a list published again keeps it.
 */
export function synctokenOf(prefixes: readonly RangePrefix[]): string {
	const lines = prefixes.map(({ range, services }) => ({
		range,
		text: JSON.stringify([range.text, ...services.toSorted()]),
	}));
	lines.sort((a, b) => compareCidrs(a.range, b.range) || (a.text < b.text ? -1 : 1));
	const distinct = lines.filter(({ text }, index) => text !== lines[index - 1]?.text);
	return fnv1a64(distinct.map(({ text }) => text).join('\n'));
}

/** FNV-1a with 64 bits over the UTF-8 octets; nothing here has to withstand an adversary. */
function fnv1a64(text: string): string {
	let high = 0xcbf29ce4;
	let low = 0x84222325;
	for (const octet of new TextEncoder().encode(text)) {
		low = (low ^ octet) >>> 0;
		// Times the prime 2^40 + 435, modulo 2^64.
		const product = low * 435;
		high = (high * 435 + Math.floor(product / 2 ** 32) + low * 256) % 2 ** 32;
		low = product % 2 ** 32;
	}
	return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
