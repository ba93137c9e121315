import { isUnspaced, segmentEnds } from '../internal/words.ts';

/** A piece of a source, by its UTF-16 offsets; `end` is exclusive. */
export interface Excerpt {
	readonly start: number;
	readonly end: number;
}

/** `short-only` "means under 50 words of source content per quote". */
export const shortQuoteWords = 49;

/** How many words a text has: runs between white space; in scripts without spaces, words as Unicode segments them. */
export function countWords(text: string): number {
	let count = 0;
	for (const _ of wordEnds(text)) count++;
	return count;
}

/** Where each word ends, one after the other, so that a long text is only read as far as it is needed. */
function* wordEnds(text: string): Generator<number> {
	for (const { 0: run, index } of text.matchAll(/\S+/g)) {
		if (!isUnspaced(run)) yield index + run.length;
		else yield* runEnds(run, index);
	}
}

/** Words among the segments of a run; one that holds none, a bracket or a full stop alone, counts as one. */
function* runEnds(run: string, start: number): Generator<number> {
	let words = 0;
	for (const end of segmentEnds(run)) {
		words++;
		yield start + end;
	}
	if (words === 0) yield start + run.length;
}

/**
 * Cuts excerpts of one source so that no quote has more than `maxWords` words of it. Excerpts that overlap or adjoin,
 * with no letter or figure between them, are one quote. Attribution, URL and metadata are no part of the
 * source, and so never count.
 *
 * Returns the quotes in their order, each cut behind a word; what does not lie in the source is left out.
 */
export function limitQuotes(source: string, excerpts: readonly Excerpt[], maxWords: number): Excerpt[] {
	return joinAdjoining(source, excerpts).flatMap(({ start, end }) => {
		const cut = endOfWords(source.slice(start, end), maxWords);
		return cut === 0 ? [] : [{ start, end: start + cut }];
	});
}

/** A text cut behind its `maxWords`th word; the same text when it has no more. */
export function limitWords(text: string, maxWords: number): string {
	return text.slice(0, endOfWords(text, maxWords));
}

function endOfWords(text: string, maxWords: number): number {
	let count = 0;
	let end = 0;
	for (const next of wordEnds(text)) {
		if (++count > maxWords) return end;
		end = next;
	}
	return text.length;
}

function joinAdjoining(source: string, excerpts: readonly Excerpt[]): Excerpt[] {
	const joined: { start: number; end: number }[] = [];
	const inside = excerpts
		.map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(source.length, end) }))
		.filter(({ start, end }) => start < end)
		.sort((a, b) => a.start - b.start);
	for (const excerpt of inside) {
		const last = joined.at(-1);
		if (last && (excerpt.start <= last.end || !/[\p{L}\p{N}]/u.test(source.slice(last.end, excerpt.start))))
			last.end = Math.max(last.end, excerpt.end);
		else joined.push({ ...excerpt });
	}
	return joined;
}
