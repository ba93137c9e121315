import type { Segment } from './types.ts';

/** Text that is painted in one go in one place: a cell, or a paragraph. */
export interface Piece {
	readonly segments: Segment[];
	readonly x0: number;
	x1: number;
	readonly top: number;
	bottom: number;
	readonly size: number;
}

export interface Row {
	readonly pieces: Piece[];
	top: number;
	bottom: number;
}

/** Points within which two cells begin, end, or have their middle at the same place. */
export const sameEdge = 1.5;
/** The same for the lines of one cell: justified lines hang out a little. */
export const sameLineEdge = 2;
/** Sizes of text between two lines of a cell at most, and between two rows. */
export const wrappedLines = 1.75;
export const farRows = 4.5;
/** Sizes of text by which a baseline may differ on one line, and by which raised text does. */
export const sameLine = 0.3;
export const raisedLine = 0.65;
/** Sizes of text between two pieces of a justified line at most, and between two runs in different type. */
const pieceGap = 1.5;
const styleGap = 0.95;

export function piecesOf(painted: readonly Segment[]): Piece[] {
	const pieces: Piece[] = [];
	for (const segment of painted) {
		const piece = pieces.at(-1);
		if (piece !== undefined && goesOn(piece, segment)) {
			piece.segments.push(segment);
			piece.x1 = Math.max(piece.x1, segment.x1);
			piece.bottom = Math.max(piece.bottom, segment.y);
		} else
			pieces.push({
				segments: [segment],
				x0: segment.x0,
				x1: segment.x1,
				top: segment.y,
				bottom: segment.y,
				size: segment.size,
			});
	}
	return pieces;
}

function goesOn({ segments, x0, top, bottom }: Piece, segment: Segment): boolean {
	const last = segments.at(-1)!;
	const size = Math.max(last.size, segment.size);
	const down = segment.y - last.y;
	if (Math.abs(down) < size * raisedLine) {
		const gap = segment.x0 - last.x1;
		const { typeface } = segment;
		const differs =
			Math.abs(down) > size * sameLine ||
			segment.size !== last.size ||
			segment.href !== last.href ||
			typeface.bold !== last.typeface.bold ||
			typeface.italic !== last.typeface.italic ||
			typeface.mono !== last.typeface.mono;
		if (gap < -size * 0.5) return false;
		return differs ? gap < size * styleGap : bottom > top + size * sameLine && gap < size * pieceGap;
	}
	if (down < 0 || down > size * wrappedLines) return false;
	// A heading above a table is not the first line of its first cell.
	const largest = Math.max(...segments.map((one) => one.size));
	if (Math.abs(largest - segment.size) > largest * 0.08) return false;
	return isAligned(segment, { x0, x1: last.x1 }, sameLineEdge) || isAligned(segment, last, sameLineEdge);
}

export type Extent = Pick<Segment, 'x0' | 'x1'>;

export const extentOf = (segments: readonly Segment[]): Extent => ({
	x0: Math.min(...segments.map((s) => s.x0)),
	x1: Math.max(...segments.map((s) => s.x1)),
});

export const isAligned = (a: Extent, b: Extent, apart: number): boolean =>
	Math.abs(a.x0 - b.x0) < apart || Math.abs(a.x1 - b.x1) < apart || Math.abs(a.x0 + a.x1 - b.x0 - b.x1) / 2 < apart;

/** Pieces as rows, from top to bottom; text that begins above, or far below, is another group. */
export function groupsOf(pieces: readonly Piece[]): Row[][] {
	const groups: Row[][] = [];
	for (const piece of pieces) {
		const row = groups.at(-1)?.at(-1);
		const next: Row = { pieces: [piece], top: piece.top, bottom: piece.bottom };
		const slack = piece.size * sameLine;
		if (row === undefined) groups.push([next]);
		else if (piece.top > row.bottom + slack && piece.top - row.bottom <= piece.size * farRows)
			groups.at(-1)!.push(next);
		else if (piece.top <= row.bottom + slack && piece.bottom >= row.top - slack && isFree(piece, row)) {
			row.pieces.push(piece);
			row.top = Math.min(row.top, piece.top);
			row.bottom = Math.max(row.bottom, piece.bottom);
		} else groups.push([next]);
	}
	return groups;
}

const isFree = ({ x0 }: Piece, { pieces }: Row): boolean => pieces.every((other) => Math.abs(other.x0 - x0) > sameEdge);
