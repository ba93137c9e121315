import type { Grid } from './grid.ts';
import {
	type Extent,
	extentOf,
	groupsOf,
	isAligned,
	piecesOf,
	type Row,
	sameEdge,
	sameLineEdge,
	wrappedLines,
} from './painted-rows.ts';
import { lonelyMarker } from './regions.ts';
import { type Column, columnsAt } from './table-columns.ts';
import { countOf, readRows, type TableRow } from './table-rows.ts';
import type { Rule, Segment } from './types.ts';

/** A table with its cells filled, as `fillGrid` gives them. */
export interface FilledGrid {
	readonly grid: Grid;
	readonly cells: readonly (readonly Segment[])[];
}

/** Sizes of text that columns of prose have at least, and their lines. */
const proseWidth = 16;
const proseLines = 6;
/** Rows that a table without lines and without a header in bold has at least. */
const leastRows = 3;
/** Part of the cells of a column that are aligned at least. */
const alignedPart = 0.7;

/** Tables of a page at most, runs of text of a page in which they are looked for, and times that these are read. */
const maxTables = 100;
const maxSegments = 20_000;
const maxReads = 8;
/** Rows at most that show how the cells of a column are aligned. */
const maxAbove = 50;

/** A page before its tables are read. */
interface PaintedPage {
	/** In the order of painting. */
	readonly painted: readonly Segment[];
	readonly places: ReadonlyMap<Segment, number>;
	readonly top: number;
	/** Horizontal lines. */
	readonly rules: readonly Rule[];
	/** Left ends of the columns of the table with which the page before ends. */
	readonly before: readonly number[];
}

/**
 * Finds tables by the order of painting: programs paint cell by cell, all lines of one before the next one of its row. Text that
 * is painted later, but stands beside or above, is another cell of the same row, even where a long word of one cell covers the
 * next column.
 *
 * @param before columns of the table with which the page before ends
 */
export function orderedTables(
	segments: readonly Segment[],
	rules: readonly Rule[],
	before: readonly number[] = [],
): FilledGrid[] {
	if (segments.length > maxSegments) return [];
	const painted = [...segments].sort((a, b) => a.order - b.order);
	const places = new Map(painted.map((segment, at) => [segment, at]));
	const top = painted.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY);
	const page: PaintedPage = { painted, places, top, rules: longRules(rules), before };
	const found: FilledGrid[] = [];
	let left = painted.length * maxReads;
	let end = 0;
	for (const rows of groupsOf(piecesOf(painted)))
		for (const [at, row] of rows.entries()) {
			if (row.pieces.some(({ segments: [first] }) => places.get(first!)! < end)) continue;
			const { table, read } = tableAt(rows, at, page);
			left -= read;
			if (left < 0 || found.length === maxTables) return found;
			if (table === undefined) continue;
			end = Math.max(...table.rows.flatMap(({ cells }) => cells.flat().map((one) => places.get(one)!))) + 1;
			const filled = filledGrid(table);
			if (!hasMoreHead(table.rows, page) && holdsAll(filled, table, segments)) found.push(filled);
		}
	return found;
}

/** Horizontal lines, with those that are painted cell by cell as one. */
function longRules(rules: readonly Rule[]): Rule[] {
	const sorted = rules.filter(({ horizontal }) => horizontal).sort((a, b) => a.at - b.at || a.from - b.from);
	const joined: Rule[] = [];
	for (const rule of sorted) {
		const place = joined.findLastIndex(({ at }) => rule.at - at >= 1) + 1;
		const near = joined
			.slice(place)
			.findIndex(({ from, to }) => rule.from < to + sameEdge && rule.to > from - sameEdge);
		const last = joined[place + near];
		if (near < 0 || last === undefined) joined.push(rule);
		else joined[place + near] = { ...last, from: Math.min(last.from, rule.from), to: Math.max(last.to, rule.to) };
	}
	return joined;
}

interface OrderedTable {
	readonly columns: readonly Column[];
	readonly rows: readonly TableRow[];
}

