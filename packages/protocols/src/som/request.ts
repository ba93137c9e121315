import { decodePercent } from '../internal/percent.ts';
import { readHttpUrl } from './values.ts';

/** Path that a publisher always serves, in addition to an announced one. */
export const somDefaultPath = '/v1/som';

/**
 * The URL that asks an endpoint for a page: `https://h/som` and `https://h/a?b=1` give
 * `https://h/som?url=https%3A%2F%2Fh%2Fa%3Fb%3D1` (SOM directives §4.2.1).
 *
 * An endpoint without a path gets `/v1/som`; the page is percent-encoded, its fragment dropped.
 * Undefined when either is not an http or https URL.
 */
export function somRequestUrl(endpoint: string, pageUrl: string): string | undefined {
	const url = fullEndpoint(endpoint);
	const page = readHttpUrl(pageUrl);
	if (url === undefined || page === undefined) return undefined;
	return `${url.href.replace(/\?$/, '')}${url.search === '' ? '?' : '&'}url=${encodeURIComponent(page.href)}`;
}

/** The endpoint with its path. */
export function fullEndpoint(endpoint: string): URL | undefined {
	const url = readHttpUrl(endpoint);
	if (url?.pathname === '/') url.pathname = somDefaultPath;
	return url;
}

/** The page requested from an endpoint, or the fault of the request. */
export type SomRequest = { readonly url: string; readonly refusal?: undefined } | SomRefusal;

interface SomRefusal {
	readonly refusal: 'url-missing' | 'url-ambiguous' | 'url-invalid';
}

/**
 * Reads the query of a request to an endpoint: the other direction of `somRequestUrl`.
 *
 * A value that begins with a scheme was not encoded, and is taken as it stands; it must be the last parameter, since it
 * is ambiguous whether what follows an `&` belongs to it. A `+` is a plus sign: no URL holds a space.
 */
export function readSomRequest(query: string): SomRequest {
	const found = readSomAddress(query);
	if (found.refusal !== undefined) return found;
	const url = /^https?:\/\//i.test(found.sent) ? readHttpUrl(found.sent) : undefined;
	return url === undefined ? { refusal: 'url-invalid' } : { url: url.href };
}

/** The address in the query of a request to an endpoint, as it was sent: no parser has repaired it. */
export function readSomAddress(query: string): { readonly sent: string; readonly refusal?: undefined } | SomRefusal {
	const parts = query.replace(/^\?/, '').replace(/#.*$/s, '').split('&');
	const values = parts.filter((part) => part.startsWith('url='));
	const [first] = values;
	if (first === undefined) return { refusal: 'url-missing' };
	const raw = first.slice('url='.length);
	const isPlain = /^https?:\/\//i.test(raw);
	if (values.length > 1 || (isPlain && parts.at(-1) !== first)) return { refusal: 'url-ambiguous' };
	const text = isPlain ? raw : decodePercent(raw);
	return text === undefined ? { refusal: 'url-invalid' } : { sent: text };
}
