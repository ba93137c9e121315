import type { RangeMatch } from './types.ts';

/** Matches of an address in all lists. */
export type MatchSet = readonly RangeMatch[];

/** The address space of a family, cut where the answer changes. */
export interface Intervals {
	/** First address of each interval, ascending; the first is address 0. */
	readonly starts: readonly (readonly number[])[];
	readonly answers: readonly MatchSet[];
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
		this.#scale = this.#count / ((keys.at(-1) ?? 0) - this.#least + 1);
		this.last = new Uint32Array(this.#count + 1);
		keys.forEach((key, interval) => {
			this.last[this.of(key) + 1] = interval;
		});
		for (let at = 1; at <= this.#count; at++) this.last[at] = Math.max(this.last[at] ?? 0, this.last[at - 1] ?? 0);
	}

	/** The bucket of a key; a greater key is never in a lower bucket. */
	of(key: number): number {
		const bucket = (key - this.#least) * this.#scale;
		return bucket < 0 ? 0 : bucket >= this.#count ? this.#count - 1 : Math.trunc(bucket);
	}
}

/** The intervals of IPv4, asked by one word. */
export class Ipv4Intervals {
	readonly #starts: Uint32Array;
	readonly #answers: readonly MatchSet[];
	readonly #buckets: Buckets;

	constructor({ starts, answers }: Intervals) {
		this.#starts = Uint32Array.from(starts, ([word = 0]) => word);
		this.#answers = answers;
		this.#buckets = new Buckets(Float64Array.from(this.#starts));
	}

	find(address: number): MatchSet {
		const starts = this.#starts;
		const bucket = this.#buckets.of(address);
		let low = this.#buckets.last[bucket] ?? 0;
		let high = this.#buckets.last[bucket + 1] ?? 0;
		while (low < high) {
			const middle = (low + high + 1) >>> 1;
			if ((starts[middle] ?? 0) <= address) low = middle;
			else high = middle - 1;
		}
		return this.#answers[low] ?? [];
	}
}

/** The intervals of IPv6, asked by four words. */
export class Ipv6Intervals {
	/** Four words for each interval. */
	readonly #starts: Uint32Array;
	readonly #answers: readonly MatchSet[];
	readonly #buckets: Buckets;

	constructor({ starts, answers }: Intervals) {
		this.#starts = Uint32Array.from(starts.flat());
		this.#answers = answers;
		this.#buckets = new Buckets(Float64Array.from(starts, ([first = 0, second = 0]) => leadingBits(first, second)));
	}

	find(address: Uint32Array): MatchSet {
		const starts = this.#starts;
		const bucket = this.#buckets.of(leadingBits(address[0] ?? 0, address[1] ?? 0));
		let low = this.#buckets.last[bucket] ?? 0;
		let high = this.#buckets.last[bucket + 1] ?? 0;
		while (low < high) {
			const middle = (low + high + 1) >>> 1;
			if (startsAtOrBefore(starts, middle * 4, address)) low = middle;
			else high = middle - 1;
		}
		return this.#answers[low] ?? [];
	}
}

/** The 53 leading bits of an address: as many as a number holds exactly. */
function leadingBits(first: number, second: number): number {
	return first * 2 ** 21 + (second >>> 11);
}

function startsAtOrBefore(starts: Uint32Array, at: number, address: Uint32Array): boolean {
	for (let index = 0; index < 4; index++) {
		const start = starts[at + index] ?? 0;
		const word = address[index] ?? 0;
		if (start !== word) return start < word;
	}
	return true;
}
