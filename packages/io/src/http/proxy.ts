import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopbackName } from '../dns/loopback.ts';
import { isPublicAddress } from './address.ts';

/** A forward proxy. */
export interface ProxyServer {
	readonly url: URL;
	/** For `Proxy-Authorization`, where the address of the proxy has a user name. */
	readonly authorization: string | undefined;
}

/** The proxy for a request, or undefined where it goes straight to the site. */
export type ProxyFor = (target: URL) => ProxyServer | undefined;

type Environment = Readonly<Record<string, string | undefined>>;

/** Why a proxy cannot be used, without anything of its address that could be a password. */
export class ProxyError extends Error {
	readonly code = 'bad-proxy';
}

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, also in lower case, which wins as in curl. Undefined if no
 * proxy is set.
 *
 * @throws ProxyError that names the variable
 */
export function proxyFromEnvironment(env: Environment): ProxyFor | undefined {
	const http = readVariable(env, 'http_proxy');
	const https = readVariable(env, 'https_proxy');
	if (http === undefined && https === undefined) return undefined;
	const isDirect = readNoProxy(noProxyOf(env));
	return (target) => (isDirect(target) ? undefined : target.protocol === 'https:' ? https : http);
}

/**
 * One proxy for everything but what `NO_PROXY` of the environment leaves out.
 *
 * @throws ProxyError
 */
export function fixedProxy(address: string, env: Environment, name = 'the proxy'): ProxyFor {
	const proxy = readProxy(address, name);
	const isDirect = readNoProxy(noProxyOf(env));
	return (target) => (isDirect(target) ? undefined : proxy);
}

const noProxyOf = (env: Environment): string => env.no_proxy ?? env.NO_PROXY ?? '';

function readVariable(env: Environment, lower: string): ProxyServer | undefined {
	const upper = lower.toUpperCase();
	// A CGI program finds the client's `Proxy` header in HTTP_PROXY (CVE-2016-5385).
	const spoofed = upper === 'HTTP_PROXY' && env.REQUEST_METHOD !== undefined;
	const name = env[lower] !== undefined || spoofed ? lower : upper;
	const value = env[name]?.trim() ?? '';
	return value === '' ? undefined : readProxy(value, name);
}

function readProxy(address: string, name: string): ProxyServer {
	const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || url.hostname === '')
		throw new ProxyError(`${name} is not a proxy URL: write http://HOST:PORT`);
	if (url.protocol !== 'http:' && url.protocol !== 'https:')
		throw new ProxyError(
			`${name}: ${url.protocol.slice(0, -1)} proxies are not supported: use an http:// or https:// one`,
		);
	const { username, password } = url;
	const pair = `${decoded(username)}:${decoded(password)}`;
	const authorization = username === '' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
	return { url, authorization };
}

/** A stray `%` in a password is meant as it is. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** For messages: never with the user name or password. */
export const showProxy = ({ url }: ProxyServer): string => url.host;

/**
 * Reads `NO_PROXY` as curl does: names with everything below them, with or without a leading dot, addresses, CIDR
 * ranges, and `*` for every host; besides, a port restricts an entry to it, and `*.example.com` is `example.com`.
 */
function readNoProxy(list: string): (target: URL) => boolean {
	const entries = list
		.split(/[\s,]+/)
		.filter((entry) => entry !== '')
		.map(readEntry);
	return (target) => entries.some((matches) => matches(target));
}

function readEntry(entry: string): (target: URL) => boolean {
	if (entry === '*') return () => true;
	const [, bracketed, plain = '', port] = /^(?:\[([^\]]*)\]|((?:[^:]*:){2,}[^:]*|[^:]*))(?::(\d+))?$/.exec(entry) ?? [];
	const host = (bracketed ?? plain)
		.toLowerCase()
		.replace(/^\*?\./, '')
		.replace(/\.$/, '');
	const isHost = host === '' ? () => false : hostMatcher(host);
	return (target) => isHost(bare(target)) && (port === undefined || port === portOf(target));
}

function hostMatcher(host: string): (name: string) => boolean {
	const range = rangeOf(host);
	if (range !== undefined)
		return (name) => {
			if (isIP(name) === 0) return false;
			const address = ipaddr.process(name);
			return address.kind() === range[0].kind() && (address as ipaddr.IPv6).match(range as [ipaddr.IPv6, number]);
		};
	return (name) => name === host || name.endsWith(`.${host}`);
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
	const [address = '', bits] = text.split('/');
	if (isIP(address) === 0) return undefined;
	const parsed = ipaddr.process(address);
	const whole = parsed.kind() === 'ipv4' ? 32 : 128;
	const length = bits === undefined ? whole : Number(bits);
	return Number.isInteger(length) && length >= 0 && length <= whole ? [parsed, length] : undefined;
}

const bare = (target: URL): string =>
	target.hostname
		.replace(/^\[|\]$/g, '')
		.replace(/\.$/, '')
		.toLowerCase();

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/**
 * Whether a host looks private by its name or literal address. A proxy resolves names itself, so this is all that can
 * be known before a request goes through one.
 */
export function looksPrivate(target: URL): boolean {
	const host = bare(target);
	if (isIP(host) !== 0) return !isPublicAddress(host);
	// RFC 6761, RFC 6762, RFC 8375, ICANN's .internal; and no public host has a name without a dot.
	return (
		isLoopbackName(host) ||
		!host.includes('.') ||
		// Suffixes that only private networks use.
		/\.(?:local|internal|intranet|private|lan|home|corp|home\.arpa)$/.test(host)
	);
}
