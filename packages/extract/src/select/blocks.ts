import { HIDDEN, inherit, KEEPS_LINES, Looks } from '../dom/looks.ts';
import type { Element, Node, Text } from '../dom/node.ts';
import { parseHtml } from '../dom/parse.ts';
import { aroundBit } from './around.ts';
import { BlockBuilder, type Inside } from './block-builder.ts';
import { type OpenedPart, settleHidden } from './hidden.ts';
import { NameReader, type Names } from './hints.ts';
import type { Measure } from './measure.ts';
import { partPieces } from './pieces.ts';
import { proseBoxes, Sums } from './sums.ts';

/** A block-level element that contains text. Its text is the run of blocks `[start, end)`. */
export interface Box {
	readonly element: Element;
	readonly parent: Box | null;
	readonly depth: number;
	/** Position among the boxes of the page, parents before children. */
	readonly index: number;
	/** Effects of styles and attributes on it: see `Looks`. */
	readonly bits: number;
	/** No reader sees it: it or an ancestor is hidden, and no control opens it. */
	hidden: boolean;
	/** Hiding effects that elements inside can undo: see `inherit`. */
	readonly inherited: number;
	/** Text inside undoes the hiding effects around it. */
	revealed: boolean;
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
	/** Effects of styles and attributes on the page's elements. */
	readonly visuals: Looks;
	/** Parts that are hidden when the page opens, and count as visible. */
	readonly opened: readonly OpenedPart[];
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
	'script style template svg iframe select textarea canvas audio video object embed head link meta base noframes noembed map datalist progress meter math-renderer rt rp rtc',
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
/** Inline elements that a style may set apart, such as badges or values. */
const PIECE = markTags(128, 'span a small time label');
/** Every character counts here. */
const VERBATIM = markTags(256, 'code kbd samp tt math ruby');

/** State of the walk that an element changes for what is inside it. */
interface Frame extends Inside {
	readonly box: Box;
	/** Within a line of text. */
	readonly line: boolean;
	/** Within inline code or a formula. */
	readonly verbatim: boolean;
	/** Hiding effects that elements inside can undo here: see `inherit`. */
	readonly inherited: number;
}

/**
 * Splits the page into blocks and the boxes around them: one pass, no recursion.
 *
 * @param styles the `style` elements of the page, which hide some of it
 */
export function segment(body: Element, styles: readonly Element[] = []): Segments {
	const builder = new BlockBuilder();
	const { blocks } = builder;
	const visuals = new Looks(styles, body);
	const boxes = new BoxList();
	let frame: Frame = {
		box: boxes.add(body, null, 0, visuals.of(body)),
		link: false,
		strong: false,
		pre: false,
		line: false,
		verbatim: false,
		inherited: 0,
	};
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
			// Within a line, only visible elements count.
			if (frame.inherited === frame.box.inherited) builder.addText(node, frame);
			else if (frame.inherited === 0) {
				frame.box.revealed = true;
				builder.addText(node, frame);
			}
			continue;
		}
		const { tag } = node;
		const marked = marks.get(tag) ?? 0;
		if (marked & PIECE && index > 1 && !frame.pre && !frame.verbatim) partPieces(builder, parent, index - 1);
		if (marked & BREAK) {
			builder.addBreak(frame.box);
			continue;
		}
		const isBlock = (marked & INLINE) === 0 && !(frame.line && tag.includes('-'));
		if (tag === 'noscript') openMarkup(node);
		if (marked & SKIPPED || node.children.length === 0) {
			if (isBlock && (marked & SKIPPED) === 0) builder.end(frame.box);
			continue;
		}
		if (isMockUp(node)) continue;
		const bits = visuals.of(node);
		// Hidden blocks may be tabs that open; hidden parts of a line are dropped at once.
		if (!isBlock && bits & HIDDEN) continue;
		indices.push(index);
		frames.push(frame);
		if (isBlock) {
			builder.end(frame.box);
			frame = frameOf(boxes.add(node, frame.box, blocks.length, bits, frame.inherited), frame, marked, bits);
		} else if (marked & (LINK | STRONG | VERBATIM) || bits !== 0) {
			if (marked & LINK) builder.addLink();
			frame = frameOf(frame.box, frame, marked, bits);
		}
		parent = node;
		index = 0;
	}
	builder.end(frame.box);
	frame.box.end = blocks.length;
	const opened = settleHidden(boxes.all, blocks);
	const sums = new Sums(blocks);
	const hosts = proseBoxes(boxes.all, sums);
	return { blocks, boxes: boxes.all, names: boxes.names, looks: boxes.looks, sums, hosts, visuals, opened };
}

/** The state inside of an element, which may be a box of its own. */
function frameOf(
	box: Box,
	{ box: outer, link, strong, pre, line, verbatim, inherited }: Frame,
	marked: number,
	bits: number,
): Frame {
	const isBlock = box !== outer;
	return {
		box,
		link: link || (!isBlock && (marked & LINK) !== 0),
		strong: strong || (marked & STRONG) !== 0,
		pre: pre || (isBlock && (marked & PRE) !== 0) || (bits & KEEPS_LINES) !== 0,
		line: isBlock ? (marked & LINES) !== 0 : line,
		verbatim: verbatim || (marked & VERBATIM) !== 0,
		inherited: inherit(inherited, bits),
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

	add(element: Element, parent: Box | null, start: number, bits: number, inherited = 0): Box {
		const names = this.#reader.read(element);
		const around = aroundBit(element.tag);
		const box: Box = {
			element,
			parent,
			depth: parent === null ? 0 : parent.depth + 1,
			index: this.all.length,
			bits,
			inherited: inherit(inherited, bits),
			hidden: false,
			revealed: false,
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

/** ARIA `img`: its content only draws; an emoji has no letters. */
export function isMockUp({ tag, attributes, children }: Element): boolean {
	return attributes.role === 'img' && tag !== 'img' && tag !== 'svg' && children.some(hasLetters);
}

const hasLetters = (node: Node): boolean =>
	node.kind === 'text' ? /\p{L}/u.test(node.data) : node.children.some(hasLetters);

/** Escaped markup of a `noscript`, as the image that a script would load. */
function openMarkup(noscript: Element): void {
	const [only] = noscript.children;
	if (noscript.children.length !== 1 || only!.kind !== 'text' || !/^\s*<[a-z]/i.test(only!.data)) return;
	const { children } = parseHtml(only!.data).body;
	noscript.children = children;
	for (const child of children) child.parent = noscript;
}
