import { parseDate, type ReceivedHeaders } from '@wayleave/io/http';

/** RFC 9309 §2.4: no longer than a day. */
const maxLifetime = 24 * 60 * 60 * 1000;
/** A file that must not be cached at all would have to be fetched before every page; a minute is meant by no-cache. */
const minLifetime = 60_000;

/** How long a policy file may be used before it is asked for again, in milliseconds (RFC 9309 §2.4, RFC 9111 §5.2.2). */
export function policyLifetime(headers: ReceivedHeaders, now: number): number {
	const control = headers.get('cache-control') ?? '';
	if (/(?:^|[,\s])no-(?:cache|store)\b/i.test(control)) return minLifetime;
	const maxAge = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,12})/i.exec(control)?.[1];
	if (maxAge !== undefined) {
		const age = Number(/^\d{1,12}$/.exec(headers.get('age') ?? '')?.[0] ?? 0);
		return clamp((Number(maxAge) - age) * 1000);
	}
	const expires = parseDate(headers.get('expires') ?? '');
	return Number.isNaN(expires) ? maxLifetime : clamp(expires - now);
}

const clamp = (milliseconds: number): number => Math.min(Math.max(milliseconds, minLifetime), maxLifetime);
