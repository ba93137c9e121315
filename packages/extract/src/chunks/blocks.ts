import { indentOf, isBlank, type Line, unindented } from './lines.ts';

/** A block of a Markdown document, with the lines that it takes. */
export type MarkdownBlock =
	| { readonly kind: 'heading'; readonly lines: readonly Line[]; readonly level: number; readonly text: string }
	/** `lines` include the fences; `isClosed` says whether the last line is one. */
	| { readonly kind: 'code'; readonly lines: readonly Line[]; readonly isClosed: boolean; readonly fence: string }
	/** The first `head` lines are its header; an HTML table may end in `tail` lines that close it. */
	| { readonly kind: 'table'; readonly lines: readonly Line[]; readonly head: number; readonly tail: number }
	/** List items, quotations, footnotes: `inner` are their lines without the marks. */
	| { readonly kind: 'container'; readonly lines: readonly Line[]; readonly inner: readonly Line[] }
	/** Lines that belong together line by line: indented code, formulas, other HTML. */
	| { readonly kind: 'lines'; readonly lines: readonly Line[] }
	| { readonly kind: 'paragraph'; readonly lines: readonly Line[] };

const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const fencePattern = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** A thematic break: three or more of one mark, spaces between them allowed (CommonMark §4.1). */
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const itemPattern = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(?=\S)|[ \t]*$)/;
const quote = /^ {0,3}>[ \t]?/;
const notePattern = /^ {0,3}\[\^[^\]\s]+\]:[ \t]*/;
/** The row under the head of a GFM table. */
const delimiter = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const html = /^ {0,3}<(?:[a-z][\w-]*[\s/>]|\/[a-z]|!--)/i;
const htmlTable = /^ {0,3}<table[\s>]/i;
const underlinePattern = /^ {0,3}(=+|-+)[ \t]*$/;

/** Finds the blocks of a document, or of a container, in order. Blank lines between them belong to none. */
export function blocksIn(lines: readonly Line[]): MarkdownBlock[] {
	const blocks: MarkdownBlock[] = [];
	for (let at = 0; at < lines.length; ) {
		if (isBlank(lines[at]!)) {
			at++;
			continue;
		}
		const block = blockAt(lines, at);
		blocks.push(block);
		at += block.lines.length;
	}
	return blocks;
}

