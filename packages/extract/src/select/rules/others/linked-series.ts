import type { Segments } from '../../read/blocks.ts';
import type { Block, Box } from '../../read/box.ts';
import type { Facts } from '../../read/facts.ts';
import { within } from '../../read/sums.ts';
import { rankOf } from '../../read/title-block.ts';
import { flatWords } from '../../read/words.ts';
import type { PageKind } from '../page-kind.ts';
import { isAbout, leadsElsewhere, minHeadline, targets } from './links.ts';
import { articleWords } from './replies.ts';
import type { Drop, Series } from './series.ts';

/** This many similar parts that link elsewhere are a rail next to an article or a shelf below a product. */
const minHeadlines = 6;
const minProducts = 4;
const leadingShare = 0.75;
/** The fewest words of a product name. */
const minTitle = 2;

/** Rails of headlines next to an article, shelves of products below a product. */
export function dropLinkedSeries(
	segments: Segments,
	all: readonly Series[],
	facts: Facts,
	{ isProduct }: PageKind,
	drop: Drop,
): void {
	const { blocks, sums } = segments;
	// Without a declared product the series may be the list that the page is about.
	if (isProduct && !facts.schemaTypes.has('product')) return;
	const title = titlePlace(blocks, facts);
	const fewest = isProduct ? minProducts : minHeadlines;
	const least = isProduct ? minTitle : minHeadline;
	for (const { box, series } of all) {
		if (title >= box.start && title < box.end) continue;
		if (series.length < fewest || (isProduct && box.start < title)) continue;
		const leading = series.filter((part) => leadsElsewhere(blocks, part, least));
		if (leading.length < leadingShare * series.length || targets(blocks, leading).size < leadingShare * leading.length)
			continue;
		if (!isProduct && within(sums.linked, box) < 0.6 * within(sums.chars, box)) continue;
		if (isProduct && !areCards(segments, series)) continue;
		if (ownProse(segments, box) < (isProduct ? minProduct : articleWords)) continue;
		drop(startWithHeading(blocks, box), box.end);
	}
}

/** Words of running text outside a part. */
const ownProse = ({ sums }: Segments, box: Box): number => sums.prose.at(-1)! - within(sums.prose, box);

/** Short parts, most of which show a price. */
function areCards({ blocks, sums }: Segments, series: readonly Box[]): boolean {
	if (series.some((part) => within(sums.words, part) > maxCard)) return false;
	const end = series.at(-1)!.parent?.end ?? series.at(-1)!.end;
	let prices = 0;
	for (let i = series[0]!.start; i < end; i++) if (price.test(blocks[i]!.text)) prices++;
	return prices >= 0.6 * series.length;
}

/** An amount with its currency before or after it. */
const price =
	/(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|Kč|kr|zł|лв)\b\.?)\s?\d|\d\s?(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|Kč|kr|zł|лв)\b)/;

/** The most words of a card, and the least of a product description. */
const maxCard = 60;
const minProduct = 30;

/** The start of a part, including the heading directly before it. */
function startWithHeading(blocks: readonly Block[], { start, parent }: Box): number {
	const before = blocks[start - 1];
	if (before === undefined || before.size.words > maxHeading) return start;
	return rankOf(before) > 1 && before.box.parent === parent ? start - 1 : start;
}

const maxHeading = 8;

function titlePlace(blocks: readonly Block[], { titles }: Facts): number {
	const wanted = titles.map((title) => flatWords(title).join(' '));
	const isTitle = ({ text }: Block): boolean => wanted.some((title) => isAbout(title, flatWords(text).join(' ')));
	const exact = blocks.findIndex((block) => rankOf(block) > 0 && isTitle(block));
	return exact >= 0 ? exact : blocks.findIndex((block) => rankOf(block) === 1);
}
