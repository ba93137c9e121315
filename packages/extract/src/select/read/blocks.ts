import { roleBit } from '../../dom/attribute-bits.ts';
import { hiddenBits, inherit, inheritedBits, keepsLinesBit, Looks } from '../../dom/looks.ts';
import { type Element, emptyList, type Node } from '../../dom/node.ts';
import { parseHtml } from '../../dom/parse.ts';
import { aroundBit } from './around.ts';
import { BlockBuilder, linkedState, preState, strongState } from './block-builder.ts';
import type { Block, Box } from './box.ts';
import { type OpenedPart, resolveHidden } from './hidden.ts';
import { NameReader, type Names } from './hints.ts';
import { PageWords } from './page-words.ts';
import { partPieces } from './pieces.ts';
import { findRoles, type Roles } from './roles.ts';
import { proseBoxes, Sums } from './sums.ts';

export interface Segments {
	readonly blocks: Block[];
	readonly boxes: Box[];
	/** All that any of the boxes has. */
	readonly names: readonly Names[];
	/** How many looks they have. */
	readonly looks: number;
	readonly roles: Roles;
	readonly words: PageWords;
	readonly sums: Sums;
	/** See `proseBoxes`. */
	readonly hosts: readonly (Box | undefined)[];
	/** Effects of styles and attributes on the page's elements. */
	readonly visuals: Looks;
	/** Parts that are hidden when the page opens, and count as visible. */
	readonly opened: readonly OpenedPart[];
}

/** Tag → facts that the walk needs, as bits. */
const marks = new Map<string, number>();
function markTags(bit: number, tags: string): number {
	for (const tag of tags.split(' ')) marks.set(tag, (marks.get(tag) ?? 0) | bit);
	return bit;
}

/** Elements without text that a reader of the page sees as text. */
const skippedMark = markTags(
	1,
	'script style template svg iframe select textarea canvas audio video object embed head link meta base noframes noembed map datalist progress meter math-renderer rt rp rtc',
);
/** Everything else starts a new line. Custom elements do too, nearly all are containers, but for those within a line. */
const inlineMark = markTags(
	2,
	'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math nobr output picture q rb rp rt rtc ruby s samp small source span strike strong sub sup time tt u var wbr br input semantics mrow mi mo mn msup msub mfrac annotation mtext mspace mtable mtr mtd',
);
/** Elements with a line of text and no containers. */
const linesMark = markTags(4, 'p h1 h2 h3 h4 h5 h6 pre dt');
const strongMark = markTags(8, 'b strong em i mark h1 h2 h3 h4 h5 h6');
const linkMark = markTags(16, 'a');
const breakMark = markTags(32, 'br');
const preMark = markTags(64, 'pre');
/** Inline elements that a style may set apart, such as badges or values. */
const pieceMark = markTags(128, 'span a small time label');
/** Every character counts here. */
const verbatimMark = markTags(256, 'code kbd samp tt math ruby');

// The state of the walk, which an element changes for what is inside it, is a number: the hiding effects that elements
// inside can undo (see `inherit`), what the text is in, and these bits.

/** Within a line of text. */
const lineState = 1 << 23;
/** Within inline code or a formula. */
const verbatimState = 1 << 24;

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
	let box = boxes.add(body, null, 0, visuals.of(body));
	let state = 0;
	let parent = body;
	let index = 0;
	/** Positions at which the walk continues in each open element. */
	const indices: number[] = [];
	/** The box and the state around each of them. */
	const outerBoxes: Box[] = [];
	const states: number[] = [];
	for (;;) {
		const node = parent.children[index];
		if (node === undefined) {
			const outer = outerBoxes.pop();
			if (outer === undefined) break;
			if (outer !== box) {
				builder.end(box);
				box.end = blocks.length;
			}
			box = outer;
			state = states.pop()!;
			index = indices.pop()!;
			parent = parent.parent!;
			continue;
		}
		index++;
		if (node.kind === 'text') {
			// Within a line, only visible elements count.
			const inherited = state & inheritedBits;
			if (inherited === box.inherited) builder.addText(node, state);
			else if (inherited === 0) {
				box.revealed = true;
				builder.addText(node, state);
			}
			continue;
		}
		const { tag } = node;
		const marked = marks.get(tag) ?? 0;
		if (marked & pieceMark && index > 1 && (state & (preState | verbatimState)) === 0)
			partPieces(builder, parent, index - 1);
		if (marked & breakMark) {
			builder.addBreak(box);
			continue;
		}
		const isBlock = (marked & inlineMark) === 0 && !((state & lineState) !== 0 && tag.includes('-'));
		if (tag === 'noscript') openMarkup(node);
		if (marked & skippedMark || node.children.length === 0) {
			if (isBlock && (marked & skippedMark) === 0) builder.end(box);
			continue;
		}
		if (isMockUp(node)) continue;
		const bits = visuals.of(node);
		// Hidden blocks may be tabs that open; hidden parts of a line are dropped at once.
		if (!isBlock && bits & hiddenBits) continue;
		indices.push(index);
		outerBoxes.push(box);
		states.push(state);
		if (isBlock) {
			builder.end(box);
			box = boxes.add(node, box, blocks.length, bits, state & inheritedBits);
			state = stateIn(state, marked, bits, true);
		} else if (marked & (linkMark | strongMark | verbatimMark) || bits !== 0) {
			if (marked & linkMark) builder.addLink();
			state = stateIn(state, marked, bits, false);
		}
		parent = node;
		index = 0;
	}
	builder.end(box);
	box.end = blocks.length;
	const opened = resolveHidden(boxes.all, blocks);
	const sums = new Sums(blocks);
	const hosts = proseBoxes(boxes.all, sums);
	const { all, names, looks } = boxes;
	const roles = findRoles(blocks, all);
	const words = new PageWords(blocks);
	return { blocks, boxes: all, names, looks, roles, words, sums, hosts, visuals, opened };
}

/** The state inside of an element with these marks and effects. */
function stateIn(outer: number, marked: number, bits: number, isBlock: boolean): number {
	let state = (outer & ~inheritedBits) | inherit(outer & inheritedBits, bits);
	if (isBlock) {
		state &= ~lineState;
		if (marked & linesMark) state |= lineState;
		if (marked & preMark) state |= preState;
	} else if (marked & linkMark) state |= linkedState;
	if (marked & strongMark) state |= strongState;
	if (bits & keepsLinesBit) state |= preState;
	return marked & verbatimMark ? state | verbatimState : state;
}

const noBoxes = emptyList<Box>();

/** A list that grows makes room for many; most boxes have none, one or two others in them. */
function addChild(parent: Box, box: Box): void {
	const { children } = parent;
	if (children.length === 0) parent.children = [box];
	else if (children.length === 1) parent.children = [children[0]!, box];
	else children.push(box);
}

/** The boxes of a page, as the walk meets them. */
class BoxList {
	readonly all = emptyList<Box>();
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
			children: noBoxes,
			start,
			end: start,
		};
		this.all.push(box);
		if (parent !== null) addChild(parent, box);
		return box;
	}
}

/** ARIA `img`: its content only draws; an emoji has no letters. */
export function isMockUp({ tag, attributes, attributeBits, children }: Element): boolean {
	return (
		(attributeBits & roleBit) !== 0 &&
		attributes.role === 'img' &&
		tag !== 'img' &&
		tag !== 'svg' &&
		children.some(hasLetters)
	);
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
