import type { Byline } from './posts.ts';
import type { Block, Box } from './read/box.ts';
import type { Flags } from './read/flags.ts';

/** So many blocks may stand between a page's heading and its content: a date, an author, a count. */
const near = 4;
/** So many blocks of a row are looked at, at most. */
const maxCells = 20;

/**
 * The blocks to show: those kept, and what belongs to them for a reader but not to the running text. Captions are shown
 * with their pictures, the header of a row with its cells, the page's heading above what it heads, author and date with
 * each post of a thread.
 *
 * @param keep the running text
 */
export function shownBlocks(blocks: readonly Block[], keep: Flags, { titles, bylines = [] }: Frame = {}): Flags {
	const shown = withCaptions(blocks, keep);
	showRowHeaders(blocks, shown);
	for (const { at } of bylines) shown[at] = 1;
	if (titles !== undefined) showHeading(blocks, shown, titles);
	return shown;
}

/** Facts about the whole page that decide which parts are shown. */
export interface Frame {
	/** The page's own title; `undefined` if its heading is not shown. */
	readonly titles?: readonly string[] | undefined;
	/** Author and date of each post, where it is a thread. */
	readonly bylines?: readonly Byline[];
}

/** `<th>` in a row of which something is kept. */
function showRowHeaders(blocks: readonly Block[], shown: Flags): void {
	for (let i = 0; i < blocks.length; i++) {
		const { box } = blocks[i]!;
		const row = box.parent;
		if (shown[i] || box.hidden || box.element.tag !== 'th' || row?.element.tag !== 'tr') continue;
		const end = Math.min(row.end, row.start + maxCells);
		for (let cell = row.start; cell < end && !shown[i]; cell++) if (shown[cell]) shown[i] = 1;
	}
}

/** A caption is shown when the text around its figure is kept. */
function withCaptions(blocks: readonly Block[], keep: Flags): Flags {
	const shown = keep.slice();
	for (let i = 0; i < blocks.length; i++) {
		if (keep[i] || !isCaption(blocks[i]!)) continue;
		let end = i;
		while (end < blocks.length && !keep[end] && isCaption(blocks[end]!)) end++;
		if (i > 0 && keep[i - 1] && end < blocks.length && keep[end]) shown.fill(1, i, end);
		i = end;
	}
	return shown;
}

function isCaption({ box }: Block): boolean {
	return !box.hidden && (box.element.tag === 'figcaption' || box.parent?.element.tag === 'figcaption');
}

/** The last `h1` before the first kept block: near it, or the page's title, and not the site's name in its header. */
function showHeading(blocks: readonly Block[], shown: Flags, titles: readonly string[]): void {
	const first = shown.indexOf(1);
	// The content begins with its own heading: one above it belongs to the book or the site.
	if (blocks[first]?.box.element.tag === 'h1') return;
	for (let i = first - 1; i >= 0; i--) {
		const { box, text } = blocks[i]!;
		if (box.element.tag !== 'h1' || box.hidden) continue;
		const isNear = i >= first - 1 - near;
		shown[i] = (isNear || titles.some((title) => title.startsWith(text))) && !isOfSite(box) ? 1 : 0;
		return;
	}
}

function isOfSite(heading: Box): boolean {
	let isInHeader = false;
	for (let up = heading.parent; up !== null; up = up.parent) {
		const { tag } = up.element;
		if (tag === 'main' || tag === 'article' || tag === 'section') return false;
		if (tag === 'nav' || tag === 'dialog') return true;
		isInHeader ||= tag === 'header';
	}
	return isInHeader;
}
