import { joinEnd, plainText } from './join.ts';
import type { Style } from './style.ts';
import type { Block, Cell, Inline } from './types.ts';

type Table = Extract<Block, { kind: 'table' }>;
type Row = readonly Cell[];

const columnsOf = ({ rows }: Table): number =>
	Math.max(...rows.map((row) => row.reduce((sum, { columns }) => sum + columns, 0)));
const textOf = ({ blocks }: Cell): string =>
	blocks
		.map((block) => ('content' in block ? plainText(block.content) : ' '))
		.join(' ')
		.trim();

/** A table that goes on, on the next page; undefined where the second one is another table. */
export function joinTables(last: Table, first: Table, page: number, style: Style): Table | undefined {
	const columns = columnsOf(last);
	if (columns < 2 || columnsOf(first) > columns) return undefined;
	const rows = first.rows.map((row) => inColumns(row, last.rows, columns));
	if (!rows.every((row) => row !== undefined)) return undefined;
	const [head] = last.rows;
	const isRepeated = (row: Row) => head !== undefined && row.map(textOf).join('|') === head.map(textOf).join('|');
	const [top, ...others] = rows
		.filter((row, at) => at > 0 || !isRepeated(row))
		.map((row) => row.map((cell) => ({ ...cell, header: false })));
	if (top === undefined) return last;
	const above = last.rows.at(-1)!;
	const before = last.rows.slice(0, -1);
	if (goesOn(above, top)) return { ...last, rows: [...before, joinRows(above, top, page, style), ...others] };
	return { ...last, rows: [...last.rows, marked(top, page), ...others] };
}

/** Cells of a row of which only some have text on this page, by their places; undefined where they have none. */
export function inColumns(row: Row, rows: readonly Row[], columns: number): Row | undefined {
	if (row.length === columns) return row;
	const header = row.length > 0 && row.every((cell) => cell.header);
	const full = rows.filter((other) => other.length === columns);
	const placed: Cell[] = Array.from({ length: columns }, () => ({ header, columns: 1, rows: 1, blocks: [] }));
	for (const cell of row) {
		if (cell.columns > 1 || cell.rows > 1) return undefined;
		if (cell.extent === undefined) continue;
		const at = nearest(cell.extent, full);
		if (at === undefined || placed[at]!.blocks.length > 0) return undefined;
		placed[at] = cell;
	}
	return placed;
}

/** The column whose cells begin or end where a cell does. */
function nearest([x0, x1]: readonly [number, number], rows: readonly Row[]): number | undefined {
	let best: { readonly at: number; readonly apart: number } | undefined;
	for (const row of rows)
		row.forEach(({ extent }, at) => {
			if (extent === undefined) return;
			const apart = Math.min(
				Math.abs(extent[0] - x0),
				Math.abs(extent[1] - x1),
				Math.abs(extent[0] + extent[1] - x0 - x1) / 2,
			);
			if (best === undefined || apart < best.apart) best = { at, apart };
		});
	return best?.at;
}

/**
 * A row whose cells go on: not all have text, and one of them begins in the middle of a sentence; or those that have text are
 * the ones that had none.
 */
function goesOn(above: Row, top: Row): boolean {
	if (above.length !== top.length) return false;
	const texts = top.map(textOf);
	const filled = texts.flatMap((text, at) => (text === '' ? [] : [at]));
	if (filled.length === 0 || filled.length === texts.length) return false;
	if (above.every((cell, at) => (textOf(cell) === '') === filled.includes(at))) return true;
	return filled.every((at) => textOf(above[at]!) !== '') && filled.some((at) => /^\p{Ll}/u.test(texts[at]!));
}

function joinRows(above: Row, top: Row, page: number, style: Style): Row {
	const first = top.findIndex(({ blocks }) => blocks.length > 0);
	return above.map((cell, at) => {
		const [end, [start, ...others]] = [cell.blocks.at(-1), top[at]!.blocks];
		const anchor: Inline[] = at === first ? [{ page }] : [];
		if (start?.kind !== 'paragraph') return { ...cell, blocks: [...cell.blocks, ...top[at]!.blocks] };
		const content = end?.kind === 'paragraph' ? [...end.content] : [];
		joinEnd(content, plainText(start.content), style.words);
		const joined: Block = { ...start, content: [...content, ...anchor, ...start.content] };
		return {
			...cell,
			blocks: [...cell.blocks.slice(0, end?.kind === 'paragraph' ? -1 : undefined), joined, ...others],
		};
	});
}

/** With the start of the page in its first cell. */
function marked(row: Row, page: number): Row {
	const [first, ...others] = row;
	if (first === undefined) return row;
	const [block, ...more] = first.blocks;
	const anchored: readonly Block[] =
		block?.kind === 'paragraph'
			? [{ ...block, content: [{ page }, ...block.content] }, ...more]
			: [{ kind: 'paragraph', content: [{ page }] }, ...first.blocks];
	return [{ ...first, blocks: anchored }, ...others];
}
