import { joinLines } from './join.ts';
import type { Style } from './style.ts';
import type { Block, Inline, Line, Segment } from './types.ts';

/** The mark of a footnote, at its start and in the text. */
const mark = /^(?:\[?(\d{1,3})\]?|([*†‡§¶]))[.)]?$/u;
const smaller = 0.95;

export interface PageNotes {
	/** Their lines are no part of the text. */
	readonly lines: ReadonlySet<Line>;
	readonly notes: readonly { readonly label: string; readonly lines: readonly Line[] }[];
}

/** Footnotes at the end of a page: small text whose first line begins with a raised mark that the text has too. */
export function notesOf(lines: readonly Line[], height: number, style: Style): PageNotes {
	const marks = new Set(lines.flatMap((line) => marksIn(line, style)));
	const small = trailing(lines, height, style);
	const starts = noteStarts(small, marks);
	const notes: { label: string; lines: Line[] }[] = [];
	for (const [at, line] of small.entries()) {
		const start = starts[at];
		if (start !== undefined) notes.push({ label: start.label, lines: [start.rest] });
		else notes.at(-1)?.lines.push(line);
	}
	const first = starts.findIndex((start) => start !== undefined);
	return notes.length === 0 ? { lines: new Set(), notes: [] } : { lines: new Set(small.slice(first)), notes };
}

/** Where notes begin: with a mark of the text, or with the number before the next note's: its mark is on the page before. */
function noteStarts(small: readonly Line[], marks: ReadonlySet<string>): ReturnType<typeof beginning>[] {
	let next: string | undefined;
	return small
		.map(beginning)
		.reverse()
		.map((start) => {
			const isNote = start !== undefined && (marks.has(start.label) || String(Number(start.label) + 1) === next);
			if (isNote) next = start.label;
			return isNote ? start : undefined;
		})
		.reverse();
}

/** Raised marks, and numbers directly behind a word: some programs do not raise them. */
function marksIn({ segments, size, text }: Line, { body }: Style): string[] {
	const raised = segments.filter(({ shift }) => shift === 'sup').map((segment) => labelOf(segment.text));
	if (size < body * smaller) return raised;
	return [...raised, ...(text.match(/(?<=[\p{L}.,;:!?)”"])\d{1,3}(?!\d)/gu) ?? [])];
}

const labelOf = (text: string): string => {
	const [, digits, sign] = mark.exec(text.trim()) ?? [];
	return digits ?? sign ?? '';
};

/** Lines at the end of the page that are smaller than the text. */
function trailing(lines: readonly Line[], height: number, { body }: Style): Line[] {
	const sorted = [...lines].sort((a, b) => a.y - b.y);
	let from = sorted.length;
	while (from > 0 && sorted[from - 1]!.size < body * smaller && sorted[from - 1]!.y > height * 0.3) from--;
	return sorted.slice(from);
}

function beginning(line: Line): { readonly label: string; readonly rest: Line } | undefined {
	const [first, ...others] = line.segments as [Segment, ...Segment[]];
	const label = labelOf(first.text);
	if (label !== '' && others.length > 0) return { label, rest: { ...line, segments: others } };
	const [found, digits] = /^(\d{1,3})[.)]?\s+(?=\S)/.exec(first.text) ?? [];
	if (found === undefined || digits === undefined) return undefined;
	return {
		label: digits,
		rest: { ...line, segments: [{ ...first, text: first.text.slice(found.length) }, ...others] },
	};
}

export function noteBlocks({ notes }: PageNotes, page: number, style: Style): Block[] {
	return notes.map(({ label, lines }) => ({
		kind: 'note',
		label: noteLabel(page, label),
		content: joinLines(lines, style.words),
	}));
}

/** Numbers may begin again on each page. */
export const noteLabel = (page: number, label: string): string => `${page}-${label}`;

/** Raised marks of footnotes of this page become references. */
export function referenceNotes(blocks: readonly Block[], labels: ReadonlySet<string>, page: number): Block[] {
	return blocks.map((block): Block => {
		if (block.kind === 'paragraph' || block.kind === 'heading')
			return { ...block, content: referenced(block.content, labels, page) };
		if (block.kind === 'list')
			return { ...block, items: block.items.map((item) => referenceNotes(item, labels, page)) };
		if (block.kind !== 'table') return block;
		const rows = block.rows.map((row) =>
			row.map((cell) => ({ ...cell, blocks: referenceNotes(cell.blocks, labels, page) })),
		);
		return { ...block, rows };
	});
}

const referenced = (content: readonly Inline[], labels: ReadonlySet<string>, page: number): Inline[] =>
	content.map((piece) => {
		if (!('text' in piece) || piece.shift !== 'sup') return piece;
		const label = labelOf(piece.text);
		return labels.has(label) ? { text: piece.text, note: noteLabel(page, label) } : piece;
	});
