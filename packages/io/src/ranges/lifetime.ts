import type { ReceivedHeaders } from '../http/headers.ts';
import { parseDate } from '../http/parse-date.ts';
import { readRetryAfter } from '../http/retry-after.ts';

/** Times of the poll, in milliseconds. JAFAR §3.1: no more often than hourly, for example daily. */
export const hour = 3_600_000;
export const day = 24 * hour;

/** The largest number of seconds that a cache has to know (RFC 9111 §1.2.2). */
const longest = 2 ** 31;
/** A lifetime of seconds permits less than an hour, but its author does not want a request for every visitor. */
const shortest = 60_000;

/**
 * How long no request may follow this answer, in milliseconds (JAFAR §3.1). Only an explicit freshness lifetime
 * under an hour permits polling below the hour; a longer one is waited out. `no-cache`, `no-store`, a lifetime that is
 * over, and silence leave the hour.
 */
export function pollPause(headers: ReceivedHeaders, now: number): number {
	const control = headers.get('cache-control') ?? '';
	if (/(?:^|[,\s])no-(?:cache|store)\b/i.test(control)) return hour;
	const lifetime = explicitLifetime(control, headers, now);
	return lifetime === undefined || lifetime <= 0 ? hour : Math.max(lifetime, shortest);
}

function explicitLifetime(control: string, headers: ReceivedHeaders, now: number): number | undefined {
	const seconds = ['s-maxage', 'max-age'].map((name) => directiveSeconds(control, name)).filter((n) => n !== undefined);
	// One list serves all who ask us, so both directives speak to us: the longer one is kept.
	if (seconds.length > 0) return (Math.max(...seconds) - ageOf(headers)) * 1000;
	const expires = parseDate(headers.get('expires') ?? '');
	if (Number.isNaN(expires)) return undefined;
	const date = parseDate(headers.get('date') ?? '');
	return Math.min(expires - (Number.isNaN(date) ? now : date) - ageOf(headers) * 1000, longest * 1000);
}

function directiveSeconds(control: string, name: string): number | undefined {
	const digits = new RegExp(`(?:^|[,\\s])${name}\\s*=\\s*"?(\\d+)`, 'i').exec(control)?.[1];
	return digits === undefined ? undefined : Math.min(Number(digits), longest);
}

function ageOf(headers: ReceivedHeaders): number {
	return Math.min(Number(/^\d+$/.exec(headers.get('age') ?? '')?.[0] ?? 0), longest);
}

/** The `Retry-After` of a refusal in milliseconds; 0 if there is none. */
export function retryPause(headers: ReceivedHeaders, now: number): number {
	return Math.min(readRetryAfter(headers.get('retry-after'), now) ?? 0, longest * 1000);
}
