import { isInFurniture } from '../../read/around.ts';
import type { Segments } from '../../read/blocks.ts';
import type { Block, Box } from '../../read/box.ts';
import type { Facts } from '../../read/facts.ts';
import { kindBit } from '../../read/hints.ts';
import { within } from '../../read/sums.ts';
import { rankOf } from '../../read/title-block.ts';
import { flatWords } from '../../read/words.ts';
import { isAbout, linkOf } from './links.ts';
import type { Drop } from './series.ts';

const minWords = 40;
const entryBit = kindBit('content');

/** Of several whole articles, all but the one that the address or the title of the page names. */
export function dropOtherArticles(segments: Segments, facts: Facts, drop: Drop): void {
	const { blocks, boxes } = segments;
	const groups = new Map<Box | null, Box[]>();
	for (const box of boxes) {
		if (!isWholeArticle(segments, box)) continue;
		const group = groups.get(box.parent);
		if (group === undefined) groups.set(box.parent, [box]);
		else group.push(box);
	}
	for (const group of groups.values()) {
		if (group.length < 2) continue;
		const own = group.filter((box) => isOfPage(blocks, box, facts));
		if (own.length !== 1) continue;
		for (const box of group) if (box !== own[0]) drop(box.start, box.end);
	}
}

function isWholeArticle({ blocks, sums }: Segments, box: Box): boolean {
	const { element, names, start, end } = box;
	const isNamed =
		element.tag === 'article' || (/^(?:section|div)$/.test(element.tag) && (names.kinds & entryBit) !== 0);
	if (!isNamed || isInFurniture(box) || within(sums.prose, box) < minWords) return false;
	for (let i = start; i < end && i < start + 5; i++) {
		const rank = rankOf(blocks[i]!);
		if (rank === 1 || (rank === 2 && element.tag === 'article')) return true;
	}
	return false;
}

/** Its heading is the title of the page, or an address in its attributes or its heading is that of the page. */
function isOfPage(blocks: readonly Block[], { element, start, end }: Box, facts: Facts): boolean {
	for (const [name, value] of Object.entries(element.attributes))
		if (name.startsWith('data-') && value.length < 500 && isAddressOf(value, facts)) return true;
	const wanted = facts.titles.map((title) => flatWords(title).join(' '));
	for (let i = start; i < end && i < start + 5; i++) {
		const block = blocks[i]!;
		if (rankOf(block) === 0) continue;
		const href = linkOf(block);
		if (href !== undefined) return isAddressOf(href, facts);
		const text = flatWords(block.text).join(' ');
		return wanted.some((title) => isAbout(title, text));
	}
	return false;
}

function isAddressOf(address: string, { path }: Facts): boolean {
	const own = address
		.replace(/^(?:https?:)?\/\/[^/]+/i, '')
		.replace(/[?#].*$/, '')
		.replace(/\/$/, '')
		.toLowerCase();
	return own !== '' && own.startsWith('/') && own === path.replace(/\/$/, '');
}
