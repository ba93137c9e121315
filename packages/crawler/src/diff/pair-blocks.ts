/** Which block of the old document each block of the new one is. */
export interface PairedBlocks {
	/** By block of the new document: the number of the old one, or -1. */
	readonly sources: Int32Array;
	/** By block of the new document: 1 if it is in the same order as the others that are 1. */
	readonly inPlace: Uint8Array;
	/** By block of the old document: 1 if it is a source. */
	readonly used: Uint8Array;
}

/**
 * Pairs equal blocks: those at both ends, then blocks that each document has once, then their equal neighbours, then
 * what is left, in order. The longest chain in the same order stays in place; the others have moved.
 */
export function pairBlocks(old: readonly string[], next: readonly string[]): PairedBlocks {
	const pairs = new Pairs(old, next);
	pairs.pairEnds();
	pairs.pairUnique();
	pairs.pairNeighbours();
	pairs.pairRest();
	const inPlace = orderedChain(pairs.sources);
	// That a rule or an image without text is elsewhere too says nothing.
	for (const [at, block] of next.entries()) {
		const from = pairs.sources[at] ?? -1;
		if (from >= 0 && inPlace[at] !== 1 && !/[\p{L}\p{N}]/u.test(block)) pairs.part(from, at);
	}
	return { sources: pairs.sources, inPlace, used: pairs.used };
}

class Pairs {
	readonly sources: Int32Array;
	readonly used: Uint8Array;
	readonly #old: readonly string[];
	readonly #next: readonly string[];

	constructor(old: readonly string[], next: readonly string[]) {
		this.#old = old;
		this.#next = next;
		this.sources = new Int32Array(next.length).fill(-1);
		this.used = new Uint8Array(old.length);
	}

	part(from: number, at: number): void {
		this.sources[at] = -1;
		this.used[from] = 0;
	}

	pairEnds(): void {
		const most = Math.min(this.#old.length, this.#next.length);
		let start = 0;
		while (start < most && this.#pair(start, start)) start++;
		for (let end = 1; end <= most - start && this.#pair(this.#old.length - end, this.#next.length - end); end++);
	}

	pairUnique(): void {
		const places = this.#places(this.#old, this.used);
		const targets = this.#places(
			this.#next,
			this.sources.map((from) => (from < 0 ? 0 : 1)),
		);
		for (const [block, [from = -1, ...more]] of places) {
			const [at = -1, ...others] = targets.get(block) ?? [];
			if (at >= 0 && more.length === 0 && others.length === 0) this.#pair(from, at);
		}
	}

	pairNeighbours(): void {
		for (let at = 0; at < this.#next.length; at++) {
			const from = this.sources[at] ?? -1;
			if (from >= 0) this.#pair(from + 1, at + 1);
		}
		for (let at = this.#next.length - 1; at > 0; at--) {
			const from = this.sources[at] ?? -1;
			if (from > 0) this.#pair(from - 1, at - 1);
		}
	}

	pairRest(): void {
		const places = this.#places(this.#old, this.used);
		const taken = new Map<string, number>();
		for (const [at, block] of this.#next.entries()) {
			if ((this.sources[at] ?? -1) >= 0) continue;
			const count = taken.get(block) ?? 0;
			const from = places.get(block)?.[count];
			if (from !== undefined && this.#pair(from, at)) taken.set(block, count + 1);
		}
	}

	/** Pairs the two blocks if they are equal and free. */
	#pair(from: number, at: number): boolean {
		if (from >= this.#old.length || at >= this.#next.length) return false;
		if (this.used[from] === 1 || (this.sources[at] ?? 0) >= 0 || this.#old[from] !== this.#next[at]) return false;
		this.sources[at] = from;
		this.used[from] = 1;
		return true;
	}

	/** The places of each free block. */
	#places(blocks: readonly string[], taken: ArrayLike<number>): Map<string, number[]> {
		const places = new Map<string, number[]>();
		for (const [at, block] of blocks.entries()) {
			if (taken[at] === 1) continue;
			const known = places.get(block);
			if (known === undefined) places.set(block, [at]);
			else known.push(at);
		}
		return places;
	}
}

/** Marks a longest increasing subsequence of the numbers that are not -1 (patience sorting, n log n). */
function orderedChain(numbers: Int32Array): Uint8Array {
	const ends: number[] = [];
	const before = new Int32Array(numbers.length).fill(-1);
	for (const [at, number] of numbers.entries()) {
		if (number < 0) continue;
		let [low, high] = [0, ends.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((numbers[ends[middle] as number] as number) < number) low = middle + 1;
			else high = middle;
		}
		before[at] = low > 0 ? (ends[low - 1] as number) : -1;
		ends[low] = at;
	}
	const chain = new Uint8Array(numbers.length);
	for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) chain[at] = 1;
	return chain;
}
