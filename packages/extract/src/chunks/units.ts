import { blocksIn, type MarkdownBlock } from './blocks.ts';
import type { Line } from './lines.ts';
import { isLowSurrogate, type Span, type TextCutter } from './sentences.ts';

/** The smallest part of a document that a chunk takes or leaves. */
export interface Unit extends Span {
	/** The table or the block of code that this is a part of, if that is larger than a chunk. */
	readonly whole?: Whole;
}

/** A table or a block of code that is cut, and what each chunk repeats of it. */
export interface Whole extends Span {
	readonly kind: 'table' | 'code';
	/** The header of the table, or the fence with its language; ends with a line feed. */
	readonly before: string;
	/** The end of the HTML table, or the fence; begins with a line feed. */
	readonly after: string;
}

export interface UnitContext {
	readonly markdown: string;
	readonly cutter: TextCutter;
	/** Whether a text is within the budget. */
	fits(text: string): boolean;
}

/** Beyond this nesting of lists and quotations their text is cut as text. */
const maxDepth = 10;

/** The parts of a block: itself where it fits, else its items, rows, lines, sentences, words. */
export function unitsOf(block: MarkdownBlock, context: UnitContext, depth = 0): Unit[] {
	const span = spanOf(block.lines);
	if (context.fits(context.markdown.slice(span.start, span.end))) return [span];
	switch (block.kind) {
		case 'container': {
			const blocks = depth < maxDepth ? blocksIn(block.inner) : [];
			if (blocks.length === 0) return textUnits(span, context);
			const units = blocks.flatMap((inner) => unitsOf(inner, context, depth + 1));
			return withMarks(units, span, context);
		}
		case 'table':
			return partsOf('table', block.lines, block.head, block.tail, '', context);
		case 'code':
			return partsOf('code', block.lines, 1, block.isClosed ? 1 : 0, block.isClosed ? '' : block.fence, context);
		case 'lines':
			return block.lines.flatMap((line) => textUnits(line, context));
		default:
			return textUnits(span, context);
	}
}

/** Marks of list items and quotations on lines without a block are parts of their own. */
function withMarks(units: readonly Unit[], span: Span, context: UnitContext): Unit[] {
	let at = span.start;
	return [...units, { start: span.end, end: span.end }].flatMap((unit) => {
		const gap = { start: at, end: unit.start };
		at = unit.end;
		const isEmpty = context.markdown.slice(gap.start, gap.end).trim() === '';
		return [...(isEmpty ? [] : textUnits(gap, context)), ...(unit.start === unit.end ? [] : [unit])];
	});
}

function spanOf(lines: readonly Line[]): Span {
	return { start: lines[0]!.start, end: lines.at(-1)!.end };
}

/** The text of units that follow each other, with what the chunk repeats of a table or block of code that it cuts. */
export function textOfUnits(markdown: string, first: Unit, last: Unit): string {
	const before = first.whole !== undefined && first.start > first.whole.start ? first.whole.before : '';
	const after = last.whole !== undefined && last.end < last.whole.end ? last.whole.after : '';
	return before + markdown.slice(first.start, last.end) + after;
}

/** Rows of a table or lines of code. The first part has the head, the last one the tail. */
function partsOf(
	kind: Whole['kind'],
	lines: readonly Line[],
	head: number,
	tail: number,
	closing: string,
	context: UnitContext,
): Unit[] {
	const { markdown, fits } = context;
	const span = spanOf(lines);
	const body = lines.slice(head, lines.length - tail);
	const closed = tail > 0 ? spanOf(lines.slice(-tail)) : undefined;
	const last = closed === undefined ? closing : markdown.slice(closed.start, closed.end);
	const whole: Whole = {
		...span,
		kind,
		before: `${markdown.slice(span.start, lines[head - 1]!.end)}\n`,
		after: last === '' ? '' : `\n${last}`,
	};
	// A header larger than a chunk cannot be repeated, nor can a part of a row stand below it.
	const bare: Whole = { ...whole, before: '', after: '' };
	if (body.length === 0 || !fits(whole.before + whole.after)) return textUnits(span, context, bare);
	const units: Unit[] = [];
	for (const [i, line] of body.entries()) {
		const isFirst = i === 0;
		const isLast = i === body.length - 1;
		if (!isFirst && !isLast && markdown.slice(line.start, line.end).trim() === '') continue;
		const part = { start: isFirst ? span.start : line.start, end: isLast ? span.end : line.end };
		const isFitting = fits(whole.before + markdown.slice(line.start, line.end) + whole.after);
		if (isFitting) units.push({ ...part, whole });
		else if (kind === 'table') units.push(...textUnits(part, context, bare));
		else units.push(...lineParts(line, part, whole, context));
	}
	return units;
}

/** A line of code that is larger than a chunk, between its words. */
function lineParts(line: Span, part: Span, whole: Whole, context: UnitContext): Unit[] {
	const { markdown, fits, cutter } = context;
	const fitsFramed = (text: string): boolean => fits(whole.before + text + whole.after);
	const cuts = cutText(markdown, line, cutter.words, fitsFramed, (span) => characters(markdown, span, fitsFramed));
	return cuts.map(({ start, end }, i) => ({
		start: i === 0 ? part.start : start,
		end: i === cuts.length - 1 ? part.end : end,
		whole,
	}));
}

/** Sentences; of one that is too large its words, of a word that is too large its characters. */
function textUnits(span: Span, { markdown, cutter, fits }: UnitContext, whole?: Whole): Unit[] {
	const byCharacters = (large: Span) => characters(markdown, large, fits);
	const byWords = (large: Span) => cutText(markdown, large, cutter.words, fits, byCharacters);
	const cuts = cutText(markdown, span, cutter.sentences, fits, byWords);
	return cuts.map(({ start, end }) => ({ start, end, ...(whole && { whole }) }));
}

/** The parts of a text without the white space around them; those that do not fit are cut further. */
function cutText(
	markdown: string,
	{ start, end }: Span,
	cut: (text: string) => Span[],
	fits: (text: string) => boolean,
	cutFurther: (large: Span) => Span[],
): Span[] {
	return cut(markdown.slice(start, end)).flatMap((span) => {
		const part = trimmed(markdown, { start: start + span.start, end: start + span.end });
		if (part.start === part.end) return [];
		return fits(markdown.slice(part.start, part.end)) ? [part] : cutFurther(part);
	});
}

function trimmed(markdown: string, { start, end }: Span): Span {
	const text = markdown.slice(start, end);
	const size = text.trimEnd().length;
	// The indent of a line belongs to it.
	return size === 0
		? { start, end: start }
		: { start: start + (/^\s*\n/.exec(text)?.[0].length ?? 0), end: start + size };
}

/** As many characters as fit, at least one. */
function characters(markdown: string, { start, end }: Span, fits: (text: string) => boolean): Span[] {
	const spans: Span[] = [];
	let size = end - start;
	for (let from = start; from < end; ) {
		let to = characterEnd(markdown, Math.min(end, from + size), from, end);
		while (!fits(markdown.slice(from, to))) {
			const less = characterEnd(markdown, from + Math.floor((to - from) / 2), from, end);
			if (less >= to) break;
			to = less;
		}
		spans.push({ start: from, end: to });
		size = Math.max(1, to - from);
		from = to;
	}
	return spans;
}

/** The end of a character at or before `at`, but behind `from`. */
function characterEnd(markdown: string, at: number, from: number, end: number): number {
	const before = isLowSurrogate(markdown, at) ? at - 1 : at;
	if (before > from) return before;
	return Math.min(end, from + (isLowSurrogate(markdown, from + 1) ? 2 : 1));
}
