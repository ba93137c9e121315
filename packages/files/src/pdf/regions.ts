import { linesOf } from './lines.ts';
import type { Line, Rule, Segment } from './types.ts';

/** A part of a page in the order of reading. */
export type Region =
	| { readonly kind: 'lines'; readonly lines: readonly Line[]; readonly x0: number; readonly x1: number }
	| { readonly kind: 'table'; readonly rows: readonly (readonly Segment[])[][] };

/** Sizes of text that a white strip between two columns has at least. */
const leastGutter = 0.8;
/** Lines that each of two columns has at least. */
const leastLines = 2;
const maxDepth = 12;

/** A marker of a list, alone in its segment. */
export const lonelyMarker = /^(?:[•◦▪▫■□‣⁃●○∙·*–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\[\d{1,3}\])$/iu;

/**
 * Takes a page apart into columns, tables and the lines between them (a recursive cut along white strips). The order
 * in which the file paints the text tells columns of text, painted one after the other, from rows of a table.
 */
export function regionsOf(segments: readonly Segment[], rules: readonly Rule[], depth = 0): Region[] {
	if (segments.length === 0) return [];
	const rows = rowsOf(segments);
	const strip = depth < maxDepth ? bestStrip(rows) : undefined;
	if (strip === undefined) {
		const [x0, x1] = [Math.min(...segments.map((s) => s.x0)), Math.max(...segments.map((s) => s.x1))];
		return [{ kind: 'lines', lines: linesOf(segments), x0, x1 }];
	}
	const [above, inside, below] = [
		rows.slice(0, strip.from).flat(),
		rows.slice(strip.from, strip.to),
		rows.slice(strip.to).flat(),
	];
	const within = strip.isTable
		? [tableOf(inside, rules)]
		: sides(inside.flat(), strip.at).flatMap((side) => regionsOf(side, rules, depth + 1));
	return [...regionsOf(above, rules, depth + 1), ...within, ...regionsOf(below, rules, depth + 1)];
}

/** Columns of a page whose text runs from right to left begin on the right. */
function sides(segments: readonly Segment[], at: number): Segment[][] {
	const left = segments.filter(({ x0, x1 }) => (x0 + x1) / 2 < at);
	const right = segments.filter(({ x0, x1 }) => (x0 + x1) / 2 >= at);
	const isRtl = segments.filter(({ rtl }) => rtl).length > segments.length / 2;
	return isRtl ? [right, left] : [left, right];
}

/** Segments by their baselines, from top to bottom. */
export function rowsOf(segments: readonly Segment[]): Segment[][] {
	const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
	const rows: { segments: Segment[]; y: number; size: number }[] = [];
	for (const segment of sorted) {
		const row = rows.at(-1);
		if (row !== undefined && Math.abs(segment.y - row.y) < Math.max(segment.size, row.size) * 0.4) {
			row.segments.push(segment);
			if (segment.size > row.size) Object.assign(row, { y: segment.y, size: segment.size });
		} else rows.push({ segments: [segment], y: segment.y, size: segment.size });
	}
	return rows.map((row) => row.segments.sort((a, b) => a.x0 - b.x0));
}

interface Strip {
	/** x of its middle. */
	readonly at: number;
	/** Rows that it passes: the first, and the one after the last. */
	readonly from: number;
	readonly to: number;
	readonly isTable: boolean;
	readonly weight: number;
}

/** The white strip that parts most. */
function bestStrip(rows: readonly (readonly Segment[])[]): Strip | undefined {
	let best: Strip | undefined;
	for (const at of candidates(rows))
		for (const strip of stripsAt(rows, at)) if (best === undefined || strip.weight > best.weight) best = strip;
	return best;
}

/** Middles of the gaps between neighbours: on one line, or on two lines that follow each other. */
function candidates(rows: readonly (readonly Segment[])[]): number[] {
	const found = new Map<number, number>();
	const note = (left: Segment, right: Segment) => {
		const gap = right.x0 - left.x1;
		if (gap < Math.min(left.size, right.size) * leastGutter) return;
		// Near the text on the right: lines on the left end anywhere.
		for (const at of [right.x0 - Math.min(gap / 2, 5), left.x1 + gap / 2]) {
			const key = Math.round(at / 3) * 3;
			found.set(key, (found.get(key) ?? 0) + 1);
		}
	};
	rows.forEach((row, at) => {
		for (let place = 1; place < row.length; place++) note(row[place - 1]!, row[place]!);
		for (const other of rows[at + 1] ?? [])
			for (const segment of row)
				note(...((segment.x0 < other.x0 ? [segment, other] : [other, segment]) as [Segment, Segment]));
	});
	return [...found]
		.sort((a, b) => b[1] - a[1])
		.slice(0, 60)
		.map(([at]) => at);
}

/** Runs of lines that a strip at this place passes without crossing text. */
function stripsAt(rows: readonly (readonly Segment[])[], at: number): Strip[] {
	const strips: Strip[] = [];
	let from = 0;
	for (let row = 0; row <= rows.length; row++) {
		const crossed = row === rows.length || rows[row]!.some(({ x0, x1 }) => x0 < at && x1 > at);
		if (!crossed) continue;
		const strip = row - from >= leastLines ? stripOf(rows, at, from, row) : undefined;
		if (strip !== undefined) strips.push(strip);
		from = row + 1;
	}
	return strips;
}

function stripOf(rows: readonly (readonly Segment[])[], at: number, start: number, end: number): Strip | undefined {
	let [from, to] = [start, end];
	const isRight = ({ x0 }: Segment) => x0 >= at;
	const hasBoth = (row: readonly Segment[]) => row.some(isRight) && !row.every(isRight);
	const inside = rows.slice(from, to);
	const [left, right] = [inside.flat().filter((s) => !isRight(s)), inside.flat().filter(isRight)];
	if (left.length < leastLines || right.length < leastLines) return undefined;
	const size = Math.min(...[left[0]!, right[0]!].map((segment) => segment.size));
	const width = Math.min(...right.map(({ x0 }) => x0)) - Math.max(...left.map(({ x1 }) => x1));
	if (width < size * leastGutter) return undefined;
	if (left.every(({ text }) => lonelyMarker.test(text)) || right.every(({ text }) => lonelyMarker.test(text)))
		return undefined;
	const prose = isProse(left, right, inside);
	if (prose) {
		// Both columns begin somewhere: lines before belong to neither.
		while (from < to && !reaches(rows, from, to, isRight)) from++;
		return { at, from, to, isTable: false, weight: (to - from) * 2 };
	}
	const part = longestTable(rows, from, to, hasBoth);
	if (part === undefined) return undefined;
	[from, to] = part;
	return { at, from, to, isTable: true, weight: to - from };
}

/** Whether both sides have text within the next lines. */
function reaches(
	rows: readonly (readonly Segment[])[],
	from: number,
	to: number,
	isRight: (segment: Segment) => boolean,
): boolean {
	const next = rows.slice(from, Math.min(to, from + 4)).flat();
	return next.some(isRight) && next.some((segment) => !isRight(segment));
}

/** Columns of running text: painted one after the other, or long lines that fill their column. */
function isProse(left: readonly Segment[], right: readonly Segment[], rows: readonly (readonly Segment[])[]): boolean {
	const sides = new Map<Segment, number>([...left.map((s) => [s, 0] as const), ...right.map((s) => [s, 1] as const)]);
	const painted = [...sides].sort(([a], [b]) => a.order - b.order).map(([, side]) => side);
	let changes = 0;
	for (let at = 1; at < painted.length; at++) if (painted[at] !== painted[at - 1]) changes++;
	const both = rows.filter((row) => new Set(row.map((segment) => sides.get(segment))).size === 2).length;
	const least = Math.min(medianWidth(left), medianWidth(right));
	if (rows.length >= 6 && least >= 16) return true;
	return rows.length >= 3 && changes <= Math.max(2, both * 0.34) && least >= 4;
}

function medianWidth(segments: readonly Segment[]): number {
	const widths = segments.map(({ x0, x1, size }) => (x1 - x0) / size).sort((a, b) => a - b);
	return widths[widths.length >> 1] ?? 0;
}

const gapBetween = (above: readonly Segment[], below: readonly Segment[]): number => below[0]!.y - above[0]!.y;

/** The longest run of lines that are rows of one table: others in between only continue a cell. */
function longestTable(
	rows: readonly (readonly Segment[])[],
	start: number,
	end: number,
	hasBoth: (row: readonly Segment[]) => boolean,
): [number, number] | undefined {
	let best: [number, number] | undefined;
	let from: number | undefined;
	let last = start;
	const finish = () => {
		if (from === undefined) return;
		const count = rows.slice(from, last + 1).filter(hasBoth).length;
		if (count >= leastLines && (best === undefined || last + 1 - from > best[1] - best[0])) best = [from, last + 1];
		from = undefined;
	};
	for (let row = start; row < end; row++) {
		const size = rows[row]![0]!.size;
		const gap = row > start ? gapBetween(rows[row - 1]!, rows[row]!) : 0;
		if (hasBoth(rows[row]!)) {
			if (from !== undefined && gap > size * 4.5) finish();
			from ??= row;
			last = row;
		} else if (from !== undefined) {
			if (gap > size * 1.55) finish();
			else last = row;
		}
	}
	finish();
	return best;
}

/** Columns of a table without lines around its cells, by the strips that pass all its rows. */
function tableOf(rows: readonly (readonly Segment[])[], rules: readonly Rule[]): Region {
	const starts = columnStarts(rows);
	const lines = mergedRows(rows, starts, rules);
	const cells = lines.map((line) =>
		starts.map((start, column) => {
			const next = starts[column + 1] ?? Number.POSITIVE_INFINITY;
			return line.filter(({ x0 }) => x0 >= start && x0 < next);
		}),
	);
	return { kind: 'table', rows: cells };
}

/** Left ends of the columns. */
function columnStarts(rows: readonly (readonly Segment[])[]): number[] {
	const boxes = rows
		.flat()
		.map(({ x0, x1 }) => [x0, x1] as const)
		.sort((a, b) => a[0] - b[0]);
	const starts: number[] = [];
	let end = Number.NEGATIVE_INFINITY;
	for (const [x0, x1] of boxes) {
		if (x0 > end + 2.5) starts.push(x0 - 1);
		end = Math.max(end, x1);
	}
	return starts;
}

/** Lines of wrapped cells joined to rows. */
function mergedRows(
	rows: readonly (readonly Segment[])[],
	starts: readonly number[],
	rules: readonly Rule[],
): Segment[][] {
	const [x0, x1] = [starts[0]!, Math.max(...rows.flat().map((segment) => segment.x1))];
	const across = rules.filter(({ horizontal, from, to }) => horizontal && from < x0 + 20 && to > x1 - 20);
	const isRuled = (above: readonly Segment[], below: readonly Segment[]) =>
		across.some(({ at }) => at > above[0]!.y && at < below[0]!.y);
	const ruled = rows.filter((row, at) => at > 0 && isRuled(rows[at - 1]!, row)).length;
	const gaps = rows.slice(1).map((row, at) => gapBetween(rows[at]!, row));
	const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
	const second = starts[1] ?? Number.POSITIVE_INFINITY;
	const begins = (row: readonly Segment[], at: number): boolean => {
		if (ruled >= 2 && ruled >= (rows.length - 1) * 0.3) return isRuled(rows[at - 1]!, row);
		if (most > least * 1.25 && rows.some((line) => line.length === 1)) return gaps[at - 1]! > (least + most) / 2;
		return row.some((segment) => segment.x0 < second);
	};
	const merged: Segment[][] = [];
	rows.forEach((row, at) => {
		if (at === 0 || begins(row, at)) merged.push([...row]);
		else merged.at(-1)!.push(...row);
	});
	return merged;
}
