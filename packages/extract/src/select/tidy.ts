import { isInFooter } from './around.ts';
import type { Block, Box, Segments } from './blocks.ts';
import { kindBit } from './hints.ts';
import type { PageKind } from './page-kind.ts';
import type { RuleName, Trial } from './rules.ts';
import { type Sums, within } from './sums.ts';

const NAMED =
	kindBit('promo') | kindBit('share') | kindBit('bio') | kindBit('caption') | kindBit('form') | kindBit('footer');

const NAMED_COMMENTS = kindBit('comments');

/** Of the words kept, more than this share in one place is the content, whatever the place calls itself. */
const SUBSTANCE = 0.35;
/** A unit most of which is content is content as a whole. */
const MOST = 0.5;
/** Of a table this much is enough: its cells are too short to be told from menus one by one. */
const ENOUGH = 0.3;
/** A container of which so much is content has content to its end. */
const NEARLY_ALL = 0.9;
/** More words per block than this, and a table arranges the page. */
const CELL_WORDS = 30;
/** More blocks than this in an item or cell on average, and in a thread it is a post, with parts of its own. */
const ITEM_BLOCKS = 4;

const FURNITURE_ROLE = /^(?:navigation|menu|menubar|toolbar|search|contentinfo|dialog|alertdialog|banner)$/;
const BREADCRUMB = /\bbread-?crumbs?\b|BreadcrumbList/i;
const COMMENTS = /(?:^|[\s_-])(?:comments?|commentlist|disqus|respond)(?:$|[\s_-])/i;
/** Characters of a class that are looked at. */
const MOST_CLASS = 500;
const HEADING = /^h[1-6]$/;
const SECTIONING = new Set(['main', 'article', 'section']);

/**
 * Puts the choice of blocks in order by what the markup says for certain: menus, breadcrumbs and page headers go, unless
 * they hold the substance of the page; tables, lists, definitions and code stay whole or go whole; a line between two
 * kept neighbours stays, and so does the table or the code that a kept line announces.
 */
export function tidy(
	segments: Segments,
	keep: readonly boolean[],
	{ isThread, isDocumentation }: Pick<PageKind, 'isThread' | 'isDocumentation'>,
	trial?: Trial,
): boolean[] {
	const { blocks, boxes } = segments;
	const tidied = [...keep];
	const apply = (rule: RuleName, settle: () => void): void => {
		if (trial?.without.has(rule)) return;
		const before = trial === undefined ? undefined : [...tidied];
		settle();
		if (before?.some((kept, i) => kept !== tidied[i])) trial?.fired.add(rule);
	};
	const substance = wordsKept(blocks, keep, 0, blocks.length) * SUBSTANCE;
	const drop = (box: Box) => {
		if (wordsKept(blocks, tidied, box.start, box.end) < substance) tidied.fill(false, box.start, box.end);
	};
	apply('furniture', () => {
		for (const box of boxes) if (box.end > box.start && isFurniture(box)) drop(box);
	});
	if (!isThread)
		apply('comments', () => {
			for (const { start, end } of commentsBeside(segments, tidied)) tidied.fill(false, start, end);
		});
	apply('units', () => {
		for (const box of boxes) if (box.end - box.start > 1) settleUnit(blocks, box, tidied, isThread);
	});
	apply('announced', () => {
		for (const box of boxes) keepAnnounced(segments, box, tidied, isDocumentation);
	});
	apply('gaps', () => fillGaps(blocks, tidied));
	apply('ends', () => {
		for (const box of boxes) if (box.end - box.start > 3) fillContainer(blocks, box, tidied);
	});
	return tidied;
}

function wordsKept(blocks: readonly Block[], keep: readonly boolean[], start: number, end: number): number {
	let words = 0;
	for (let i = start; i < end; i++) if (keep[i]) words += blocks[i]!.size.words + 1;
	return words;
}

