import type { Block, Box } from './blocks.ts';

/** So many blocks may stand between a page's heading and its content: a date, an author, a count. */
const NEAR = 4;

/**
 * The blocks to show: those kept, and what belongs to them for a reader though it is no part of the running text.
 * Captions are shown with their pictures, and the page's heading above what it heads.
 *
 * @param keep the running text
 * @param isHeaded the heading is shown: that of an article is its title, and told elsewhere
 */
export function shownBlocks(blocks: readonly Block[], keep: readonly boolean[], isHeaded: boolean): boolean[] {
	const shown = withCaptions(blocks, keep);
	if (isHeaded) showHeading(blocks, shown);
	return shown;
}

/** A caption is shown when the text around its figure is kept. */
function withCaptions(blocks: readonly Block[], keep: readonly boolean[]): boolean[] {
	const shown = [...keep];
	for (let i = 0; i < blocks.length; i++) {
		if (keep[i] || !isCaption(blocks[i]!)) continue;
		let end = i;
		while (end < blocks.length && !keep[end] && isCaption(blocks[end]!)) end++;
		if (keep[i - 1] && keep[end]) shown.fill(true, i, end);
		i = end;
	}
	return shown;
}

function isCaption({ box }: Block): boolean {
	return !box.hidden && (box.element.tag === 'figcaption' || box.parent?.element.tag === 'figcaption');
}

/** The `h1` shortly before the first kept block, unless it is the site's name in the header of the page. */
function showHeading(blocks: readonly Block[], shown: boolean[]): void {
	const first = shown.indexOf(true);
	for (let i = first - 1; i >= 0 && i >= first - 1 - NEAR; i--) {
		const { box } = blocks[i]!;
		if (box.element.tag !== 'h1') continue;
		shown[i] = !box.hidden && !isOfSite(box);
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
