import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { CrawlError } from '../base/errors.ts';

// Standard Webhooks 1.0: https://www.standardwebhooks.com

/** Bytes of a secret at least. */
const leastSecret = 24;

/**
 * The key in a shared secret: the bytes behind `whsec_`, else those of the text.
 *
 * @throws CrawlError `bad-option`
 */
export function readSecret(secret: string): Uint8Array {
	const text = secret.trim();
	const encoded = text.startsWith('whsec_') ? text.slice('whsec_'.length) : undefined;
	if (encoded !== undefined && !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded))
		throw new CrawlError('bad-option', 'the secret of notices begins with whsec_, but what follows is not base64');
	const key = encoded === undefined ? Buffer.from(text) : Buffer.from(encoded, 'base64');
	if (key.length < leastSecret)
		throw new CrawlError(
			'bad-option',
			`the secret of notices has ${key.length} bytes; it needs at least ${leastSecret}: create one with openssl rand -base64 32`,
		);
	return key;
}

/** The headers that identify and sign a notice. @param at seconds since 1970 */
export function signNotice(key: Uint8Array, id: string, at: number, body: string): Record<string, string> {
	const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
	return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

/** Starts of private networks (RFC 1918, RFC 3927, RFC 4193), in an address as `URL` writes it. */
const privateNetwork = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][\da-f]{2}:)/;

/** A name such as `10.example.com` only looks like such an address. */
function isPrivate(hostname: string): boolean {
	const address = hostname.replace(/^\[|\]$/g, '');
	return isIP(address) !== 0 && privateNetwork.test(address);
}

/**
 * The address of a receiver. Notices hold documents: they are sent without TLS only within this machine or network.
 *
 * @throws CrawlError `bad-option`
 */
export function readReceiver(address: string): string {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
		throw new CrawlError('bad-option', `${address} is not an http(s) URL that notices could be sent to`);
	if (url.username !== '' || url.password !== '')
		throw new CrawlError(
			'bad-option',
			'the URL of a receiver has a password in it: the shared secret signs notices instead',
		);
	const { hostname } = url;
	const isNear = isLoopbackName(hostname) || isPrivate(hostname) || !/[.:]/.test(hostname);
	if (url.protocol === 'http:' && !isNear && !/\.(?:local|internal|test)$/.test(hostname))
		throw new CrawlError(
			'bad-option',
			`${shownReceiver(address)}: notices leave this network, so the receiver needs https`,
		);
	url.hash = '';
	return url.href;
}

/** The address without its query, which may hold a key. */
export function shownReceiver(address: string): string {
	const { origin, pathname, search } = new URL(address);
	return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
