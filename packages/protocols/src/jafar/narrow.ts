import { type RangesProblem, rangesProblems } from './problems.ts';
import type { RangeList, RangePrefix } from './types.ts';

type Range = RangePrefix['range'];

/** The shortest prefix that one operator of crawlers can have, by family. */
const shortest = { 4: 8, 6: 19 } as const;

/** A list without entries that could not be the addresses of one operator's crawlers. */
export interface Narrowed {
	/** Undefined where all entries together cover too much. */
	readonly list: RangeList | undefined;
	readonly problems: readonly RangesProblem[];
}

/**
 * Refuses entries wider than /8 (IPv4) or /19 (IPv6), and the whole list where its entries together cover more than
 * that: two halves of the Internet would verify everybody.
 */
export function narrowRanges(list: RangeList): Narrowed {
	const isNarrow = ({ range }: RangePrefix) => range.length >= shortest[range.family];
	const problems = list.prefixes
		.filter((prefix) => !isNarrow(prefix))
		.map(({ range }) => problem('ranges-too-broad', { prefix: range.text }));
	const prefixes = problems.length === 0 ? list.prefixes : list.prefixes.filter(isNarrow);
	for (const family of [4, 6] as const) {
		const length = shortest[family];
		if (covered(prefixes, family) <= 1n << BigInt(bits[family] - length)) continue;
		return {
			list: undefined,
			problems: [...problems, problem('ranges-cover-too-much', { family: `IPv${family}`, length })],
		};
	}
	return { list: problems.length === 0 ? list : { ...list, prefixes }, problems };
}

const bits = { 4: 32, 6: 128 } as const;

/** How many addresses of a family the ranges hold together; ranges nest or are apart. */
function covered(prefixes: readonly RangePrefix[], family: 4 | 6): bigint {
	const ranges = prefixes.map(({ range }) => range).filter((range) => range.family === family);
	const intervals = ranges.map((range) => ({ start: startOf(range), size: 1n << BigInt(bits[family] - range.length) }));
	intervals.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
	let total = 0n;
	let end = 0n;
	for (const { start, size } of intervals) {
		const next = start + size;
		if (next <= end) continue;
		total += next - (start > end ? start : end);
		end = next;
	}
	return total;
}

function startOf({ words }: Range): bigint {
	let start = 0n;
	for (const word of words) start = (start << 32n) | BigInt(word);
	return start;
}

function problem(
	code: 'ranges-too-broad' | 'ranges-cover-too-much',
	args: Record<string, string | number>,
): RangesProblem {
	return { code, severity: rangesProblems[code].severity, line: 1, column: 1, args };
}
