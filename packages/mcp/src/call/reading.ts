import type { Result } from '@wayleave/crawler';
import { nearestWord } from '@wayleave/io/messages';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import { oneLine } from '@wayleave/protocols/text';
import { cutPart, type Outline, outlineOf, type Part, type PlacedHeading, sectionAt } from './blocks.ts';

/** The part of a document that a caller wants. */
export interface Wanted {
	readonly start: number;
	readonly max_characters: number;
	readonly section?: string | undefined;
}

/** A part of a document: offsets count UTF-16 code units of its Markdown. */
export interface ChosenPart extends Part {
	readonly total: number;
	/** The offset of the next part; undefined at the end. */
	readonly next?: number | undefined;
	readonly headings: readonly PlacedHeading[];
	/** The chunks of the part, if the caller wants them. */
	readonly chunks?: Chunks | undefined;
	/** Number of sections with the requested heading; this is the first. */
	readonly sections?: number | undefined;
}

export type Chunks = NonNullable<Result['chunks']>;

/** Why there is no such part; `theirs` quotes the page. */
export interface NoPart {
	readonly fault: string;
	readonly theirs?: string;
}

/** The most headings listed: on a page with more, the first ones lead to the rest. */
const maxHeadings = 100;

/**
 * Chooses the part of a document that a caller wants.
 *
 * @param chunks those of the document, if the caller wants chunks: a part then has whole ones
 */
export function choosePart(
	document: AIDocument,
	{ start, max_characters: max, section }: Wanted,
	chunks?: Chunks,
): ChosenPart | NoPart {
	const { markdown } = document.content;
	const total = markdown.length;
	const outline = outlineOf(markdown);
	const found = section === undefined ? undefined : findSection(document, outline, section);
	if (found !== undefined && 'fault' in found) return found;
	const range = found ?? { start: 0, end: total };
	if (start >= total && start > 0) return { fault: `start: the page has ${count(total)} characters, and ends there.` };
	if (found !== undefined && start >= range.end)
		return { fault: `start: the section ends at ${count(range.end)}; omit section to read on.` };
	const from = Math.max(start, range.start);
	const part =
		chunks === undefined ? cutPart(markdown, outline, from, max, range.end) : cutAtChunks(chunks, from, max, range.end);
	return {
		...part,
		total,
		...(part.end < range.end && { next: part.end }),
		headings: outline.headings,
		...(found !== undefined && { sections: found.count }),
	};
}

/** Whole chunks from the one that contains the start; at least one, even if it is too long. */
function cutAtChunks(all: Chunks, from: number, max: number, end: number): Part & { readonly chunks: Chunks } {
	const within = all.filter((chunk) => chunk.end > from && chunk.start < end);
	const start = Math.min(from, within[0]?.start ?? from);
	const beyond = within.findIndex((chunk, index) => index > 0 && chunk.end - start > max);
	return beyond === -1
		? { start, end, chunks: within }
		: { start, end: within[beyond]?.start ?? end, chunks: within.slice(0, beyond) };
}

/** The line that names the part and how to continue; undefined for a whole document. */
export function partLine({ start, end, total, next }: ChosenPart): string | undefined {
	if (start === 0 && end === total) return undefined;
	const range = `characters ${count(start)}–${count(end)} of ${count(total)}`;
	if (next !== undefined) return `${range}; go on with start: ${next}`;
	return end === total ? `${range}; this is the end` : `${range}; this is the end of the section`;
}

/** The headings of a page on one line, for the inside of a fence. */
export function headingList(headings: readonly PlacedHeading[]): string {
	const shown = headings.slice(0, maxHeadings).map(({ text }) => oneLine(text));
	return [...shown, ...(headings.length > maxHeadings ? ['…'] : [])].join(' | ');
}

type Section = Part & { readonly count: number };

function findSection(document: AIDocument, { headings }: Outline, wanted: string): Section | NoPart {
	const byId = document.structure.headings?.find(({ id }) => id !== undefined && `#${id}` === wanted.trim());
	const name = folded(byId?.text ?? wanted);
	const places = headings.flatMap(({ text }, index) => (folded(text) === name ? [index] : []));
	const [first] = places;
	const part = first === undefined ? undefined : sectionAt(document.content.markdown, headings, first);
	if (part !== undefined) return { ...part, count: places.length };
	if (headings.length === 0) return { fault: 'section: the page has no headings; read it with start.' };
	const near = nearestWord(
		name,
		headings.map(({ text }) => folded(text)),
	);
	const suggestion = headings.find(({ text }) => folded(text) === near);
	return {
		fault: 'section: the page has no such heading; choose one of those that it has.',
		theirs: [
			...(suggestion === undefined ? [] : [`nearest heading: ${oneLine(suggestion.text)}`]),
			`headings: ${headingList(headings)}`,
		].join('\n'),
	};
}

const folded = (heading: string): string =>
	heading
		.normalize('NFKC')
		.toLowerCase()
		.replace(/^[#\s]+|[#\s]+$/g, '')
		.replace(/\s+/g, ' ');

const count = (characters: number): string => characters.toLocaleString('en-US');
