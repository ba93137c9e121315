import type { Period } from './period.ts';

/** A period that is cut into slices. */
export interface Timeframe extends Period {
	/** Milliseconds of a slice. */
	readonly slice: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Periods by name. Those of a day and more begin with a full slice, for which the ledger has counts. */
const named: Readonly<Record<string, { readonly slice: number; readonly slices: number }>> = {
	'1h': { slice: minute, slices: 60 },
	'24h': { slice: hour, slices: 24 },
	'7d': { slice: 3 * hour, slices: 56 },
	'30d': { slice: day, slices: 30 },
};
export const periodNames = Object.keys(named);

/** The period with a name, up to now. */
export function namedTimeframe(name: string, now: number): Timeframe | undefined {
	const period = Object.hasOwn(named, name) ? named[name] : undefined;
	if (period === undefined) return undefined;
	const { slice, slices } = period;
	// Until the end of the running slice: nothing is in the ledger from later than now.
	const until = (Math.floor(now / slice) + 1) * slice;
	return { since: until - slices * slice, until, slice };
}

/** The period between two times, widened to full slices. */
export function timeframeBetween(since: number, until: number): Timeframe {
	const length = until - since;
	const slice = length <= 3 * hour ? minute : length <= 3 * day ? hour : length <= 14 * day ? 3 * hour : day;
	return { since: Math.floor(since / slice) * slice, until: Math.ceil(until / slice) * slice, slice };
}

/** Where each slice begins. */
export function sliceStarts({ since, until, slice }: Timeframe): number[] {
	return Array.from({ length: Math.ceil((until - since) / slice) }, (_, index) => since + index * slice);
}
