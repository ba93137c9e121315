import type { Block } from './blocks.ts';
import { ratio } from './sums.ts';
import { flatWords } from './words.ts';

const HEADINGS: ReadonlyMap<string, number> = new Map([
	['h1', 1],
	['h2', 2],
	['h3', 3],
	['h4', 4],
	['h5', 5],
	['h6', 6],
]);

/** The level of a heading; 0 for other blocks. */
export const rankOf = ({ box }: Block): number => HEADINGS.get(box.element.tag) ?? 0;

/** The block that shows the page's title, or -1: the best match of `<title>` and og:title, headings first. */
export function findTitle(
	blocks: readonly Block[],
	words: readonly (readonly string[])[],
	titles: readonly string[],
): number {
	const wanted = titles.map((title) => flatWords(title).join(' ')).filter((title) => title.length > 3);
	let best = -1;
	let score = 0;
	for (let i = 0; i < blocks.length; i++) {
		const block = blocks[i]!;
		if (block.box.hidden || block.size.chars > 300) continue;
		const level = rankOf(block);
		if (level === 0 && wanted.length === 0) continue;
		if (level !== 1 && !wanted.some((title) => canMatch(title, words[i]![0]))) continue;
		const text = words[i]!.join(' ');
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

/** Whether a text with this first word may be in the title or begin with it: most are told apart by that. */
const canMatch = (title: string, first: string | undefined): boolean =>
	first !== undefined && (title.includes(first) || first.startsWith(title));

/** The share of words that are among these. */
export function overlap(words: readonly string[], among: ReadonlySet<string>): number {
	if (among.size === 0) return 0;
	let hits = 0;
	for (const word of words) if (among.has(word)) hits++;
	return ratio(hits, words.length);
}
