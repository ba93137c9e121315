import type { Block, Box } from './blocks.ts';

/** So many blocks may stand between a page's heading and its content: a date, an author, a count. */
const NEAR = 4;

/**
 * The blocks to show: those kept, and what belongs to them for a reader though it is no part of the running text.
 * Captions are shown with their pictures, and the page's heading above what it heads.
 *
 * @param keep the running text
 * @param titles what the page calls itself; `undefined` where its heading is not shown
 */
export function shownBlocks(
	blocks: readonly Block[],
	keep: readonly boolean[],
	titles: readonly string[] | undefined,
): boolean[] {
	const shown = withCaptions(blocks, keep);
	if (titles !== undefined) showHeading(blocks, shown, titles);
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

/** The last `h1` before the first kept block: near it, or the page's title, and not the site's name in its header. */
function showHeading(blocks: readonly Block[], shown: boolean[], titles: readonly string[]): void {
	const first = shown.indexOf(true);
	for (let i = first - 1; i >= 0; i--) {
		const { box, text } = blocks[i]!;
		if (box.element.tag !== 'h1' || box.hidden) continue;
		const isNear = i >= first - 1 - NEAR;
		shown[i] = (isNear || titles.some((title) => title.startsWith(text))) && !isOfSite(box);
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
