import type { Block, Box, Segments } from './blocks.ts';
import { BoxFacts, sharedDepths } from './box-facts.ts';
import { type Shares, sharesOf } from './declared-shares.ts';
import type { Facts } from './facts.ts';
import type { Evidence, Scale } from './lexicon.ts';
import { isProse, type Sums } from './sums.ts';
import { findTitle } from './title-block.ts';
import { BlockWords } from './words.ts';

export interface Scales {
	/** Words of class, id and role. */
	readonly names: Scale;
	/** Words of the text. */
	readonly words: Scale;
}

/** What is known of a page before its blocks are looked at one by one. */
export interface Survey {
	readonly blocks: readonly Block[];
	readonly boxes: BoxFacts;
	readonly sums: Sums;
	readonly hosts: readonly (Box | undefined)[];
	/** Of each block: what its words say, how many blocks ago the last prose stood, and how soon the next comes. */
	readonly evidence: readonly Evidence[];
	readonly proseBefore: Int32Array;
	readonly proseAfter: Int32Array;
	readonly shares: Shares;
	/** See `linkRuns`. */
	readonly runs: Int32Array;
	/** How many blocks have the same text, and the first that has it. */
	readonly copies: ReadonlyMap<string, Copies>;
	/** The block that shows the page's title, or -1. */
	readonly title: number;
	/** Of each box: see `sharedDepths`. */
	readonly shared: Int32Array;
}

interface Copies {
	count: number;
	readonly first: number;
}

/** Looks at a page as a whole. */
export function survey({ blocks, boxes, names, looks, sums, hosts }: Segments, facts: Facts, scales: Scales): Survey {
	const title = findTitle(blocks, facts.titles);
	return {
		blocks,
		sums,
		boxes: new BoxFacts(boxes, names, looks, scales.names),
		hosts,
		evidence: weighBlocks(blocks, scales.words),
		...proseAround(blocks),
		shares: sharesOf(blocks, facts),
		runs: linkRuns(blocks),
		copies: countCopies(blocks),
		title,
		shared: sharedDepths(boxes, blocks[title]?.box),
	};
}

/** Blocks up to this many words are also judged by the words they use. */
export const SHORT = 60;
const NO_EVIDENCE: Evidence = { sum: 0, min: 0, max: 0 };

function weighBlocks(blocks: readonly Block[], scale: Scale): Evidence[] {
	const words = new BlockWords();
	return blocks.map(({ size, text }) => {
		if (size.words > SHORT) return NO_EVIDENCE;
		words.begin(text);
		return scale.weigh(words);
	});
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
