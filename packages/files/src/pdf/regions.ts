import { inRtl } from './bidi.ts';
import { linesOf } from './lines.ts';
import type { Line, Rule, Segment } from './types.ts';

/** A part of a page in the order of reading. */
export type Region =
	| { readonly kind: 'lines'; readonly lines: readonly Line[]; readonly x0: number; readonly x1: number }
	| { readonly kind: 'table'; readonly rows: readonly (readonly Segment[])[][] };

/** Sizes of text that a white strip between two columns has at least. */
const leastGutter = 0.8;
/** The same between columns of text, into which a hyphen or a sign may hang (TeX). */
const leastHungGutter = 0.55;
const manyLines = 8;
/** Lines that each of two columns has at least. */
const leastLines = 2;
const maxDepth = 12;

/** A marker of a list, alone in its segment; of text from right to left, its dot is on the left. */
export const lonelyMarker = /^(?:[•◦▪▫■□‣⁃●○∙·*–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|[.)]\d{1,3}|\[\d{1,3}\])$/iu;

/**
 * Takes a page apart into columns, tables and the lines between them (a recursive cut along white strips). The order
 * in which the file paints the text tells columns of text, painted one after the other, from rows of a table.
 */
export function regionsOf(segments: readonly Segment[], rules: readonly Rule[], depth = 0): Region[] {
	if (segments.length === 0) return [];
	const rows = rowsOf(segments);
	const found = depth < maxDepth ? bestStrip(rows) : undefined;
	const strip = found?.isTable === true ? { ...found, from: headStart(rows, found, rules) } : found;
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

/** The first line of a table, with those of its header in which only one column has text: they are below its first rule. */
function headStart(rows: readonly Row[], { from, to }: Strip, rules: readonly Rule[]): number {
	const inside = rows.slice(from, to).flat();
	const [x0, x1] = [Math.min(...inside.map((s) => s.x0)), Math.max(...inside.map((s) => s.x1))];
	const isAcross = ({ horizontal, from: left, to: right }: Rule) => horizontal && left < x0 + 20 && right > x1 - 20;
	const across = rules.filter(isAcross).map(({ at }) => at);
	const top = Math.max(...across.filter((at) => at < topOf(rows[from]!)));
	const start = rows.findIndex((row) => topOf(row) - row[0]!.size * 0.3 > top);
	if (!Number.isFinite(top) || start < 0 || from - start > maxHead) return from;
	const isNear = rows
		.slice(start, from)
		.every((row, at) => gapBetween(row, rows[start + at + 1]!) <= row[0]!.size * wrappedLines);
	const isWithin = rows
		.slice(start, from)
		.flat()
		.every((s) => s.x0 > x0 - 2 && s.x1 < x1 + 2);
	return isNear && isWithin ? start : from;
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
		if (gap < Math.min(left.size, right.size) * leastHungGutter) return;
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
	if (left.every(({ text }) => lonelyMarker.test(text)) || right.every(({ text }) => lonelyMarker.test(text)))
		return undefined;
	const prose = isProse(left, right, inside);
	const hasMany = prose && Math.min(left.length, right.length) >= manyLines;
	if (width < size * (hasMany ? leastHungGutter : leastGutter)) return undefined;
	if (prose) {
		if (!areBeside(inside, isRight)) return undefined;
		// Both columns begin somewhere: lines before belong to neither.
		while (from < to && !reaches(rows, from, to, isRight)) from++;
		return { at, from, to, isTable: false, weight: (to - from) * 2 };
	}
	const part = largestTable(rows, from, to, hasBoth);
	if (part === undefined) return undefined;
	[from, to] = part;
	if (isJustified(rows, from, to) || isScattered(rows, from, to)) return undefined;
	return { at, from, to, isTable: true, weight: to - from };
}

/** Points within which two ends of lines are the same. */
const sameEnd = 1.5;

/**
 * Whether lines with wide gaps are justified text: they fill the column, as the line before or after them does in one piece,
 * or begin in it and end a paragraph.
 */
function isJustified(rows: readonly Row[], from: number, to: number): boolean {
	const ends = rows.map((row) => [row[0]!.x0, row.at(-1)!.x1] as const);
	const [x0, x1] = [Math.min(...ends.map(([start]) => start)), Math.max(...ends.map(([, end]) => end))];
	const begins = (at: number) => Math.abs(ends[at]![0] - x0) < sameEnd;
	const fills = (at: number) => begins(at) && Math.abs(ends[at]![1] - x1) < sameEnd;
	const isEnd = (at: number) => at === rows.length - 1 || (rows[at]!.length === 1 && begins(at));
	const inside = rows.slice(from, to).map((_, at) => from + at);
	if (!inside.every((at) => fills(at) || isEnd(at))) return false;
	const pitches = inside.slice(1).map((at) => topOf(rows[at]!) - topOf(rows[at - 1]!));
	const pitch = Math.min(...pitches);
	const isText = (at: number, gap: number) =>
		rows[at]!.length === 1 && fills(at) && Math.abs(gap - pitch) < pitch * 0.08;
	return (
		(from > 0 && isText(from - 1, topOf(rows[from]!) - topOf(rows[from - 1]!))) ||
		(to < rows.length && isText(to, topOf(rows[to]!) - topOf(rows[to - 1]!)))
	);
}

/** The same for lines whose signs hang into the margin (TeX). */
const hungEnd = 3;
/** Lines of such text at most that stand together. */
const maxScattered = 40;

/**
 * Whether lines with wide gaps are justified text of a narrow column: they fill it, as the line before or after them does at the
 * same distance, and the text behind their gaps begins at different places.
 */
function isScattered(rows: readonly Row[], from: number, to: number): boolean {
	const lines = rows.map((row) => (row.length > 1 && lonelyMarker.test(row[0]!.text) ? row.slice(1) : row));
	const inside = lines.slice(from, to);
	if (inside.length > maxScattered) return false;
	const [x0, x1] = [Math.min(...inside.map((row) => row[0]!.x0)), Math.max(...inside.map((row) => row.at(-1)!.x1))];
	const begins = (row: Row) => Math.abs(row[0]!.x0 - x0) < hungEnd;
	const fills = (row: Row) => begins(row) && Math.abs(row.at(-1)!.x1 - x1) < hungEnd;
	if (inside.filter(fills).length < inside.length - 1) return false;
	const starts = inside.map((row) => row.slice(1).map((segment) => segment.x0));
	const isShared = (x: number, row: number) =>
		starts.some((others, at) => at !== row && others.some((other) => Math.abs(other - x) < sameEnd));
	if (starts.filter((places, row) => places.some((x) => isShared(x, row))).length > inside.length * 0.5) return false;
	const pitches = inside.slice(1).map((row, at) => topOf(row) - topOf(inside[at]!));
	const isNext = (above: Row, below: Row) =>
		pitches.every((pitch) => Math.abs(topOf(below) - topOf(above) - pitch) < pitch * 0.08);
	const [above, below] = [lines[from - 1], lines[to]];
	return (
		(above !== undefined && fills(above) && isNext(above, inside[0]!)) ||
		(below !== undefined && begins(below) && below.at(-1)!.x1 < x1 + hungEnd && isNext(inside.at(-1)!, below))
	);
}

/** Whether lines of two columns stand beside each other: a formula in the middle of a page does not stand beside text. */
function areBeside(rows: readonly Row[], isRight: (segment: Segment) => boolean): boolean {
	const hasRight = rows.map((row) => row.some(isRight));
	const hasLeft = rows.map((row) => !row.every(isRight));
	const count = (has: readonly boolean[]) => has.filter(Boolean).length;
	const [few, many] = count(hasRight) < count(hasLeft) ? [hasRight, hasLeft] : [hasLeft, hasRight];
	const isNear = (at: number): boolean => {
		for (let other = Math.max(0, at - nearbyLines); other <= at + nearbyLines && other < rows.length; other++)
			if (many[other] && Math.abs(topOf(rows[other]!) - topOf(rows[at]!)) < rows[at]![0]!.size * besideLine)
				return true;
		return false;
	};
	const near = rows.filter((_, at) => few[at] && isNear(at));
	return near.length >= count(few) / 2;
}

/** Lines above and below one that are looked at. */
const nearbyLines = 4;
/** Sizes of text within which a line of the other column stands higher or lower. */
const besideLine = 1.2;

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
	// Justified lines of a narrow column are painted in pieces.
	const widest = (side: number) => medianWidth(rows.flatMap((row) => lineAt(row.filter((s) => sides.get(s) === side))));
	return rows.length >= 3 && changes <= Math.max(2, both * 0.34) && Math.min(widest(0), widest(1)) >= 4;
}

