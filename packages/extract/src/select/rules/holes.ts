import { admonition, admonitionTitle, classMarks } from '../../markdown/class-marks.ts';
import { Marks } from '../../marks.ts';
import { isInFurniture } from '../read/around.ts';
import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';
import { kindBit } from '../read/hints.ts';
import { within } from '../read/sums.ts';

/** The smallest part of the page with this share of the words kept is the document. */
const most = 0.8;
/** A part with this share of its words kept is document throughout. */
const nearlyAll = 0.7;
/** A document has at least this many words. */
const minWords = 60;
/** At the ends of a document, blocks less likely than this are navigation. */
const least = 0.12;
/** Links in a list with kept items are content from here on. */
const likely = 0.25;

const namedBits =
	kindBit('promo') |
	kindBit('share') |
	kindBit('bio') |
	kindBit('form') |
	kindBit('footer') |
	kindBit('related') |
	kindBit('comments') |
	kindBit('nav') |
	kindBit('sidebar');
const apart = /^(?:nav|form|button|noscript|footer|dialog)$/;
/** A box with this share of the kept words is not a side part. */
const muchOfPage = 0.2;

/**
 * Fills the holes in a document: the model judges blocks one by one, and rejects a command, a label or a short section
 * whose neighbours are kept. Documentation is filled throughout, elsewhere code and the titles of notes.
 *
 * @param judged probability of each block; 0 where it is certain that the block is no content
 */
export function keepHoles(
	{ blocks, boxes, sums }: Segments,
	keep: Flags,
	judged: Float64Array,
	isDocumentation: boolean,
): Flags {
	const filled = keep.slice();
	const classes = new Marks(classMarks);
	const words = new Float64Array(blocks.length + 1);
	for (let i = 0; i < blocks.length; i++) words[i + 1] = words[i]! + (keep[i] ? blocks[i]!.size.words : 0);
	const document = documentOf(boxes[0], sums.words, words);
	if (document === undefined || within(words, document) < minWords) return filled;
	const first = keep.indexOf(1, document.start);
	const last = keep.lastIndexOf(1, document.end - 1);
	/** What a kept term says, even if it is a link. */
	const isValue = (i: number): boolean =>
		filled[i - 1] === 1 && blocks[i]!.box.element.tag === 'dd' && blocks[i - 1]!.box.element.tag === 'dt';
	const isFilled = (i: number): boolean => {
		const block = blocks[i]!;
		const isItem =
			isDocumentation && (isValue(i) || (judged[i]! >= likely && within(words, listOf(block.box) ?? block.box) > 0));
		if (
			judged[i] === 0 ||
			!(isItem ? isShown(block) : isRunning(block)) ||
			isInPart(block.box, document, words, classes)
		)
			return false;
		const isInner = i > first && i < last;
		if (!isInner && (judged[i]! < least || document === boxes[0])) return false;
		return isDocumentation || block.box.element.tag === 'pre' || (isInner && isTitleOfNote(block, classes));
	};
	for (let i = first; i < last; i++) if (!keep[i] && isFilled(i)) filled[i] = 1;
	// From the kept text outwards: the first block that does not belong ends the document.
	for (let i = last + 1; i < document.end && isFilled(i); i++) filled[i] = 1;
	for (let i = first - 1; i >= document.start && blocks[i]!.box.element.tag === 'pre' && isFilled(i); i--)
		filled[i] = 1;
	return filled;
}

/** @param kept running sum of the words kept, `all` of all words */
function documentOf(page: Box | undefined, all: Float64Array, kept: Float64Array): Box | undefined {
	const total = kept.at(-1)!;
	if (page === undefined || total === 0) return undefined;
	let box = page;
	for (let next: Box | undefined = page; next !== undefined; ) {
		box = next;
		next = box.children.find((child) => within(kept, child) >= most * total);
	}
	// A long section is not the document: what surrounds it is, while nearly all of that is kept too.
	while (box.parent !== null && box.parent !== page && within(kept, box.parent) >= nearlyAll * within(all, box.parent))
		box = box.parent;
	return box;
}

const isShown = ({ box }: Block): boolean => !box.hidden && !isInFurniture(box);

const isRunning = (block: Block): boolean => isShown(block) && block.linked < 0.5 * block.size.chars;

/** The list that the box is an item of: with one item kept, others are likely content even if they are links. */
function listOf({ element, parent }: Box): Box | undefined {
	if (element.tag === 'li') return parent ?? undefined;
	return parent?.element.tag === 'li' ? (parent.parent ?? undefined) : undefined;
}

/** Whether a part of the document that has a role of its own holds the box. What holds much of the document has none. */
function isInPart(inner: Box, document: Box, kept: Float64Array, classes: Marks): boolean {
	const much = within(kept, document) * muchOfPage;
	for (let box: Box | null = inner; box !== null && box !== document; box = box.parent) {
		if (within(kept, box) >= much) return false;
		const { tag, attributes } = box.element;
		const isNote = (classes.of(attributes.class) & (admonition | admonitionTitle)) !== 0;
		if (apart.test(tag) || (!isNote && (tag === 'aside' || (box.names.kinds & namedBits) !== 0))) return true;
	}
	return false;
}

/** The title of an admonition, directly before its text. */
function isTitleOfNote({ box }: Block, classes: Marks): boolean {
	return (classes.of(box.element.attributes.class) & admonitionTitle) !== 0;
}