/** The table whose first row is this one, and how much text was read for it. */
function tableAt(
	rows: readonly Row[],
	from: number,
	page: PaintedPage,
): { readonly table?: OrderedTable; readonly read: number } {
	const first = rows[from]!;
	const isFirst = first.top <= page.top + 1;
	const columns = columnsAt(rows, from, page.rules, isFirst ? page.before : []);
	if (columns === undefined) return { read: 0 };
	const start = Math.min(...first.pieces.map(({ segments: [one] }) => page.places.get(one!)!));
	const all = readRows(page.painted, start, columns);
	const read = all.reduce((sum, { cells }) => sum + cells.flat().length, 0);
	const end = all.findIndex((row, at) => at > 0 && !belongs(row, all.slice(Math.max(0, at - maxAbove), at), columns));
	const found = withoutEnd(end < 0 ? all : all.slice(0, end));
	const isStated =
		found.length > 0 &&
		(hasRule(found, page.rules) || hasBoldHead(found) || (isFirst && continuesTable(columns, page.before)));
	const filled = found.filter(({ cells }) => countOf(cells) >= 2).length;
	if (filled < (isStated ? 1 : leastRows) || !areApart(found) || isProse(found)) return { read };
	return areAligned(found, columns.length) ? { table: { columns, rows: found }, read } : { read };
}

/** Whether each cell of a row begins or ends where others of its column do; one that covers the next column is beside its cell. */
function belongs(row: TableRow, above: readonly TableRow[], columns: readonly Column[]): boolean {
	const { cells } = row;
	if (!isLevel(row)) return false;
	return cells.every((cell, column) => {
		const [first] = cell;
		if (first === undefined) return true;
		const { left } = columns[column]!;
		const isPlaced = Math.abs(first.x0 - left) < sameLineEdge || keepsEdge(extentOf(cell), cellsAbove(above, column));
		const next = cells.findIndex((other, at) => at > column && other.length > 0);
		const start = columns[column + 1]?.left ?? Number.POSITIVE_INFINITY;
		if (cell.every(({ x1 }) => x1 < start + 1)) return isPlaced;
		return isPlaced && next > 0 && Math.abs(cells[next]![0]!.x0 - columns[next]!.left) < sameLineEdge;
	});
}

/** Whether all cells of a row begin at its top, or have their middle at one height; only those of a header end at one. */
function isLevel({ cells, top, bottom }: TableRow): boolean {
	const filled = cells.filter((cell) => cell.length > 0).map((cell) => cell.map(({ y }) => y));
	const slack = (cells.flat()[0]?.size ?? 0) * 0.5;
	const isTop = filled.every((ys) => Math.min(...ys) - top < slack);
	return isTop || filled.every((ys) => Math.abs(Math.min(...ys) + Math.max(...ys) - top - bottom) / 2 < slack);
}

/** Cells of a column above a row, without its header where there are others. */
function cellsAbove(rows: readonly TableRow[], column: number): Extent[] {
	const filled = rows.flatMap(({ cells }) => (cells[column]!.length === 0 ? [] : [extentOf(cells[column]!)]));
	return filled.length > 2 ? filled.slice(1) : filled;
}

const edges: readonly ((extent: Extent) => number)[] = [({ x0 }) => x0, ({ x1 }) => x1, ({ x0, x1 }) => (x0 + x1) / 2];

/** Whether a cell is where most others are, at the edge that these have in common. */
const keepsEdge = (cell: Extent, others: readonly Extent[]): boolean =>
	edges.some(
		(edge) =>
			others.filter((other) => Math.abs(edge(other) - edge(cell)) < sameEdge).length >=
			Math.max(1, others.length * alignedPart),
	);

const continuesTable = (columns: readonly Column[], before: readonly number[]): boolean =>
	before.length > 1 && columns.every(({ left }) => before.some((other) => Math.abs(other - left) < sameEdge));

/** Text below a table in only its first column ends the table; in another column it is a row, as near as other rows. */
function withoutEnd(rows: readonly TableRow[]): TableRow[] {
	const last = rows.findLastIndex(({ cells }) => countOf(cells) >= 2);
	const next = rows[last + 1];
	const gaps = rows.slice(1, last + 1).map(({ top }, at) => top - rows[at]!.bottom);
	const isNear = next !== undefined && gaps.length > 0 && next.top - rows[last]!.bottom <= Math.max(...gaps) * 1.1;
	return rows.slice(0, isNear && next.cells[0]!.length === 0 ? last + 2 : last + 1);
}

const areApart = (rows: readonly TableRow[]): boolean =>
	rows.every(({ top }, at) => at === 0 || top > rows[at - 1]!.bottom);

