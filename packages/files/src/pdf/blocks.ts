import { joinLines, plainText } from './join.ts';
import { lineOf, linesOf } from './lines.ts';
import { lonelyMarker, type Region } from './regions.ts';
import { canHead, comparable, isBold, isItalic, largerBy, levelOf, type Style } from './style.ts';
import type { Block, Cell, Inline, Line, Segment } from './types.ts';

/** Lines of a list begin with one of these. */
const bullet = /^(?:[•◦▪▫■□‣⁃●○∙·]|[–—*-](?=\s))\s*/u;
const number = /^(?:\(?(\d{1,3}|[a-zA-Z])[.)])(?=\s)\s*/u;
const maxHeading = 200;

/** Lines of one region as blocks. */
export function blocksOf(region: Region, style: Style): Block[] {
	if (region.kind === 'table') return [tableBlock(region.rows, style)];
	const groups = groupLines(region.lines, region, style);
	return nestLists(groups, { ...style, right: region.x1 });
}

export function tableBlock(rows: readonly (readonly Segment[])[][], style: Style): Block {
	const cells = rows.map((row, at) =>
		row.map(
			(segments): Cell => ({
				header: at === 0,
				columns: 1,
				rows: 1,
				blocks: cellBlocks(segments, style),
				...extentOf(segments),
			}),
		),
	);
	return { kind: 'table', rows: cells };
}

/** Where the text of a cell begins and ends. */
export const extentOf = (segments: readonly Segment[]): Pick<Cell, 'extent'> =>
	segments.length === 0
		? {}
		: { extent: [Math.min(...segments.map(({ x0 }) => x0)), Math.max(...segments.map(({ x1 }) => x1))] };

export function cellBlocks(segments: readonly Segment[], style: Style): Block[] {
	if (segments.length === 0) return [];
	return [{ kind: 'paragraph', content: joinLines(linesOf(segments), style.words) }];
}

interface Group {
	readonly kind: 'text' | 'code' | 'item';
	readonly lines: Line[];
	readonly marker?: string;
	/** x of the text after the marker. */
	readonly indent: number;
}

const isMono = ({ segments }: Line): boolean => segments.every(({ typeface }) => typeface.mono);

/** The marker of a list at the start of a line, and the line without it. */
export function markerOf(
	line: Line,
): { readonly marker: string; readonly rest: Line; readonly indent: number } | undefined {
	const [first, ...others] = line.segments;
	if (first === undefined || first.typeface.mono) return undefined;
	if (lonelyMarker.test(first.text) && others.length > 0) {
		const rest = lineOf(others);
		return { marker: first.text, rest, indent: line.rtl ? rest.x1 : rest.x0 };
	}
	const [found] = bullet.exec(first.text) ?? number.exec(first.text) ?? [];
	if (found === undefined || found.length === first.text.length) return undefined;
	const share = found.length / first.text.length;
	const x0 = first.x0 + (first.x1 - first.x0) * share;
	const rest = { ...first, text: first.text.slice(found.length), x0 };
	return { marker: found.trim(), rest: lineOf([rest, ...others]), indent: x0 };
}

/** Lines that belong to one block, in groups. */
function groupLines(
	lines: readonly Line[],
	region: { readonly x0: number; readonly x1: number },
	style: Style,
): Group[] {
	const groups: Group[] = [];
	lines.forEach((line, at) => {
		const group = groups.at(-1);
		const previous = lines[at - 1];
		const mark = isMono(line) ? undefined : markerOf(line);
		if (mark !== undefined && isMarker(mark.marker, line, group, previous, style)) {
			groups.push({ kind: 'item', lines: [mark.rest], marker: mark.marker, indent: mark.indent });
			return;
		}
		if (
			group !== undefined &&
			previous !== undefined &&
			continues(group, line, previous, { region, style, next: lines[at + 1] })
		) {
			group.lines.push(line);
			return;
		}
		groups.push({ kind: isMono(line) ? 'code' : 'text', lines: [line], indent: line.x0 });
	});
	return groups;
}

