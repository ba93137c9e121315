import { joinLines } from './join.ts';
import type { Style } from './style.ts';
import type { Block, Inline, Line, Segment } from './types.ts';

/** The mark of a footnote, at its start and in the text. */
const mark = /^(?:\[?(\d{1,3})\]?|([*†‡§¶]))[.)]?$/u;
const smaller = 0.95;
/** Lines of a note that another column has, at most. */
const maxRest = 12;

export interface PageNotes {
	/** Their lines are no part of the text. */
	readonly lines: ReadonlySet<Line>;
	readonly notes: readonly { readonly label: string; readonly lines: readonly Line[] }[];
}

/** Footnotes at the end of a page, or of each of its columns: small text whose first line begins with a raised mark that the text has too. */
export function notesOf(columns: readonly (readonly Line[])[], height: number, style: Style): PageNotes {
	const marks = new Set(columns.flat().flatMap((line) => marksIn(line, style)));
	const notes: { label: string; lines: Line[] }[] = [];
	const all = columns.flatMap((lines) => {
		const small = trailing(lines, height, style);
		const found = notesBelow(small, marks);
		const rest = restOf(notes.at(-1)?.lines.at(-1), small, found.lines.size);
		notes.at(-1)?.lines.push(...rest);
		notes.push(...found.notes);
		return [...rest, ...found.lines];
	});
	return { lines: new Set(all), notes };
}

/** Lines above the notes of a column with which the last note of the column before ends. */
function restOf(last: Line | undefined, small: readonly Line[], noted: number): readonly Line[] {
	if (last === undefined || /[.!?:"”»)\]。！？]$/u.test(last.text)) return [];
	const rest = small.slice(0, small.length - noted);
	const isOne = rest.every((line) => Math.abs(line.size - last.size) < 0.3);
	return isOne && rest.length <= maxRest ? rest : [];
}

function notesBelow(small: readonly Line[], marks: ReadonlySet<string>) {
	const starts = noteStarts(small, marks);
	const notes: { label: string; lines: Line[] }[] = [];
	for (const [at, line] of small.entries()) {
		const start = starts[at];
		if (start !== undefined) notes.push({ label: start.label, lines: [start.rest] });
		else notes.at(-1)?.lines.push(line);
	}
	const first = starts.findIndex((start) => start !== undefined);
	return { lines: new Set(first < 0 ? [] : small.slice(first)), notes };
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
	if (labels.size === 0) return [...blocks];
	// An exponent has the look of a mark: it is one only where no other place has that mark.
	const clear = new Set<string>();
	mapContent(blocks, (content) => {
		for (const [at, piece] of content.entries())
			if (isRaised(piece) && !isExponent(content, at)) clear.add(labelOf(piece.text));
		return content;
	});
	const linked = new Set<string>();
	const raised = mapContent(blocks, (content) =>
		content.map((piece, at) => {
			if (!isRaised(piece)) return piece;
			const label = labelOf(piece.text);
			if (!labels.has(label) || (clear.has(label) && isExponent(content, at))) return piece;
			linked.add(label);
			return { text: piece.text, note: noteLabel(page, label) };
		}),
	);
	const free = [...labels].filter((label) => /^\d+$/.test(label) && !linked.has(label));
	return free.length === 0 ? raised : mapContent(raised, (content) => unraised(content, free, page));
}

/** Numbers directly behind a word that are the next marks of notes, taken from the list of those that are left. */
function unraised(content: Content, free: string[], page: number): Inline[] {
	return content.flatMap((piece): Inline[] => {
		if (!('text' in piece) || piece.note !== undefined || piece.shift !== undefined) return [piece];
		const parts: Inline[] = [];
		let rest = piece.text;
		for (let label = free[0]; label !== undefined; label = free[0]) {
			const [before] =
				new RegExp(`^.*?[\\p{L}.,;:!?)”"](?=${label}(?![\\p{N}.,]\\p{N}|\\p{N}|\\p{L}))`, 'su').exec(rest) ?? [];
			if (before === undefined) break;
			free.shift();
			parts.push({ ...piece, text: before }, { text: label, note: noteLabel(page, label) });
			rest = rest.slice(before.length + label.length);
		}
		return rest === '' && parts.length > 0 ? parts : [...parts, { ...piece, text: rest }];
	});
}

type Content = readonly Inline[];

function mapContent(blocks: readonly Block[], change: (content: Content) => Content): Block[] {
	return blocks.map((block): Block => {
		if (block.kind === 'paragraph' || block.kind === 'heading') return { ...block, content: change(block.content) };
		if (block.kind === 'list') return { ...block, items: block.items.map((item) => mapContent(item, change)) };
		if (block.kind !== 'table') return block;
		const rows = block.rows.map((row) => row.map((cell) => ({ ...cell, blocks: mapContent(cell.blocks, change) })));
		return { ...block, rows };
	});
}

type Raised = Extract<Inline, { readonly text: string }>;

const isRaised = (piece: Inline): piece is Raised => 'text' in piece && piece.shift === 'sup';

/** Behind a number, or a letter that stands alone or is italic: a power. */
function isExponent(content: Content, at: number): boolean {
	const before = content[at - 1];
	if (before === undefined || !('text' in before)) return false;
	const isVariable = before.italic === true && /(?:^|[^\p{L}])\p{L}{1,2}$/u.test(before.text);
	return isVariable || /\p{N}$|(?:^|[^\p{L}])\p{L}$/u.test(before.text);
}
