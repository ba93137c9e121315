/** A line of a document, as its container sees it. */
export interface Line {
	/** Offsets of the whole line in the document, without the line feed. */
	readonly start: number;
	readonly end: number;
	/** The line without the marks and the indent of the list items and quotations around it. */
	readonly text: string;
}

/** The lines of a document. A line feed ends a line; a carriage return before it does not belong to the text. */
export function linesOf(markdown: string): Line[] {
	const lines: Line[] = [];
	for (let start = 0; start <= markdown.length; ) {
		const feed = markdown.indexOf('\n', start);
		const end = feed < 0 ? markdown.length : feed;
		const text = markdown.slice(start, end);
		lines.push({ start, end, text: text.endsWith('\r') ? text.slice(0, -1) : text });
		start = end + 1;
	}
	return lines;
}

export const isBlank = ({ text }: Line): boolean => text.trim() === '';

/** Columns of white space at the start; a tab stops at multiples of four (CommonMark §2.2). */
export function indentOf(text: string): number {
	let columns = 0;
	for (const character of text) {
		if (character === ' ') columns++;
		else if (character === '\t') columns += 4 - (columns % 4);
		else break;
	}
	return columns;
}

/** The line without up to so many columns of indent. */
export function unindented(line: Line, columns: number): Line {
	let at = 0;
	for (let seen = 0; at < line.text.length && seen < columns; at++) {
		if (line.text[at] === ' ') seen++;
		else if (line.text[at] === '\t') seen += 4 - (seen % 4);
		else break;
	}
	return at === 0 ? line : { ...line, text: line.text.slice(at) };
}
