import { parseUrl } from '@wayleave/protocols/url';

/** Absolute form of an http(s) address, or undefined. */
export function absoluteUrl(address: string | undefined, base: string): string | undefined {
	const text = address?.trim();
	const url = text === undefined || text === '' ? undefined : parseUrl(text, base);
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** The address that relative ones start from: the first `<base>` that is http(s), else the page's own. */
export function baseUrlOf(base: string | undefined, url: string): string {
	return absoluteUrl(base, url) ?? url;
}

/** WHATWG host without the port. */
export function hostOf(url: string): string {
	return parseUrl(url)?.hostname ?? '';
}
