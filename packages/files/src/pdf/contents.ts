import { inlineOf } from './join.ts';
import { rowsOf } from './regions.ts';
import type { Block, Inline, Segment } from './types.ts';

/** A row of dots that leads to a page number. */
const leader = /(?:[.·…‥_]\s?){5,}/u;
const pageNumber = /^(?:\d{1,4}|[ivxlc]{1,7})$/iu;
const endsInPage = /(?:^|[\s.·…‥_])(?:\d{1,4}|[ivxlc]{1,7})$/iu;
/** Points within which the page numbers of a table of contents end. */
const sameEnd = 4;

export interface Contents {
	/** Their segments are no part of the other text. */
	readonly segments: ReadonlySet<Segment>;
	/** Top and bottom baseline. */
	readonly from: number;
	readonly to: number;
	readonly block: Block;
}

type Row = Segment[];

const textOf = (row: Row): string => row.map(({ text }) => text).join(' ');

/** A table of contents: lines with leaders, and those between them that end in a page number at the same place. */
export function contentsOf(segments: readonly Segment[]): Contents | undefined {
	const rows = rowsOf(segments);
	const led = rows.filter((row) => leader.test(textOf(row)) && endsInPage.test(textOf(row).trim()));
	if (led.length === 0) return undefined;
	const ends = led.map((row) => row.at(-1)!.x1).sort((a, b) => a - b);
	const end = ends[ends.length >> 1]!;
	const isEntry = (row: Row) =>
		led.includes(row) ||
		(Math.abs(row.at(-1)!.x1 - end) < sameEnd && row.length > 1 && pageNumber.test(row.at(-1)!.text));
	const [first, last] = [rows.findIndex(isEntry), rows.findLastIndex(isEntry)];
	const inside = rows.slice(first, last + 1);
	if (led.length < 2 && inside.length < 3) return undefined;
	// Prose between them: not one table.
	if (inside.filter((row) => !isEntry(row)).length > inside.length * 0.4) return undefined;
	const entries = entriesOf(inside, isEntry);
	return {
		segments: new Set(inside.flat()),
		from: inside[0]![0]!.y,
		to: inside.at(-1)![0]!.y,
		block: nested(entries),
	};
}

interface Entry {
	readonly x0: number;
	readonly content: readonly Inline[];
}

/** Titles of more than one line end with the line that has the number. */
function entriesOf(rows: readonly Row[], isEntry: (row: Row) => boolean): Entry[] {
	const entries: Entry[] = [];
	let open: Segment[] = [];
	for (const row of rows) {
		open.push(...row);
		if (!isEntry(row)) continue;
		entries.push({ x0: open[0]!.x0, content: contentOf(open) });
		open = [];
	}
	return entries;
}

function contentOf(segments: readonly Segment[]): Inline[] {
	const content: Inline[] = [];
	const leads = segments.some(({ text }) => leader.test(text)) || segments.length > 1;
	segments.forEach((segment, at) => {
		const text = segment.text.replace(leader, ' … ').trim();
		if (/^[.·…‥_\s]*$/u.test(text)) return;
		const isNumber = leads && at === segments.length - 1 && pageNumber.test(text);
		if (content.length > 0) content.push({ text: isNumber ? ' … ' : ' ' });
		content.push(inlineOf({ ...segment, text }));
	});
	return content;
}

/** Entries that are set in belong to the one before. */
function nested(entries: readonly Entry[]): Block {
	const items: Block[][] = [];
	const [first] = entries;
	for (let at = 0; at < entries.length; ) {
		let end = at + 1;
		while (end < entries.length && entries[end]!.x0 > Math.max(entries[at]!.x0, first!.x0) + 4) end++;
		const inner = entries.slice(at + 1, end);
		const paragraph = { kind: 'paragraph', content: entries[at]!.content } as const;
		items.push(inner.length > 0 ? [paragraph, nested(inner)] : [paragraph]);
		at = end;
	}
	return { kind: 'list', ordered: false, start: 1, items };
}
