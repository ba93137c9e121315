import { parseDate, type ReceivedHeaders } from '@wayleave/io/http';

/**
 * How long a representation may be used again, in milliseconds: what HTTP caching allows (RFC 9111 §4.2), and no longer
 * than the site's SOM-Freshness (SOM directives §4.5).
 *
 * @param freshness in seconds
 */
export function representationLifetime(headers: ReceivedHeaders, freshness: number, now: number): number {
	const control = headers.get('cache-control') ?? '';
	if (/(?:^|[,\s])no-(?:cache|store)\b/i.test(control)) return 0;
	const most = freshness * 1000;
	const maxAge = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,12})/i.exec(control)?.[1];
	if (maxAge !== undefined) {
		const age = Number(/^\d{1,12}$/.exec(headers.get('age') ?? '')?.[0] ?? 0);
		return Math.min(most, Math.max(0, Number(maxAge) - age) * 1000);
	}
	const expires = headers.get('expires');
	if (expires === undefined) return most;
	const date = parseDate(expires);
	// RFC 9111 §5.3: what is no date, such as 0, means that it is over.
	return Number.isNaN(date) ? 0 : Math.min(most, Math.max(0, date - now));
}
