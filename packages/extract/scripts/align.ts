// Which blocks of a page does its truth text contain? Labels for training.
import type { Block } from '../src/select/read/box.ts';

const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** The longest runs of words that are looked up. */
const run = 4;
/** Words are numbered up to here, so that a run is one number; a truth with more words shares numbers. */
const numbers = 8191;
/** The most places of a run that are remembered. */
const mostPlaces = 200;
const nowhere: readonly number[] = [];

/** The words of a truth text, and where runs of them are. */
class Truth {
	readonly #numbers = new Map<string, number>();
	readonly #words: Int32Array;
	/** By the length of the run. */
	readonly #places = Array.from({ length: run + 1 }, () => new Map<number, number[]>());

	constructor(text: string) {
		this.#words = Int32Array.from(tokens(text), (word) => {
			const number = this.#numbers.get(word) ?? (this.#numbers.size % numbers) + 1;
			this.#numbers.set(word, number);
			return number;
		});
		for (let i = 0; i < this.#words.length; i++) {
			let key = 0;
			for (let n = 1; n <= run && i + n <= this.#words.length; n++) {
				key = key * (numbers + 1) + this.#words[i + n - 1]!;
				const list = this.#places[n]!.get(key);
				if (list === undefined) this.#places[n]!.set(key, [i]);
				else if (list.length < mostPlaces) list.push(i);
			}
		}
	}

	/** The words of another text: 0 for one that the truth does not have. */
	numbersOf(text: string): number[] {
		return tokens(text).map((word) => this.#numbers.get(word) ?? 0);
	}

	/** Where the run is that begins at a word of another text. */
	find(words: readonly number[], at: number, length: number): readonly number[] {
		let key = 0;
		for (let i = at; i < at + length; i++) {
			if (words[i] === 0) return nowhere;
			key = key * (numbers + 1) + words[i]!;
		}
		return this.#places[length]!.get(key) ?? nowhere;
	}

	/** How many times the truth has a text. */
	count(words: readonly number[]): number {
		const starts = this.find(words, 0, Math.min(run, words.length));
		return starts.filter((start) => words.every((word, i) => this.#words[start + i] === word)).length;
	}
}

/**
 * For each block the share of its words that the truth has, in context: long blocks by their 4-word shingles,
 * short ones by finding them near the place where the long blocks around them were found. Of equal blocks only as many
 * count as the truth has, those that are seen first.
 */
export function label(blocks: readonly Block[], text: string): Float64Array {
	const truth = new Truth(text);
	const share = new Float64Array(blocks.length);
	const anchor: (readonly [number, number] | undefined)[] = [];
	const all = blocks.map((block) => truth.numbersOf(block.text));
	for (let b = 0; b < blocks.length; b++) {
		const words = all[b]!;
		if (words.length < run) continue;
		let hits = 0;
		let first = -1;
		let last = -1;
		const covered = new Uint8Array(words.length);
		for (let i = 0; i + run <= words.length; i++) {
			const found = truth.find(words, i, run);
			if (found.length === 0) continue;
			covered.fill(1, i, i + run);
			if (found.length < 3) {
				if (first < 0) first = found[0]!;
				last = found.at(-1)!;
			}
		}
		for (const bit of covered) hits += bit;
		share[b] = hits / words.length;
		if (share[b]! >= 0.7 && first >= 0 && words.length >= 8) anchor[b] = [first, last];
	}
	/** Of each block the nearest one before and after it that was found. */
	const before = new Int32Array(blocks.length);
	const after = new Int32Array(blocks.length);
	for (let b = 0, last = -1; b < blocks.length; b++) {
		before[b] = last;
		if (anchor[b] !== undefined) last = b;
	}
	for (let b = blocks.length - 1, next = blocks.length; b >= 0; b--) {
		after[b] = next;
		if (anchor[b] !== undefined) next = b;
	}
	for (let b = 0; b < blocks.length; b++) {
		const words = all[b]!;
		if (words.length === 0 || words.length >= 8) continue;
		const from = anchor[before[b]!]?.[1] ?? -1;
		const to = anchor[after[b]!]?.[0] ?? -1;
		const reach = 60 + 6 * Math.min(b - before[b]!, after[b]! - b);
		const near = (place: number): boolean => {
			if (from >= 0 && to >= 0 && to - from > 0 && to - from < 3000) return place >= from - 20 && place <= to + 20;
			if (from >= 0 && Math.abs(place - from) < reach) return true;
			if (to >= 0 && Math.abs(place - to) < reach) return true;
			return from < 0 && to < 0;
		};
		if (words.length >= run) {
			if (share[b]! > 0 && !words.some((_, i) => i + run <= words.length && truth.find(words, i, run).some(near)))
				share[b]! *= 0.3;
			continue;
		}
		share[b] = truth.find(words, 0, words.length).some(near) ? 1 : 0;
	}
	countOnce(blocks, all, truth, share);
	return share;
}

/** Of equal blocks only as many are content as the truth has, at least one: the first that are seen. */
function countOnce(
	blocks: readonly Block[],
	all: readonly (readonly number[])[],
	truth: Truth,
	share: Float64Array,
): void {
	const equal = new Map<string, number[]>();
	for (const [i, { text, box }] of blocks.entries()) {
		if (share[i] === 0) continue;
		if (box.hidden) {
			share[i] = 0;
			continue;
		}
		const list = equal.get(text);
		if (list === undefined) equal.set(text, [i]);
		else list.push(i);
	}
	for (const list of equal.values()) {
		if (list.length < 2) continue;
		const left = list.slice(Math.max(1, truth.count(all[list[0]!]!)));
		for (const i of left) share[i] = 0;
	}
}
