import { readRetryAfter } from '@wayleave/io/http';

/** A pause without a length (AIWebIndex 2.0 §6.3). */
const defaultPause = 60_000;

/**
 * How long a 429 or 503 asks for, in milliseconds from `now`: a number of seconds or an HTTP date (RFC 9110 §10.2.3).
 * What cannot be read counts as absent; a moment that has passed asks for nothing beyond the usual pace.
 *
 * @param unstated milliseconds that an absent header asks for
 */
export function retryAfter(header: string | undefined, now: number, unstated = defaultPause): number {
	return readRetryAfter(header, now) ?? (header === undefined ? unstated : defaultPause);
}

/** Whether a status asks the client to pause. */
export const isLimited = (status: number | undefined): boolean => status === 429 || status === 503;

/**
 * The pause in milliseconds from `now` that the headers of a 429 or 503 ask for; the longest of several values counts.
 *
 * @param unstated milliseconds when no header names a time
 */
export function askedPause(
	headers: { getAll(name: string): readonly string[] },
	now: number,
	unstated?: number,
): number {
	const values = headers.getAll('retry-after');
	return Math.max(...(values.length > 0 ? values : [undefined]).map((value) => retryAfter(value, now, unstated)));
}

/** Whether a value of `Retry-After` states a time. */
export const isTime = (header: string): boolean => readRetryAfter(header, 0) !== undefined;
