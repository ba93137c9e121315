import { inRtl } from './bidi.ts';
import { blocksOf, cellBlocks, extentOf } from './blocks.ts';
import { contentsOf } from './contents.ts';
import { furnitureOf } from './furniture.ts';
import { fillGrid, type Grid, gridsOf, isInGrid } from './grid.ts';
import { joinEnd, plainText } from './join.ts';
import { joinLists } from './join-lists.ts';
import { joinTables } from './join-tables.ts';
import { linesOf } from './lines.ts';
import { withMarkers } from './markers.ts';
import { noteBlocks, notesOf, referenceNotes } from './notes.ts';
import type { SourcePage } from './open-pdf.ts';
import { orderedTables } from './ordered-tables.ts';
import { regionsOf } from './regions.ts';
import { comparable, levelOf, type OutlineEntry, type Style, styleOf } from './style.ts';
import { idsIn, isTrusted, namesHeadings, saysMuch, type TaggedPage, taggedBlocks } from './tagged.ts';
import type { Block, Inline, Line, Segment } from './types.ts';

/** All pages as one sequence of blocks: paragraphs go on across columns and pages, footnotes stand at the end. */
export function documentBlocks(sources: readonly SourcePage[], outline: readonly OutlineEntry[]): Block[] {
	const pages = withoutFurniture(sources);
	const lines = pages.flatMap(({ segments }) => linesOf(segments));
	const style = placed(styleOf(lines, outline), lines, outline);
	const tagged = taggedPages(pages);
	const named = tagged?.some(({ tree }) => namesHeadings(tree)) ?? false;
	const [body, notes]: [Block[], Block[]] = [[], []];
	pages.forEach((page, at) => {
		const structure = tagged?.[at];
		const blocks =
			structure === undefined
				? untaggedBlocks(page, { ...style, columns: columnsOf(body.at(-1)) })
				: taggedPageBlocks(page, structure, style, named);
		append(
			body,
			blocks.filter(({ kind }) => kind !== 'note'),
			page.number,
			style,
		);
		notes.push(...blocks.filter(({ kind }) => kind === 'note'));
	});
	return [...body, ...notes];
}

/** Left ends of the columns of a table with which a page ends: it may go on, on the next one. */
function columnsOf(last: Block | undefined): number[] {
	if (last?.kind !== 'table') return [];
	const starts = new Map<number, number>();
	for (const row of last.rows)
		row.forEach(({ extent }, at) => {
			if (extent !== undefined) starts.set(at, Math.min(starts.get(at) ?? extent[0], extent[0]));
		});
	return [...starts.values()];
}

interface Page extends SourcePage {
	readonly segments: readonly Segment[];
}

/** Running headers and page numbers go. */
function withoutFurniture(sources: readonly SourcePage[]): Page[] {
	const pages = sources.map((source) => ({ source, height: source.height, lines: linesOf(source.segments) }));
	const furniture = furnitureOf(pages);
	return pages.map(({ source, lines }) => {
		const dropped = new Set(
			lines.filter((line) => furniture.has(line)).flatMap(({ segments }) => segments.map(({ order }) => order)),
		);
		return { ...source, segments: source.segments.filter(({ order }) => !dropped.has(order)) };
	});
}

/** Levels of bookmarks start below a title that is no bookmark itself. */
function placed(style: Style, lines: readonly Line[], outline: readonly OutlineEntry[]): Style {
	if (outline.length === 0) return style;
	const shifts = lines.flatMap((line) => {
		const level = style.outline.get(comparable(line.text));
		return level === undefined || line.size < style.body ? [] : [levelOf(line.size, style) - level];
	});
	const middle = shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0;
	const title = lines.find(({ size }) => levelOf(size, style) === 1);
	const isMissing = title !== undefined && !style.outline.has(comparable(title.text));
	const shift = middle > 0 && isMissing ? 1 : 0;
	return { ...style, outline: new Map([...style.outline].map(([text, level]) => [text, Math.min(6, level + shift)])) };
}

function taggedPages(pages: readonly Page[]): TaggedPage[] | undefined {
	if (!pages.some(({ tree }) => tree !== undefined && saysMuch(tree))) return undefined;
	let untagged = 0;
	const tagged = pages.map(({ tree, segments }) => {
		const byId = new Map<number, Segment[]>();
		for (const segment of segments) {
			if (segment.mcid === undefined) untagged += segment.text.length;
			else byId.set(segment.mcid, [...(byId.get(segment.mcid) ?? []), segment]);
		}
		return { tree: tree ?? {}, segments: byId };
	});
	return isTrusted(tagged, untagged) ? tagged : undefined;
}