function blockAt(lines: readonly Line[], at: number): MarkdownBlock {
	const { text } = lines[at]!;
	const heading = atx.exec(text);
	if (heading !== null) {
		const content = (heading[2] ?? '').replace(/(?:^|[ \t]+)#+[ \t]*$/, '');
		return { kind: 'heading', lines: [lines[at]!], level: heading[1]!.length, text: content.trim() };
	}
	const fence = fencePattern.exec(text)?.[1];
	if (fence !== undefined) return codeAt(lines, at, fence);
	if (/^ {0,3}\$\$[ \t]*$/.test(text)) {
		const close = lines.findIndex((line, i) => i > at && /\$\$[ \t]*$/.test(line.text));
		if (close > 0) return { kind: 'lines', lines: lines.slice(at, close + 1) };
	}
	if (rule.test(text)) return { kind: 'paragraph', lines: [lines[at]!] };
	if (quote.test(text)) return quoteAt(lines, at);
	const note = notePattern.exec(text)?.[0];
	if (note !== undefined) return containerAt(lines, at, note.length, 4);
	const item = itemPattern.exec(text);
	if (item !== null) {
		const mark = item[1]!.length + item[2]!.length;
		const space = item[3] === undefined || item[3].length > 4 ? 1 : item[3].length;
		return containerAt(lines, at, mark + space, mark + space);
	}
	if (indentOf(text) >= 4) return { kind: 'lines', lines: until(lines, at, (line) => indentOf(line.text) < 4) };
	if (htmlTable.test(text)) return htmlTableAt(lines, at);
	if (html.test(text)) return { kind: 'lines', lines: until(lines, at, () => false) };
	if (isTableAt(lines, at)) {
		const rows = until(lines, at, (line, i) => i > at + 1 && interrupts(line.text));
		return { kind: 'table', lines: rows, head: 2, tail: 0 };
	}
	return paragraphAt(lines, at);
}

/** The lines up to the first blank one, or the first that ends the block. */
function until(lines: readonly Line[], at: number, isEnd: (line: Line, index: number) => boolean): readonly Line[] {
	let end = at + 1;
	while (end < lines.length && !isBlank(lines[end]!) && !isEnd(lines[end]!, end)) end++;
	return lines.slice(at, end);
}

function codeAt(lines: readonly Line[], at: number, fence: string): MarkdownBlock {
	const close = new RegExp(`^ {0,3}\\${fence[0]}{${fence.length},}[ \\t]*$`);
	let end = at + 1;
	while (end < lines.length && !close.test(lines[end]!.text)) end++;
	const isClosed = end < lines.length;
	return { kind: 'code', lines: lines.slice(at, isClosed ? end + 1 : end), isClosed, fence };
}

function quoteAt(lines: readonly Line[], at: number): MarkdownBlock {
	const own = until(lines, at, ({ text }, i) => !quote.test(text) && !isLazy(lines[i - 1]!.text, text));
	return { kind: 'container', lines: own, inner: own.map((line) => ({ ...line, text: line.text.replace(quote, '') })) };
}

/** A line without the mark of the quotation goes on with a paragraph of it (CommonMark §5.1). */
const isLazy = (before: string, text: string): boolean => /^ {0,3}>[ \t]*[^\s>#|`~]/.test(before) && !interrupts(text);

/** A list item or a footnote: its first line, lines indented as far as its text, and what goes on with its paragraph. */
function containerAt(lines: readonly Line[], at: number, mark: number, indent: number): MarkdownBlock {
	let end = at + 1;
	for (let next = end; next < lines.length; next++) {
		const line = lines[next]!;
		if (isBlank(line)) continue;
		const isLazyLine = next === end && !isBlank(lines[next - 1]!) && !interrupts(line.text);
		if (indentOf(line.text) < indent && !isLazyLine) break;
		end = next + 1;
	}
	const own = lines.slice(at, end);
	const first = { ...own[0]!, text: own[0]!.text.slice(mark) };
	return { kind: 'container', lines: own, inner: [first, ...own.slice(1).map((line) => unindented(line, indent))] };
}

/** An HTML table of our own writing: one row a line. */
function htmlTableAt(lines: readonly Line[], at: number): MarkdownBlock {
	let end = at;
	for (let depth = 0; end < lines.length && !isBlank(lines[end]!); end++) {
		depth += count(lines[end]!.text, /<table[\s>]/gi) - count(lines[end]!.text, /<\/table>/gi);
		if (depth <= 0) break;
	}
	const own = lines.slice(at, Math.min(end + 1, lines.length));
	const isByRows =
		own.length > 2 &&
		own.slice(1, -1).every(({ text }) => /^<tr[\s>].*<\/tr>$/.test(text)) &&
		/^<\/table>$/.test(own.at(-1)!.text);
	if (!isByRows) return { kind: 'lines', lines: own };
	let head = 1;
	while (head < own.length - 2 && !/<td[\s>]/.test(own[head]!.text)) head++;
	return { kind: 'table', lines: own, head, tail: 1 };
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

const isTableAt = (lines: readonly Line[], at: number): boolean =>
	lines[at]!.text.includes('|') &&
	at + 1 < lines.length &&
	lines[at + 1]!.text.includes('|') &&
	delimiter.test(lines[at + 1]!.text);

function paragraphAt(lines: readonly Line[], at: number): MarkdownBlock {
	let end = at + 1;
	for (; end < lines.length && !isBlank(lines[end]!); end++) {
		const { text } = lines[end]!;
		const underline = underlinePattern.exec(text)?.[1];
		if (underline !== undefined) {
			const own = lines.slice(at, end + 1);
			const heading = lines
				.slice(at, end)
				.map((line) => line.text.trim())
				.join(' ');
			return { kind: 'heading', lines: own, level: underline[0] === '=' ? 1 : 2, text: heading };
		}
		if (interrupts(text) || isTableAt(lines, end)) break;
	}
	return { kind: 'paragraph', lines: lines.slice(at, end) };
}

/** Whether a line begins another block although a paragraph stands right before it. */
function interrupts(text: string): boolean {
	if (atx.test(text) || fencePattern.test(text) || quote.test(text) || rule.test(text) || notePattern.test(text))
		return true;
	const item = itemPattern.exec(text);
	// Of numbered lists only those that begin with 1, and no empty item (CommonMark §5.2).
	return item?.[3] !== undefined && (!/\d/.test(item[2]!) || /^1[.)]$/.test(item[2]!));
}
