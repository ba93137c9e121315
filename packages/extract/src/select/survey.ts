import type { Block, Box, Segments } from './blocks.ts';
import { type BoxFacts, describeBoxes, sharedDepths } from './box-facts.ts';
import { declaredShares } from './declared-shares.ts';
import type { Facts } from './facts.ts';
import { type Evidence, type Lexicon, weigh } from './lexicon.ts';
import { isProse, proseBoxes, Sums } from './sums.ts';
import { findTitle } from './title-block.ts';
import { flatWords } from './words.ts';

export interface Lexicons {
	/** Words of class, id and role. */
	readonly names: Lexicon;
	/** Words of the text. */
	readonly words: Lexicon;
}

/** What is known of a page before its blocks are looked at one by one. */
export interface Survey {
	readonly blocks: readonly Block[];
	/** The words of each block: see `flatWords`. */
	readonly words: readonly (readonly string[])[];
	/** By the index of the box. */
	readonly boxes: readonly BoxFacts[];
	readonly sums: Sums;
	readonly hosts: readonly (Box | undefined)[];
	/** Of each block: what its words say, how many blocks ago the last prose stood, and how soon the next comes. */
	readonly evidence: readonly Evidence[];
	readonly proseBefore: Int32Array;
	readonly proseAfter: Int32Array;
	/** See `declaredShares` and `linkRuns`. */
	readonly shares: Float32Array;
	readonly runs: Int32Array;
	/** How many blocks have the same text, and the first that has it. */
	readonly copies: ReadonlyMap<string, Copies>;
	/** The block that shows the page's title, or -1. */
	readonly title: number;
	/** Of each box: see `sharedDepths`. */
	readonly shared: Int32Array;
	readonly titleWords: ReadonlySet<string>;
}

interface Copies {
	count: number;
	readonly first: number;
}

/** So much of a block is looked at word by word. */
const MOST_CHARS = 5_000;

/** Looks at a page as a whole. */
export function survey({ blocks, boxes }: Segments, facts: Facts, lexicons: Lexicons): Survey {
	const sums = new Sums(blocks);
	const words = blocks.map(({ text }) => flatWords(text.slice(0, MOST_CHARS)));
	const title = findTitle(blocks, words, facts.titles);
	return {
		blocks,
		words,
		sums,
		boxes: describeBoxes(boxes, lexicons.names),
		hosts: proseBoxes(boxes, sums, sums.prose[blocks.length]!),
		evidence: blocks.map((block) => weigh(lexicons.words, block.words)),
		...proseAround(blocks),
		shares: declaredShares(words, facts),
		runs: linkRuns(blocks),
		copies: countCopies(blocks),
		title,
		shared: sharedDepths(boxes, blocks[title]?.box),
		titleWords: new Set(facts.titles.flatMap(flatWords)),
	};
}

function countCopies(blocks: readonly Block[]): Map<string, Copies> {
	const copies = new Map<string, Copies>();
	for (let i = 0; i < blocks.length; i++) {
		const { text } = blocks[i]!;
		const known = copies.get(text);
		if (known === undefined) copies.set(text, { count: 1, first: i });
		else known.count++;
	}
	return copies;
}

/** No prose at all is as far away as this. */
const FAR = 1000;

function proseAround(blocks: readonly Block[]): { proseBefore: Int32Array; proseAfter: Int32Array } {
	const count = blocks.length;
	const proseBefore = new Int32Array(count);
	const proseAfter = new Int32Array(count);
	for (let i = 0, last = -FAR; i < count; i++) {
		proseBefore[i] = i - last;
		if (isProse(blocks[i]!)) last = i;
	}
	for (let i = count - 1, next = count + FAR; i >= 0; i--) {
		proseAfter[i] = next - i;
		if (isProse(blocks[i]!)) next = i;
	}
	return { proseBefore, proseAfter };
}

/** For each block the length of the run of mere links that it is in; 0 outside of one. */
function linkRuns(blocks: readonly Block[]): Int32Array {
	const runs = new Int32Array(blocks.length);
	const isEntry = ({ linked, size }: Block): boolean => linked > 0.8 * size.chars;
	for (let start = 0; start < blocks.length; ) {
		let end = start;
		while (end < blocks.length && isEntry(blocks[end]!)) end++;
		runs.fill(end - start, start, end);
		start = end + 1;
	}
	return runs;
}
