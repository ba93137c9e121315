import { parseUrl, withoutBrackets } from '@wayleave/protocols/url';
import { hashRoute } from '../addresses/routes.ts';

/** Addresses longer than this are not fetched; some servers and most databases refuse them. */
export const maxUrlLength = 2048;

/**
 * The one form of a URL under which it is known, and in which it is requested; undefined if it cannot be fetched. What
 * is the same to every server becomes the same, and nothing else: pages that may differ never merge.
 *
 * | from | to | why |
 * | --- | --- | --- |
 * | `HTTP://H.Example:80/a/./b/../c` | `http://h.example/a/c` | URL Standard: scheme, host, default port, dot segments |
 * | `http://h/#part` | `http://h/` | a fragment is never sent |
 * | `http://user:secret@h/` | `http://h/` | credentials are never sent |
 * | `http://h./` | `http://h/` | the root dot names the same host, which must have one pace |
 * | `</x>` | `/x` | angle brackets around a URL in text |
 *
 * A crawl that renders pages keeps the route of a fragment (`#/tides`): see `normaliseRoute`.
 *
 * Kept as found, because it can matter: case and slashes of the path, percent-encoding, the order of parameters, an
 * empty query, session ids, `index.html`, `www.`, http beside https. What a crawl leaves out of links is in AddressRules.
 */
export function normaliseUrl(text: string, base?: string): string | undefined {
	const bare = withoutBrackets(text.trim());
	const url = parseUrl(bare, base);
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
	url.hash = '';
	url.username = '';
	url.password = '';
	if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
	return url.hostname === '' ? undefined : url.href;
}

/** Like `normaliseUrl`, but keeps the route of a fragment: a page that a browser shows. */
export function normaliseRoute(text: string, base?: string): string | undefined {
	const page = normaliseUrl(text, base);
	if (page === undefined || !text.includes('#')) return page;
	const route = parseUrl(withoutBrackets(text.trim()), base)?.hash ?? '';
	return hashRoute(route) === undefined ? page : page + route;
}

/** The key of a host: one pace and one lease cover all its schemes and ports. */
export function hostOf(url: string): string {
	return new URL(url).hostname;
}
