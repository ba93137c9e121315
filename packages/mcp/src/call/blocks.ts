/** A heading of a Markdown text and its position; offsets count UTF-16 code units. */
export interface PlacedHeading {
	readonly level: number;
	/** Without markup. */
	readonly text: string;
	readonly start: number;
}

/** The structure of a Markdown text. */
export interface Outline {
	/** Starts of blocks after an empty line, outside fenced code. */
	readonly blocks: readonly number[];
	readonly headings: readonly PlacedHeading[];
}

const codeFence = /^ {0,3}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;

const setextUnderline = /^ {0,3}(=+|-{2,})[ \t]*$/;
/** A line that can be underlined: not empty, and not a heading, list, quote, table, code or rule. */
const paragraph = /^ {0,3}(?![#>|`~=-]|[*+] |\d+[.)] )\S/;

/** Finds the blocks and headings of a Markdown text. */
export function outlineOf(markdown: string): Outline {
	const blocks: number[] = [];
	const headings: PlacedHeading[] = [];
	let fence = '';
	let afterEmpty = false;
	let before = { text: '', start: 0 };
	for (let start = 0; start < markdown.length; ) {
		const end = markdown.indexOf('\n', start);
		const line = markdown.slice(start, end === -1 ? undefined : end).replace(/\r$/, '');
		if (fence === '') {
			const isEmpty = line.trim() === '';
			if (afterEmpty && !isEmpty) blocks.push(start);
			afterEmpty = isEmpty;
			const [, marks, text = ''] = atxHeading.exec(line) ?? [];
			if (marks !== undefined) headings.push({ level: marks.length, text: withoutMarkup(text), start });
			const underline = setextUnderline.exec(line)?.[1];
			if (underline !== undefined && paragraph.test(before.text))
				headings.push({
					level: underline.startsWith('=') ? 1 : 2,
					text: withoutMarkup(before.text),
					start: before.start,
				});
			before = { text: line, start };
		}
		const mark = codeFence.exec(line)?.[1] ?? '';
		if (fence === '') fence = mark;
		else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
		if (end === -1) break;
		start = end + 1;
	}
	return { blocks, headings };
}

/** The words of a line of Markdown. */
function withoutMarkup(line: string): string {
	return (
		line
			.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
			// Marks of emphasis and code; an underscore inside a word stays.
			.replace(/(?<!\\)[*`]+|(?<![\\\p{L}\p{N}])_+|(?<!\\)_+(?![\p{L}\p{N}])/gu, '')
			.replace(/\\([!-/:-@[-`{-~])/g, '$1')
			.trim()
	);
}

/** A range of a text. */
export interface Part {
	readonly start: number;
	readonly end: number;
}

/**
 * The piece of a text from `start` on, of at most `max` code units. It ends between two blocks if possible, else
 * between two lines, two words, or two characters.
 *
 * @param limit the end of the text; default: its length
 */
export function cutPart(text: string, { blocks }: Outline, start: number, max: number, limit = text.length): Part {
	const from = isInsidePair(text, start) ? start - 1 : start;
	const furthest = from + max;
	if (furthest >= limit) return { start: from, end: limit };
	const block = blocks.findLast((place) => place <= furthest);
	if (block !== undefined && block > from) return { start: from, end: block };
	for (const separator of ['\n', ' ']) {
		const place = text.lastIndexOf(separator, furthest - 1);
		if (place >= from) return { start: from, end: place + 1 };
	}
	return { start: from, end: isInsidePair(text, furthest) && furthest - 1 > from ? furthest - 1 : furthest };
}

/** Whether an offset is between the two halves of a character beyond U+FFFF. */
function isInsidePair(text: string, place: number): boolean {
	return place > 0 && /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(place - 1, place + 1));
}

/** From a heading to the next one of the same or a higher level. */
export function sectionAt(text: string, headings: readonly PlacedHeading[], index: number): Part | undefined {
	const heading = headings[index];
	if (heading === undefined) return undefined;
	const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
	return { start: heading.start, end: next?.start ?? text.length };
}
