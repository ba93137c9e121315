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

/**
 * Narrows a binary search: keys are spread over equal buckets, and a table says which intervals begin up to each.
 * Intervals that are far apart or evenly spread are found at once, clustered ones after a shorter search.
 */
class Buckets {
	readonly #least: number;
	readonly #scale: number;
	readonly #count: number;
	/** At `b + 1`: the last interval whose key falls into bucket `b` or before; at 0: the first interval. */
	readonly last: Uint32Array;

	/** `keys` of the interval starts, ascending; the first is 0. */
	constructor(keys: Float64Array) {
		this.#count = Math.min(2 ** 16, 4 * keys.length);
		this.#least = keys[1] ?? 0;
		this.#scale = this.#count / (keys.at(-1)! - this.#least + 1);
		this.last = new Uint32Array(this.#count + 1);
		keys.forEach((key, interval) => {
			this.last[this.of(key) + 1] = interval;
		});
		for (let at = 1; at <= this.#count; at++) this.last[at] = Math.max(this.last[at]!, this.last[at - 1]!);
	}

	/** The bucket of a key; a greater key is never in a lower bucket. */
	of(key: number): number {
		const bucket = (key - this.#least) * this.#scale;
		return bucket < 0 ? 0 : bucket >= this.#count ? this.#count - 1 : Math.trunc(bucket);
	}
}

class Ipv4Intervals {
	readonly #starts: Uint32Array;
	readonly #answers: readonly MatchSet[];
	readonly #buckets: Buckets;

	constructor({ starts, answers }: Intervals) {
		this.#starts = Uint32Array.from(starts, ([word]) => word!);
		this.#answers = answers;
		this.#buckets = new Buckets(Float64Array.from(this.#starts));
	}

	find(address: number): MatchSet {
		const starts = this.#starts;
		const bucket = this.#buckets.of(address);
		let low = this.#buckets.last[bucket]!;
		let high = this.#buckets.last[bucket + 1]!;
		while (low < high) {
			const middle = (low + high + 1) >>> 1;
			if (starts[middle]! <= address) low = middle;
			else high = middle - 1;
		}
		return this.#answers[low]!;
	}
}

class Ipv6Intervals {
	/** Four words for each interval. */
	readonly #starts: Uint32Array;
	readonly #answers: readonly MatchSet[];
	readonly #buckets: Buckets;

	constructor({ starts, answers }: Intervals) {
		this.#starts = Uint32Array.from(starts.flat());
		this.#answers = answers;
		this.#buckets = new Buckets(Float64Array.from(starts, (words) => leadingBits(words[0]!, words[1]!)));
	}

	find(address: Uint32Array): MatchSet {
		const starts = this.#starts;
		const bucket = this.#buckets.of(leadingBits(address[0]!, address[1]!));
		let low = this.#buckets.last[bucket]!;
		let high = this.#buckets.last[bucket + 1]!;
		while (low < high) {
			const middle = (low + high + 1) >>> 1;
			if (startsAtOrBefore(starts, middle * 4, address)) low = middle;
			else high = middle - 1;
		}
		return this.#answers[low]!;
	}
}

/** The 53 leading bits of an address: as many as a number holds exactly. */
function leadingBits(first: number, second: number): number {
	return first * 2 ** 21 + (second >>> 11);
}

function startsAtOrBefore(starts: Uint32Array, at: number, address: Uint32Array): boolean {
	for (let index = 0; index < 4; index++) {
		const start = starts[at + index]!;
		const word = address[index]!;
		if (start !== word) return start < word;
	}
	return true;
}