function isFurniture(box: Box): boolean {
	const { tag, attributes } = box.element;
	if (tag === 'nav' || tag === 'dialog' || FURNITURE_ROLE.test(attributes.role ?? '')) return true;
	if ((tag === 'header' || tag === 'footer') && isOfPage(box)) return true;
	const { class: className, id } = attributes;
	const name = className?.slice(0, MOST_CLASS);
	if (speaks(name, BREADCRUMB) || speaks(id, BREADCRUMB)) return true;
	return speaks(attributes['aria-label'], BREADCRUMB) || speaks(attributes.itemtype, BREADCRUMB);
}

/** The fewest words that an article has besides its comments. */
const OWN_WORDS = 60;
/** The smallest share of the words in a text with remarks. */
const REMARKED = 0.25;
/** Text after a part shows that the part is inside the text. */
const TEXT_AFTER = 12;

/**
 * The parts that are named comments and follow an article. A name is a hint about a part next to other content: without
 * other content it means nothing, and remarks between the parts of a text belong to the text.
 */
function commentsBeside({ blocks, boxes }: Segments, keep: readonly boolean[]): Box[] {
	const named: Box[] = [];
	for (const box of boxes) {
		const last = named.at(-1);
		if (box.end > box.start && (last === undefined || box.start >= last.end) && isNamedComments(box)) named.push(box);
	}
	if (named.length === 0) return [];
	let own = wordsKept(blocks, keep, 0, blocks.length);
	for (const { start, end } of named) own -= wordsKept(blocks, keep, start, end);
	if (own < OWN_WORDS) return [];
	if (own < REMARKED * wordsKept(blocks, keep, 0, blocks.length)) return named;
	const remarks = named.filter(
		({ end }, i) => wordsKept(blocks, keep, end, named[i + 1]?.start ?? blocks.length) >= TEXT_AFTER,
	);
	return named.filter((box) => !remarks.some(({ look }) => look === box.look));
}

function isNamedComments({ element, names }: Box): boolean {
	const { tag, attributes } = element;
	if ((names.kinds & NAMED_COMMENTS) === 0) return false;
	if (tag === 'body' || tag === 'main' || tag === 'article') return false;
	return speaks(attributes.class?.slice(0, MOST_CLASS), COMMENTS) || speaks(attributes.id, COMMENTS);
}

const speaks = (name: string | undefined, of: RegExp): boolean => name !== undefined && of.test(name);

/** The header or footer of the page, not of an article in it. */
function isOfPage({ parent }: Box): boolean {
	for (let up = parent; up !== null; up = up.parent) if (SECTIONING.has(up.element.tag)) return false;
	return true;
}

/** All or nothing for what cannot be read in parts. */
function settleUnit(blocks: readonly Block[], box: Box, keep: boolean[], isThread: boolean): void {
	const { start, end } = box;
	const { tag } = box.element;
	const isStrict = tag === 'dl' || tag === 'pre' || tag === 'table';
	if (!isStrict && tag !== 'ul' && tag !== 'ol') return;
	if (isThread && end - start > ITEM_BLOCKS * itemsOf(box)) return;
	let words = 0;
	let kept = 0;
	for (let i = start; i < end; i++) {
		const weight = blocks[i]!.box.hidden ? 0 : blocks[i]!.size.words + 1;
		words += weight;
		if (keep[i]) kept += weight;
	}
	if (
		kept === 0 ||
		kept === words ||
		(tag === 'table' && (words > CELL_WORDS * (end - start) || isLayout(blocks, box)))
	)
		return;
	if (kept >= words * (tag === 'table' ? ENOUGH : MOST))
		for (let i = start; i < end; i++) keep[i] = !blocks[i]!.box.hidden;
	else if (isStrict) keep.fill(false, start, end);
}

/** A layout table: it contains the heading of the page, other tables, or several paragraphs in a cell. */
function isLayout(blocks: readonly Block[], box: Box): boolean {
	let paragraphs = 0;
	for (let i = box.start; i < box.end; i++) {
		const { element } = blocks[i]!.box;
		if (element.tag === 'h1' || (element.tag === 'p' && ++paragraphs > MOST_PARAGRAPHS)) return true;
	}
	return holdsTable(box.children, 0);
}

