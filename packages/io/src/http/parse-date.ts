/** A time, and the zone behind it. */
const withZone = /\d:\d\d.*(?:[a-z]|[+-]\d\d:?\d\d)$/i;

/**
 * A date as servers write it: in a header (RFC 9110 §5.6.7, whose asctime form has no zone), a sitemap or a feed. Without
 * a zone it means UTC, and not that of the machine that happens to read it.
 *
 * @returns milliseconds since 1970; NaN where it is no date
 */
export function parseDate(text: string): number {
	const date = text.trim();
	if (withZone.test(date)) return Date.parse(date);
	return Date.parse(/\dT\d/i.test(date) ? `${date}Z` : `${date} GMT`);
}
