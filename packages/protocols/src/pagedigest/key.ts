import { parseUrl } from '../url/parse-url.ts';

/** 1 for what a path or a query may hold as it is (RFC 3986 §3.3, §3.4), 2 for `%`. */
const kinds = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?") {
	kinds[character.charCodeAt(0)] = 1;
}
kinds[0x25] = 2;

/**
 * Whether `key` may stand in `entries`: an origin-relative request target, percent-encoded, with neither fragment
 * nor authority (pagedigest §3.1, Appendix A). Nothing is normalised: keys are compared byte for byte.
 */
export function isUrlKey(key: string): boolean {
	if (key.charCodeAt(0) !== 0x2f || key.charCodeAt(1) === 0x2f) return false;
	for (let at = 1; at < key.length; at++) {
		const kind = kinds[key.charCodeAt(at)];
		if (kind === 1) continue;
		if (kind !== 2 || !isHexPair(key, at + 1)) return false;
		at += 2;
	}
	return true;
}

function isHexPair(text: string, at: number): boolean {
	return isHexDigit(text.charCodeAt(at)) && isHexDigit(text.charCodeAt(at + 1));
}

function isHexDigit(code: number): boolean {
	return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

/**
 * The key under which a URL would be listed: path and query as they are requested, without the fragment.
 *
 * @returns undefined for a URL without authority, or with a character that a request could not hold.
 */
export function urlKey(url: string): string | undefined {
	const parsed = parseUrl(url);
	if (parsed === undefined) return undefined;
	const { pathname, search, hostname } = parsed;
	const key = `${pathname}${search}`;
	return hostname !== '' && isUrlKey(key) ? key : undefined;
}

/** Query names that campaigns and ad networks add; they do not change the page. */
const trackingName =
	/^(?:utm_[a-z]+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl)$/i;
const sessionName = /^(?:phpsessid|jsessionid|aspsessionid\w*|sessionid)$/i;

/** Whether the query of a key names trackers or sessions, which do not change the content (pagedigest §3.1). */
export function hasTrackingQuery(key: string): boolean {
	const mark = key.indexOf('?');
	if (mark < 0) return false;
	const names = key
		.slice(mark + 1)
		.split('&')
		.map((pair) => pair.replace(/=.*/s, ''));
	return names.some((name) => trackingName.test(name) || sessionName.test(name));
}
