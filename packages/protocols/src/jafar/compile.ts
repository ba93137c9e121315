import { isMapped, readAddress } from './address.ts';
import { bitsOf, type Cidr, compareCidrs, contains } from './cidr.ts';
import { type Intervals, Ipv4Intervals, Ipv6Intervals, type MatchSet } from './intervals.ts';
import type { RangeMatch, RangePrefix } from './types.ts';

/** Compiled lists, ready to be asked about many addresses. */
export interface RangeIndex {
	/**
	 * Looks an address up in all lists, in their order: at most one match for each, none on a miss
	 * or when the text is no address. An IPv4 address mapped into IPv6 counts as IPv4.
	 * A match is one signal beside others, and a miss proves nothing.
	 */
	lookup(address: string): readonly RangeMatch[];
}

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
			if (family === 4) return ipv4.find(words[0] ?? 0);
			if (family === 0) return noMatch;
			return isMapped(words) ? ipv4.find(words[3] ?? 0) : ipv6.find(words);
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
	const found = new Map<string, { range: Cidr; services: Map<number, Set<string>> }>();
	lists.forEach(({ prefixes }, list) => {
		for (const { range, services } of prefixes) {
			const node = found.get(range.text) ?? { range, services: new Map<number, Set<string>>() };
			found.set(range.text, node);
			const names = node.services.get(list) ?? new Set();
			node.services.set(list, names);
			for (const name of services) names.add(name);
		}
	});
	const nodes = Array.from(found.values(), ({ range, services }) => ({
		range,
		matches: Array.from(services, ([list, names]) => ({ list, prefix: range.text, services: [...names] })),
	}));
	return nodes.sort((a, b) => compareCidrs(a.range, b.range));
}

function cutIntervals(nodes: readonly Node[]): Intervals {
	const starts: (readonly number[])[] = [[0, 0, 0, 0]];
	const answers: MatchSet[] = [noMatch];
	const cut = (start: readonly number[], answer: MatchSet) => {
		if (start.every((word, index) => word === starts.at(-1)?.[index])) {
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
		const innermost = open.pop();
		const next = innermost && addressAfter(innermost.range);
		if (next !== undefined) cut(next, outer());
	};
	for (const { range, matches } of nodes) {
		for (let inner = open.at(-1); inner && !contains(inner.range, range); inner = open.at(-1)) close();
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
		const sum = (next[index] ?? 0) + carry;
		next[index] = sum >>> 0;
		if (sum < 2 ** 32) return next;
		carry = 1;
	}
	return undefined;
}
