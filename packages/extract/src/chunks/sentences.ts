/** A part of a text, by offsets. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** Cuts text at the bounds of sentences or words in its language; marks of Markdown stay whole. */
export interface TextCutter {
	sentences(text: string): Span[];
	/** For a sentence that is larger than a chunk. */
	words(text: string): Span[];
}

export function createTextCutter(language: string | undefined): TextCutter {
	const sentences = segmenter(language, 'sentence');
	const words = segmenter(language, 'word');
	return {
		sentences: (text) => joined(text, spansOf(sentences, text), isSentenceEnd),
		words: (text) => joined(text, spansOf(words, text), isWordEnd),
	};
}

/** A page may declare a language that is no language. */
function segmenter(language: string | undefined, granularity: 'sentence' | 'word'): Intl.Segmenter {
	try {
		return new Intl.Segmenter(language, { granularity });
	} catch {
		return new Intl.Segmenter(undefined, { granularity });
	}
}

/** The time of ICU grows with the square of the text: so many characters are segmented at a time. */
const part = 1000;

function spansOf(segmenter: Intl.Segmenter, text: string): Span[] {
	const spans: Span[] = [];
	let start = 0;
	for (let from = 0; from < text.length; ) {
		const limit = Math.min(text.length, from + part);
		const to = isLowSurrogate(text, limit) ? limit - 1 : limit;
		const ends = Array.from(
			segmenter.segment(text.slice(from, to)),
			({ index, segment }) => from + index + segment.length,
		);
		// The last one may go on behind the part: the next part begins with it, or in it where the part has no other.
		if (to < text.length) ends.pop();
		for (const end of ends) {
			spans.push({ start, end });
			start = end;
		}
		from = ends.at(-1) ?? to;
	}
	return spans;
}

export const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Parts that must not be cut: code spans, images and links, formulas, tags and addresses, footnote marks. */
const wholePattern =
	/(?<![\\`])(`+)(?!`)[^`]{1,1000}?\1(?!`)|!?\[(?:!\[[^[\]\n]{0,300}\]\([^()\n]{0,1000}\))?[^[\]\n]{0,300}\]\([^()\n]{0,1000}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|(?<![\\$])\$[^$\n]{1,500}\$|<[a-z/][^<>\n]{0,500}>|https?:\/\/[^\s<>)]{1,2000}/giu;

/** Joins spans whose bound is inside a mark of Markdown, or no bound at all. */
function joined(text: string, spans: readonly Span[], isEnd: (text: string, at: number) => boolean): Span[] {
	const whole = [...text.matchAll(wholePattern)].map(({ index, 0: { length } }) => ({
		start: index,
		end: index + length,
	}));
	const kept: Span[] = [];
	let start = 0;
	let next = 0;
	for (const { end: bound } of spans) {
		const end = beforeOpening(text, start, bound);
		while (next < whole.length && whole[next]!.end <= end) next++;
		const isInside = next < whole.length && whole[next]!.start < end;
		if (end <= start || (end < text.length && (isInside || !isEnd(text, end)))) continue;
		kept.push({ start, end });
		start = end;
	}
	if (start < text.length) kept.push({ start, end: text.length });
	return kept;
}

/** UAX #29 leaves an opening quotation mark with the sentence before it: `次の文。「`. */
function beforeOpening(text: string, start: number, end: number): number {
	if (end === text.length) return end;
	const opening = /[\p{Ps}\p{Pi}]+$/u.exec(text.slice(Math.max(start, end - 4), end))?.[0];
	return opening === undefined ? end : end - opening.length;
}

/** Abbreviations and initials before a name or a number. */
const abbreviated =
	/(?:^|[\s(])(?:\p{Lu}|[Dd]r|Mrs?|Ms|Prof|St|Nr|No|Abb|Fig|vgl|bzw|ca|approx|vs|etc|Mme|Mlle|Sra?|pp?|(?:\p{L}\.)+\p{L})\.\s+$/u;

const isSentenceEnd = (text: string, at: number): boolean => !abbreviated.test(text.slice(Math.max(0, at - 16), at));

/** Cut behind white space where there is some, and never between a letter and the mark after it. */
const isWordEnd = (text: string, at: number): boolean => !/^[\p{P}\p{M}\s]/u.test(text.slice(at, at + 2));
