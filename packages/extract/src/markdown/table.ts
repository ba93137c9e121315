import type { Element, Node } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import { type Builder, withoutMark, wrapped } from './builder.ts';
import type { Block, Cell, Inline, Mark } from './model.ts';
import { flatten } from './write-table.ts';

/** Larger spans are cut: they are mistakes. */
const maxSpan = 100;

interface Row {
	readonly cells: Element[];
	readonly inHead: boolean;
}

/** A table of data as a table; one that only arranges boxes dissolves into them. */
export function table(builder: Builder, element: Element): void {
	const rows = rowsOf(element, builder.context.skip);
	const caption = element.children.find(
		(child) => child.kind === 'element' && child.tag === 'caption' && !builder.context.skip(child),
	);
	if (isDefinitions(rows)) {
		for (const { cells } of rows) definition(builder, cells);
		return;
	}
	if (isLayout(element, rows, caption !== undefined)) {
		builder.block(() => builder.children(element));
		return;
	}
	const above = caption?.kind === 'element' ? captionOf(builder, caption) : [];
	if (isCalloutList(element, rows)) {
		const items = rows.map(({ cells }, i) => ({
			number: i + 1,
			children: builder.collect(() => builder.children(cells[1]!)),
		}));
		builder.add({ kind: 'list', ordered: true, items });
		return;
	}
	const outer = builder.inCell;
	builder.inCell = true;
	const cells = rows.map(({ cells }) => cells.map((cell) => cellOf(builder, cell)));
	builder.inCell = outer;
	const head = headRows(rows);
	add(builder, above, cells, head);
}

/** Terms beside what is said of them, as Asciidoctor lays out horizontal lists. */
function isDefinitions(rows: readonly Row[]): boolean {
	return (
		rows.length > 0 &&
		rows.every(
			({ cells: [term, detail, ...more] }) =>
				more.length === 0 && isNamed(term, /(?:^|\s)hdlist1(?=\s|$)/) && isNamed(detail, /(?:^|\s)hdlist2(?=\s|$)/),
		)
	);
}

const isNamed = (cell: Element | undefined, name: RegExp): boolean => name.test(cell?.attributes.class ?? '');

function definition(builder: Builder, [term, detail]: readonly Element[]): void {
	if (term === undefined || detail === undefined) return;
	const { content } = builder.inline(() => builder.children(term));
	const children = builder.collect(() => builder.children(detail));
	if (content.length > 0) builder.add({ kind: 'term', content: withoutMark(content, 'strong') });
	if (children.length > 0) builder.add({ kind: 'detail', children });
}

/** Whether a box is a table that a grid of CSS lays out: its headers, then its cells, as Javadoc writes them. */
export function isCellGrid(element: Element): boolean {
	if (element.tag !== 'div' || !/(?:^|\s)(?:summary|details)-table(?=\s|$)/.test(element.attributes.class ?? ''))
		return false;
	const { headers, cells } = gridOf(element);
	return headers.length > 1 && cells.length > 0 && cells.length % headers.length === 0;
}

function gridOf({ children }: Element): { headers: Element[]; cells: Element[] } {
	const parts = children.filter((child): child is Element => child.kind === 'element');
	const isHead = ({ attributes }: Element): boolean => /(?:^|\s)table-header(?=\s|$)/.test(attributes.class ?? '');
	return { headers: parts.filter(isHead), cells: parts.filter((part) => !isHead(part)) };
}

export function cellGrid(builder: Builder, element: Element): void {
	const { headers, cells } = gridOf(element);
	const outer = builder.inCell;
	builder.inCell = true;
	const rows: Cell[][] = [headers.map((head) => ({ ...cellOf(builder, head), header: true }))];
	for (let at = 0; at < cells.length; at += headers.length)
		rows.push(cells.slice(at, at + headers.length).map((cell) => cellOf(builder, cell)));
	builder.inCell = outer;
	add(builder, [], rows, 1);
}

