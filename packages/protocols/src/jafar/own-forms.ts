import { isObject } from '../internal/json-schema.ts';
import { maxJsonDepth } from '../internal/json-text.ts';
import { type Cidr, hostCidr, parseCidr } from './cidr.ts';
import type { RangePrefix } from './types.ts';

/** Ranges from an operator's own format, and the number of entries that look like ranges but are not. */
export interface OwnForm {
	readonly prefixes: readonly RangePrefix[];
	readonly unread: number;
}

/**
 * Finds ranges in the formats that operators publish: a bare array, `ip_prefix`, `addresses`, an API response around
 * `ipv4_cidrs`. A range is any string in an array, or under a key that says so; its services are the strings next to it
 * under `service`, `services` or `product`. For looking up addresses, not for deciding whom to trust.
 *
 * @returns undefined if the text is not JSON, or most of its entries are not ranges
 */
export function readOwnForm(text: string): OwnForm | undefined {
	const found: { prefixes: RangePrefix[]; unread: number } = { prefixes: [], unread: 0 };
	try {
		walk(JSON.parse(text.replace(/^\ufeff/, '')), found, 0);
	} catch {
		return undefined;
	}
	return found.prefixes.length > found.unread ? found : undefined;
}

/** Keys under which operators' own lists keep an address range. */
const rangeKey = /(?:prefix|cidr|range|subnet|network|address|^ips?(?:v[46])?$)/i;

function walk(value: unknown, found: { prefixes: RangePrefix[]; unread: number }, depth: number): void {
	if (depth > maxJsonDepth) return;
	if (Array.isArray(value)) {
		for (const item of value) {
			if (typeof item === 'string') take(item, [], found);
			else walk(item, found, depth + 1);
		}
		return;
	}
	if (!isObject(value)) return;
	const services = [value.service, value.services, value.product].flat().filter((name) => typeof name === 'string');
	const entries = Object.entries(value);
	const ranges = entries.filter(
		(entry): entry is [string, string] => typeof entry[1] === 'string' && rangeKey.test(entry[0]),
	);
	// Next to a range in CIDR notation, a bare address is its first one.
	const written = ranges.some(([, range]) => range.includes('/'))
		? ranges.filter(([, range]) => range.includes('/'))
		: ranges;
	for (const [, range] of written) take(range, services, found);
	for (const [, inner] of entries) if (typeof inner !== 'string') walk(inner, found, depth + 1);
}

/** Entries meant as an address or a range, valid or not: words next to them do not count. */
const addressLike = /^(?=.*\d)(?=.*[.:])[\da-f.:]+(?:\/\d+)?$/i;

function take(written: string, services: readonly string[], found: { prefixes: RangePrefix[]; unread: number }): void {
	if (!addressLike.test(written.trim())) return;
	const range = readRange(written.trim());
	if (range === undefined) found.unread++;
	else found.prefixes.push({ range, services });
}

function readRange(written: string): Cidr | undefined {
	const range = written.includes('/') ? parseCidr(written) : hostCidr(written);
	return typeof range === 'string' ? undefined : range;
}
