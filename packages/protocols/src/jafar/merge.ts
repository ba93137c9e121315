import { nowhere } from '../internal/problem-maker.ts';
import { joinEqual } from './build.ts';
import { type Cidr, contains, makeCidr, wordMask } from './cidr.ts';
import type { RangesProblem } from './problems.ts';
import { rangesProblem } from './report.ts';
import type { RangeList, RangePrefix } from './types.ts';

/** A list, and the name under which its ranges go into an aggregated one. */
export interface RangeSource {
	readonly operator: string;
	readonly list: Pick<RangeList, 'prefixes'>;
}

/**
 * The ranges of several operators in one, each tagged with where it came from (JAFAR §4.3):
 * `OPERATOR`, or `OPERATOR/SERVICE` where the operator's own list names a service.
 */
export function mergeRanges(sources: Iterable<RangeSource>): RangePrefix[] {
	const tagged: RangePrefix[] = [];
	for (const { operator, list } of sources) {
		for (const { range, services } of list.prefixes) {
			const names = services.map((service) => `${operator}/${service}`);
			tagged.push({ range, services: names.length === 0 ? [operator] : names });
		}
	}
	return joinEqual(tagged);
}

/**
 * The fewest ranges that give every address the same services: halves with equal services become one range,
 * and a range inside one with equal services goes.
 */
export function aggregateRanges(prefixes: Iterable<RangePrefix>): RangePrefix[] {
	const joined = joinHalves(joinEqual(prefixes));
	const kept: RangePrefix[] = [];
	/** The kept ranges that hold the current place, the innermost last. */
	const open: RangePrefix[] = [];
	for (const prefix of joinEqual(joined)) {
		let outer = open.at(-1);
		for (; outer && !contains(outer.range, prefix.range); outer = open.at(-1)) open.pop();
		if (outer !== undefined && sameServices(outer, prefix)) continue;
		kept.push(prefix);
		open.push(prefix);
	}
	return kept;
}

/** Joins two halves of a range wherever they serve the same, from the longest prefixes to the shortest. */
function joinHalves(prefixes: readonly RangePrefix[]): Iterable<RangePrefix> {
	const byText = new Map(prefixes.map((prefix) => [prefix.range.text, prefix]));
	const byLength: RangePrefix[][] = Array.from({ length: 129 }, () => []);
	for (const prefix of prefixes) byLength[prefix.range.length]?.push(prefix);
	for (let length = 128; length > 0; length--) {
		for (const prefix of byLength[length] ?? []) {
			const { family, words } = prefix.range;
			const sibling = byText.get(makeCidr(family, flipBit(words, length - 1), length).text);
			const current = byText.get(prefix.range.text);
			if (current !== prefix || sibling === undefined || !sameServices(prefix, sibling)) continue;
			const whole = makeCidr(family, clearBehind(words, length - 1), length - 1);
			// The two halves hide the services of the whole.
			const joined = { range: whole, services: prefix.services };
			byText.delete(prefix.range.text);
			byText.delete(sibling.range.text);
			byText.set(whole.text, joined);
			byLength[length - 1]?.push(joined);
		}
	}
	return byText.values();
}

function flipBit(words: readonly number[], bit: number): number[] {
	return words.map((word, index) => (bit >> 5 === index ? (word ^ (1 << (31 - (bit & 31)))) >>> 0 : word));
}

function clearBehind(words: readonly number[], length: number): number[] {
	return words.map((word, index) => (word & wordMask(index, length)) >>> 0);
}

function sameServices(a: RangePrefix, b: RangePrefix): boolean {
	if (a.services.length !== b.services.length) return false;
	const names = new Set(b.services);
	return a.services.every((name) => names.has(name));
}

/**
 * Mistakes from one version of a list to the next: a synctoken that stayed although ranges or
 * services changed (JAFAR §2.1).
 */
export function checkRangesSuccession(previous: RangeList, next: RangeList): readonly RangesProblem[] {
	const { added, removed, changed } = diffRanges(previous, next);
	const { synctoken } = next;
	if (previous.synctoken !== synctoken || added.length + removed.length + changed.length === 0) return [];
	return [rangesProblem('ranges-synctoken-unchanged', nowhere, { synctoken })];
}

/** The changes from one version of a list to the next. */
export interface RangesDiff {
	readonly added: readonly RangePrefix[];
	readonly removed: readonly RangePrefix[];
	/** Ranges that stayed while their services changed. */
	readonly changed: readonly {
		readonly range: Cidr;
		readonly before: readonly string[];
		readonly after: readonly string[];
	}[];
}

/** Compares two versions of a list, range by range, in order. */
export function diffRanges(previous: Pick<RangeList, 'prefixes'>, next: Pick<RangeList, 'prefixes'>): RangesDiff {
	const before = new Map(joinEqual(previous.prefixes).map((prefix) => [prefix.range.text, prefix]));
	const after = new Map(joinEqual(next.prefixes).map((prefix) => [prefix.range.text, prefix]));
	const changed = [...after.values()].flatMap((prefix) => {
		const old = before.get(prefix.range.text);
		if (old === undefined || sameServices(old, prefix)) return [];
		return [{ range: prefix.range, before: old.services, after: prefix.services }];
	});
	return {
		added: [...after.values()].filter(({ range }) => !before.has(range.text)),
		removed: [...before.values()].filter(({ range }) => !after.has(range.text)),
		changed,
	};
}
