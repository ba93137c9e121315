import type { DeclaredKind, Facts } from './facts.ts';
import { ratio } from './sums.ts';
import { flatWords } from './words.ts';

/**
 * The runs of three words in some texts: long enough to be no accident, short enough to survive small changes. A run
 * is one number, of three for the words.
 */
class Triples {
	readonly #numbers: Map<string, number>;
	readonly #triples = new Set<number>();

	/** @param numbers of the words that are known; those of several sets are shared */
	constructor(numbers: Map<string, number>) {
		this.#numbers = numbers;
	}

	get size(): number {
		return this.#triples.size;
	}

	add(words: readonly string[]): void {
		for (const word of words) if (!this.#numbers.has(word)) this.#numbers.set(word, this.#numbers.size);
		for (const triple of triplesOf(words, this.#numbers)) this.#triples.add(triple);
	}

	/** How many of these runs are here. */
	count(triples: readonly number[]): number {
		let hits = 0;
		for (const triple of triples) if (this.#triples.has(triple)) hits++;
		return hits;
	}
}

/** Three numbers below this fit into one exactly. */
const MOST_WORDS = 2 ** 17;
const NO_TRIPLE = -1;

/** The number of each run of three words; -1 for one with a word that is not known. */
function triplesOf(words: readonly string[], numbers: ReadonlyMap<string, number>): number[] {
	const found: number[] = [];
	let before = -1;
	let last = -1;
	for (let i = 0; i < words.length; i++) {
		const number = numbers.get(words[i]!) ?? -1;
		const isKnown = before >= 0 && last >= 0 && number >= 0 && number < MOST_WORDS;
		if (i >= 2) found.push(isKnown ? (before * MOST_WORDS + last) * MOST_WORDS + number : NO_TRIPLE);
		before = last;
		last = number < MOST_WORDS ? number : -1;
	}
	return found;
}

export const DECLARED_KINDS: readonly DeclaredKind[] = ['body', 'text', 'review'];
/** No more words of declared texts than this are looked at, and no more of a block. */
const MOST_DECLARED = 20_000;
const MOST_OF_BLOCK = 1_000;

/**
 * For each block the share of it that the page's data declare to be body, text or review; -1 where they declare none.
 *
 * @param blocks the words of each
 */
export function declaredShares(blocks: readonly (readonly string[])[], { declared }: Facts): Float32Array {
	const numbers = new Map<string, number>();
	const sets = DECLARED_KINDS.map((kind) => {
		const triples = new Triples(numbers);
		for (const text of declared[kind]) triples.add(flatWords(text.slice(0, 5 * MOST_DECLARED)).slice(0, MOST_DECLARED));
		return triples;
	});
	const shares = new Float32Array(blocks.length * sets.length).fill(-1);
	if (sets.every(({ size }) => size === 0)) return shares;
	for (let i = 0; i < blocks.length; i++) {
		const own = triplesOf(blocks[i]!.slice(0, MOST_OF_BLOCK), numbers);
		for (let kind = 0; kind < sets.length; kind++)
			if (sets[kind]!.size > 0) shares[i * sets.length + kind] = ratio(sets[kind]!.count(own), own.length);
	}
	return shares;
}
