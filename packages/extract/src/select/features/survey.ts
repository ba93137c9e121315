import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Facts } from '../read/facts.ts';
import { ReadBlockWords } from '../read/page-words.ts';
import { isProse, type Sums } from '../read/sums.ts';
import { findTitle } from '../read/title-block.ts';
import { BoxFacts, sharedDepths } from './box-facts.ts';
import { type Shares, sharesOf } from './declared-shares.ts';
import type { Evidence, Scale } from './lexicon.ts';

export interface Scales {
	/** Words of class, id and role. */
	readonly names: Scale;
	/** Words of the text. */
	readonly words: Scale;
}

/** Facts about a page before its blocks are read one by one. */
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
	/** Of each block: see `Copies`. */
	readonly copies: readonly Copies[];
	/** The block that shows the page's title, or -1. */
	readonly title: number;
	/** Of each box: see `sharedDepths`. */
	readonly shared: Int32Array;
}

/** How many visible blocks have the same text, and the first of them. */
export interface Copies {
	count: number;
	first: number;
	/** The role of the last of them that was counted: see `RoleFeatures`. */
	role: number;
}

/** Looks at a page as a whole. */
export function survey(segments: Segments, facts: Facts, scales: Scales): Survey {
	const { blocks, boxes, names, looks, sums, hosts } = segments;
	const title = findTitle(segments, facts.titles);
	return {
		blocks,
		sums,
		boxes: new BoxFacts(boxes, names, looks, scales.names),
		hosts,
		evidence: weighBlocks(segments, scales.words),
		...proseAround(blocks),
		shares: sharesOf(segments, facts),
		runs: linkRuns(blocks),
		copies: countCopies(blocks),
		title,
		shared: sharedDepths(boxes, blocks[title]?.box),
	};
}

/** Blocks up to this many words are also judged by the words they use. */
export const short = 60;
const noEvidence: Evidence = { sum: 0, min: 0, max: 0 };

function weighBlocks(segments: Segments, scale: Scale): Evidence[] {
	const words = new ReadBlockWords(segments);
	return segments.blocks.map(({ size }, i) => {
		if (size.words > short) return noEvidence;
		words.begin(i);
		return scale.weigh(words);
	});
}

function countCopies(blocks: readonly Block[]): Copies[] {
	const known = new Map<string, Copies>();
	return blocks.map(({ text, box }, i) => {
		let copies = known.get(text);
		if (copies === undefined) {
			copies = { count: 0, first: i, role: -1 };
			known.set(text, copies);
		}
		if (!box.hidden && copies.count++ === 0) copies.first = i;
		return copies;
	});
}

/** No prose at all is as far away as this. */
const far = 1000;

function proseAround(blocks: readonly Block[]): { proseBefore: Int32Array; proseAfter: Int32Array } {
	const count = blocks.length;
	const proseBefore = new Int32Array(count);
	const proseAfter = new Int32Array(count);
	for (let i = 0, last = -far; i < count; i++) {
		proseBefore[i] = i - last;
		if (isProse(blocks[i]!)) last = i;
	}
	for (let i = count - 1, next = count + far; i >= 0; i--) {
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
