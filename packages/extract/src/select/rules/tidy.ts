import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';
import { kindBit } from '../read/hints.ts';
import type { PageKind } from './page-kind.ts';
import type { RuleName, Trial } from './rules.ts';

const namedCommentsBit = kindBit('comments');

/** Of the words kept, more than this share in one place is the content, whatever the place calls itself. */
const substanceShare = 0.35;
/** A unit most of which is content is content as a whole. */
const most = 0.5;
/** Of a table this much is enough: its cells are too short to be told from menus one by one. */
const enough = 0.3;
/** More words per block than this, and a table arranges the page. */
const cellWords = 30;
/** More blocks than this in an item or cell on average, and in a thread it is a post, with parts of its own. */
const itemBlocks = 4;

const furnitureRole = /^(?:navigation|menu|menubar|toolbar|search|contentinfo|dialog|alertdialog|banner)$/;
const breadcrumb = /\bbread-?crumbs?\b|BreadcrumbList/i;
/** Classes and ids of comments. */
const comments = /(?:^|[\s_-])(?:comments?|commentlist|disqus|respond)(?:$|[\s_-])/i;
/** Characters of a class that are looked at. */
const maxClass = 500;
const sectioning = new Set(['main', 'article', 'section']);

/**
 * Settles what the markup says for certain: menus, breadcrumbs and page headers are dropped unless they hold the
 * substance of the page; tables, lists, definitions and code are kept or dropped as a whole; a line between two kept
 * neighbours is kept.
 */
export function tidy(segments: Segments, keep: Flags, { isThread }: Pick<PageKind, 'isThread'>, trial?: Trial): Flags {
	const { blocks, boxes } = segments;
	const tidied = keep.slice();
	const apply = (rule: RuleName, change: () => void): void => {
		if (trial?.without.has(rule)) return;
		const before = trial === undefined ? undefined : tidied.slice();
		change();
		if (before?.some((kept, i) => kept !== tidied[i])) trial?.fired.add(rule);
	};
	apply('furniture', () => dropFurniture(segments, tidied));
	if (!isThread)
		apply('comments', () => {
			for (const { start, end } of commentsBeside(segments, tidied)) tidied.fill(0, start, end);
		});
	apply('units', () => {
		for (const box of boxes) if (box.end - box.start > 1) tidyUnit(blocks, box, tidied, isThread);
	});
	apply('gaps', () => fillGaps(blocks, tidied));
	return tidied;
}

/** Drops menus, breadcrumbs and page headers, unless they hold the substance of the page. */
export function dropFurniture({ blocks, boxes }: Segments, keep: Flags): void {
	const substance = wordsKept(blocks, keep, 0, blocks.length) * substanceShare;
	for (const box of boxes)
		if (box.end > box.start && isFurniture(box) && wordsKept(blocks, keep, box.start, box.end) < substance)
			keep.fill(0, box.start, box.end);
}

function wordsKept(blocks: readonly Block[], keep: Flags, start: number, end: number): number {
	let words = 0;
	for (let i = start; i < end; i++) if (keep[i]) words += blocks[i]!.size.words + 1;
	return words;
}

function isFurniture(box: Box): boolean {
	const { tag, attributes } = box.element;
	if (tag === 'nav' || tag === 'dialog' || furnitureRole.test(attributes.role ?? '')) return true;
	if ((tag === 'header' || tag === 'footer') && isOfPage(box)) return true;
	const { class: className, id } = attributes;
	const name = className?.slice(0, maxClass);
	if (speaks(name, breadcrumb) || speaks(id, breadcrumb)) return true;
	return speaks(attributes['aria-label'], breadcrumb) || speaks(attributes.itemtype, breadcrumb);
}

/** The fewest words that an article has besides its comments. */
const ownWords = 60;
/** The smallest share of the words in a text with remarks. */
const remarked = 0.25;
/** Text after a part shows that the part is inside the text. */
const textAfter = 12;

/**
 * The parts that are named comments and follow an article. A name is a hint about a part next to other content: without
 * other content it means nothing, and remarks between the parts of a text belong to the text.
 */