function taggedPageBlocks(page: Page, structure: TaggedPage, style: Style, named: boolean): Block[] {
	const ids = new Set(idsIn(structure.tree));
	const rest = page.segments.filter(({ mcid }) => mcid === undefined || !ids.has(mcid));
	const blocks = taggedBlocks(structure, style, named);
	return rest.length === 0 ? blocks : [...blocks, ...untaggedBlocks({ ...page, segments: rest }, style)];
}

function untaggedBlocks(page: Page, style: Style): Block[] {
	const all = withMarkers(page.segments, page.dots);
	const notes = notesOf(halvesOf(all, page).map(linesOf), page.height, style);
	const inNotes = new Set([...notes.lines].flatMap(({ segments }) => segments.map(({ order }) => order)));
	const segments = all.filter(({ order }) => !inNotes.has(order));
	const labels = new Set(notes.notes.map(({ label }) => label));
	const blocks = joinedColumns(withContents(segments, page, style), style);
	return [...referenceNotes(blocks, labels, page.number), ...noteBlocks(notes, page.number, style)];
}

/** Segments that each of two columns has in the lower half of a page, at least. */
const leastInColumn = 6;
/** Points of white between two columns at least. */
const leastWhite = 4;

/** The two columns of the lower half of a page, with what is above them; or all in one. */
function halvesOf(segments: readonly Segment[], { width, height }: Page): (readonly Segment[])[] {
	const low = segments.filter(({ y }) => y > height / 2).sort((a, b) => a.x0 - b.x0);
	let [end, middle] = [0, 0];
	for (const { x0, x1 } of low) {
		if (end > 0 && x0 - end > leastWhite && x0 > width * 0.4 && end < width * 0.6) middle = (x0 + end) / 2;
		end = Math.max(end, x1);
	}
	const [left, right] = [low.filter(({ x0 }) => x0 < middle), low.filter(({ x0 }) => x0 >= middle)];
	if (middle === 0 || Math.min(left.length, right.length) < leastInColumn) return [segments];
	return [segments.filter(({ x0 }) => x0 < middle), segments.filter(({ x0 }) => x0 >= middle)];
}

/** A table of contents is taken out first: its columns are no table. */
function withContents(segments: readonly Segment[], page: Page, style: Style): Block[] {
	const contents = contentsOf(segments);
	if (contents === undefined) return withTables(segments, page, style);
	const rest = segments.filter((segment) => !contents.segments.has(segment));
	return [
		...withTables(
			rest.filter(({ y }) => y < contents.from),
			page,
			style,
		),
		contents.block,
		...withTables(
			rest.filter(({ y }) => y >= contents.from),
			page,
			style,
		),
	];
}

interface Filled {
	readonly grid: Grid;
	readonly cells: readonly (readonly Segment[])[];
}

/** Tables with lines around their cells are taken out first; the text above and below is laid out apart. */
function withTables(segments: readonly Segment[], page: Page, style: Style): Block[] {
	const grids = gridsOf(page.rules).flatMap((grid): Filled[] => {
		const inside = segments.filter((segment) => isInGrid(grid, segment));
		const cells = fillGrid(grid, inside);
		return cells === undefined ? [] : [{ grid, cells }];
	});
	const free = segments.filter((segment) => !grids.some(({ grid }) => isInGrid(grid, segment)));
	const all = free.some(({ rtl }) => rtl) ? grids : [...grids, ...orderedTables(free, page.rules, style.columns)];
	const stand = all.sort((a, b) => a.grid.ys[0]! - b.grid.ys[0]!);
	return around(segments, stand, page, style);
}

function around(segments: readonly Segment[], tables: readonly Filled[], page: Page, style: Style): Block[] {
	const [table, ...others] = tables;
	if (table === undefined) return regionsOf(segments, page.rules).flatMap((region) => blocksOf(region, style));
	const outside = segments.filter((segment) => !isInGrid(table.grid, segment));
	const [top, left, right] = [table.grid.ys[0]!, table.grid.xs[0]!, table.grid.xs.at(-1)!];
	const beside = outside.some(({ x0, x1, y }) => y > top && y < table.grid.ys.at(-1)! && (x1 < left || x0 > right));
	// Beside a column of text, the table stands for one line of its column.
	if (beside) return besideTable(outside, table, others, page, style);
	const above = outside.filter(({ y, size }) => y - size * 0.3 < top);
	const below = outside.filter(({ y, size }) => y - size * 0.3 >= top);
	return [...around(above, [], page, style), gridBlock(table, style), ...around(below, others, page, style)];
}

