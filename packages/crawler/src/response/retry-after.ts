import { parseDate } from '@wayleave/io';

/** A pause without a length (AIWebIndex 2.0 §6.3, AMB-36). */
const defaultPause = 60_000;

/**
 * How long a 429 or 503 asks for, in milliseconds from `now`: a number of seconds or an HTTP date (RFC 9110 §10.2.3).
 * What cannot be read counts as absent; a moment that has passed asks for nothing beyond the usual pace.
 *
 * @param unstated milliseconds that an absent header asks for
 */
export function retryAfter(header: string | undefined, now: number, unstated = defaultPause): number {
	const pause = readPause(header ?? '', now);
	return Number.isFinite(pause) ? Math.max(0, pause) : header === undefined ? unstated : defaultPause;
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

/** Whether a value of `Retry-After` says a time at all. */
export const isTime = (header: string): boolean => Number.isFinite(readPause(header, 0));

/** Milliseconds; not finite if the value cannot be parsed or is not a time on any calendar. */
function readPause(header: string, now: number): number {
	const value = header.trim();
	if (/^-?\d+(?:\.\d+)?$/.test(value)) return new Date(now + Number(value) * 1000).getTime() - now;
	// All three forms of an HTTP date begin with the day of the week; nothing else is given to the lenient parser.
	if (/^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return parseDate(value) - now;
	return Number.NaN;
}
