import { farRows, raisedLine, sameEdge, sameLine, sameLineEdge, wrappedLines } from './painted-rows.ts';
import type { Column } from './table-columns.ts';
import type { Segment } from './types.ts';

/** A row of a table: the segments of each column. */
export interface TableRow {
	readonly cells: Segment[][];
	top: number;
	bottom: number;
}

/** Lines of a cell that are looked at, at most. */
const maxLines = 40;

/** Reads rows in the order of painting, from one place on, until text does not belong to the columns. */
export function readRows(painted: readonly Segment[], from: number, columns: readonly Column[]): TableRow[] {
	const rows: TableRow[] = [];
	let last: Last;
	for (let at = from; at < painted.length; at++) {
		const segment = painted[at]!;
		const column = columnOf(segment, columns, last);
		if (column === undefined) break;
		const row = rows.at(-1);
		const place = placeOf(segment, column, {
			row,
			last,
			columns,
			isSure: () => goesBackUp(painted, at, columns, column),
		});
		if (place === 'end') break;
		if (row === undefined || place === 'row') {
			if (row !== undefined && rows.length > 1 && isWideAlone(row, columns)) break;
			rows.push({
				cells: columns.map((_, other) => (other === column ? [segment] : [])),
				top: segment.y,
				bottom: segment.y,
			});
		} else {
			row.cells[column]!.push(segment);
			row.top = Math.min(row.top, segment.y);
			row.bottom = Math.max(row.bottom, segment.y);
		}
		last = { segment, column };
	}
	return rows;
}

type Last = { readonly segment: Segment; readonly column: number } | undefined;

/** The column in which text begins, or over which most of it stands. */
function columnOf(segment: Segment, columns: readonly Column[], last: Last): number | undefined {
	const { x0, x1, size } = segment;
	if (x0 < columns[0]!.left - size || segment.typeface.mono !== (last ?? { segment }).segment.typeface.mono)
		return undefined;
	const exact = columns.findIndex(({ left }) => Math.abs(left - x0) < sameLineEdge);
	if (exact >= 0) return exact;
	// Text that reaches over columns begins at one of them, or lies outside of the table.
	const isAcross = columns.some(({ left }, at) => at > 0 && x0 < left - 1 && x1 > left + 1);
	if (isAcross && !columns.some(({ right }) => Math.abs(right - x1) < sameEdge)) return undefined;
	const shared = columns.map(({ left, right }) => Math.min(x1, right) - Math.max(x0, left));
	const most = Math.max(...shared);
	if (most > 0) return shared.indexOf(most);
	return Math.max(
		0,
		columns.findLastIndex(({ left }) => left <= x0),
	);
}

interface Around {
	readonly row: TableRow | undefined;
	readonly last: Last;
	readonly columns: readonly Column[];
	/** Whether text surely goes on with a cell. */
	readonly isSure: () => boolean;
}

/** Whether text belongs to the row, begins the next one, or lies outside of the table. */
function placeOf(segment: Segment, column: number, { row, last, columns, isSure }: Around): 'cell' | 'row' | 'end' {
	if (row === undefined || last === undefined) return 'row';
	const { size } = segment;
	const down = segment.y - last.segment.y;
	if (segment.y > row.bottom + size * farRows) return 'end';
	if (column === last.column) {
		if (Math.abs(down) < size * raisedLine) return 'cell';
		if (down < 0) return 'end';
		if (down > size * wrappedLines) return 'row';
		return isSure() || countOf(row.cells) > 1 || !wouldFit(segment, last.segment, columns[column]!) ? 'cell' : 'row';
	}
	if (segment.y > row.bottom + size * sameLine) return 'row';
	return row.cells[column]!.length === 0 ? 'cell' : 'end';
}

/** Whether the first word had room behind the line above. */
function wouldFit({ text, x0, x1, size }: Segment, above: Segment, { right }: Column): boolean {
	const word = /^\S+/.exec(text)?.[0] ?? '';
	const width = ((x1 - x0) / text.length) * word.length;
	return above.x1 + size * 0.25 + width < right - 1 && !/[-\u00ad\u2010]$/.test(above.text);
}

/** Whether the next cell begins above this line: then this one goes on, and begins no row. */
function goesBackUp(painted: readonly Segment[], at: number, columns: readonly Column[], column: number): boolean {
	const segment = painted[at]!;
	const next = painted.slice(at + 1, at + maxLines).find((other) => columnOf(other, columns, undefined) !== column);
	return (
		next !== undefined && next.y < segment.y - segment.size * sameLine && next.y > segment.y - segment.size * maxLines
	);
}

/** A line of text that crosses columns, and nothing beside it. */
const isWideAlone = ({ cells }: TableRow, columns: readonly Column[]): boolean =>
	countOf(cells) === 1 &&
	cells.some((cell, at) => at + 1 < columns.length && cell.some(({ x1 }) => x1 > columns[at + 1]!.left));

export const countOf = (cells: readonly (readonly Segment[])[]): number =>
	cells.filter((cell) => cell.length > 0).length;
