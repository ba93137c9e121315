import { encodeUtf8 } from './octets.ts';

const hex = '0123456789ABCDEF';
const escapeOctet = (code: number): string => `%${hex[code >> 4]}${hex[code & 15]}`;

function hexValue(code: number): number {
	if (code >= 48 && code <= 57) return code - 48;
	const letter = code | 32;
	return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** The octet that `%XX` at `at` stands for, or -1. */
export function escapedOctet(text: string, at: number): number {
	const high = hexValue(text.charCodeAt(at + 1));
	const low = hexValue(text.charCodeAt(at + 2));
	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** RFC 3986 §2.3 */
const isUnreserved = (code: number): boolean =>
	(code >= 48 && code <= 57) ||
	((code | 32) >= 97 && (code | 32) <= 122) ||
	code === 45 ||
	code === 46 ||
	code === 95 ||
	code === 126;

/** What cannot stand in a URI as itself (RFC 3986 §2), and `$` and `*`, which a pattern gives another meaning. */
const mustEscape = (code: number): boolean =>
	code <= 32 ||
	code >= 127 ||
	code === 34 ||
	code === 36 ||
	code === 42 ||
	code === 60 ||
	code === 62 ||
	code === 92 ||
	code === 94 ||
	code === 96 ||
	(code >= 123 && code <= 125);

const needsWork = /[%\0- "$*<>\\^`{|}\x7f-\uffff]/;

/**
 * One form for both sides of a comparison (RFC 9309 §2.2.2): encoded unreserved octets decoded, other escapes in
 * upper case, octets that a URI cannot hold encoded. Reserved octets stay as they are: `%2F` is not `/`.
 * `$` and `*` become `%24` and `%2A` (RFC 9309 §2.2.3), so that they match only themselves.
 */
export function normaliseEscapes(part: string): string {
	if (!needsWork.test(part)) return part;
	const octets = encodeUtf8(part);
	let out = '';
	for (let at = 0; at < octets.length; at++) {
		const code = octets.charCodeAt(at);
		const escaped = code === 37 ? escapedOctet(octets, at) : -1;
		if (escaped >= 0) {
			out += isUnreserved(escaped) ? String.fromCharCode(escaped) : escapeOctet(escaped);
			at += 2;
		} else {
			out += mustEscape(code) ? escapeOctet(code) : octets[at];
		}
	}
	return out;
}

/** Google's preparation of a pattern: escapes in upper case, octets beyond ASCII encoded, nothing decoded. */
export function upperEscapes(pattern: string): string {
	if (!/[%\x80-\uffff]/.test(pattern)) return pattern;
	return escapeBeyondAscii(encodeUtf8(pattern)).replace(/%[\da-f]{2}/gi, (octet) => octet.toUpperCase());
}

/** Octets above 127 as `%XX`. */
export const escapeBeyondAscii = (octets: string): string =>
	octets.replace(/[\x80-\xff]/g, (octet) => escapeOctet(octet.charCodeAt(0)));

/**
 * The part of a URL that rules are compared with: path, parameters and query, without scheme, authority and fragment.
 * Begins with `/`; a URL without a path gives `/`. `//host/x` is read as a URL without a scheme.
 */
export function pathOfUrl(url: string): string {
	const start = url.startsWith('//') ? 2 : 0;
	const early = indexOfPath(url, start);
	const scheme = url.indexOf('://', start);
	const path = scheme < 0 || (early >= 0 && early < scheme) ? early : indexOfPath(url, scheme + 3);
	const hash = url.indexOf('#', start);
	if (path < 0 || (hash >= 0 && hash < path)) return '/';
	const text = hash < 0 ? url.slice(path) : url.slice(path, hash);
	return text.charCodeAt(0) === 47 ? text : `/${text}`;
}

/** The first `/`, `?` or `;`. */
function indexOfPath(url: string, from: number): number {
	for (let at = from; at < url.length; at++) {
		const code = url.charCodeAt(at);
		if (code === 47 || code === 63 || code === 59) return at;
	}
	return -1;
}