/** A stand-in of one line, which the layout puts where the table is read. */
function besideTable(
	outside: readonly Segment[],
	table: Filled,
	others: readonly Filled[],
	page: Page,
	style: Style,
): Block[] {
	const all = [table, ...others];
	const free = outside.filter((segment) => !others.some(({ grid }) => isInGrid(grid, segment)));
	const first = table.cells.flat()[0]!;
	const standIns = all.map(
		({ grid, cells }, at): Segment => ({
			text: `\uf8ff${at}`,
			x0: grid.xs[0]!,
			x1: grid.xs.at(-1)!,
			y: (grid.ys[0]! + grid.ys.at(-1)!) / 2,
			size: style.body,
			typeface: first.typeface,
			mcid: undefined,
			order: Math.min(...cells.flat().map(({ order }) => order)),
			rtl: false,
		}),
	);
	const blocks = regionsOf([...free, ...standIns], page.rules).flatMap((region) => blocksOf(region, style));
	return blocks.flatMap((block) => replaced(block, all, style));
}

function replaced(block: Block, tables: readonly Filled[], style: Style): Block[] {
	if (block.kind !== 'paragraph') return [block];
	const text = plainText(block.content);
	const [sign, at] = /\uf8ff(\d+)/.exec(text) ?? [];
	const table = at === undefined ? undefined : tables[Number(at)];
	if (sign === undefined || table === undefined) return [block];
	const rest = block.content.map((piece) =>
		'text' in piece ? { ...piece, text: piece.text.replace(sign, '') } : piece,
	);
	const others: Block[] = plainText(rest).trim() === '' ? [] : replaced({ ...block, content: rest }, tables, style);
	return text.trimStart().startsWith(sign)
		? [gridBlock(table, style), ...others]
		: [...others, gridBlock(table, style)];
}

const isRtlTable = (all: readonly Segment[]): boolean => all.filter(({ rtl }) => rtl).length > all.length / 3;

function gridBlock({ grid, cells: given }: Filled, style: Style): Block {
	const cells = isRtlTable(given.flat()) ? given.map((cell) => cell.map(inRtl)) : given;
	const rows = grid.ys.slice(1).map((_, row) =>
		grid.cells.flatMap(([top, , high, wide], at) =>
			top === row
				? [
						{
							header: row === 0,
							columns: wide,
							rows: high,
							blocks: cellBlocks(cells[at]!, style),
							...extentOf(cells[at]!),
						},
					]
				: [],
		),
	);
	const all = cells.flat();
	const isRtl = isRtlTable(all);
	const kept = rows.filter((row) => row.length > 0);
	return { kind: 'table', rows: isRtl ? kept.map((row) => row.reverse()) : kept };
}

/** Adds the blocks of a page after those of the pages before. */
function append(body: Block[], blocks: readonly Block[], page: number, style: Style): void {
	const [first, ...others] = blocks;
	const last = body.at(-1);
	if (first?.kind === 'paragraph' && last?.kind === 'paragraph' && goesOn(last, first)) {
		const content: Inline[] = [...last.content];
		joinEnd(content, plainText(first.content), style.words);
		body[body.length - 1] = { ...first, content: [...content, { page }, ...first.content] };
		body.push(...others);
		return;
	}
	const joined = joinedBlocks(last, first, page, style);
	if (joined !== undefined) {
		body[body.length - 1] = joined;
		// A page with nothing but the header of the table again.
		body.push(...(joined === last ? [{ kind: 'page', page } as const] : []), ...others);
		return;
	}
	body.push({ kind: 'page', page }, ...(first === undefined ? [] : [first, ...others]));
}

function joinedBlocks(
	last: Block | undefined,
	first: Block | undefined,
	page: number,
	style: Style,
): Block | undefined {
	if (first?.kind === 'table' && last?.kind === 'table') return joinTables(last, first, page, style);
	return first?.kind === 'list' && last?.kind === 'list' ? joinLists(last, first, page) : undefined;
}

type Paragraph = Extract<Block, { kind: 'paragraph' }>;
/** A paragraph without an end, and one that does not begin like a new one. */
function goesOn(last: Paragraph, first: Paragraph): boolean {
	if (last.open !== true) return false;
	const [start = ''] = plainText(first.content).trim();
	return !/[\p{Lu}\p{N}•([“"„«]/u.test(start) || /[,\p{Ll}-]$/u.test(plainText(last.content).trim());
}

function joinedColumns(blocks: readonly Block[], style: Style): Block[] {
	const joined: Block[] = [];
	for (const block of blocks) {
		const last = joined.at(-1);
		const list = block.kind === 'list' && last?.kind === 'list' ? joinLists(last, block) : undefined;
		if (list !== undefined) {
			joined[joined.length - 1] = list;
			continue;
		}
		const isRest = block.kind === 'paragraph' && last?.kind === 'paragraph' && goesOn(last, block);
		if (!isRest || /^[\p{Lu}\p{N}]/u.test(plainText(block.content).trim())) {
			joined.push(block);
			continue;
		}
		const content: Inline[] = [...last.content];
		joinEnd(content, plainText(block.content), style.words);
		joined[joined.length - 1] = { ...block, content: [...content, ...block.content] };
	}
	return joined;
}