/** A number at the start of a line in the middle of a paragraph is not a marker. */
function isMarker(
	marker: string,
	line: Line,
	group: Group | undefined,
	previous: Line | undefined,
	style: Style,
): boolean {
	if (line.size > style.body * largerBy || isBold(line)) return false;
	if (/^[\p{L}]/u.test(marker.replace('(', '')) && group?.kind !== 'item' && !/^\(?[aAi]/.test(marker)) return false;
	if (group === undefined || previous === undefined || group.kind !== 'text') return true;
	const gap = (line.y - previous.y) / line.size;
	return gap > style.leading * 1.12 || line.x0 > group.lines[0]!.x0 + line.size * 0.5 || /[:.;!?]$/.test(previous.text);
}

interface Around {
	readonly region: { readonly x0: number; readonly x1: number };
	readonly style: Style;
	readonly next: Line | undefined;
}

function continues(group: Group, line: Line, previous: Line, { region, style }: Around): boolean {
	const gap = (line.y - previous.y) / Math.max(line.size, 1);
	if (group.kind === 'code')
		return isMono(line) && gap < style.leading * 3.2 && Math.abs(line.size - previous.size) < 0.6;
	if (isMono(line) && line.x1 - line.x0 > 0 && !isInlineCode(line, previous)) return false;
	if (Math.abs(line.size - previous.size) > previous.size * 0.06) return false;
	if (isBold(line) !== isBold(previous) && (isBold(line) ? isBold(group.lines[0]!) : group.lines.every(isBold)))
		return false;
	const leading = leadingOf(group, style);
	if (gap > leading * 1.22 + 0.05 || gap < 0.3) return false;
	if (group.kind === 'item') return line.rtl || line.x0 >= group.indent - line.size * 0.9;
	return !isIndented(line, previous, region, group);
}

/** Code that happens to fill a line of a paragraph. */
const isInlineCode = (line: Line, previous: Line): boolean =>
	!isMono(previous) && line.x0 - previous.x0 < 1 && / $/.test(previous.text);

function leadingOf({ lines }: Group, style: Style): number {
	if (lines.length < 2) return Math.max(style.leading, 1.2);
	const [first, second] = lines as [Line, Line];
	return Math.max((second.y - first.y) / Math.max(first.size, 1), 0.9);
}

/** A first line that is set in, after a line that ends a paragraph. */
function isIndented(line: Line, previous: Line, region: Around['region'], group: Group): boolean {
	if (line.rtl) return previous.x0 > region.x0 + line.size * 2 && line.x1 < region.x1 - line.size * 0.7;
	const start = group.lines.length > 1 ? group.lines[1]!.x0 : Math.min(region.x0, previous.x0);
	const indented = line.x0 > start + line.size * 0.7 && line.x0 < start + line.size * 4;
	const [isShort, isEnded] = [previous.x1 < region.x1 - line.size * 1.5, /[.!?:"”»)。！？]$/u.test(previous.text)];
	// A text that is set in as a whole, such as a quote, may be set in on the right too.
	const isWhole = Math.abs(line.x0 - previous.x0) < 1;
	return indented && (isWhole ? isShort && isEnded : isShort || isEnded);
}

/** With the right end of the column. */
interface ColumnStyle extends Style {
	readonly right: number;
}

function nestLists(groups: readonly Group[], style: ColumnStyle): Block[] {
	const blocks: Block[] = [];
	for (let at = 0; at < groups.length; ) {
		const group = groups[at]!;
		if (group.kind !== 'item') {
			blocks.push(...(group.kind === 'code' ? [codeBlock(group.lines)] : textBlocks(group, style)));
			at++;
			continue;
		}
		let end = at;
		while (
			end < groups.length &&
			(groups[end]!.kind === 'item' || isInside(groups[end]!, groups[at]!, groups[end + 1]))
		)
			end++;
		blocks.push(...listsOf(groups.slice(at, end), style));
		at = end;
	}
	return blocks;
}

/** A paragraph or code inside of an item. */
function isInside(group: Group, item: Group, next: Group | undefined): boolean {
	const set = group.lines[0]!.x0 >= item.indent - 2 && !group.lines[0]!.rtl;
	return set && (group.kind === 'code' || next?.kind === 'item') && !group.lines.every(isBold);
}

function listsOf(groups: readonly Group[], style: Style): Block[] {
	const lists: Extract<Block, { kind: 'list' }>[] = [];
	for (let at = 0; at < groups.length; ) {
		const first = groups[at]!;
		let end = at + 1;
		while (end < groups.length && isDeeper(groups[end]!, first)) end++;
		const inner = groups.slice(at + 1, end);
		const content = { kind: 'paragraph', content: joinLines(first.lines, style.words) } as const;
		const parts = partsOf(inner, style);
		const ordered = /[\p{L}\p{N}]/u.test(first.marker ?? '');
		const start = startOf(first.marker ?? '');
		const list = lists.at(-1);
		if (list !== undefined && list.ordered === ordered) list.items.push([content, ...parts]);
		else lists.push({ kind: 'list', ordered, start, items: [[content, ...parts]] });
		at = end;
	}
	return lists;
}

const romans = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'];

/** The number of a marker: "3.", "(c)", "iii)". */
export function startOf(marker: string): number {
	const sign = marker.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
	if (/^\d+$/.test(sign)) return Number.parseInt(sign, 10);
	const roman = romans.indexOf(sign) + 1;
	if (roman > 0) return roman;
	return /^[a-z]$/.test(sign) ? sign.charCodeAt(0) - 96 : 1;
}

const isDeeper = (group: Group, first: Group): boolean =>
	group.kind !== 'item' || (group.lines[0]!.rtl ? group.indent < first.indent - 6 : group.indent > first.indent + 6);

function partsOf(groups: readonly Group[], style: Style): Block[] {
	const parts: Block[] = [];
	let items: Group[] = [];
	const flush = () => {
		parts.push(...listsOf(items, style));
		items = [];
	};
	for (const group of groups) {
		if (group.kind === 'item' || items.length > 0) items.push(group);
		else if (group.kind === 'code') parts.push(codeBlock(group.lines));
		else parts.push({ kind: 'paragraph', content: joinLines(group.lines, style.words) });
	}
	flush();
	return parts;
}

/** Code keeps its lines and its indentation; empty lines are those that the gaps show. */
export function codeBlock(lines: readonly Line[]): Block {
	const widths = lines.flatMap(({ segments }) =>
		segments.filter(({ text }) => text.length > 1).map(({ x0, x1, text }) => (x1 - x0) / text.length),
	);
	const width = widths.sort((a, b) => a - b)[widths.length >> 1] ?? 6;
	const left = Math.min(...lines.map(({ x0 }) => x0));
	const gaps = lines.slice(1).map(({ y }, at) => y - lines[at]!.y);
	const usual = Math.min(...gaps.filter((gap) => gap > 2), Number.POSITIVE_INFINITY);
	const text = lines.map(({ segments, y }, at) => {
		let row = '';
		for (const { x0, text: part } of segments) {
			const column = Math.round((x0 - left) / width);
			row = row.padEnd(Math.max(column, row === '' ? 0 : row.length), ' ') + part;
		}
		const empty = at === 0 ? 0 : Math.min(3, Math.round((y - lines[at - 1]!.y) / usual) - 1);
		return '\n'.repeat(Math.max(0, empty || 0)) + row.trimEnd();
	});
	return { kind: 'code', text: text.join('\n') };
}

function textBlocks(group: Group, style: ColumnStyle): Block[] {
	const content = joinLines(group.lines, style.words);
	const text = plainText(content).trim();
	if (text === '') return [];
	const level = headingLevel(group.lines, text, style);
	if (level !== undefined) return [{ kind: 'heading', level, content: withoutBold(content) }];
	return [{ kind: 'paragraph', content, open: isOpen(group, text, style.right) }];
}

/** A heading is set apart as a whole, so nothing in it is. */
export const withoutBold = (content: readonly Inline[]): Inline[] =>
	content.map((piece) => {
		if (!('text' in piece)) return piece;
		const { bold: _, italic: __, ...rest } = piece;
		return rest;
	});

/** Level of a heading, by its size, its weight and the bookmarks; undefined for other text. */
export function headingLevel(lines: readonly Line[], text: string, style: Style): number | undefined {
	const [first] = lines;
	if (first === undefined) return undefined;
	if (text.length > maxHeading || lines.length > 4 || !/[\p{L}\p{N}]/u.test(text)) return undefined;
	const { size } = first;
	const stated = style.outline.get(comparable(text));
	const isLarge = size >= style.body * largerBy && canHead(first, style);
	const isStrong = lines.every(isBold) && size >= style.body * 0.97;
	if (stated !== undefined && (size >= style.body * largerBy || isStrong || lines.length === 1)) return stated;
	const level = levelOf(size, style, lines.every(isItalic));
	return isLarge || (isStrong && !/[,;:.]$/.test(text)) ? level : undefined;
}

/** Whether the next column or page may go on with it. */
const isOpen = ({ lines }: Group, text: string, right: number): boolean =>
	(lines.at(-1)!.rtl || lines.at(-1)!.x1 > right - lines.at(-1)!.size * 4) && !/[.!?:;"”»)\]。！？…؟]$/u.test(text);
