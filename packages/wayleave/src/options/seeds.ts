import { parseUrl } from '@wayleave/io/parse-url';
import { UsageError } from '../command.ts';

/** Reads an address that a person typed: `docs.example.com` means https. @throws UsageError */
export function readAddress(text: string): string {
	const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	const url = parseUrl(written);
	if (url === undefined) throw new UsageError(`${text} is not a URL`);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new UsageError(`${text}: only http and https are fetched`);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UsageError(
			`${url.hostname}: addresses with a user name or password are not fetched: what needs a login is not public`,
		);
	}
	return url.href;
}

/** A host as part of a file name; another port is another site: `127.0.0.1_8080`. */
export function hostFileName(url: string): string {
	const { hostname, port } = new URL(url);
	const host = hostname.replace(/\.+$/, '');
	return (port === '' ? host : `${host}_${port}`).replace(/[^\w.-]/g, '_');
}