function commentsBeside({ blocks, boxes }: Segments, keep: Flags): Box[] {
	const named: Box[] = [];
	for (const box of boxes) {
		const last = named.at(-1);
		if (box.end > box.start && (last === undefined || box.start >= last.end) && isNamedComments(box)) named.push(box);
	}
	if (named.length === 0) return [];
	let own = wordsKept(blocks, keep, 0, blocks.length);
	for (const { start, end } of named) own -= wordsKept(blocks, keep, start, end);
	if (own < ownWords) return [];
	if (own < remarked * wordsKept(blocks, keep, 0, blocks.length)) return named;
	const remarks = named.filter(
		({ end }, i) => wordsKept(blocks, keep, end, named[i + 1]?.start ?? blocks.length) >= textAfter,
	);
	return named.filter((box) => !remarks.some(({ look }) => look === box.look));
}

function isNamedComments({ element, names }: Box): boolean {
	const { tag, attributes } = element;
	if ((names.kinds & namedCommentsBit) === 0) return false;
	if (tag === 'body' || tag === 'main' || tag === 'article') return false;
	return speaks(attributes.class?.slice(0, maxClass), comments) || speaks(attributes.id, comments);
}

const speaks = (name: string | undefined, of: RegExp): boolean => name !== undefined && of.test(name);

/** The header or footer of the page, not of an article in it. */
function isOfPage({ parent }: Box): boolean {
	for (let up = parent; up !== null; up = up.parent) if (sectioning.has(up.element.tag)) return false;
	return true;
}

/** All or nothing for what cannot be read in parts. */
function tidyUnit(blocks: readonly Block[], box: Box, keep: Flags, isThread: boolean): void {
	const { start, end } = box;
	const { tag } = box.element;
	const isStrict = tag === 'dl' || tag === 'pre' || tag === 'table';
	if (!isStrict && tag !== 'ul' && tag !== 'ol') return;
	if (isThread && end - start > itemBlocks * itemsOf(box)) return;
	let words = 0;
	let kept = 0;
	for (let i = start; i < end; i++) {
		const weight = blocks[i]!.box.hidden ? 0 : blocks[i]!.size.words + 1;
		words += weight;
		if (keep[i]) kept += weight;
	}
	if (kept === 0 || kept === words || (tag === 'table' && (words > cellWords * (end - start) || isLayout(blocks, box))))
		return;
	if (kept >= words * (tag === 'table' ? enough : most))
		for (let i = start; i < end; i++) keep[i] = blocks[i]!.box.hidden ? 0 : 1;
	else if (isStrict) keep.fill(0, start, end);
}

/** A layout table: it contains the heading of the page, other tables, or several paragraphs in a cell. */
function isLayout(blocks: readonly Block[], box: Box): boolean {
	let paragraphs = 0;
	for (let i = box.start; i < box.end; i++) {
		const { element } = blocks[i]!.box;
		if (element.tag === 'h1' || (element.tag === 'p' && ++paragraphs > maxParagraphs)) return true;
	}
	return holdsTable(box.children, 0);
}

const maxParagraphs = 3;
const deep = 6;

const holdsTable = (children: readonly Box[], depth: number): boolean =>
	children.some(
		({ element, children: inner }) => element.tag === 'table' || (depth < deep && holdsTable(inner, depth + 1)),
	);

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
function fillGaps(blocks: readonly Block[], keep: Flags): void {
	for (let i = 1; i + 1 < blocks.length; i++) {
		if (keep[i] || !keep[i - 1] || !keep[i + 1]) continue;
		const { box, linked } = blocks[i]!;
		if (box.hidden || linked > 0) continue;
		const before = blocks[i - 1]!.box;
		const after = blocks[i + 1]!.box;
		const { tag } = box.element;
		if (tag === 'pre' || tag === 'p') keep[i] = around(before, box) && around(after, box) ? 1 : 0;
	}
}

/** Whether a neighbour stands in the container of a box, itself or a level deeper. */
function around(neighbour: Box, box: Box): boolean {
	return neighbour.parent === box.parent || neighbour.parent?.parent === box.parent;
}