/** A line from its first to its last segment. */
function lineAt(row: readonly Segment[]): Pick<Segment, 'x0' | 'x1' | 'size'>[] {
	const [first, last] = [row[0], row.at(-1)];
	return first === undefined || last === undefined ? [] : [{ x0: first.x0, x1: last.x1, size: first.size }];
}

function medianWidth(segments: readonly Pick<Segment, 'x0' | 'x1' | 'size'>[]): number {
	const widths = segments.map(({ x0, x1, size }) => (x1 - x0) / size).sort((a, b) => a - b);
	return widths[widths.length >> 1] ?? 0;
}

/** Sizes of text: baselines nearer than this are one row, whose cells are set in the middle of it. */
const oneBand = 1.08;
/** Sizes of text between two rows of a table at most, and between two lines of one cell. */
const farRows = 4.5;
const wrappedLines = 1.65;

type Row = readonly Segment[];

const topOf = (row: Row): number => Math.min(...row.map(({ y }) => y));
const bottomOf = (row: Row): number => Math.max(...row.map(({ y }) => y));
const gapBetween = (above: Row, below: Row): number => topOf(below) - bottomOf(above);

/** The longest run of lines that are rows of one table: others in between only continue a cell. */
function largestTable(
	rows: readonly Row[],
	start: number,
	end: number,
	hasBoth: (row: Row) => boolean,
): [number, number] | undefined {
	const bands = bandsOf(rows, start, end);
	let best: [number, number] | undefined;
	let run: typeof bands = [];
	const finish = () => {
		while (run.length > 0 && !hasBoth(run.at(-1)!.segments)) run.pop();
		const count = run.filter(({ segments }) => hasBoth(segments)).length;
		if (count >= leastLines && (best === undefined || run.at(-1)!.to - run[0]!.from > best[1] - best[0]))
			best = [run[0]!.from, run.at(-1)!.to];
		run = [];
	};
	bands.forEach((band, at) => {
		const [previous, next] = [run.at(-1), bands[at + 1]];
		const { size } = band.segments[0]!;
		const gap = previous === undefined ? 0 : gapBetween(previous.segments, band.segments);
		const both = hasBoth(band.segments);
		if (gap > size * farRows || (!both && gap > Math.max(size * wrappedLines, pitchOf(run) * 1.1))) finish();
		const begins =
			both || (run.length > 0 && (gap <= size * wrappedLines || (next !== undefined && hasBoth(next.segments))));
		if (begins) run.push(band);
		else finish();
	});
	finish();
	return best;
}

