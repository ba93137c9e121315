import { parseDate } from './parse-date.ts';

/**
 * The pause that a value of `Retry-After` asks for, in milliseconds from `now`: a number of seconds or an HTTP date
 * (RFC 9110 §10.2.3). Undefined if it is neither, or names no time on any calendar.
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	const value = header?.trim() ?? '';
	const pause = readPause(value, now);
	return Number.isFinite(pause) ? Math.max(0, pause) : undefined;
}

function readPause(value: string, now: number): number {
	if (/^-?\d+(?:\.\d+)?$/.test(value)) return new Date(now + Number(value) * 1000).getTime() - now;
	// All three forms of an HTTP date begin with the day of the week; nothing else is given to the lenient parser.
	if (/^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return parseDate(value) - now;
	return Number.NaN;
}
