import type { Segments } from '../read/blocks.ts';
import type { DeclaredKind, Facts } from '../read/facts.ts';
import { endOf, type PageWords, startOf } from '../read/page-words.ts';
import { ratio } from '../read/sums.ts';
import { WordTable } from '../read/word-table.ts';
import { flatWords } from '../read/words.ts';

export const declaredKinds: readonly DeclaredKind[] = ['body', 'text', 'review'];
/** No more words of declared texts than this are looked at, and no more of a block. */
const maxDeclared = 20_000;
const maxOfBlock = 1_000;
/** A longer block is no title. */
const maxOfTitle = 30;

/** Overlap of blocks with the page's own statements. */
export interface Shares {
	/**
	 * For each block the share of it that the page's data declare to be body, text or review; -1 where they declare none.
	 */
	readonly declared: Float32Array;
	/** For each block the share of its words that are in the titles of the page; 0 for a long one. */
	readonly titles: Float64Array;
}

/** Reads each block once, word by word. */
export function sharesOf({ blocks, words }: Segments, { declared, titles }: Facts): Shares {
	const table = new WordTable();
	const sets = declaredKinds.map((kind) => declaredTriples(declared[kind], table));
	const known = Math.min(table.size, maxWords);
	const inTitles = new Set(titles.flatMap(flatWords).map((word) => table.add(word)));
	const declares = sets.some(({ size }) => size > 0);
	const shares = {
		declared: new Float32Array(blocks.length * sets.length).fill(-1),
		titles: new Float64Array(blocks.length),
	};
	for (let i = 0; i < blocks.length; i++) {
		const isShort = blocks[i]!.size.words <= maxOfTitle && inTitles.size > 0;
		if (!isShort && !declares) continue;
		const count = readNumbers(words, i, table);
		if (isShort) shares.titles[i] = shareOfTitles(inTitles, count);
		if (declares) shareOfDeclared(sets, Math.min(count, maxOfBlock), known, shares.declared, i * sets.length);
	}
	return shares;
}

/** The numbers of the words of one block; -1 for one that is not known. */
let numbers = new Int32Array(1024);

/** Fills `numbers`, and gives their count. */
function readNumbers(words: PageWords, block: number, table: WordTable): number {
	const { starts, hashes, spans } = words.read();
	const text = words.textOf(block);
	const first = starts[block]!;
	const count = starts[block + 1]! - first;
	if (numbers.length < count) numbers = new Int32Array(2 * count);
	for (let i = 0; i < count; i++) {
		const span = spans[first + i]!;
		numbers[i] = table.find(text, startOf(span), endOf(span), hashes[first + i]);
	}
	return count;
}

function shareOfTitles(inTitles: ReadonlySet<number>, count: number): number {
	let hits = 0;
	for (let i = 0; i < count; i++) if (numbers[i]! >= 0 && inTitles.has(numbers[i]!)) hits++;
	return ratio(hits, count);
}

function shareOfDeclared(
	sets: readonly ReadonlySet<number>[],
	count: number,
	known: number,
	into: Float32Array,
	at: number,
): void {
	for (let kind = 0; kind < sets.length; kind++) if (sets[kind]!.size > 0) into[at + kind] = 0;
	if (known === 0) return;
	for (let i = 2; i < count; i++) {
		const triple = tripleOf(numbers[i - 2]!, numbers[i - 1]!, numbers[i]!, known);
		if (triple === noTriple) continue;
		for (let kind = 0; kind < sets.length; kind++) if (sets[kind]!.has(triple)) into[at + kind]!++;
	}
	for (let kind = 0; kind < sets.length; kind++) if (into[at + kind]! > 0) into[at + kind]! /= count - 2;
}

/** Three numbers below this fit into one exactly. */
const maxWords = 2 ** 17;
const noTriple = -1;

/**
 * Three words in a row: long enough to be no accident, short enough to survive small changes. The run is one number;
 * -1 with a word that is not known.
 *
 * @param known so many words are known
 */
function tripleOf(first: number, second: number, third: number, known: number): number {
	const isKnown = first >= 0 && second >= 0 && third >= 0 && first < known && second < known && third < known;
	return isKnown ? (first * maxWords + second) * maxWords + third : noTriple;
}

function declaredTriples(texts: readonly string[], table: WordTable): Set<number> {
	const triples = new Set<number>();
	for (const text of texts) {
		const words = flatWords(text.slice(0, 5 * maxDeclared)).slice(0, maxDeclared);
		const own = words.map((word) => table.add(word));
		for (let i = 2; i < own.length; i++) triples.add(tripleOf(own[i - 2]!, own[i - 1]!, own[i]!, maxWords));
	}
	return triples;
}
