import { parseUrl } from '@wayleave/protocols/url';
import { isLoopbackName } from './loopback.ts';

/** An address as a person types it, or why it is not fetched. */
export type TypedAddress = { readonly url: URL } | { readonly fault: string };

/**
 * Reads a URL that a person typed: `docs.example.com` means https, `localhost:8080` http. A name without a dot needs
 * its scheme: it may be a host in a private network.
 */
export function readTypedAddress(text: string): TypedAddress {
	const read = readTypedUrl(text);
	if ('fault' in read || hasScheme(text) || /[.[]/.test(read.url.hostname) || isLoopbackName(read.url.hostname))
		return read;
	return { fault: `${text} is not a public web address: for a host in your own network, write http://${text}` };
}

/** The same, for any host name. */
export function readTypedUrl(text: string): TypedAddress {
	const url = parseUrl(withScheme(text));
	if (url === undefined) return { fault: `${text} is not a URL` };
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		return { fault: `${text}: only http and https URLs are fetched` };
	if (url.username !== '' || url.password !== '')
		return {
			fault: `${url.hostname}: URLs with a user name or password are not fetched, because pages behind a login are not public`,
		};
	return { url };
}

/** Adds the scheme that a person left out: http on loopback, where https is rare, else https. */
export function withScheme(text: string): string {
	if (hasScheme(text)) return text;
	const host = parseUrl(`https://${text}`)?.hostname;
	return `${host !== undefined && isLoopbackName(host) ? 'http' : 'https'}://${text}`;
}

/** Whether a scheme was typed. */
export const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