/** A line along all columns, above, between or below the first rows. */
function hasRule(rows: readonly TableRow[], rules: readonly Rule[]): boolean {
	const all = rows.flatMap(({ cells }) => cells.flat());
	const { size } = all[0]!;
	const [x0, x1] = [Math.min(...all.map((s) => s.x0)), Math.max(...all.map((s) => s.x1))];
	const [top, bottom] = [rows[0]!.top - size * 2.5, rows.at(-1)!.bottom + size * 1.5];
	return rules.some(
		({ horizontal, at, from, to }) =>
			horizontal && at > top && at < bottom && Math.abs(from - x0) < size && to > x1 - size * 1.5,
	);
}

/** Whether the line of text before the first row stands between that and a line along all columns: the header begins there. */
function hasMoreHead([head]: readonly TableRow[], { painted, places, rules }: PaintedPage): boolean {
	const first = head?.cells.flat().reduce((a, b) => (a.order < b.order ? a : b));
	const above = first === undefined ? undefined : painted[places.get(first)! - 1];
	if (above === undefined || head === undefined) return false;
	const { x0, x1 } = extentOf(head.cells.flat());
	const isNear = above.y < head.top && head.top - above.y < above.size * wrappedLines;
	return (
		isNear &&
		rules.some(({ at, from, to }) => at < above.y && at > above.y - above.size * 2.5 && from < x0 + 2 && to > x1 - 2)
	);
}

/** A first row in bold above others that are not. */
function hasBoldHead([head, ...others]: readonly TableRow[]): boolean {
	const isBold = ({ cells }: TableRow) => cells.flat().every(({ typeface }) => typeface.bold);
	return head !== undefined && others.length > 0 && isBold(head) && !others.some(isBold);
}

/** Columns of running text, painted line by line. */
function isProse(rows: readonly TableRow[]): boolean {
	if (rows.length < proseLines) return false;
	const widths = rows[0]!.cells.map((_, column) => {
		const lines = rows.flatMap(({ cells }) => cells[column]!.map(({ x0, x1, size }) => (x1 - x0) / size));
		return lines.sort((a, b) => a - b)[lines.length >> 1] ?? 0;
	});
	return Math.min(...widths) >= proseWidth;
}

/** Whether the cells of each column are, and none of the columns has markers of a list only. */
function areAligned(rows: readonly TableRow[], columns: number): boolean {
	const body = rows.length > 2 ? rows.slice(1, maxAbove) : rows;
	return Array.from({ length: columns }, (_, column) => column).every((column) => {
		const cells = body.flatMap((row) => (row.cells[column]!.length === 0 ? [] : [extentOf(row.cells[column]!)]));
		const texts = rows.flatMap((row) => row.cells[column]!.map(({ text }) => text));
		if (texts.length === 0 || texts.every((text) => lonelyMarker.test(text))) return false;
		const most = Math.max(...cells.map((one) => cells.filter((other) => isAligned(one, other, sameEdge)).length));
		return most >= cells.length * alignedPart;
	});
}

function filledGrid({ columns, rows }: OrderedTable): FilledGrid {
	const all = rows.flatMap(({ cells }) => cells.flat());
	const [x0, x1] = [Math.min(...all.map((s) => s.x0)), Math.max(...all.map((s) => s.x1))];
	const { size } = all[0]!;
	const xs = [x0 - 1, ...columns.slice(1).map(({ left }) => left - 1), x1 + 1];
	const ys = [
		rows[0]!.top - size * 0.9,
		...rows.slice(1).map(({ top }, at) => (top + rows[at]!.bottom - size * 0.3) / 2),
	];
	const cells = rows.flatMap((_, row) => columns.map((__, column) => [row, column, 1, 1] as const));
	return {
		grid: { xs, ys: [...ys, rows.at(-1)!.bottom + size * 0.3], cells },
		cells: rows.flatMap((row) => row.cells),
	};
}

/** Whether nothing else stands inside of it. */
function holdsAll({ grid: { xs, ys } }: FilledGrid, { rows }: OrderedTable, segments: readonly Segment[]): boolean {
	const own = new Set(rows.flatMap(({ cells }) => cells.flat()));
	return segments.every((segment) => {
		const [x, middle] = [(segment.x0 + segment.x1) / 2, segment.y - segment.size * 0.3];
		const isInside = x >= xs[0]! && x <= xs.at(-1)! && middle >= ys[0]! && middle <= ys.at(-1)!;
		return isInside === own.has(segment);
	});
}
