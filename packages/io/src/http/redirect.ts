import { parseUrl } from '@wayleave/protocols/url';
import { FetchError } from './failure.ts';
import { parseTarget } from './request.ts';
import type { FetchSuccess } from './types.ts';

export type RedirectTarget =
	/** Absolute, http or https, without credentials; the fragment is the Location's own or the one asked for. */
	| { readonly ok: true; readonly url: string; readonly permanent: boolean }
	| { readonly ok: false; readonly reason: RedirectFailure; readonly detail: string };

export type RedirectFailure = 'no-location' | 'bad-url' | 'unsupported-scheme' | 'unsafe-port';

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer sends its client (RFC 9110 §10.2.2), or undefined where it is no redirect. Whether to go there is
 * the caller's decision: every hop is a request of its own, to be allowed and paced like any other.
 */
export function redirectTarget(response: FetchSuccess): RedirectTarget | undefined {
	if (!redirects.has(response.status)) return undefined;
	const [location] = response.headers.getAll('location');
	if (location === undefined || location === '') {
		return { ok: false, reason: 'no-location', detail: `status ${response.status} without Location` };
	}
	const text = repairLatin1(location);
	const resolved = parseUrl(text, response.url);
	if (resolved === undefined) return { ok: false, reason: 'bad-url', detail: `Location: ${text.slice(0, 200)}` };
	try {
		const { hash } = resolved;
		const target = parseTarget(resolved.href);
		return { ok: true, url: target.href + hash, permanent: response.status === 301 || response.status === 308 };
	} catch (error) {
		if (!(error instanceof FetchError)) throw error;
		return { ok: false, reason: error.reason as RedirectFailure, detail: error.message };
	}
}

/**
 * Header bytes arrive one per character. Servers that put other characters than ASCII into a Location mean UTF-8, as
 * browsers read it; bytes that are no UTF-8 stay what they are.
 */
function repairLatin1(value: string): string {
	const bytes = Buffer.from(value, 'latin1');
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return value;
	}
}
