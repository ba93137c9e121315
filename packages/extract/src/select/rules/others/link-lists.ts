import { aroundBit } from '../../read/around.ts';
import type { Segments } from '../../read/blocks.ts';
import type { Block, Box } from '../../read/box.ts';
import { within } from '../../read/sums.ts';
import { linkOf, minHeadline } from './links.ts';
import type { Drop, Series } from './series.ts';

/** Labels of parts with other texts, in addition to those in headings. */
const label =
	/^(?:(?:related|other|more|top|latest|popular|recent|further) (?:links?|stor(?:y|ies)|news|articles?|headlines?|posts?|pages?)|see also|elsewhere|latest|headlines|weitere (?:artikel|meldungen)|mehr zum thema|autres articles|otras noticias)\s*:?$/i;
const tableBit = aroundBit('table');

/** In layout tables: lists of headlines, and texts labelled as other articles. */
export function dropLinkLists(segments: Segments, all: readonly Series[], drop: Drop): void {
	const { blocks, sums } = segments;
	if (sums.prose.at(-1)! < ownProse) return;
	for (let i = 0; i < blocks.length; i++) {
		if (
			(blocks[i]!.box.around & tableBit) === 0 ||
			!label.test(blocks[i]!.text) ||
			!isInLayout(segments, blocks[i]!.box)
		)
			continue;
		let end = i + 1;
		while (end < blocks.length && blocks[end]!.linked > 0.8 * blocks[end]!.size.chars) end++;
		if (end > i + 1) drop(i, end);
		else if (blocks[i + 1] !== undefined && label.test(blocks[i + 1]!.text)) drop(i, i + 1);
	}
	for (const { box, series } of all) {
		if ((box.around & tableBit) === 0 || series.length < minInTable || !isInLayout(segments, box)) continue;
		const leading = series.filter((part) => isHeadline(blocks, part));
		if (leading.length < minInTable || leading.length < 0.45 * series.length) continue;
		// Text below each headline is the beginning of that article.
		drop(startOfLabel(blocks, series[0]!.start), series.at(-1)!.end);
	}
}

/** Whether the outermost table around a part has running text next to it. */
function isInLayout({ sums }: Segments, box: Box): boolean {
	let table: Box | undefined;
	for (let up: Box | null = box; up !== null; up = up.parent) if (up.element.tag === 'table') table = up;
	return table !== undefined && within(sums.prose, table) - within(sums.prose, box) >= ownProse;
}

const minInTable = 4;
const ownProse = 80;

const isHeadline = (blocks: readonly Block[], { start, end }: Box): boolean => {
	const first = blocks[start]!;
	return (
		end - start < 4 &&
		first.size.words >= minHeadline &&
		first.linked > 0.8 * first.size.chars &&
		linkOf(first) !== undefined
	);
};

const startOfLabel = (blocks: readonly Block[], start: number): number =>
	start > 0 && label.test(blocks[start - 1]!.text) ? start - 1 : start;
