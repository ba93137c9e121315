import { extentOf, isAligned, type Piece, type Row, sameEdge, wrappedLines } from './painted-rows.ts';
import type { Rule } from './types.ts';

export interface Column {
	readonly left: number;
	readonly right: number;
}

/** Rows that show the columns: this one and those below with as many cells, at the same places. */
export function columnsAt(
	rows: readonly Row[],
	from: number,
	rules: readonly Rule[],
	before: readonly number[],
): Column[] | undefined {
	const first = rows[from]!;
	if (first.pieces.length < 2 || !startsRow(first)) return undefined;
	const head = sortedPieces(first);
	const below = rowsBelow(rows, from);
	const count = usualCount([head, ...below]);
	const usual = below.filter((cells) => cells.length === count);
	const same = usual.filter((cells) => fits(cells, usual[0]!));
	// Two cells of the first row may look like one: wrapped lines of justified text have gaps too.
	if (count !== head.length && same.length > 1) return columnsOf(same);
	const isPair =
		count === head.length && same.length > 0 && head.every((piece, at) => overlaps(piece, head, at, same[0]![at]!));
	if (isPair && (same.length > 1 || fits(head, same[0]!))) return columnsOf([head, ...same]);
	return isUnderlined(first, rules) || startsLike(head, before) ? columnsOf([head]) : undefined;
}

/** Rows at most that are looked at for columns. */
const maxRows = 40;

/** The rows below one, until a line of text that stands alone. */
function rowsBelow(rows: readonly Row[], from: number): Piece[][] {
	const below: Piece[][] = [];
	for (let at = from + 1; at < rows.length && at < from + maxRows; at++) {
		const cells = sortedPieces(rows[at]!);
		if (cells.length === 1 && at > from + 2) break;
		below.push(cells);
	}
	return below;
}

/** The number of cells that most rows have; of two, the larger. */
function usualCount(rows: readonly (readonly Piece[])[]): number {
	const counts = new Map<number, number>();
	for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** A header may stand in the middle of its column: it does not reach another one. */
const overlaps = ({ x0, x1 }: Piece, head: readonly Piece[], at: number, cell: Piece): boolean =>
	(head[at + 1]?.x0 ?? Number.POSITIVE_INFINITY) > cell.x0 &&
	(head[at - 1]?.x0 ?? Number.NEGATIVE_INFINITY) < cell.x0 &&
	(isAligned({ x0, x1 }, cell, sameEdge) || (x0 < cell.x1 && x1 > cell.x0) || at > 0);

const fits = (cells: readonly Piece[], others: readonly Piece[]): boolean =>
	cells.every((cell, at) => isAligned(cell, others[at]!, sameEdge));

/** The cells of a row begin at its top, or have their middle or their end at one height. */
function startsRow({ pieces, top, bottom }: Row): boolean {
	const slack = pieces[0]!.size * 0.5;
	const isTop = pieces.every((piece) => Math.abs(piece.top - top) < slack);
	const isMiddle = pieces.every((piece) => Math.abs(piece.top + piece.bottom - top - bottom) / 2 < slack);
	const isEnd = pieces.every((piece) => Math.abs(piece.bottom - bottom) < slack);
	return isTop || isMiddle || (isEnd && bottom - top < pieces[0]!.size * wrappedLines * 2);
}

function columnsOf(rows: readonly (readonly Piece[])[]): Column[] {
	const extents = rows.map((cells) => cells.map(({ segments }) => extentOf(segments)));
	const lefts = rows[0]!.map((_, at) => Math.min(...extents.map((cells) => cells[at]!.x0)));
	return lefts.map((left, at) => {
		const right = Math.max(...extents.map((cells) => cells[at]!.x1));
		return { left, right: Math.min(right, lefts[at + 1] ?? right) };
	});
}

const startsLike = (cells: readonly Piece[], before: readonly number[]): boolean =>
	before.length > 1 && cells.every(({ x0 }) => before.some((left) => Math.abs(left - x0) < sameEdge));

const sortedPieces = ({ pieces }: Row): Piece[] => [...pieces].sort((a, b) => a.x0 - b.x0);

/** A line right below a row, as wide as its columns. */
function isUnderlined({ pieces, bottom }: Row, rules: readonly Rule[]): boolean {
	const [x0, x1] = [Math.min(...pieces.map((piece) => piece.x0)), Math.max(...pieces.map((piece) => piece.x1))];
	const size = pieces[0]!.size;
	return rules.some(
		({ horizontal, at, from, to }) =>
			horizontal && at > bottom && at < bottom + size * 1.5 && Math.abs(from - x0) < size && to > x1 - size * 0.5,
	);
}
