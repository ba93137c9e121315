import { isHidden } from '../dom/hidden.ts';
import type { Element, Text } from '../dom/node.ts';
import { aroundBit } from './around.ts';
import { BlockBuilder, type Inside } from './block-builder.ts';
import { NameReader, type Names } from './hints.ts';
import type { Measure } from './measure.ts';
import { proseBoxes, Sums } from './sums.ts';

/** A block-level element that contains text. Its text is the run of blocks `[start, end)`. */
export interface Box {
	readonly element: Element;
	readonly parent: Box | null;
	readonly depth: number;
	/** Position among the boxes of the page, parents before children. */
	readonly index: number;
	/** Hidden from readers, itself or by an ancestor. */
	hidden: boolean;
	/** What its author calls it. */
	readonly names: Names;
	/** A number that it has in common with the boxes of the same tag and class. */
	readonly look: number;
	/** The kinds of parts that it is in: see `Names`. The names of the body speak of the page, not of its parts. */
	readonly kinds: number;
	/** The elements that it is or is in: see `AROUND`. */
	readonly around: number;
	readonly children: Box[];
	start: number;
	end: number;
}

/** A piece of text that stands by itself: a paragraph, a heading, a cell, a menu entry. */
export interface Block {
	readonly box: Box;
	readonly texts: Text[];
	/** White space collapsed, line breaks kept. */
	readonly text: string;
	readonly size: Measure;
	/** Characters inside links. */
	readonly linked: number;
	/** How many links stand in it. */
	readonly links: number;
	/** Characters before the first link; -1 where there is none. */
	readonly lead: number;
	/** Characters in bold, strong or emphasised elements. */
	readonly strong: number;
}

export interface Segments {
	readonly blocks: Block[];
	readonly boxes: Box[];
	/** All that any of the boxes has. */
	readonly names: readonly Names[];
	/** How many looks they have. */
	readonly looks: number;
	readonly sums: Sums;
	/** See `proseBoxes`. */
	readonly hosts: readonly (Box | undefined)[];
}

/** What the walk asks of an element, by its tag: each a bit. */
const marks = new Map<string, number>();
function markTags(bit: number, tags: string): number {
	for (const tag of tags.split(' ')) marks.set(tag, (marks.get(tag) ?? 0) | bit);
	return bit;
}

/** Elements without text that a reader of the page sees as text. */
const SKIPPED = markTags(
	1,
	'script style template svg iframe select textarea canvas audio video object embed head link meta base noframes noembed map datalist progress meter math-renderer',
);
/** Everything else starts a new line. Custom elements do too, nearly all are containers, but for those within a line. */
const INLINE = markTags(
	2,
	'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math nobr output picture q rb rp rt rtc ruby s samp small source span strike strong sub sup time tt u var wbr br input semantics mrow mi mo mn msup msub mfrac annotation mtext mspace mtable mtr mtd',
);
/** What holds a line of text and no containers. */
const LINES = markTags(4, 'p h1 h2 h3 h4 h5 h6 pre dt');
const STRONG = markTags(8, 'b strong em i mark h1 h2 h3 h4 h5 h6');
const LINK = markTags(16, 'a');
const BREAK = markTags(32, 'br');
const PRE = markTags(64, 'pre');

/** State of the walk that an element changes for what is inside it. */
interface Frame extends Inside {
	readonly box: Box;
	/** Within a line of text. */
	readonly line: boolean;
}

/** Cuts the page into blocks and the boxes around them: one pass, no recursion. */
export function segment(body: Element): Segments {
	const builder = new BlockBuilder();
	const { blocks } = builder;
	const boxes = new BoxList();
	let frame: Frame = { box: boxes.add(body, null, 0), link: false, strong: false, pre: false, line: false };
	let parent = body;
	let index = 0;
	/** Where the walk goes on outside of each element that it is in. */
	const indices: number[] = [];
	const frames: Frame[] = [];
	for (;;) {
		const node = parent.children[index];
		if (node === undefined) {
			const outer = frames.pop();
			if (outer === undefined) break;
			if (outer.box !== frame.box) {
				builder.end(frame.box);
				frame.box.end = blocks.length;
			}
			frame = outer;
			index = indices.pop()!;
			parent = parent.parent!;
			continue;
		}
		index++;
		if (node.kind === 'text') {
			builder.addText(node, frame);
			continue;
		}
		const { tag } = node;
		const marked = marks.get(tag) ?? 0;
		if (marked & BREAK) {
			builder.addBreak(frame.box);
			continue;
		}
		const isBlock = (marked & INLINE) === 0 && !(frame.line && tag.includes('-'));
		if (marked & SKIPPED || node.children.length === 0) {
			if (isBlock && (marked & SKIPPED) === 0) builder.end(frame.box);
			continue;
		}
		// Within a line only what is seen counts; hidden blocks may be tabs that open, and are judged with the others.
		if (!isBlock && isHidden(node)) continue;
		indices.push(index);
		frames.push(frame);
		if (isBlock) {
			builder.end(frame.box);
			frame = frameOf(boxes.add(node, frame.box, blocks.length), frame, marked);
		} else if (marked & (LINK | STRONG)) {
			if (marked & LINK) builder.addLink();
			frame = frameOf(frame.box, frame, marked);
		}
		parent = node;
		index = 0;
	}
	builder.end(frame.box);
	frame.box.end = blocks.length;
	inheritHidden(boxes.all, blocks);
	const sums = new Sums(blocks);
	const hosts = proseBoxes(boxes.all, sums);
	return { blocks, boxes: boxes.all, names: boxes.names, looks: boxes.looks, sums, hosts };
}

/** The state inside of an element, which may be a box of its own. */
function frameOf(box: Box, { box: outer, link, strong, pre, line }: Frame, marked: number): Frame {
	const isBlock = box !== outer;
	return {
		box,
		link: link || (!isBlock && (marked & LINK) !== 0),
		strong: strong || (marked & STRONG) !== 0,
		pre: pre || (isBlock && (marked & PRE) !== 0),
		line: isBlock ? (marked & LINES) !== 0 : line,
	};
}

/** The boxes of a page, as the walk meets them. */
class BoxList {
	readonly all: Box[] = [];
	readonly #reader = new NameReader();

	get names(): readonly Names[] {
		return this.#reader.all;
	}

	get looks(): number {
		return this.#reader.looks;
	}

	add(element: Element, parent: Box | null, start: number): Box {
		const names = this.#reader.read(element);
		const around = aroundBit(element.tag);
		const box: Box = {
			element,
			parent,
			depth: parent === null ? 0 : parent.depth + 1,
			index: this.all.length,
			hidden: isHidden(element),
			names,
			look: this.#reader.lookOf(names, element.tag),
			kinds: parent === null ? 0 : parent.kinds | names.kinds,
			around: parent === null ? around : parent.around | around,
			children: [],
			start,
			end: start,
		};
		this.all.push(box);
		parent?.children.push(box);
		return box;
	}
}

/**
 * What is in a hidden box is hidden; but a box with most of the page's text only waits for a script or for the answer
 * to a cookie dialog.
 */
function inheritHidden(boxes: readonly Box[], blocks: readonly Block[]): void {
	const words = new Float64Array(blocks.length + 1);
	for (let i = 0; i < blocks.length; i++) words[i + 1] = words[i]! + blocks[i]!.size.words;
	const most = words[blocks.length]! / 2;
	for (const box of boxes) {
		box.hidden = (box.hidden && words[box.end]! - words[box.start]! <= most) || (box.parent?.hidden ?? false);
	}
}