const MOST_PARAGRAPHS = 3;
const DEEP = 6;

const holdsTable = (children: readonly Box[], depth: number): boolean =>
	children.some(
		({ element, children: inner }) => element.tag === 'table' || (depth < DEEP && holdsTable(inner, depth + 1)),
	);

/** A table of data below a kept heading; in documentation code below a kept line, and the heading between the two. */
function keepAnnounced({ blocks, sums }: Segments, box: Box, keep: boolean[], isDocumentation: boolean): void {
	const { start, end, hidden } = box;
	const isCode = box.element.tag === 'pre';
	if (!(isCode ? isDocumentation : box.element.tag === 'table') || hidden || start === end || keep[start]) return;
	const above = blocks[start - 1]?.box;
	const isHeaded = above !== undefined && HEADING.test(above.element.tag);
	const from = isCode && isHeaded && !keep[start - 1] ? start - 1 : start;
	if (above === undefined || !keep[from - 1] || !areNear(above, box) || !areNear(blocks[from - 1]!.box, box)) return;
	if (!isCode && !(isHeaded && isData(sums, box))) return;
	for (let i = from; i < end; i++) keep[i] = !blocks[i]!.box.hidden;
}

/** Not what arranges the page, nor a table of contents. */
function isData({ words, chars, linked }: Sums, box: Box): boolean {
	return within(words, box) <= CELL_WORDS * (box.end - box.start) && within(linked, box) <= within(chars, box) / 2;
}

/** How many items a list has, how many cells a table. */
function itemsOf({ element, children }: Box): number {
	if (element.tag === 'pre' || element.tag === 'dl') return Number.POSITIVE_INFINITY;
	if (element.tag !== 'table') return children.length;
	let cells = 0;
	for (const part of children) {
		for (const row of part.element.tag === 'tr' ? [part] : part.children) cells += row.children.length;
	}
	return cells;
}

/** A paragraph without links between two kept ones of the same container. */
function fillGaps(blocks: readonly Block[], keep: boolean[]): void {
	for (let i = 1; i + 1 < blocks.length; i++) {
		if (keep[i] || !keep[i - 1] || !keep[i + 1]) continue;
		const { box, linked } = blocks[i]!;
		if (box.hidden || linked > 0) continue;
		const before = blocks[i - 1]!.box;
		const after = blocks[i + 1]!.box;
		const { tag } = box.element;
		if (tag === 'pre' || tag === 'p') keep[i] = around(before, box) && around(after, box);
	}
}

/** The last line of an article has no kept neighbour after it. */
function fillContainer(blocks: readonly Block[], box: Box, keep: boolean[]): void {
	const words = box.hidden ? 0 : wordsKept(blocks, keep, box.start, box.end);
	if (words === 0) return;
	let all = 0;
	for (let i = box.start; i < box.end; i++) all += blocks[i]!.size.words + 1;
	if (words < all * NEARLY_ALL) return;
	for (let i = box.start + 1; i < box.end; i++) {
		if (keep[i] || !keep[i - 1] || !isPlain(blocks[i]!)) continue;
		const { parent } = blocks[i]!.box;
		keep[i] = parent === box || parent?.parent === box;
	}
}

/** Running text without links, in no part that has a name of its own. */
function isPlain({ box, linked }: Block): boolean {
	const { tag } = box.element;
	if (linked > 0 || box.hidden || (tag !== 'p' && tag !== 'pre')) return false;
	return (box.kinds & NAMED) === 0 && !isInFooter(box);
}

/** Whether a neighbour stands in the container of a box, itself or a level deeper. */
function around(neighbour: Box, box: Box): boolean {
	return neighbour.parent === box.parent || neighbour.parent?.parent === box.parent;
}

/** Whether two boxes stand in one container, each itself or a level deeper. */
function areNear(one: Box, other: Box): boolean {
	const container = one.parent?.parent ?? null;
	return around(one, other) || around(other, one) || (container !== null && container === other.parent?.parent);
}
