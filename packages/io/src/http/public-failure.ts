import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import { fetchFailures } from './types.ts';

/** A failed request, as the fetcher and the crawler report it. */
export interface Failure {
	/** `private-address`, `connect-failed`, …; some failures only have a sentence. */
	readonly reason?: string | undefined;
	/** For the operator: it may contain addresses and the proxy of the operator's network. */
	readonly detail?: string | undefined;
}

/** Runs of characters that can form an IPv4 or IPv6 address. */
const addressLike = /[\da-f:.]*[\d:][\da-f:.]*/gi;

/**
 * A failure worded for remote callers, who must not learn how a name resolves inside the operator's network: it
 * contains no private address, and no proxy. Undefined if there is nothing to add to the reason. The log may keep the
 * detail.
 *
 * @example publicFailure({ reason: 'private-address', detail: 'intranet resolves to 10.0.0.7' })
 * // 'the host name resolves to an address that is not public'
 */
export function publicFailure({ reason, detail }: Failure): string | undefined {
	if (detail === undefined) return undefined;
	if (reason === 'private-address') return fetchFailures['private-address'];
	if (reason === 'proxy-failed' || /\bthe proxy \S/.test(detail)) return fetchFailures['proxy-failed'];
	if (!namesInnerAddress(detail)) return detail;
	if (/ resolves to /.test(detail)) return fetchFailures['private-address'];
	return isFetchFailure(reason) ? fetchFailures[reason] : 'the request failed on its way to the host';
}

function namesInnerAddress(text: string): boolean {
	return (text.match(addressLike) ?? []).some((run) => {
		const forms = [run, run.replace(/:\d+$/, '')].map((form) => form.replace(/[.:]$/, ''));
		return forms.some((form) => isIP(form) !== 0 && !isPublicAddress(form));
	});
}

const isFetchFailure = (reason = ''): reason is keyof typeof fetchFailures => Object.hasOwn(fetchFailures, reason);
