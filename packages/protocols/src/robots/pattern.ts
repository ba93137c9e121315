import { normaliseEscapes, special, upperEscapes } from './escapes.ts';

/** The part of a string that a match uses. Tests pass one that counts reads. */
export interface Text {
	readonly length: number;
	charCodeAt(index: number): number;
	startsWith(search: string): boolean;
	slice(start: number, end: number): string;
	endsWith(search: string): boolean;
	indexOf(search: string, from: number): number;
}

/** A path pattern, ready to be compared (RFC 9309 §2.2.3). */
export interface Pattern {
	/** The literal parts between the stars; one part: no star. */
	readonly parts: readonly string[];
	/** Ends with `$`. */
	readonly anchored: boolean;
	/** Octets in the form that is compared: the longest match decides (RFC 9309 §2.2.2). 0 restricts nothing. */
	readonly length: number;
}

/** Prepares a pattern; `asWritten` compares its escapes as they are written. */
export function compilePattern(written: string, asWritten: boolean): Pattern {
	if (written.search(special) < 0) return { parts: [written], anchored: false, length: written.length };
	const text = asWritten ? upperEscapes(written) : written;
	const anchored = text.endsWith('$');
	const split = (anchored ? text.slice(0, -1) : text).split('*');
	const parts = asWritten ? split : split.map(normaliseEscapes);
	let length = parts.length - (anchored ? 0 : 1);
	for (const part of parts) length += part.length;
	return { parts, anchored, length };
}

/** Longer parts are sought with a table, so that no part, however it repeats itself, is read more than twice. */
export const longPart = 32;

/**
 * Whether a pattern matches a path from its first octet. Each part is taken where it first occurs after the one
 * before it: if any arrangement of the parts fits, the leftmost does, so nothing is ever tried twice.
 */
export function matchesPattern(pattern: Pattern, path: Text): boolean {
	const { parts, anchored } = pattern;
	const first = parts[0] ?? '';
	const last = parts.length - 1;
	if (last === 0 && anchored && path.length !== first.length) return false;
	if (!path.startsWith(first)) return false;
	if (last === 0) return true;
	let at = first.length;
	const middle = anchored ? last : last + 1;
	for (let index = 1; index < middle; index++) {
		const part = parts[index];
		if (!part) continue;
		if (part.length > path.length - at) return false;
		const found = part.length <= longPart ? path.indexOf(part, at) : find(path, part, at);
		if (found < 0) return false;
		at = found + part.length;
	}
	if (!anchored) return true;
	const end = parts[last] ?? '';
	return path.length - end.length >= at && path.endsWith(end);
}

/**
 * Knuth, Morris and Pratt: where `part` first occurs at or after `from`, or -1. First goes along the part itself,
 * to learn for each place how much of its beginning ends there, then along the path.
 */
function find(path: Text, part: string, from: number): number {
	const size = part.length;
	const borders = new Uint32Array(size);
	let matched = 0;
	for (let at = 1; at < size + path.length - from; at++) {
		const code = at < size ? part.charCodeAt(at) : path.charCodeAt(from + at - size);
		if (at === size) matched = 0;
		while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
		if (part.charCodeAt(matched) === code) matched++;
		if (at < size) borders[at] = matched;
		else if (matched === size) return from + at - 2 * size + 1;
	}
	return -1;
}
