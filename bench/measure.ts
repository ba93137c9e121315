/** One contestant's time for one task: nanoseconds of processor time for one call. */
export interface Timing {
	readonly median: number;
	readonly fastest: number;
}

/**
 * Times several ways to do the same thing in alternating rounds, so that what else the machine does falls on all.
 * Each round repeats a call for about `roundMs`. Processor time is counted, the collector's too: what other processes
 * take from the machine is not.
 */
export function race<Name extends string>(
	ways: Readonly<Record<Name, () => unknown>>,
	{ rounds = 15, roundMs = 20 } = {},
): Record<Name, Timing> {
	const names = Object.keys(ways) as Name[];
	const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
	const calls = Object.fromEntries(names.map((name) => [name, callsWithin(ways[name], roundMs)])) as Record<
		Name,
		number
	>;
	for (let round = 0; round < rounds; round++) {
		for (const name of names) samples[name].push(timeFor(ways[name], calls[name]));
	}
	return Object.fromEntries(names.map((name) => [name, summary(samples[name])])) as Record<Name, Timing>;
}

/** How many calls fill a round, once the first ones have made what is made only once and the compiler has seen it. */
function callsWithin(call: () => unknown, ms: number): number {
	timeFor(call, 10);
	let calls = 1;
	while (timeFor(call, calls) * calls < ms * 1e6) calls *= 2;
	return calls;
}

function timeFor(call: () => unknown, calls: number): number {
	const start = process.cpuUsage();
	for (let at = 0; at < calls; at++) call();
	const { user, system } = process.cpuUsage(start);
	return ((user + system) * 1e3) / calls;
}

function summary(samples: number[]): Timing {
	const sorted = samples.toSorted((a, b) => a - b);
	return { median: sorted[sorted.length >> 1]!, fastest: sorted[0]! };
}

/** The median. */
export const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** The value below which this share of the values is. */
export const quantile = (values: readonly number[], share: number): number =>
	values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** Nanoseconds for people. */
export function showTime(ns: number): string {
	if (ns >= 1e6) return `${(ns / 1e6).toFixed(2)} ms`;
	return ns >= 1e3 ? `${(ns / 1e3).toFixed(2)} µs` : `${ns.toFixed(0)} ns`;
}

/** What follows `--NAME` on the command line. */
export function option(name: string): string | undefined {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? undefined : process.argv[at + 1];
}

/** Rows as a table with aligned columns. */
export function showTable(rows: readonly (readonly string[])[]): string {
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	return rows
		.map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '))
		.join('\n');
}

/** At most so many of a list, from all over it. */
export function some<T>(list: readonly T[], limit: string | undefined): T[] {
	const step = Math.max(1, list.length / Number(limit ?? list.length));
	return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}
