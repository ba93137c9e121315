import { encodeUtf8 } from './octets.ts';

const escapeOctet = (octet: string): string => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** RFC 3986 §2.3 */
const unreserved = /[\w.~-]/;

/** An escape, or an octet that cannot stand in a URI as itself (RFC 3986 §2), or one that means more in a pattern. */
const toNormalise = /%[\da-f]{2}|[\0- "$*<>\\^`{|}\x7f-\xff]/gi;
const needsWork = /[%\0- "$*<>\\^`{|}\x7f-\uffff]/;

/**
 * One form for both sides of a comparison (RFC 9309 §2.2.2): encoded unreserved octets decoded, other escapes in
 * upper case, octets that a URI cannot hold encoded. Reserved octets stay as they are: `%2F` is not `/`.
 * `$` and `*` become `%24` and `%2A` (RFC 9309 §2.2.3), so that they match only themselves.
 */
export function normaliseEscapes(part: string): string {
	if (!needsWork.test(part)) return part;
	return encodeUtf8(part).replace(toNormalise, (found) => {
		if (found.length === 1) return escapeOctet(found);
		const octet = String.fromCharCode(Number.parseInt(found.slice(1), 16));
		return unreserved.test(octet) ? octet : found.toUpperCase();
	});
}

/** Google's preparation of a pattern: escapes in upper case, octets beyond ASCII encoded, nothing decoded. */
export const upperEscapes = (pattern: string): string =>
	escapeBeyondAscii(encodeUtf8(pattern)).replace(/%[\da-f]{2}/gi, (found) => found.toUpperCase());

/** Octets above 127 as `%XX`. */
export const escapeBeyondAscii = (octets: string): string => octets.replace(/[\x80-\xff]/g, escapeOctet);

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
