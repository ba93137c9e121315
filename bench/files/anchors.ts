import { execFileSync } from 'node:child_process';
import { textOf, tokens } from './score.ts';

/** The text of a page, by poppler. */
export interface PrintedPage {
	readonly read: string;
	/** In the order in which the file paints it: both parts of a divided word stand together in columns, too. */
	readonly painted: string;
}

/** The text of each page, by poppler. */
export function pagesByPoppler(file: string): PrintedPage[] {
	const info = execFileSync('pdfinfo', [file], { encoding: 'utf8' });
	const count = Number(/^Pages:\s+(\d+)/m.exec(info)?.[1] ?? 0);
	const textOfPage = (at: number, ...options: string[]) =>
		execFileSync('pdftotext', ['-f', `${at + 1}`, '-l', `${at + 1}`, ...options, file, '-'], { encoding: 'utf8' });
	return Array.from({ length: count }, (_, at) => ({ read: textOfPage(at), painted: textOfPage(at, '-raw') }));
}

export interface Anchors {
	readonly pages: number;
	/** Pages whose anchor is there once, in order, with that page's words behind it and no word of another page. */
	readonly exact: number;
}

/**
 * Compares how often each word stands between two anchors with how often poppler finds it on that page, in any order: poppler
 * reads some pages in another. A word more often than on the page shows that it is another page's, unless the page has its letters,
 * divided by a line or joined to others; or poppler has it less often in the whole file, because a page divides it. Footnotes stand
 * at the end of the document and are left out, and so is a row of a table that a page divides: its cells have words of both.
 */
export function scoreAnchors(markdown: string, pages: readonly PrintedPage[], notes: readonly string[]): Anchors {
	const body = withoutNotes(markdown, notes).replace(/^\|.*(<a id="page-\d+"><\/a>).*\|$/gm, '$1');
	const found = [...body.matchAll(/<a id="page-(\d+)"><\/a>/g)];
	const printed = pages.map(wordsOfPage);
	const own = pages.map((_, at) => counted(tokens(textOf(body.slice(found[at]?.index ?? 0, found[at + 1]?.index)))));
	const strays = straysOf(own, printed, pages.map(lettersOf));
	const exact = pages.filter((_, at) => {
		const [anchor, ...others] = found.filter(([, number]) => Number(number) === at + 1);
		if (anchor === undefined || others.length > 0 || anchor !== found[at]) return false;
		const [words, page] = [own[at]!, printed[at]!];
		const all = [...words.values()].reduce((sum, count) => sum + count, 0);
		const here = [...words].reduce((sum, [word, count]) => sum + Math.min(count, page.get(word) ?? 0), 0);
		return here >= all * 0.8 && !strays.has(at);
	}).length;
	return { pages: pages.length, exact };
}

/** How many anchors that are put five words too late make pages less exact: what the score can tell. */
export function moveAnchors(markdown: string, pages: readonly PrintedPage[], notes: readonly string[]) {
	const { exact } = scoreAnchors(markdown, pages, notes);
	const moved = [...markdown.matchAll(/(<a id="page-\d+"><\/a>)(\s*(?:[^\s|#]+\s+){5})/g)]
		.filter(([whole]) => !whole.includes('"page-1"'))
		.map(({ index, 0: whole, 1: anchor = '', 2: words = '' }) =>
			[markdown.slice(0, index), words, anchor, markdown.slice(index + whole.length)].join(''),
		);
	return {
		moved: moved.length,
		noticed: moved.filter((each) => scoreAnchors(each, pages, notes).exact < exact).length,
	};
}

type Counts = ReadonlyMap<string, number>;

function counted(words: readonly string[]): Counts {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}

/** Words of a page, with those that the end of a line divides in one and in two. */
function wordsOfPage({ read }: PrintedPage): Counts {
	// Browsers write a soft hyphen or a zero-width space wherever a word may be divided.
	const text = read.replace(/\u200b|\u00ad(?!\n)/g, '');
	const divided = [...text.matchAll(/([\p{L}\p{M}]+)[-\u2010\u00ad]\n+([\p{L}\p{M}]+)/gu)];
	return counted([...tokens(text), ...divided.map(([, head, tail]) => `${head}${tail}`.normalize('NFKC'))]);
}

/** Letters and digits of a page without what is between them, in both orders. */
const lettersOf = ({ read, painted }: PrintedPage): readonly string[] =>
	[read, painted].map((text) => text.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}]+/gu, ''));

/** Shorter words are parts of others by chance. */
const leastLetters = 3;

const occurrences = (word: string, letters: readonly string[]): number =>
	word.length < leastLetters ? 0 : Math.max(...letters.map((text) => text.split(word).length - 1));

/** Pages with a word that is another page's. */
function straysOf(
	own: readonly Counts[],
	printed: readonly Counts[],
	letters: readonly (readonly string[])[],
): Set<number> {
	const strays = new Set<number>();
	const total = (pages: readonly Counts[], word: string) => pages.reduce((sum, page) => sum + (page.get(word) ?? 0), 0);
	for (const word of new Set(own.flatMap((page) => [...page.keys()]))) {
		const excess = own.map((page, at) => Math.max(0, (page.get(word) ?? 0) - (printed[at]?.get(word) ?? 0)));
		const unseen = Math.max(0, total(own, word) - total(printed, word));
		if (excess.reduce((sum, count) => sum + count, 0) <= unseen) continue;
		excess.forEach((count, at) => {
			if (count > 0 && (own[at]?.get(word) ?? 0) > occurrences(word, letters[at] ?? [])) strays.add(at);
		});
	}
	return strays;
}

function withoutNotes(markdown: string, notes: readonly string[]): string {
	const known = new Set(notes.map((note) => tokens(note).join(' ')));
	const blocks = markdown.split('\n\n');
	const isNote = (block = '') => block.startsWith('[^') || known.has(tokens(textOf(block)).join(' '));
	while (blocks.length > 0 && isNote(blocks.at(-1)?.trim())) blocks.pop();
	return blocks.join('\n\n');
}
