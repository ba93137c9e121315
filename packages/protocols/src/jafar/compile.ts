import { isMapped, readAddress } from './address.ts';
import { bitsOf, type Cidr, compareCidrs, contains } from './cidr.ts';
import type { RangePrefix } from './types.ts';

/** What one list says about an address, by the most specific of its ranges that hold it (JAFAR §3.3). */
export interface RangeMatch {
	/** The position of the list among those that were compiled. */
	readonly list: number;
	/** The range in canonical text. */
	readonly prefix: string;
	/** Of all entries with this range, in file order; never inherited from a wider range (AMB-66). */
	readonly services: readonly string[];
}

/** Compiled lists, ready to be asked about many addresses. */
export interface RangeIndex {
	/**
	 * What the lists say about an address, in the order of the lists: at most one match for each, none on a miss
	 * or when the text is no address. An IPv4 address mapped into IPv6 counts as IPv4 (AMB-65).
	 * A match is one signal beside others, and a miss proves nothing (AMB-67).
	 */
	lookup(address: string): readonly RangeMatch[];
}

type MatchSet = readonly RangeMatch[];
const noMatch: MatchSet = [];

/**
 * Compiles lists into one index.
 *
 * Ranges nest or are apart, so they cut the address space into intervals, each with one answer that is known
 * beforehand: a look-up is one binary search over the starts of the intervals, and allocates nothing.
 */
export function compileRanges(lists: readonly { readonly prefixes: readonly RangePrefix[] }[]): RangeIndex {
	const nodes = collectNodes(lists);
	const ipv4 = new Ipv4Intervals(cutIntervals(nodes.filter(({ range }) => range.family === 4)));
	const ipv6 = new Ipv6Intervals(cutIntervals(nodes.filter(({ range }) => range.family === 6)));
	const words = new Uint32Array(4);
	return {
		lookup(address) {
			const family = readAddress(address, words);
			if (family === 4) return ipv4.find(words[0]!);
			if (family === 0) return noMatch;
			return isMapped(words) ? ipv4.find(words[3]!) : ipv6.find(words);
		},
	};
}

/** A range with what the lists say about it. */
interface Node {
	readonly range: Cidr;
	readonly matches: RangeMatch[];
}

/** One node for each range, in the order of `compareCidrs`, so that a range comes before those inside it. */
function collectNodes(lists: readonly { readonly prefixes: readonly RangePrefix[] }[]): Node[] {
	const nodes = new Map<string, Node>();
	lists.forEach(({ prefixes }, list) => {
		for (const { range, services } of prefixes) {
			const node = nodes.get(range.text) ?? { range, matches: [] };
			nodes.set(range.text, node);
			const known = node.matches.at(-1)?.list === list ? node.matches.pop()!.services : [];
			node.matches.push({ list, prefix: range.text, services: [...new Set([...known, ...services])] });
		}
	});
	return [...nodes.values()].sort((a, b) => compareCidrs(a.range, b.range));
}

/** The address space of a family, cut where the answer changes. */
interface Intervals {
	/** First address of each interval, ascending; the first is address 0. */
	readonly starts: readonly (readonly number[])[];
	readonly answers: readonly MatchSet[];
}

function cutIntervals(nodes: readonly Node[]): Intervals {
	const starts: (readonly number[])[] = [[0, 0, 0, 0]];
	const answers: MatchSet[] = [noMatch];
	const cut = (start: readonly number[], answer: MatchSet) => {
		if (start.every((word, index) => word === starts.at(-1)![index])) {
			starts.pop();
			answers.pop();
		}
		starts.push(start);
		answers.push(answer);
	};
	/** The ranges that hold the current place, the innermost last. */
	const open: { range: Cidr; answer: MatchSet }[] = [];
	const outer = () => open.at(-1)?.answer ?? noMatch;
	const close = () => {
		const { range } = open.pop()!;
		const next = addressAfter(range);
		if (next !== undefined) cut(next, outer());
	};
	for (const { range, matches } of nodes) {
		while (open.length > 0 && !contains(open.at(-1)!.range, range)) close();
		const answer = override(outer(), matches);
		open.push({ range, answer });
		cut(range.words, answer);
	}
	while (open.length > 0) close();
	return { starts, answers };
}

/** The answer inside a range: its own matches, and those of the lists that say nothing more specific. */
function override(outer: MatchSet, own: MatchSet): MatchSet {
	const kept = outer.filter(({ list }) => own.every((match) => match.list !== list));
	return [...kept, ...own].sort((a, b) => a.list - b.list);
}

/** The first address behind a range; undefined at the end of the address space. */
function addressAfter({ family, words, length }: Cidr): number[] | undefined {
	const next = [...words];
	let carry = 2 ** ((bitsOf(family) - length) % 32);
	for (let index = Math.floor((length - 1) / 32); index >= 0; index--) {
		const sum = next[index]! + carry;
		next[index] = sum >>> 0;
		if (sum < 2 ** 32) return next;
		carry = 1;
	}
	return undefined;
}

/** Binary search from a table over the leading bits: the table leaves few intervals to choose from. */
class Ipv4Intervals {
	readonly #starts: Uint32Array;
	readonly #answers: readonly MatchSet[];
	readonly #shift: number;
	/** For each value of the leading bits: the interval in which the addresses with it begin; one more for the end. */
	readonly #first: Uint32Array;

	constructor({ starts, answers }: Intervals) {
		this.#starts = Uint32Array.from(starts, ([word]) => word!);
		this.#answers = answers;
		const bits = Math.min(16, Math.ceil(Math.log2(starts.length)) + 2);
		this.#shift = 32 - bits;
		this.#first = new Uint32Array(2 ** bits + 1).fill(starts.length - 1);
		let interval = 0;
		for (let bucket = 0; bucket < 2 ** bits; bucket++) {
			const address = bucket * 2 ** this.#shift;
			while (interval + 1 < starts.length && this.#starts[interval + 1]! <= address) interval++;
			this.#first[bucket] = interval;
		}
	}

	find(address: number): MatchSet {
		const starts = this.#starts;
		const bucket = address >>> this.#shift;
		let low = this.#first[bucket]!;
		let high = this.#first[bucket + 1]!;
		while (low < high) {
			const middle = (low + high + 1) >>> 1;
			if (starts[middle]! <= address) low = middle;
			else high = middle - 1;
		}
		return this.#answers[low]!;
	}
}

/** Binary search over four words; lists cluster in few networks, so a table would not help. */
class Ipv6Intervals {
	/** Four words for each interval. */
	readonly #starts: Uint32Array;
	readonly #answers: readonly MatchSet[];

	constructor({ starts, answers }: Intervals) {
		this.#starts = Uint32Array.from(starts.flat());
		this.#answers = answers;
	}

	find(address: Uint32Array): MatchSet {
		const starts = this.#starts;
		let low = 0;
		let high = this.#answers.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >>> 1;
			if (startsAtOrBefore(starts, middle * 4, address)) low = middle;
			else high = middle - 1;
		}
		return this.#answers[low]!;
	}
}

function startsAtOrBefore(starts: Uint32Array, at: number, address: Uint32Array): boolean {
	for (let index = 0; index < 4; index++) {
		const start = starts[at + index]!;
		const word = address[index]!;
		if (start !== word) return start < word;
	}
	return true;
}