interface Band {
	readonly segments: Segment[];
	readonly from: number;
	to: number;
}

/** Lines so near to each other that they can only be cells of one row. */
function bandsOf(rows: readonly Row[], start: number, end: number): Band[] {
	const bands: Band[] = [];
	for (let at = start; at < end; at++) {
		const [band, row] = [bands.at(-1), rows[at]!];
		const near =
			band !== undefined && gapBetween(band.segments, row) < Math.min(band.segments[0]!.size, row[0]!.size) * oneBand;
		if (near) {
			band.segments.push(...row);
			band.to = at + 1;
		} else bands.push({ segments: [...row], from: at, to: at + 1 });
	}
	return bands;
}

/** The usual distance of the rows so far. */
function pitchOf(run: readonly Band[]): number {
	const gaps = run.slice(1).map(({ segments }, at) => gapBetween(run[at]!.segments, segments));
	return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
}

/** Columns of a table without lines around its cells, by the strips that pass all its rows. */
function tableOf(rows: readonly Row[], rules: readonly Rule[]): Region {
	const bands = bandsOf(rows, 0, rows.length).map(({ segments }) => segments);
	const starts = withShared(joinedStarts(columnStarts(rows), bands), bands);
	const lines = mergedRows(bands, starts, rules);
	const cells = lines.map((line) =>
		starts.map((start, column) => {
			const next = starts[column + 1] ?? Number.POSITIVE_INFINITY;
			return line.filter(({ x0 }) => x0 >= start && x0 < next);
		}),
	);
	const rtl = rows.flat().filter((segment) => segment.rtl).length > rows.flat().length / 3;
	return { kind: 'table', rows: rtl ? cells.map((row) => row.map((cell) => cell.map(inRtl)).reverse()) : cells };
}

