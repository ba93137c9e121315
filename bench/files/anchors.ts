import { execFileSync } from 'node:child_process';
import { textOf, tokens } from './score.ts';

/** Words in a row that tell a place. */
const shingle = 3;

/** The text of each page, by poppler. */
export function pagesByPoppler(file: string): string[] {
	const info = execFileSync('pdfinfo', [file], { encoding: 'utf8' });
	const count = Number(/^Pages:\s+(\d+)/m.exec(info)?.[1] ?? 0);
	return Array.from({ length: count }, (_, at) =>
		execFileSync('pdftotext', ['-f', `${at + 1}`, '-l', `${at + 1}`, file, '-'], { encoding: 'utf8' }),
	);
}

export interface Anchors {
	readonly pages: number;
	/** Pages whose anchor is there once, in order, with that page's text behind it and no text of another page. */
	readonly exact: number;
}

/**
 * Compares the text between two anchors with the same page in poppler. Words, and three words in a row, that poppler finds on
 * other pages only show a wrong place. Footnotes stand at the end of the document and are left out.
 */
export function scoreAnchors(markdown: string, pages: readonly string[], notes: readonly string[]): Anchors {
	const body = withoutNotes(markdown, notes);
	const found = [...body.matchAll(/<a id="page-(\d+)"><\/a>/g)];
	const printed = pages.map(compact);
	const exact = printed.filter((page, at) => {
		const own = found.filter(([, number]) => Number(number) === at + 1);
		if (own.length !== 1 || own[0] !== found[at]) return false;
		const marks = marksOf(body.slice(own[0]?.index, found[at + 1]?.index));
		const here = marks.filter((mark) => page.includes(mark));
		const isElsewhere = (mark: string) => !page.includes(mark) && printed.some((other) => other.includes(mark));
		return here.length >= marks.length * 0.8 && !marks.some(isElsewhere);
	}).length;
	return { pages: pages.length, exact };
}

function withoutNotes(markdown: string, notes: readonly string[]): string {
	const known = new Set(notes.map((note) => tokens(note).join(' ')));
	const blocks = markdown.split('\n\n');
	const isNote = (block = '') => block.startsWith('[^') || known.has(tokens(textOf(block)).join(' '));
	while (blocks.length > 0 && isNote(blocks.at(-1)?.trim())) blocks.pop();
	return blocks.join('\n\n');
}

/** Letters and numbers alone: lines divide words, and programs join them. */
const compact = (text: string): string => tokens(text).join('');

/** Words and rows of words that do not cross a line or a cell. */
function marksOf(text: string): string[] {
	return text.split(/\n|\|/).flatMap((part) => {
		const words = tokens(textOf(part).replace(/(?<=\p{L})[-\u2010](?=\p{L})/gu, ''));
		const rows = words.slice(shingle - 1).map((_, at) => words.slice(at, at + shingle).join(''));
		return [...words.filter((word) => word.length > 3), ...rows];
	});
}
