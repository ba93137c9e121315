import { plainText, type Words, wordsOf } from './join.ts';
import type { Block, Line } from './types.ts';

/** What is known of the whole file when its lines become blocks. */
export interface Style {
	/** Size of its running text. */
	readonly body: number;
	readonly words: Words;
	/** Levels of headings by their text, from the bookmarks. */
	readonly outline: ReadonlyMap<string, number>;
	/** Sizes of headings, largest first. */
	readonly sizes: readonly number[];
	/** Of sizes whose headings are upright and italic: which come first in the file. */
	readonly slants: ReadonlyMap<number, readonly boolean[]>;
	/** The largest size of a line in bold, above that of the text. */
	readonly bold: number;
	/** Sizes whose lines head parts of the text although they are not bold, and larger ones are. */
	readonly light: ReadonlySet<number>;
	/** Left ends of the columns of the table with which the page before ends. */
	readonly columns?: readonly number[];
	/** Usual distance of baselines in running text, in sizes of text. */
	readonly leading: number;
}

export interface OutlineEntry {
	readonly title: string;
	readonly level: number;
}

/** Text as headings and bookmarks are compared. */
export const comparable = (text: string): string =>
	text
		.normalize('NFKC')
		.replace(/[^\p{L}\p{N}]+/gu, '')
		.toLowerCase();

export const rounded = (size: number): number => Math.round(size * 2) / 2;

/** A line that is larger than the text, if it is one, has at least this part of its size more. */
export const largerBy = 1.09;

export function styleOf(lines: readonly Line[], outline: readonly OutlineEntry[]): Style {
	const counts = new Map<number, number>();
	for (const { segments } of lines)
		for (const { size, text, typeface } of segments)
			if (!typeface.mono) counts.set(rounded(size), (counts.get(rounded(size)) ?? 0) + text.length);
	const body = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
	const larger = lines.filter(({ size, text }) => size >= body * largerBy && /[\p{L}\p{N}]/u.test(text));
	const bold = larger.reduce((most, line) => (isBold(line) ? Math.max(most, line.size) : most), 0);
	const largest = larger.reduce((most, { size }) => Math.max(most, size), 0);
	const light = lightHeadings(lines, body);
	const large = larger.filter((line) => canHead(line, { bold, sizes: [largest], light }));
	const sizes = sizesOf(large);
	return {
		body,
		words: wordsOf(lines.map(withoutEnds), dividesWords(lines)),
		outline: new Map(outline.map(({ title, level }) => [comparable(title), level])),
		sizes,
		slants: slantsOf(large, sizes),
		bold,
		light,
		leading: leadingOf(lines, body),
	};
}

/** Lines with a hyphen at their end, as a part of all: compounds alone give less than one of fifty. */
const hyphenEnds = 0.025;

const dividesWords = (lines: readonly Line[]): boolean =>
	lines.filter(({ text }) => /\p{L}[-\u2010\u00ad]$/u.test(text)).length > lines.length * hyphenEnds;

/** Words at the ends of lines may be parts only. */
function withoutEnds({ text }: Line): string {
	return text.replace(/^\S+/, '').replace(/\S+$/, (last) => (/[-\u2010\u00ad]$/.test(last) ? '' : last));
}

function sizesOf(large: readonly Line[]): number[] {
	const sizes = [...new Set(large.map(({ size }) => rounded(size)))].sort((a, b) => b - a);
	const kept: number[] = [];
	for (const size of sizes) if (kept.length === 0 || kept.at(-1)! - size > kept.at(-1)! * 0.045) kept.push(size);
	return kept.slice(0, 6);
}

function leadingOf(lines: readonly Line[], body: number): number {
	const gaps = new Map<number, number>();
	for (let at = 1; at < lines.length; at++) {
		const [above, below] = [lines[at - 1]!, lines[at]!];
		if (rounded(above.size) !== body || rounded(below.size) !== body) continue;
		const gap = Math.round(((below.y - above.y) / body) * 20) / 20;
		if (gap > 0.9 && gap < 2.6) gaps.set(gap, (gaps.get(gap) ?? 0) + 1);
	}
	return [...gaps].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 1.2;
}

export const isBold = ({ segments }: Pick<Line, 'segments'>): boolean =>
	segments.every(({ typeface, shift }) => typeface.bold || shift !== undefined);

export const isItalic = ({ segments }: Pick<Line, 'segments'>): boolean =>
	segments.every(({ typeface }) => typeface.italic);

/** Names and dates below a title are larger than the text, but neither bold, as headings of that size are, nor the title. */
export const canHead = (line: Line, { bold, sizes, light }: Pick<Style, 'bold' | 'sizes' | 'light'>): boolean =>
	line.size > bold * 1.01 || line.size >= (sizes[0] ?? 0) * 0.965 || isBold(line) || light.has(rounded(line.size));

/** Lines of running text that stand between two headings of one size, at least. */
const apart = 4;

/** Sizes of larger lines that come back in the middle of the text: names and dates below a title do not. */
function lightHeadings(lines: readonly Line[], body: number): Set<number> {
	const last = new Map<number, number>();
	const found = new Set<number>();
	let text = 0;
	for (const line of lines) {
		const { size, text: words } = line;
		if (size < body * largerBy) text += rounded(size) === body ? 1 : 0;
		else if (!isBold(line) && /\p{L}/u.test(words) && !/[.,;:]$/.test(words)) {
			const key = rounded(size);
			if (text - (last.get(key) ?? text) >= apart) found.add(key);
			last.set(key, text);
		}
	}
	return found;
}

const placeOf = (size: number, sizes: readonly number[]): number => sizes.findIndex((known) => size >= known * 0.965);

/** Sizes of which some headings are italic, and some are not: two levels. */
function slantsOf(large: readonly Line[], sizes: readonly number[]): Map<number, boolean[]> {
	const slants = new Map<number, boolean[]>();
	for (const line of large) {
		const size = sizes[placeOf(line.size, sizes)];
		if (size === undefined || !isBold(line)) continue;
		const known = slants.get(size) ?? [];
		if (!known.includes(isItalic(line))) slants.set(size, [...known, isItalic(line)]);
	}
	return slants;
}

/** Level of a heading by its place among the sizes; text that is only bold comes after all larger ones. */
export function levelOf(size: number, { sizes, slants, body }: Style, italic = false): number {
	const levels = sizes.map((known) => Math.max(1, slants.get(known)?.length ?? 1));
	const at = size < body * largerBy ? -1 : placeOf(size, sizes);
	const before = levels.slice(0, at < 0 ? sizes.length : at).reduce((sum, count) => sum + count, 0);
	const slant = at < 0 ? 0 : Math.max(0, slants.get(sizes[at]!)?.indexOf(italic) ?? 0);
	return Math.min(6, before + slant + 1);
}

export function isHeading(block: Block): block is Extract<Block, { kind: 'heading' }> {
	return block.kind === 'heading' && plainText(block.content).trim() !== '';
}
