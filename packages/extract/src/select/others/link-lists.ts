import { aroundBit } from '../around.ts';
import type { Block, Box, Segments } from '../blocks.ts';
import { within } from '../sums.ts';
import { LEAST_HEADLINE, linkOf } from './links.ts';
import type { Drop, Series } from './series.ts';

/** Labels of parts with other texts, in addition to those in headings. */
const LABEL =
	/^(?:(?:related|other|more|top|latest|popular|recent|further) (?:links?|stor(?:y|ies)|news|articles?|headlines?|posts?|pages?)|see also|elsewhere|latest|headlines|weitere (?:artikel|meldungen)|mehr zum thema|autres articles|otras noticias)\s*:?$/i;
const TABLE = aroundBit('table');

/** In layout tables: lists of headlines, and texts labelled as other articles. */
export function dropLinkLists(segments: Segments, all: readonly Series[], drop: Drop): void {
	const { blocks, sums } = segments;
	if (sums.prose.at(-1)! < OWN_PROSE) return;
	for (let i = 0; i < blocks.length; i++) {
		if ((blocks[i]!.box.around & TABLE) === 0 || !LABEL.test(blocks[i]!.text) || !isInLayout(segments, blocks[i]!.box))
			continue;
		let end = i + 1;
		while (end < blocks.length && blocks[end]!.linked > 0.8 * blocks[end]!.size.chars) end++;
		if (end > i + 1) drop(i, end);
		else if (blocks[i + 1] !== undefined && LABEL.test(blocks[i + 1]!.text)) drop(i, i + 1);
	}
	for (const { box, series } of all) {
		if ((box.around & TABLE) === 0 || series.length < FEWEST_IN_TABLE || !isInLayout(segments, box)) continue;
		const leading = series.filter((part) => isHeadline(blocks, part));
		if (leading.length < FEWEST_IN_TABLE || leading.length < 0.45 * series.length) continue;
		// Text below each headline is the beginning of that article.
		drop(startOfLabel(blocks, series[0]!.start), series.at(-1)!.end);
	}
}

/** Whether the outermost table around a part has running text next to it. */
function isInLayout({ sums }: Segments, box: Box): boolean {
	let table: Box | undefined;
	for (let up: Box | null = box; up !== null; up = up.parent) if (up.element.tag === 'table') table = up;
	return table !== undefined && within(sums.prose, table) - within(sums.prose, box) >= OWN_PROSE;
}

const FEWEST_IN_TABLE = 4;
const OWN_PROSE = 80;

const isHeadline = (blocks: readonly Block[], { start, end }: Box): boolean => {
	const first = blocks[start]!;
	return (
		end - start < 4 &&
		first.size.words >= LEAST_HEADLINE &&
		first.linked > 0.8 * first.size.chars &&
		linkOf(first) !== undefined
	);
};

const startOfLabel = (blocks: readonly Block[], start: number): number =>
	start > 0 && LABEL.test(blocks[start - 1]!.text) ? start - 1 : start;
