import { parseUrl } from '@wayleave/io/parse-url';
import { UsageError } from '../command.ts';

/** Reads an address that a person typed: `docs.example.com` means https, `localhost:8080` http. @throws UsageError */
export function readAddress(text: string): string {
	const { href, hostname } = readUrl(text);
	if (!hasScheme(text) && !/[.[]/.test(hostname) && !isLoopback(hostname))
		throw new UsageError(`${text} is no address on the web: for a host of your own network write http://${text}`);
	return href;
}

/** The host that a person means by `Example.com`, `https://example.com/` or `example.com.`. @throws UsageError */
export function readHost(text: string): string {
	return readUrl(text).hostname.replace(/\.+$/, '');
}

/** What a person leaves out: nobody serves https on loopback unless it is said. */
export function withScheme(text: string): string {
	if (hasScheme(text)) return text;
	const host = parseUrl(`https://${text}`)?.hostname;
	return `${host !== undefined && isLoopback(host) ? 'http' : 'https'}://${text}`;
}

export function isLoopback(host: string): boolean {
	return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

function readUrl(text: string): URL {
	const url = parseUrl(withScheme(text));
	if (url === undefined) throw new UsageError(`${text} is not a URL`);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new UsageError(`${text}: only http and https are fetched`);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UsageError(
			`${url.hostname}: addresses with a user name or password are not fetched: what needs a login is not public`,
		);
	}
	return url;
}

/** A host as part of a file name; another port is another site: `127.0.0.1_8080`. */
export function hostFileName(url: string): string {
	const { hostname, port } = new URL(url);
	const host = hostname.replace(/\.+$/, '');
	return (port === '' ? host : `${host}_${port}`).replace(/[^\w.-]/g, '_');
}
