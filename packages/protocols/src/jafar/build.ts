import { formatByLine } from '../internal/json-lines.ts';
import { formatTimestamp } from '../internal/timestamp.ts';
import { type Cidr, compareCidrs } from './cidr.ts';
import { synctokenOf } from './synctoken.ts';
import type { RangeList, RangePrefix } from './types.ts';

/** A list that is complete enough to be published (JAFAR §2.1). */
export interface PublishedRangeList extends RangeList {
	readonly format: 'jafar';
	readonly formatVersion: '1.0';
	readonly creationTime: string;
}

export interface BuildRangesOptions {
	/** The time of generation, milliseconds since 1970. */
	readonly time: number;
	/** For people; has no effect on matching. */
	readonly notes?: string;
}

/**
 * Makes a list for publishing: ranges in order, each once with all its services.
 * The synctoken depends on the ranges and services alone, so that a daily refresh keeps it.
 */
export function buildRanges(prefixes: Iterable<RangePrefix>, { time, notes }: BuildRangesOptions): PublishedRangeList {
	const normalised = joinEqual(prefixes);
	return {
		format: 'jafar',
		formatVersion: '1.0',
		synctoken: synctokenOf(normalised),
		creationTime: formatTimestamp(time),
		...(notes !== undefined && { notes }),
		prefixes: normalised,
	};
}

/** One entry for each range, in order, with the services of all entries that had it. */
export function joinEqual(prefixes: Iterable<RangePrefix>): RangePrefix[] {
	const joined = new Map<string, { range: Cidr; services: Set<string> }>();
	for (const { range, services } of prefixes) {
		const entry = joined.get(range.text) ?? { range, services: new Set<string>() };
		joined.set(range.text, entry);
		for (const name of services) entry.services.add(name);
	}
	const entries = Array.from(joined.values(), ({ range, services }) => ({ range, services: [...services] }));
	return entries.sort((a, b) => compareCidrs(a.range, b.range));
}

/**
 * Writes a list as JSON, one entry a line; a range of several services becomes several entries (JAFAR §2.3).
 * Each names its service twice, since draft-illyes-aipref-jafar-00 has `service` and the drafts after it `services`.
 */
export function formatRanges(list: PublishedRangeList): string {
	const { formatVersion, synctoken, creationTime, notes, prefixes } = list;
	const entries = prefixes.flatMap(entriesOf).map((entry) => JSON.stringify(entry));
	return formatByLine({ formatVersion, synctoken, creationTime, notes }, 'prefixes', '[]', entries);
}

function entriesOf({ range, services }: RangePrefix): object[] {
	const prefix = range.family === 4 ? { ipv4Prefix: range.text } : { ipv6Prefix: range.text };
	return services.length === 0 ? [prefix] : services.map((service) => ({ ...prefix, service, services: [service] }));
}
