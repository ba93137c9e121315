/** How blocks of Markdown stand apart: joined with it, they give the text, character by character. */
export const blockGap = '\n\n';

/** Blocks of a document, and the line breaks behind the last one. */
export interface Blocks {
	readonly blocks: readonly string[];
	readonly end: string;
}

/** Start or end of fenced code (CommonMark §4.5), also in a list item. */
const fence = /^[ \t>*+\-\d.)]*(`{3,}|~{3,})(.*)$/;

/**
 * Blocks of Markdown: parts between empty lines; fenced code is one block. Without an allocation for each line, since
 * every page of a watched crawl passes here.
 */
export function splitBlocks(markdown: string): Blocks {
	let length = markdown.length;
	while (markdown[length - 1] === '\n') length--;
	const [text, end] = [markdown.slice(0, length), markdown.slice(length)];
	if (text === '') return { blocks: [], end };
	const parts = text.split(blockGap);
	if (!text.includes('```') && !text.includes('~~~')) return { blocks: parts, end };
	const blocks: string[] = [];
	let open: string | undefined;
	let held: string[] = [];
	for (const part of parts) {
		held.push(part);
		open = fenceAfter(part, open);
		if (open !== undefined) continue;
		blocks.push(held.join(blockGap));
		held = [];
	}
	if (held.length > 0) blocks.push(held.join(blockGap));
	return { blocks, end };
}

export const joinBlocks = ({ blocks, end }: Blocks): string => blocks.join(blockGap) + end;

/** The fence that is open behind these lines. */
function fenceAfter(part: string, open: string | undefined): string | undefined {
	let fenced = open;
	for (const line of part.split('\n')) {
		const [, marks = '', info = ''] = fence.exec(line) ?? [];
		if (marks === '') continue;
		if (fenced === undefined) {
			if (marks[0] === '~' || !info.includes('`')) fenced = marks;
		} else if (marks[0] === fenced[0] && marks.length >= fenced.length && info.trim() === '') fenced = undefined;
	}
	return fenced;
}
