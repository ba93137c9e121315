import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import { type Flags, flagsOf } from '../read/flags.ts';
import { isRunningText } from '../read/sums.ts';

/** Fewer than this that look alike are no series. */
const minSeries = 3;
/** Of the parts of a series so many lead elsewhere, */
const leadingShare = 0.8;
/** so many have running text, */
const tellingShare = 0.6;
/** and they have no more words than this on average: more text is content to read here. */
const maxWords = 150;
/** Beside the teasers there is an article when so many words of running text are expected to be content. */
const articleWords = 40;
/** A link of fewer characters at the start of a text is a name or a number. */
const linkChars = 12;

/**
 * The blocks that are the beginnings of other articles: parts that look alike, each with a link that leads elsewhere and
 * some text. None where they are all there is.
 */
export function findTeasers({ blocks, boxes, sums: { words } }: Segments, probabilities: Float64Array): Flags {
	const leading = countUntil(blocks, (block) => (leadsElsewhere(block) ? 1 : 0));
	const telling = countUntil(blocks, (block) => (isRunningText(block) ? 1 : 0));
	/** How many series begin less how many end at a block. */
	const steps = new Int32Array(blocks.length + 1);
	for (const { children } of boxes) {
		if (children.length < minSeries) continue;
		for (const series of alike(children)) {
			if (series.length < minSeries) continue;
			const share = (sums: Float64Array): number =>
				series.filter(({ start, end }) => sums[end]! > sums[start]!).length / series.length;
			const size = series.reduce((sum, { start, end }) => sum + words[end]! - words[start]!, 0);
			if (share(leading) < leadingShare || share(telling) < tellingShare || size > maxWords * series.length) continue;
			for (const { start, end } of series) {
				steps[start]!++;
				steps[end]!--;
			}
		}
	}
	let depth = 0;
	const teasers = flagsOf(blocks, (_, i) => {
		depth += steps[i]!;
		return depth > 0;
	});
	let others = 0;
	for (let i = 0; i < blocks.length; i++) {
		const block = blocks[i]!;
		if (!teasers[i] && isRunningText(block)) others += probabilities[i]! * block.size.words;
	}
	return others < articleWords ? teasers.fill(0) : teasers;
}

/** A short remark and a link to its end: "Read more: …". An address that is written out names a source instead. */
export function isReference({ size, lead, linked, links, text }: Block): boolean {
	if (text.includes('://')) return false;
	return links === 1 && size.words >= 3 && lead < 0.4 * size.chars && lead + linked >= 0.97 * size.chars;
}

/** Nothing but a link of some words, or a text that begins with one. */
function leadsElsewhere({ size, lead, linked, links }: Block): boolean {
	if (linked > 0.8 * size.chars) return size.words >= 2;
	return lead === 0 && links === 1 && linked >= linkChars;
}

/** For each place the sum over the blocks before it. */
function countUntil(blocks: readonly Block[], of: (block: Block) => number): Float64Array {
	const sums = new Float64Array(blocks.length + 1);
	for (let i = 0; i < blocks.length; i++) sums[i + 1] = sums[i]! + of(blocks[i]!);
	return sums;
}

/** Brothers with text, by tag and first class: the classes after it number or sort them. */
function alike(brothers: readonly Box[]): Iterable<readonly Box[]> {
	const groups = new Map<string, Box[]>();
	for (const box of brothers) {
		if (box.end === box.start) continue;
		const { tag, attributes } = box.element;
		const key = `${tag}.${/\S+/.exec(attributes.class ?? '')?.[0] ?? ''}`;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [box]);
		else group.push(box);
	}
	return groups.values();
}
