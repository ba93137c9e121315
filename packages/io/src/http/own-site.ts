import { isBelow } from './cookie-path.ts';
import { checkValue, isHeaderName } from './header-syntax.ts';

/** A cookie as a browser exports it. */
export interface Cookie {
	readonly name: string;
	readonly value: string;
	/** The host, without a leading dot. */
	readonly domain: string;
	/** Whether hosts below `domain` get it too. */
	readonly subdomains: boolean;
	/** Default `/`. */
	readonly path?: string;
	/** Only over https. */
	readonly secure?: boolean;
	/** Seconds since 1970; left out for a session cookie. */
	readonly expires?: number;
}

/** Credentials for the operator's own sites. */
export interface OwnSiteCredentials {
	/** The origins (`https://example.com:8443`) that get them. No other origin does, whatever leads there. */
	readonly origins: readonly string[];
	/** Header fields for each of these origins. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Cookies for those of these origins that match (RFC 6265 §5.4). */
	readonly cookies?: readonly Cookie[];
}

/** Header fields for a request to `target`, by lower-case name; empty where it gets none. */
export type CredentialsFor = (target: URL) => ReadonlyMap<string, string>;

const reasons = {
	identity: 'it identifies the client, and Wayleave sets it itself',
	connection: 'it controls the connection',
	framing: 'it sets the length or coding of the message, and Wayleave sets it itself',
} as const;

const refused: Readonly<Record<string, keyof typeof reasons>> = Object.fromEntries(
	(
		[
			['identity', 'user-agent from x-agent-identity'],
			['connection', 'host connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer'],
			['connection', 'upgrade http2-settings expect'],
			['framing', 'content-length transfer-encoding content-encoding accept-encoding range'],
		] as const
	).flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason])),
);

/**
 * Why a header field cannot be sent to one's own site; undefined where it can. The sentence never contains a value.
 */
export function whyNotOwnHeader(name: string): string | undefined {
	const lower = name.toLowerCase();
	if (!isHeaderName(lower)) return 'it is not a header name';
	const reason = lower.startsWith('signature') ? 'identity' : refused[lower];
	return reason && reasons[reason];
}

/** @throws TypeError for an origin, a header field or a cookie that cannot be sent; without any value in the message */
export function credentialsFor({ origins, headers = {}, cookies = [] }: OwnSiteCredentials): CredentialsFor {
	for (const [name, value] of Object.entries(headers)) {
		const reason = whyNotOwnHeader(name);
		if (reason !== undefined) throw new TypeError(`the header ${name} cannot be sent to one's own site: ${reason}`);
		checkValue(name, value);
	}
	for (const { name, value } of cookies) {
		if (/[;\s,=]/.test(name) || /;/.test(value)) throw new TypeError(`the cookie ${JSON.stringify(name)} is malformed`);
		checkValue(`cookie ${name}`, value);
	}
	const own = new Set(origins.map(readOrigin));
	const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
	return (target) => {
		if (!own.has(target.origin)) return none;
		const found = new Map(fields);
		const given = [found.get('cookie'), ...cookiesFor(target, cookies)].filter((text) => text !== undefined);
		if (given.length > 0) found.set('cookie', given.join('; '));
		return found;
	};
}

const none: ReadonlyMap<string, string> = new Map();

function readOrigin(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol))
		throw new TypeError(`${text.replace(/\/\/.*@/, '//')} is not an http(s) origin`);
	return url.origin;
}

/** RFC 6265 §5.4: those with longer paths first. */
function cookiesFor(target: URL, cookies: readonly Cookie[]): string[] {
	const now = Date.now() / 1000;
	const secure = target.protocol === 'https:';
	return cookies
		.filter(
			({ domain, subdomains, path, secure: wanted, expires }) =>
				(target.hostname === domain || (subdomains && target.hostname.endsWith(`.${domain}`))) &&
				(wanted !== true || secure) &&
				(expires === undefined || expires > now) &&
				isBelow(target.pathname, path || '/'),
		)
		.toSorted((a, b) => (b.path ?? '/').length - (a.path ?? '/').length)
		.map(({ name, value }) => `${name}=${value}`);
}
