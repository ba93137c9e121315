import type { Block } from './blocks.ts';
import type { DeclaredKind, Facts } from './facts.ts';
import { ratio } from './sums.ts';
import { WordTable } from './word-table.ts';
import { FlatWords, flatWords } from './words.ts';

export const DECLARED_KINDS: readonly DeclaredKind[] = ['body', 'text', 'review'];
/** No more words of declared texts than this are looked at, and no more of a block. */
const MOST_DECLARED = 20_000;
const MOST_OF_BLOCK = 1_000;
/** So much of a block is looked at word by word. */
const MOST_CHARS = 5_000;
/** A longer block is no title. */
const MOST_OF_TITLE = 30;

/** What blocks have in common with what the page says of itself. */
export interface Shares {
	/**
	 * For each block the share of it that the page's data declare to be body, text or review; -1 where they declare none.
	 */
	readonly declared: Float32Array;
	/** For each block the share of its words that are in the titles of the page; 0 for a long one. */
	readonly titles: Float64Array;
}

/** Reads each block once, word by word. */
export function sharesOf(blocks: readonly Block[], { declared, titles }: Facts): Shares {
	const table = new WordTable();
	const sets = DECLARED_KINDS.map((kind) => declaredTriples(declared[kind], table));
	const known = Math.min(table.size, MOST_WORDS);
	const inTitles = new Set(titles.flatMap(flatWords).map((word) => table.add(word)));
	const declares = sets.some(({ size }) => size > 0);
	const shares = {
		declared: new Float32Array(blocks.length * sets.length).fill(-1),
		titles: new Float64Array(blocks.length),
	};
	const numbers = new Int32Array(MOST_CHARS);
	for (let i = 0; i < blocks.length; i++) {
		const { text, size } = blocks[i]!;
		const isShort = size.words <= MOST_OF_TITLE && inTitles.size > 0;
		if (!isShort && !declares) continue;
		const count = readNumbers(text, table, numbers);
		if (isShort) shares.titles[i] = shareIn(inTitles, numbers, count);
		if (!declares) continue;
		const triples = triplesOf(numbers, Math.min(count, MOST_OF_BLOCK), known);
		for (let kind = 0; kind < sets.length; kind++)
			if (sets[kind]!.size > 0) shares.declared[i * sets.length + kind] = shareIn(sets[kind]!, triples, triples.length);
	}
	return shares;
}

const reader = new FlatWords();

/** The numbers of the words of a block; -1 for one that is not known. */
function readNumbers(text: string, table: WordTable, into: Int32Array): number {
	let count = 0;
	reader.begin(text.length > MOST_CHARS ? text.slice(0, MOST_CHARS) : text);
	while (reader.next()) into[count++] = table.find(reader.text, reader.start, reader.end, reader.hash);
	return count;
}

function shareIn(among: ReadonlySet<number>, numbers: ArrayLike<number>, count: number): number {
	let hits = 0;
	for (let i = 0; i < count; i++) if (numbers[i]! >= 0 && among.has(numbers[i]!)) hits++;
	return ratio(hits, count);
}

/** Three numbers below this fit into one exactly. */
const MOST_WORDS = 2 ** 17;
const NO_TRIPLE = -1;

/**
 * The runs of three words: long enough to be no accident, short enough to survive small changes. A run is one number,
 * of three for the words; -1 for one with a word that is not known.
 *
 * @param count so many words there are
 * @param known and so many are known
 */
function triplesOf(numbers: ArrayLike<number>, count: number, known: number): number[] {
	const found: number[] = [];
	let before = -1;
	let last = -1;
	for (let i = 0; i < count; i++) {
		const number = numbers[i]! < known ? numbers[i]! : -1;
		const isKnown = before >= 0 && last >= 0 && number >= 0;
		if (i >= 2) found.push(isKnown ? (before * MOST_WORDS + last) * MOST_WORDS + number : NO_TRIPLE);
		before = last;
		last = number;
	}
	return found;
}

function declaredTriples(texts: readonly string[], table: WordTable): Set<number> {
	const triples = new Set<number>();
	for (const text of texts) {
		const words = flatWords(text.slice(0, 5 * MOST_DECLARED)).slice(0, MOST_DECLARED);
		const numbers = words.map((word) => table.add(word));
		for (const triple of triplesOf(numbers, numbers.length, MOST_WORDS)) triples.add(triple);
	}
	return triples;
}
