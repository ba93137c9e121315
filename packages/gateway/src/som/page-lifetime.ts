import { parseDate } from '@wayleave/io/http';

/** Response headers of a page, names in lower case. */
export type PageFields = Readonly<Record<string, string>>;

/**
 * Seconds for which a shared cache may reuse a page (RFC 9111 §3, §4.2, §5.2), counted from when it was received;
 * 0 where every request needs a new response, undefined where the page does not say.
 *
 * @param now milliseconds since 1970, for `Expires`
 */
export function pageLifetime(headers: PageFields, now: number): number | undefined {
	const control = headers['cache-control'] ?? '';
	if (/(?:^|[,\s])(?:no-store|no-cache|private)\b/i.test(control)) return 0;
	if (headers['set-cookie'] !== undefined || headers.vary?.includes('*')) return 0;
	const stated = seconds(control, 's-maxage') ?? seconds(control, 'max-age');
	if (stated !== undefined) return Math.max(0, stated - age(headers));
	if (control.trim() === '' && /\bno-cache\b/i.test(headers.pragma ?? '')) return 0;
	if (headers.expires === undefined) return undefined;
	const expires = parseDate(headers.expires);
	const date = parseDate(headers.date ?? '');
	// A value that is not a date, such as 0, means that the response has expired (RFC 9111 §5.3).
	if (Number.isNaN(expires)) return 0;
	return Math.max(0, Math.floor((expires - (Number.isNaN(date) ? now : date)) / 1000) - age(headers));
}

/** The value of a directive; a malformed one counts as 0, which RFC 9111 §4.2.1 encourages. */
function seconds(control: string, directive: string): number | undefined {
	const value = new RegExp(`(?:^|[,\\s])${directive}\\s*=\\s*"?([^",\\s]*)`, 'i').exec(control)?.[1];
	if (value === undefined) return undefined;
	return /^\d+$/.test(value) ? Number(value) : 0;
}

function age(headers: PageFields): number {
	return /^\d+$/.test(headers.age ?? '') ? Number(headers.age) : 0;
}

/** The request headers that the page varies by, in lower case, without those that only choose its coding or form. */
export function variesBy(headers: PageFields): string[] {
	const names = (headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase());
	return names.filter((name) => name !== '' && name !== '*' && name !== 'accept' && name !== 'accept-encoding');
}
