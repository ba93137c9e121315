import type { Known, KnownBlock } from './known.ts';
import { plain } from './write.ts';

export interface Score {
	readonly words: number;
	readonly headings: number;
	readonly tables: number;
}

/** Scripts without spaces count by characters. */
const token = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu;

export const tokens = (text: string): string[] => text.normalize('NFKC').match(token) ?? [];

/** Markdown as text: without links, anchors, marks of footnotes and markup. */
export function textOf(markdown: string): string {
	return markdown
		.replace(/<a id="[^"]*"><\/a>/g, '')
		.replace(/<(?:sup|sub)>\s*\[?\d{1,3}\]?\s*<\/(?:sup|sub)>/g, '')
		.replace(/\[\^[^\]]{1,12}\]:?/g, '')
		.replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/\[([^\]]*)\]\((?:[^()\s]|\([^)]*\))*\)/g, '$1')
		.replace(/<[^>]{1,80}>/g, ' ')
		.replace(/^\s*\d{1,3}[.)]\s+/gm, ' ')
		.replace(/^\|?(?:\s*:?-{3,}:?\s*\|?)+$/gm, ' ')
		.replace(/\\([!-/:-@[-`{-~])/g, '$1')
		.replace(/(?<=[\p{L}\p{N}\p{P}])[*_`]+|[*_`]+(?=[\p{L}\p{N}\p{P}])/gu, '');
}

/** Longest common subsequence, as a part of both: words in place. */
export function inOrder(expected: readonly string[], found: readonly string[]): number {
	if (expected.length + found.length === 0) return 1;
	let row = new Uint32Array(found.length + 1);
	for (const word of expected) {
		const next = new Uint32Array(found.length + 1);
		for (let at = 1; at <= found.length; at++)
			next[at] =
				word === found[at - 1] ? (row[at - 1] as number) + 1 : Math.max(next[at - 1] as number, row[at] as number);
		row = next;
	}
	return (2 * (row[found.length] as number)) / (expected.length + found.length);
}

function knownText(known: Known): string {
	const text = (block: KnownBlock): string => {
		switch (block.kind) {
			case 'heading':
				return block.text;
			case 'paragraph':
			case 'quote':
				return plain(block.content);
			case 'list':
				return block.items.map(({ content, inner }) => [plain(content), ...inner].join('\n')).join('\n');
			case 'table':
				return block.rows.map((row) => row.join(' ')).join('\n');
			case 'code':
				return block.text;
			case 'image':
				return '';
		}
	};
	return known.blocks.map(text).join('\n');
}

/** Footnotes stand in different places: each counts wherever it is, its words in order. */
function withoutNotes(
	found: string[],
	known: Known,
): { readonly rest: string[]; readonly noted: number; readonly total: number } {
	let rest = found;
	let [noted, total] = [0, 0];
	for (const note of known.notes) {
		const words = tokens(note);
		total += words.length;
		const at = placeOf(words, rest);
		if (at < 0) continue;
		rest = [...rest.slice(0, at), ...rest.slice(at + words.length)];
		noted += words.length;
	}
	return { rest, noted, total };
}

function placeOf(words: readonly string[], text: readonly string[]): number {
	for (let at = 0; at + words.length <= text.length; at++)
		if (words.every((word, i) => text[at + i] === word)) return at;
	return -1;
}

const normal = (text: string): string => tokens(textOf(text)).join(' ');

export function score(known: Known, markdown: string): Score {
	const images = known.blocks.flatMap((block) => (block.kind === 'image' ? [block.alt] : []));
	// The text of a picture may stand where the picture does.
	let text = textOf(markdown);
	for (const alt of images) text = text.replace(alt, '');
	const { rest, noted, total } = withoutNotes(tokens(text), known);
	const expected = tokens(knownText(known));
	const order = inOrder(expected, rest);
	const words = (order * expected.length + noted) / (expected.length + total);
	return { words, headings: headingScore(known, markdown), tables: tableScore(known, markdown) };
}

function headingScore(known: Known, markdown: string): number {
	const code = markdown.replace(/^(`{3,})[\s\S]*?^\1/gm, '');
	const found = [...code.matchAll(/^(#{1,6})\s+(.*)$/gm)].map(
		([, marks = '', text = '']) => `${marks.length} ${normal(text)}`,
	);
	const expected = known.blocks.flatMap((block) =>
		block.kind === 'heading' ? [`${block.level} ${normal(block.text)}`] : [],
	);
	return inOrder(expected, found);
}

/** Tables of Markdown, and of HTML inside of it, as rows of cells. */
export function tablesIn(markdown: string): string[][][] {
	const tables: string[][][] = [];
	let rows: string[][] = [];
	const flush = () => {
		if (rows.length > 0) tables.push(rows);
		rows = [];
	};
	for (const line of markdown.replace(/^<table>[\s\S]*?<\/table>/gm, '').split('\n')) {
		const trimmed = line.replace(/^(?:\s*<a id="[^"]*"><\/a>)+/, '').trim();
		if (/^\|.*\|$/.test(trimmed)) {
			const cells = trimmed
				.slice(1, -1)
				.split(/(?<!\\)\|/)
				.map((cell) => normal(cell.replace(/<br>/g, ' ')));
			if (!/^\|[\s|:-]+\|$/.test(trimmed)) rows.push(cells);
		} else flush();
	}
	flush();
	for (const [html] of markdown.matchAll(/<table>[\s\S]*?<\/table>/g))
		tables.push(
			[...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
				[...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => normal(cell)),
			),
		);
	return tables;
}

/** Cells in place, of all that are expected or found in tables; undefined where there are none. */
function tableScore(known: Known, markdown: string): number {
	const expected = known.blocks.flatMap((block) =>
		block.kind === 'table' ? [block.rows.map((row) => row.map(normal))] : [],
	);
	if (expected.length === 0) return Number.NaN;
	const found = tablesIn(markdown);
	let [right, all] = [0, 0];
	const left = new Set(found.keys());
	for (const table of expected) {
		const cells = table.flat().length;
		let [best, place] = [0, -1];
		for (const at of left) {
			const same = table.flatMap((row, r) => row.filter((cell, c) => found[at]?.[r]?.[c] === cell)).length;
			if (same > best) [best, place] = [same, at];
		}
		right += 2 * best;
		all += cells + (place < 0 ? 0 : (found[place]?.flat().length ?? 0));
		left.delete(place);
	}
	// A reader that makes a table where the document has none loses as much as one that misses a table.
	for (const at of left) all += found[at]?.flat().length ?? 0;
	return all === 0 ? 1 : right / all;
}
