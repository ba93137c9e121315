import { isInFurniture } from '../read/around.ts';
import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';

const minRows = 4;
/** The share of cells of a column that must be distinct. */
const distinct = 0.8;

/**
 * Judges a table of uniform rows column by column, if it follows kept text or a heading and little of it was selected:
 * names and cells that differ from row to row stay; cells that each row repeats are controls.
 */
export function keepRankings({ blocks, boxes }: Segments, keep: Flags, judged: Float64Array): Flags {
	const kept = keep.slice();
	for (const box of boxes) {
		if (box.element.tag !== 'table' || box.hidden || isInFurniture(box) || box.end - box.start < minRows) continue;
		if (isChosen(box, keep) || !follows(blocks, box, keep)) continue;
		const rows = rowsOf(box);
		if (rows.length < minRows) continue;
		const columns = columnsOf(rows);
		if (!columns.some((column) => isOfNames(blocks, column, rows.length))) continue;
		for (const column of columns) {
			if (!isDistinct(blocks, column)) continue;
			for (const { start, end } of column) for (let i = start; i < end; i++) kept[i] = judged[i]! > 0 ? 1 : 0;
		}
	}
	return kept;
}

function isChosen({ start, end }: Box, keep: Flags): boolean {
	let chosen = 0;
	for (let i = start; i < end; i++) if (keep[i]) chosen++;
	return chosen > 0.3 * (end - start);
}

/** Directly after a kept block or a heading of the page, in the same part. */
function follows(blocks: readonly Block[], box: Box, keep: Flags): boolean {
	const before = blocks[box.start - 1];
	if (before === undefined) return false;
	return keep[box.start - 1] === 1 || /^h[1-3]$/.test(before.box.element.tag);
}

/** The rows with the most common number of cells. */
function rowsOf(table: Box): (readonly Box[])[] {
	const rows: (readonly Box[])[] = [];
	const collect = (box: Box): void => {
		for (const child of box.children) {
			if (child.element.tag === 'tr') rows.push(child.children.filter(({ start, end }) => end > start));
			else if (/^t(?:body|head|foot)$/.test(child.element.tag)) collect(child);
		}
	};
	collect(table);
	const counts = new Map<number, number>();
	for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
	let width = 0;
	for (const [length, count] of counts) if (length > 0 && count > (counts.get(width) ?? 0)) width = length;
	const shaped = rows.filter(({ length }) => length === width);
	return shaped.length < 0.6 * rows.length ? [] : shaped;
}

function columnsOf(rows: readonly (readonly Box[])[]): Box[][] {
	return rows[0]!.map((_, at) => rows.map((row) => row[at]!));
}

const textOf = (blocks: readonly Block[], { start, end }: Box): string =>
	blocks
		.slice(start, end)
		.map(({ text }) => text)
		.join(' ');

function isDistinct(blocks: readonly Block[], column: readonly Box[]): boolean {
	return new Set(column.map((cell) => textOf(blocks, cell))).size >= distinct * column.length;
}

const isLinked = (blocks: readonly Block[], { start }: Box): boolean => blocks[start]!.linked > 0;

/** Distinct, with letters, some words long, each a link. */
function isOfNames(blocks: readonly Block[], column: readonly Box[], rows: number): boolean {
	if (!isDistinct(blocks, column)) return false;
	let words = 0;
	for (const { start, end } of column) for (let i = start; i < end; i++) words += blocks[i]!.size.words;
	const lettered = column.filter((cell) => /\p{L}{2}/u.test(textOf(blocks, cell)) && isLinked(blocks, cell)).length;
	return words >= 1.5 * rows && words <= 20 * rows && lettered >= distinct * rows;
}
