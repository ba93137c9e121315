import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import { rankOf } from '../read/title-block.ts';

/** Fewer entries may be references in the text. */
const fewest = 2;
const leadingShare = 0.8;
/** Titles of a table of contents. */
const label =
	/^(?:(?:table of )?contents|on this page|in this (?:article|page|section|guide|document)|page contents|toc|inhalt(?:sverzeichnis)?|auf dieser seite|sommaire|table des matières|sur cette page|contenidos?|en esta página|índice|目次|目录|目錄|本页(?:目录|内容)|차례|목차|содержание|оглавление)\s*:?$/i;

/** Drops tables of contents: lists of links to the headings of this page, which say them a second time. */
export function dropContents({ blocks, boxes }: Segments, drop: (start: number, end: number) => void): void {
	let headings: ReadonlySet<string> | undefined;
	let end = 0;
	for (const box of boxes) {
		const { tag } = box.element;
		if ((tag !== 'ul' && tag !== 'ol') || box.start < end || !leadsToPlaces(blocks, box)) continue;
		headings ??= headingsOf(blocks);
		if (headings.size < fewest) return;
		if (!namesHeadings(blocks, box, headings)) continue;
		end = box.end;
		const above = blocks[box.start - 1];
		drop(above !== undefined && label.test(above.text) ? box.start - 1 : box.start, end);
	}
}

function headingsOf(blocks: readonly Block[]): Set<string> {
	const headings = new Set<string>();
	for (const block of blocks) if (rankOf(block) > 0) headings.add(plain(block.text));
	return headings;
}

/** Entries are links and nothing else, and lead to a place on this page. */
function leadsToPlaces(blocks: readonly Block[], { start, end }: Box): boolean {
	for (let i = start; i < end; i++) {
		const block = blocks[i]!;
		if (block.linked < leadingShare * block.size.chars || !leadsWithin(block)) return false;
	}
	return end - start >= fewest || label.test(blocks[start - 1]?.text ?? '');
}

function namesHeadings(blocks: readonly Block[], { start, end }: Box, headings: ReadonlySet<string>): boolean {
	let leading = 0;
	for (let i = start; i < end; i++) if (headings.has(plain(blocks[i]!.text))) leading++;
	return leading >= leadingShare * (end - start);
}

function leadsWithin({ texts }: Block): boolean {
	for (let up = texts[0]?.parent ?? null; up !== null; up = up.parent) {
		if (up.tag === 'a') return up.attributes.href?.startsWith('#') === true;
		if (up.tag === 'li') return false;
	}
	return false;
}

/** Letters and digits, without the number that some generators set before a heading. */
const plain = (text: string): string =>
	text
		.replace(/^\s*\d+(?:\.\d+)*\.?\s+/, '')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '');
