import { isIP } from 'node:net';
import { fetchFailures, isPublicAddress } from '@wayleave/io';

/** Why a request failed, as the fetcher and the crawler report it. */
export interface Failure {
	/** `private-address`, `connect-failed`, …; some failures have a sentence only. */
	readonly reason?: string | undefined;
	/** For the operator: it may name addresses and the proxy of the operator's network. */
	readonly detail?: string | undefined;
}

/** Runs of characters that an IPv4 or IPv6 address is made of. */
const addressLike = /[\da-f:.]*[\d:][\da-f:.]*/gi;

/**
 * A failure in words for callers from outside, who must not learn where a name leads inside the operator's network: no
 * address that is not public, and no proxy. Undefined where there is nothing to say beyond the reason. The log may keep
 * the detail.
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