/** Left ends of the columns. */
function columnStarts(rows: readonly Row[]): number[] {
	const boxes = rows.flat().map(({ x0, x1 }) => [x0, x1] as const);
	boxes.sort((a, b) => a[0] - b[0]);
	const starts: number[] = [];
	let end = Number.NEGATIVE_INFINITY;
	for (const [x0, x1] of boxes) {
		if (x0 > end + 2.5) starts.push(x0 - 1);
		end = Math.max(end, x1);
	}
	return starts;
}

/** Points within which two cells begin at the same place. */
const sameStart = 1;

/** With the places at which many rows begin a cell and that no text crosses: a long cell may reach the next column. */
function withShared(starts: readonly number[], bands: readonly Row[]): number[] {
	const all = bands.flat();
	const kept = [...starts];
	for (const { x0 } of all) {
		const at = x0 - sameStart;
		if (kept.some((start) => Math.abs(start - at) < 3)) continue;
		const count = bands.filter((band) => band.some((one) => Math.abs(one.x0 - x0) < sameStart)).length;
		const isCrossed = all.some((one) => one.x0 < at - sameStart && one.x1 > x0 + sameStart);
		if (count >= Math.max(3, bands.length * 0.6) && !isCrossed) kept.push(at);
	}
	return kept.sort((a, b) => a - b);
}

/**
 * Columns of which no row fills both are one: its header stands in the middle, and its cells at a side. The nearest two are
 * joined first.
 */
function joinedStarts(starts: readonly number[], bands: readonly Row[]): number[] {
	const kept = [...starts];
	for (;;) {
		const filled = bands.map((band) => new Set(band.map(({ x0 }) => kept.findLastIndex((start) => x0 >= start))));
		const places = kept.slice(1).map((_, at) => at + 1);
		const free = places.filter((at) => !filled.some((columns) => columns.has(at - 1) && columns.has(at)));
		if (free.length === 0 || kept.length <= 2) return kept;
		const apart = (at: number) => (kept[at] ?? 0) - (kept[at - 1] ?? 0);
		kept.splice(
			free.reduce((a, b) => (apart(b) < apart(a) ? b : a)),
			1,
		);
	}
}

/** Lines of wrapped cells joined to rows: by the lines between rows, else by the gaps, else by how full the cells are. */
function mergedRows(bands: readonly Row[], starts: readonly number[], rules: readonly Rule[]): Segment[][] {
	const [x0, x1] = [starts[0]!, Math.max(...bands.flat().map((segment) => segment.x1))];
	const across = rules.filter(({ horizontal, from, to }) => horizontal && from < x0 + 20 && to > x1 - 20);
	const isRuled = (at: number) =>
		across.some((rule) => rule.at > bottomOf(bands[at - 1]!) - 1 && rule.at < topOf(bands[at]!));
	const places = bands.slice(1).map((_, at) => at + 1);
	const ruled = places.filter(isRuled).length;
	const gaps = places.map((at) => gapBetween(bands[at - 1]!, bands[at]!));
	const wraps = wrapsIn(bands, starts);
	const limit = wrapLimit(gaps, bands[0]![0]!.size, wraps);
	const head = headEnd(bands, places.filter(isRuled), gaps);
	const begins = (at: number): boolean => {
		if (at < head) return false;
		if (at === head) return true;
		if (ruled >= 2 && ruled >= places.length * 0.3) return isRuled(at);
		return limit === undefined ? !wraps(at) : gaps[at - 1]! > limit;
	};
	const merged: Segment[][] = [];
	bands.forEach((band, at) => {
		if (at === 0 || begins(at)) merged.push([...band]);
		else merged.at(-1)!.push(...band);
	});
	return merged;
}

