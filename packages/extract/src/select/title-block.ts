import type { Block } from './blocks.ts';
import { cut, FlatWords, flatWords } from './words.ts';

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
export function findTitle(blocks: readonly Block[], titles: readonly string[]): number {
	const wanted = titles.map((title) => flatWords(title).join(' ')).filter((title) => title.length > 3);
	let best = -1;
	let score = 0;
	for (let i = 0; i < blocks.length; i++) {
		const block = blocks[i]!;
		if (block.box.hidden || block.size.chars > 300) continue;
		const level = rankOf(block);
		if (level !== 1 && !canMatch(wanted, block.text)) continue;
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

const reader = new FlatWords();

/** Whether a text may be in one of the titles or begin with it: most are told apart by their first word. */
function canMatch(titles: readonly string[], text: string): boolean {
	if (titles.length === 0) return false;
	reader.begin(text);
	if (!reader.next()) return false;
	const first = cut(reader);
	return titles.some((title) => title.includes(first) || first.startsWith(title));
}