/** Doxygen's list of members: a heading, and rows of a declaration and what it is for. */
export function memberTable(builder: Builder, element: Element): void {
	for (const { cells } of rowsOf(element, builder.context.skip)) {
		const [first, second] = cells;
		const name = first?.attributes.class ?? '';
		if (first === undefined || /^(?:memSeparator|memTemplParams)/.test(name)) continue;
		if (second === undefined) builder.block(() => builder.children(first));
		else if (/^mdesc/.test(name)) {
			const children = builder.collect(() => builder.children(second));
			if (children.length > 0) builder.add({ kind: 'detail', children });
		} else {
			const left = builder.inline(() => builder.children(first)).content;
			const right = builder.inline(() => builder.children(second)).content;
			const content: Inline[] = left.length > 0 ? [...left, { kind: 'text', text: ' ' }, ...right] : right;
			if (content.length > 0) builder.add({ kind: 'term', content: withoutMark(content, 'strong') });
		}
	}
}

/** Asciidoctor's explanations of numbers in code: a table of numbers and texts. */
function isCalloutList({ parent }: Element, rows: readonly Row[]): boolean {
	return /(?:^|\s)colist(?=\s|$)/.test(parent?.attributes.class ?? '') && rows.every(({ cells }) => cells.length === 2);
}

function captionOf(builder: Builder, caption: Element): Inline[] {
	const { content } = builder.inline(() => builder.children(caption));
	return content.length > 0 ? wrapped(content, { name: 'em' }) : [];
}

function cellOf(builder: Builder, cell: Element): Cell {
	const header = isHeader(cell);
	const children = builder.context.skip(cell) ? [] : builder.collect(() => builder.children(cell));
	return {
		header,
		columns: span(cell.attributes.colspan),
		rows: span(cell.attributes.rowspan),
		align: alignment(cell),
		children: header ? children.map(plain) : children,
	};
}

/** A header cell is bold already. */
function plain(block: Block): Block {
	return block.kind === 'paragraph' ? { ...block, content: withoutMark(block.content, 'strong') } : block;
}

function span(value: string | undefined): number {
	const number = Number.parseInt(value ?? '1', 10);
	return number > 1 ? Math.min(number, maxSpan) : 1;
}

function alignment({ attributes }: Element): Cell['align'] {
	const value = /text-align\s*:\s*(left|center|right)/i.exec(attributes.style ?? '')?.[1] ?? attributes.align;
	const align = value?.trim().toLowerCase();
	return align === 'left' || align === 'center' || align === 'right' ? align : '';
}

/** Rows over the whole width are captions at the top, and lines with one cell further down: no reason for spans. */
function add(builder: Builder, caption: Inline[], cells: Cell[][], head: number): void {
	const isFilled = (row: readonly Cell[]): boolean => row.some(({ children }) => children.length > 0);
	const rows = cells.filter(isFilled);
	if (rows.length === 0) return;
	let heads = cells.slice(0, head).filter(isFilled).length;
	const width = rows.reduce(
		(most, row) =>
			Math.max(
				most,
				row.reduce((sum, { columns }) => sum + columns, 0),
			),
		0,
	);
	let title = caption;
	const isFull = (row: readonly Cell[]): boolean => row.length === 1 && row[0]!.columns >= width && row[0]!.rows === 1;
	if (width > 1 && rows.length > 2 && isFull(rows[0]!) && title.length === 0) {
		const content = flatten(rows.shift()![0]!.children).flat();
		title = wrapped(content, { name: 'strong' });
		if (heads > 0) heads--;
		if (heads === 0 && rows[0]!.every(({ header }) => header)) heads = 1;
	}
	if (heads === 0 && isBoldHead(rows)) {
		rows[0] = rows[0]!.map((cell) => ({ ...cell, header: true, children: cell.children.map(plain) }));
		heads = 1;
	}
	const narrow = rows.map((row) =>
		width > 1 && isFull(row) ? [{ ...row[0]!, columns: 1 }] : row.flatMap(withoutSpan),
	);
	const filled = withoutEmptyColumns(narrow);
	if (heads === 0 && title.length === 0 && filled.every((row) => row.length <= 1))
		builder.addAll(filled.flatMap((row) => row.flatMap(({ children }) => children)));
	else builder.add({ kind: 'table', caption: title, rows: filled, head: heads });
}

