import { parseUrl } from '@wayleave/protocols/url';
import type { OutgoingRequest } from './connection.ts';
import { FetchError } from './failure.ts';
import { checkValue, isHeaderName } from './header-syntax.ts';
import type { CredentialsFor } from './own-site.ts';
import type { FetcherOptions, GetOptions } from './types.ts';

/** Zstandard is never offered: only some servers that were not asked send it. */
const acceptEncoding = 'gzip, br, deflate';

/**
 * Headers that no caller may set: those of the connection, our identity (AWI-04), and those that would carry a
 * person's identity or credentials (AWI-79, AWI-80).
 */
const reserved = new Set(
	[
		'host connection keep-alive proxy-connection transfer-encoding content-length te trailer upgrade expect',
		'user-agent accept-encoding',
		'authorization proxy-authorization cookie cookie2 forwarded x-forwarded-for x-real-ip client-ip via',
	]
		.join(' ')
		.split(' '),
);

/** Ports of other protocols, which a URL may not make us speak to (Fetch standard, "bad port"). */
const unsafePorts = new Set(
	`0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
	137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
	1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

/** The URL as it is fetched: http or https, without fragment and credentials. */
export function parseTarget(url: string): URL {
	const target = parseUrl(url);
	if (target === undefined) throw new FetchError('bad-url', `not an absolute URL: ${url.slice(0, 200)}`);
	if (target.protocol !== 'http:' && target.protocol !== 'https:') {
		throw new FetchError('unsupported-scheme', `${target.protocol} URLs are not fetched`);
	}
	if (unsafePorts.has(target.port))
		throw new FetchError('unsafe-port', `port ${target.port} belongs to another protocol`);
	target.hash = '';
	target.username = '';
	target.password = '';
	return target;
}

/**
 * Headers of our own making, checked: a mistake in them is a mistake in the program.
 * @throws TypeError for a malformed name or value, and for a header that is not the caller's to set.
 */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): Map<string, string> {
	const checked = new Map<string, string>();
	for (const [given, value] of Object.entries(headers)) {
		const name = given.toLowerCase();
		if (!isHeaderName(name)) throw new TypeError(`not a header name: ${JSON.stringify(given)}`);
		if (reserved.has(name)) throw new TypeError(`the header ${name} cannot be set`);
		checkValue(name, value);
		checked.set(name, value.trim());
	}
	return checked;
}

/**
 * AWI-01: every request begins its User-Agent with our name. There is no way round it.
 * @throws TypeError for any other
 */
export function checkUserAgent(userAgent: string): void {
	if (!/^AIWebIndex\/2\.0(?: |$)/.test(userAgent)) throw new TypeError('a User-Agent must begin with AIWebIndex/2.0');
	checkValue('user-agent', userAgent);
}

/** The request with all its headers, the fetcher's own last. */
export function buildRequest(
	target: URL,
	defaults: FetcherOptions,
	options: GetOptions,
	credentials?: CredentialsFor,
): OutgoingRequest {
	const headers = new Map([
		['user-agent', defaults.userAgent],
		['accept', '*/*'],
		...checkHeaders(defaults.headers),
		...checkHeaders(options.headers),
		['accept-encoding', options.identity === true ? 'identity' : acceptEncoding],
	]);
	const secrets = options.anonymous === true ? undefined : credentials?.(target);
	// One field of a name: the person's own value is the one that is sent.
	for (const name of secrets?.keys() ?? []) headers.delete(name);
	const { method = 'GET', cookie, body } = options;
	return { target, method, headers, secrets: withCookie(secrets ?? new Map(), cookie), body };
}

function withCookie(secrets: ReadonlyMap<string, string>, cookie: string | undefined): ReadonlyMap<string, string> {
	if (cookie === undefined) return secrets;
	checkValue('cookie', cookie);
	const own = secrets.get('cookie');
	return new Map([...secrets, ['cookie', own === undefined ? cookie : `${own}; ${cookie}`]]);
}
