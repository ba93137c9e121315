import { isHidden } from '../dom/hidden.ts';
import type { Element, Text } from '../dom/node.ts';
import { aroundBit } from './around.ts';
import { NameReader, type Names } from './hints.ts';
import { type Measure, measure } from './measure.ts';

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
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements without text that a reader of the page sees as text. */
const SKIPPED = names(
	'script style template svg iframe select textarea canvas audio video object embed head link meta base noframes noembed map datalist progress meter math-renderer',
);
/** Everything else starts a new line. Custom elements do too, nearly all are containers, but for those within a line. */
const INLINE = names(
	'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math nobr output picture q rb rp rt rtc ruby s samp small source span strike strong sub sup time tt u var wbr br input semantics mrow mi mo mn msup msub mfrac annotation mtext mspace mtable mtr mtd',
);
/** What holds a line of text and no containers. */
const LINES = names('p h1 h2 h3 h4 h5 h6 pre dt');
const STRONG = names('b strong em i mark h1 h2 h3 h4 h5 h6');

/** State of the walk that an element changes for what is inside it. */
interface Frame {
	box: Box;
	link: boolean;
	strong: boolean;
	/** White space counts. */
	pre: boolean;
	/** Within a line of text. */
	line: boolean;
}

const WHITE = /[\t\n\f\r]| {2}/;

/** Cuts the page into blocks and the boxes around them: one pass, no recursion. */
export function segment(body: Element): Segments {
	const blocks: Block[] = [];
	const boxes: Box[] = [];
	const reader = new NameReader();
	const createBox = (element: Element, parent: Box | null): Box => {
		const names = reader.read(element);
		const box: Box = {
			element,
			parent,
			depth: parent === null ? 0 : parent.depth + 1,
			index: boxes.length,
			hidden: isHidden(element),
			names,
			kinds: parent === null ? 0 : parent.kinds | names.kinds,
			around: (parent?.around ?? 0) | aroundBit(element.tag),
			children: [],
			start: blocks.length,
			end: blocks.length,
		};
		boxes.push(box);
		parent?.children.push(box);
		return box;
	};
	let frame: Frame = { box: createBox(body, null), link: false, strong: false, pre: false, line: false };

	let texts: Text[] = [];
	let raw = '';
	let linked = 0;
	let strong = 0;
	let links = 0;
	let seen = 0;
	let lead = -1;
	let breaks = 0;
	const flush = (): void => {
		breaks = 0;
		if (raw === '') return;
		const text = collapse(raw);
		if (text !== '') {
			const size = measure(text);
			blocks.push({ box: frame.box, texts, text, size, linked, links, lead, strong });
		}
		texts = [];
		raw = '';
		linked = 0;
		strong = 0;
		links = 0;
		seen = 0;
		lead = -1;
	};

	let parent = body;
	let index = 0;
	const path: { index: number; frame: Frame; block: boolean }[] = [];
	for (;;) {
		const node = parent.children[index];
		if (node === undefined) {
			const outer = path.pop();
			if (outer === undefined) break;
			if (outer.block) {
				flush();
				frame.box.end = blocks.length;
			}
			frame = outer.frame;
			index = outer.index;
			parent = parent.parent!;
			continue;
		}
		index++;
		if (node.kind === 'text') {
			const { data } = node;
			const size = printable(data);
			if (size > 0) {
				texts.push(node);
				raw += frame.pre ? data : WHITE.test(data) ? data.replace(/\s+/g, ' ') : data;
				breaks = 0;
				if (frame.link) {
					linked += size;
					if (lead < 0) lead = seen;
				}
				seen += size;
				if (frame.strong) strong += size;
			} else if (raw !== '') raw += ' ';
			continue;
		}
		const { tag } = node;
		if (tag === 'br') {
			if (++breaks === 2) flush();
			else if (raw !== '') raw += '\n';
			continue;
		}
		const block = !INLINE.has(tag) && !(frame.line && tag.includes('-'));
		if (SKIPPED.has(tag) || node.children.length === 0) {
			if (block && !SKIPPED.has(tag)) flush();
			continue;
		}
		// Within a line only what is seen counts; hidden blocks may be tabs that open, and are judged with the others.
		if (!block && isHidden(node)) continue;
		let next = frame;
		if (block) {
			flush();
			next = {
				box: createBox(node, frame.box),
				link: frame.link,
				strong: frame.strong || STRONG.has(tag),
				pre: frame.pre || tag === 'pre',
				line: LINES.has(tag),
			};
		} else if (tag === 'a' || STRONG.has(tag)) {
			if (tag === 'a') links++;
			next = {
				box: frame.box,
				link: frame.link || tag === 'a',
				strong: frame.strong || STRONG.has(tag),
				pre: frame.pre,
				line: frame.line,
			};
		}
		path.push({ index, frame, block });
		frame = next;
		parent = node;
		index = 0;
	}
	flush();
	frame.box.end = blocks.length;
	inheritHidden(boxes, blocks);
	return { blocks, boxes, names: reader.all };
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

/** Characters that are not white space. */
function printable(data: string): number {
	let count = 0;
	for (let i = 0; i < data.length; i++) {
		const c = data.charCodeAt(i);
		if (c > 32 && c !== 0xa0 && c !== 0x200b && c !== 0xfeff) count++;
	}
	return count;
}

/** White space that is more than a space between words. */
const LOOSE = /[^\S ]| {2}/;

const collapse = (raw: string): string => (LOOSE.test(raw) ? collapseLoose(raw) : raw.trim());

const collapseLoose = (raw: string): string =>
	raw
		.replace(/[^\S\n]+/g, ' ')
		.replace(/ ?\n ?/g, '\n')
		.replace(/\n+/g, '\n')
		.trim();