/** A first row all in bold above rows with plain cells: the header of editors without `<th>`. */
function isBoldHead([first, ...others]: readonly Cell[][]): boolean {
	if (first === undefined || first.length < 2 || others.length === 0 || first.some(({ header }) => header))
		return false;
	const isBold = ({ children: [block, ...more] }: Cell): boolean =>
		more.length === 0 && block?.kind === 'paragraph' && isWholly(block.content, 'strong');
	return first.every(isBold) && others.every((row) => row.length > 1 && !row.slice(1).every(isBold));
}

function isWholly(content: readonly Inline[], name: Mark['name']): boolean {
	const isIn = (item: Inline | undefined): boolean =>
		item !== undefined && (item.kind === 'open' || item.kind === 'close') && item.mark.name === name;
	return isIn(content[0]) && isIn(content.at(-1)) && content.filter(isIn).length === 2;
}

/** An empty cell may be several empty cells as well. */
function withoutSpan(cell: Cell): Cell[] {
	if (cell.columns === 1 || cell.rows > 1 || cell.children.length > 0) return [cell];
	return Array.from({ length: cell.columns }, () => ({ ...cell, columns: 1 }));
}

/** Columns that only keep a distance, or held pictures that decorate. Spans leave the table as it is. */
function withoutEmptyColumns(rows: Cell[][]): Cell[][] {
	if (rows.some((row) => row.some((cell) => cell.columns > 1 || cell.rows > 1))) return rows;
	const used = new Set<number>();
	for (const row of rows) for (const [i, { children }] of row.entries()) if (children.length > 0) used.add(i);
	return rows.map((row) => row.filter((_, i) => used.has(i)));
}

/** A `<thead>`, or a first row of nothing but headers. */
function headRows(rows: readonly Row[]): number {
	let count = 0;
	while (count < rows.length && rows[count]!.inHead) count++;
	if (count > 0) return count === rows.length && !rows.every(({ cells }) => cells.every(isHeader)) ? 1 : count;
	const first = rows[0];
	return first !== undefined && rows.length > 1 && first.cells.length > 0 && first.cells.every(isHeader) ? 1 : 0;
}

const cellRole = /^(?:cell|gridcell|columnheader|rowheader)$/;

function isCell(node: Node): node is Element {
	return (
		node.kind === 'element' && (node.tag === 'td' || node.tag === 'th' || cellRole.test(node.attributes.role ?? ''))
	);
}

function isHeader({ tag, attributes }: Element): boolean {
	return tag === 'th' || attributes.role === 'columnheader' || attributes.role === 'rowheader';
}

/** Boxes that say they are a table of at least two rows. */
export function isGrid(element: Element): boolean {
	const { role } = element.attributes;
	if ((role !== 'table' && role !== 'grid') || element.tag === 'table') return false;
	const rows = rowsOf(element);
	return rows.length > 1 && rows.some(({ cells }) => cells.length > 1);
}

/** The rows of this table, not of tables inside its cells. */
function rowsOf(element: Element, skip: (element: Element) => boolean = () => false): Row[] {
	const rows: Row[] = [];
	/** Wherever it stands, a foot is shown at the end. */
	const last: Row[] = [];
	const look = (nodes: readonly Node[], inHead: boolean, to: Row[] = rows): void => {
		for (const node of nodes) {
			if (node.kind === 'text' || skip(node)) continue;
			if (node.tag === 'tr' || node.attributes.role === 'row') {
				const cells = node.children.filter(isCell);
				if (cells.length > 0) to.push({ cells, inHead });
			} else if (node.tag === 'tfoot') look(node.children, false, last);
			else if (node.tag === 'thead' || node.tag === 'tbody' || node.attributes.role === 'rowgroup')
				look(node.children, node.tag === 'thead', to);
		}
	};
	look(element.children, false);
	return [...rows, ...last];
}

