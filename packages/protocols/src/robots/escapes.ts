import { encodeUtf8 } from './octets.ts';

const escapeOctet = (octet: string): string => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** RFC 3986 §2.3 */
const unreserved = /[\w.~-]/;

/**
 * An escape, or an octet that cannot stand in a URI as itself (RFC 3986 §2), or one that means more in a pattern. All
 * else has one form, and means itself.
 */
export const special = /%(?:[\da-f]{2})?|[^!#&-)+-;=?-[\]_a-z~]/gi;

/**
 * One form for both sides of a comparison (RFC 9309 §2.2.2): encoded unreserved octets decoded, other escapes in
 * upper case, octets that a URI cannot hold encoded. Reserved octets stay as they are: `%2F` is not `/`.
 * `$` and `*` become `%24` and `%2A` (RFC 9309 §2.2.3), so that they match only themselves.
 */
export const normaliseEscapes = (part: string): string =>
	part.search(special) < 0 ? part : encodeUtf8(part).replace(special, normaliseOne);

function normaliseOne(found: string): string {
	if (found === '%') return found;
	if (found.length === 1) return escapeOctet(found);
	const octet = String.fromCharCode(Number.parseInt(found.slice(1), 16));
	return unreserved.test(octet) ? octet : found.toUpperCase();
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
	const hash = url.indexOf('#');
	const whole = url.slice(url.startsWith('//') ? 2 : 0, hash < 0 ? url.length : hash);
	const scheme = whole.indexOf('://');
	// In `/x?u=http://y` the path begins before the `://`, which then does not follow a scheme.
	const bare = scheme >= 0 && scheme < whole.search(pathStart) ? whole.slice(scheme + 3) : whole;
	const start = bare.search(pathStart);
	if (start < 0) return '/';
	return bare[start] === '/' ? bare.slice(start) : `/${bare.slice(start)}`;
}

const pathStart = /[/?;]/;