/** Lines of a header at most. */
const maxHead = 3;

/** The first row below a header of several lines: the only line of the table is between them, and no row below is nearer to the next. */
function headEnd(bands: readonly Row[], ruled: readonly number[], gaps: readonly number[]): number {
	const [end] = ruled;
	if (end === undefined || ruled.length > 1 || end > maxHead || end === bands.length - 1) return 0;
	const inside = gaps.slice(0, end - 1);
	const limit = Math.min(bands[0]![0]!.size * wrappedLines, ...gaps.slice(end).map((gap) => gap * 1.1));
	return inside.every((gap) => gap <= limit) ? end : 0;
}

/**
 * Whether a line only continues cells: not all columns have text, and in each that has some, its first word did not fit
 * into the line above.
 */
function wrapsIn(bands: readonly Row[], starts: readonly number[]): (at: number) => boolean {
	const columnOf = ({ x0 }: Segment) => starts.findLastIndex((start) => x0 >= start);
	const columns = bands.map((band) => {
		const parts = new Map<number, Segment[]>();
		for (const segment of band) parts.set(columnOf(segment), [...(parts.get(columnOf(segment)) ?? []), segment]);
		return parts;
	});
	const ends = starts.map((_, column) =>
		Math.max(...columns.flatMap((parts) => (parts.get(column) ?? []).map(({ x1 }) => x1))),
	);
	return (at) => {
		const here = columns[at]!;
		if (here.size === 0) return true;
		const parts = [...here].map(([column, segments]) => {
			const above = columns[at - 1]!.get(column);
			const [first] = segments;
			if (above === undefined || first === undefined) return 'new';
			const last = above.reduce((a, b) => (b.y > a.y || b.x1 > a.x1 ? b : a));
			const word = /^\S+/.exec(first.text)?.[0] ?? '';
			const width = ((first.x1 - first.x0) / first.text.length) * word.length;
			if (/^[\p{N}\p{P}\p{S}\s]+$/u.test(last.text)) return 'new';
			if (/[-\u00ad\u2010]$/.test(last.text) && /^\p{Ll}/u.test(first.text)) return 'hyphen';
			return last.x1 + first.size * 0.25 + width > ends[column]! - 1 ? 'wraps' : 'new';
		});
		if (parts.includes('new')) return false;
		return parts.length < starts.length || parts.includes('hyphen');
	};
}

/** Between the distance of two lines of a cell and that of two rows, where there are both. */
function wrapLimit(gaps: readonly number[], size: number, wraps: (at: number) => boolean): number | undefined {
	const sorted = [...gaps].sort((a, b) => a - b);
	let limit: number | undefined;
	let widest = 1.15;
	for (let at = 1; at < sorted.length; at++) {
		const [near, far] = [sorted[at - 1]!, sorted[at]!];
		if (near > size * wrappedLines || far / near <= widest) continue;
		const middle = (near + far) / 2;
		// A header that stands apart shows nothing about the other rows.
		const isWrapped = gaps.every((gap, place) => gap > middle || wraps(place + 1));
		if (!isWrapped && gaps.filter((gap) => gap > middle).length <= Math.max(1, gaps.length * 0.3)) continue;
		widest = far / near;
		limit = middle;
	}
	return limit;
}