/** Text in one cell that no table of data has. */
const maxCell = 1200;

/** Whether the table only puts boxes beside each other. */
function isLayout(element: Element, rows: readonly Row[], hasCaption: boolean): boolean {
	const { role } = element.attributes;
	if (role === 'presentation' || role === 'none') return true;
	if (/(?:^|\s)admonitionblock(?=\s|$)/.test(element.parent?.attributes.class ?? '')) return true;
	if (rows.length === 0) return true;
	const hasHeaders = rows.some(({ cells }) => cells.some(isHeader));
	const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
	if (columns === 1 && !hasHeaders) return true;
	if (hasCaption && hasHeaders) return false;
	return holdsBoxes(element, rows.length === 1, hasHeaders);
}

/** Nested tables, headings, forms, or long texts of many paragraphs in a cell. The walk ends at the first. */
function holdsBoxes(element: Element, isSingleRow: boolean, hasHeaders: boolean): boolean {
	let found = false;
	let text = 0;
	let blocks = 0;
	walk(element, (node) => {
		if (found) return false;
		if (node.kind === 'text') {
			text += node.data.length;
			return true;
		}
		if (node.tag === 'td' || node.tag === 'th') {
			text = 0;
			blocks = 0;
		} else if (node.tag === 'table' || (!hasHeaders && /^(?:h[1-6]|form|article|section|nav)$/.test(node.tag)))
			found = true;
		else if (node.tag === 'p' || node.tag === 'div') blocks++;
		if (text > maxCell && blocks > 2 && !hasHeaders) found = true;
		if (isSingleRow && text > maxCell / 3 && blocks > 1) found = true;
		return !found;
	});
	return found;
}

/** A caption that is no `<figcaption>`: in italics, as those are. */
export function captionLine(builder: Builder, element: Element): void {
	for (const block of builder.collect(() => builder.children(element))) {
		const italic = block.kind === 'paragraph';
		builder.add(italic ? { kind: 'paragraph', content: wrapped(block.content, { name: 'em' }) } : block);
	}
}

/** A figure: what it shows, and its caption in italics, unless the picture's own text says the same. */
export function figure(builder: Builder, element: Element): void {
	const blocks = builder.collect(() => builder.nodes(element.children.filter((child) => !isCaption(child))));
	const captions = element.children
		.filter((child) => isCaption(child) && !builder.context.skip(child))
		.map((caption) => builder.collect(() => builder.children(caption as Element)));
	const first = element.children.find((child) => child.kind === 'element' || child.data.trim() !== '');
	const below = captions
		.flat()
		.map((block) => captionBlock(block, blocks))
		.filter((block) => block !== undefined);
	builder.addAll(first !== undefined && isCaption(first) ? [...below, ...blocks] : [...blocks, ...below]);
}

function isCaption(node: Node): node is Element {
	return node.kind === 'element' && node.tag === 'figcaption';
}

function captionBlock(block: Block, shown: readonly Block[]): Block | undefined {
	// A caption's heading names the picture, and no section of the page.
	if (block.kind === 'heading') return { kind: 'paragraph', content: wrapped(block.content, { name: 'strong' }) };
	if (block.kind !== 'paragraph') return block;
	const text = plainText(block.content);
	const repeats = shown.some(
		(other) => other.kind === 'paragraph' && other.content.some((item) => item.kind === 'image' && item.alt === text),
	);
	return repeats ? undefined : { kind: 'paragraph', content: wrapped(block.content, { name: 'em' }) };
}

function plainText(content: readonly Inline[]): string {
	return content.map((item) => (item.kind === 'text' || item.kind === 'code' ? item.text : '')).join('');
}
