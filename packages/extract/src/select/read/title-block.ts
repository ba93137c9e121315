import { lower } from '../../dom/hash-places.ts';
import type { Segments } from './blocks.ts';
import type { Block } from './box.ts';
import { endOf, type PageWords, startOf } from './page-words.ts';
import { flatWords } from './words.ts';

const headings: ReadonlyMap<string, number> = new Map([
	['h1', 1],
	['h2', 2],
	['h3', 3],
	['h4', 4],
	['h5', 5],
	['h6', 6],
]);

/** The level of a heading; 0 for other blocks. */
export const rankOf = ({ box }: Block): number => headings.get(box.element.tag) ?? 0;

/** The block that shows the page's title, or -1: the best match of `<title>` and og:title, headings first. */
export function findTitle({ blocks, words }: Segments, titles: readonly string[]): number {
	const wanted = titles.map((title) => flatWords(title).join(' ')).filter((title) => title.length > 3);
	const pairs = pairsOf(wanted);
	let best = -1;
	let score = 0;
	for (let i = 0; i < blocks.length; i++) {
		const block = blocks[i]!;
		if (block.box.hidden || block.size.chars > 300) continue;
		const level = rankOf(block);
		if (level !== 1 && !canMatch(wanted, pairs, words, i)) continue;
		const text = flatWords(block.text).join(' ');
		if (text.length < 4) continue;
		let value = level === 1 ? 0.5 : 0;
		for (const title of wanted) {
			if (title === text) value += 2;
			else if (title.startsWith(text) || text.startsWith(title)) {
				value += 1 + Math.min(text.length, title.length) / Math.max(text.length, title.length);
			} else if (title.includes(text) && text.length > 12) value += 0.8;
		}
		if (level > 0) value *= 1.5;
		if (value > score) {
			score = value;
			best = i;
		}
	}
	return best;
}

/** Two neighbouring characters as a number. */
const pairOf = (text: string, at: number): number =>
	(lower(text.charCodeAt(at)) << 16) | lower(text.charCodeAt(at + 1));

function pairsOf(titles: readonly string[]): Set<number> {
	const pairs = new Set<number>();
	for (const title of titles) for (let at = 0; at + 1 < title.length; at++) pairs.add(pairOf(title, at));
	return pairs;
}

/**
 * Whether a text may be in one of the titles or begin with it: the first word decides for most.
 *
 * @param pairs all pairs of characters of the titles
 */
function canMatch(titles: readonly string[], pairs: ReadonlySet<number>, words: PageWords, block: number): boolean {
	const { starts, spans } = words.read();
	const first = starts[block]!;
	if (titles.length === 0 || first === starts[block + 1]) return false;
	const text = words.textOf(block);
	const start = startOf(spans[first]!);
	const end = endOf(spans[first]!);
	if (end - start > 1 && !pairs.has(pairOf(text, start))) return false;
	const word = text.slice(start, end).toLowerCase();
	return titles.some((title) => title.includes(word) || word.startsWith(title));
}
