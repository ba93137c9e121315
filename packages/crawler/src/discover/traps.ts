import { isDatePage, yearOf } from '../addresses/dates.ts';
import { withoutRoute } from '../addresses/routes.ts';
import { isNestedAddress, pathAddress } from '../addresses/url-parts.ts';
import type { Reason } from '../model/outcome.ts';

/** A tree deeper than this is not made by hand. */
const deepestPath = 40;
/** Date pages on the way to a page: three years of months. */
const maxDateChain = 36;
/** Calendars of real sites do not plan further ahead. */
const yearsAhead = 3;
/** Periods of a repeating path that are looked for: `/a/b/c/d/a/b/c/d/…`. */
const maxPeriod = 4;

/** Facts in the address alone. `dates` counts the date pages on the way, this one included. */
export interface Shape {
	readonly trap?: Reason;
	readonly dates: number;
}

/**
 * Recognises endless spaces by the shape of an address, not by how many pages a host has: a large site is no trap.
 *
 * @param parentDates date pages on the way to the page that has the link
 * @param now milliseconds since 1970
 */
export function shapeOf(href: string, parentDates: number, now: number): Shape {
	const route = pathAddress(href);
	const shape = shapeOfAddress(withoutRoute(href), parentDates, now);
	return shape.trap !== undefined || route === href ? shape : shapeOfAddress(route, shape.dates, now);
}

function shapeOfAddress(href: string, parentDates: number, now: number): Shape {
	const url = new URL(href);
	const segments = url.pathname.split('/').slice(1);
	if (segments.length > deepestPath) return { trap: 'trap-deep-path', dates: parentDates };
	if (repeats(segments)) return { trap: 'trap-repeated-path', dates: parentDates };
	if (url.search !== '' && repeatsPair(url.search)) return { trap: 'trap-repeated-query', dates: parentDates };
	if (isNestedAddress(href)) return { trap: 'trap-nested-address', dates: parentDates };
	if (!isDatePage(url)) return { dates: parentDates };
	const dates = parentDates + 1;
	const tooFar = (yearOf(url) ?? 0) > new Date(now).getUTCFullYear() + yearsAhead;
	return dates > maxDateChain || tooFar ? { trap: 'trap-calendar', dates } : { dates };
}

/** Four times the same segment in a row, three times the same few, or one segment more than five times in all. */
function repeats(segments: readonly string[]): boolean {
	if (segments.length < 4) return false;
	for (let period = 1; period <= maxPeriod; period++)
		if (lengthOfRun(segments, period) >= period * (period === 1 ? 3 : 2)) return true;
	const counts = new Map<string, number>();
	for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
	return Math.max(...counts.values()) > 5;
}

/** How many segments in a row equal the one `period` places before them. */
function lengthOfRun(segments: readonly string[], period: number): number {
	let run = 0;
	let longest = 0;
	for (let at = period; at < segments.length; at++) {
		run = segments[at] === segments[at - period] ? run + 1 : 0;
		longest = Math.max(longest, run);
	}
	return longest;
}

/** The same parameter with the same value three times. */
function repeatsPair(search: string): boolean {
	const counts = new Map<string, number>();
	for (const pair of search.slice(1).split('&')) {
		const count = (counts.get(pair) ?? 0) + 1;
		if (count >= 3 && pair !== '') return true;
		counts.set(pair, count);
	}
	return false;
}
