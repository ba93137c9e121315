import { wordsOfLine, wordsOfMarkdown, wordsOfRun } from './marked-words.ts';

/**
 * Counts the words of markdown: syntax and URLs are taken off, Unicode word segments counted (UAX #29).
 * Scripts that are written without spaces go through `Intl.Segmenter`; for all others the rules of UAX #29 are
 * applied here, some hundred times as fast and alike in every runtime.
 */
export function countWords(markdown: string): number {
	let words = 0;
	for (let start = 0; start < markdown.length; ) {
		const next = markdown.indexOf('\n', start);
		const end = next === -1 ? markdown.length : next;
		const quick = quickWords(markdown, start, end);
		const found = quick === needsRules ? wordsOfLine(markdown.slice(start, end)) : quick;
		// Where a line does not end what it begins, no line can be read alone.
		if (found === undefined) return wordsOfMarkdown(markdown);
		words += found;
		start = end + 1;
	}
	return words;
}

/** Minutes that reading takes, at 250 words a minute, rounded up; 0 for no words. */
export function readingTime(words: number): number {
	return Math.ceil(words / 250);
}

/** The result for a line with syntax that the quick way does not read. */
const needsRules = -1;

/** Kinds of characters: those up to `digitJoiner` are the columns of `steps`. */
const separator = 0;
const letter = 1;
const digit = 2;
const underscore = 3;
const joiner = 4;
const digitJoiner = 5;
/** Emphasis and code: its signs part no words. */
const mark = 6;
const space = 7;
/** Syntax may begin here. */
const sign = 8;
const backslash = 9;
const wide = 10;
/** Line ends of a kind of their own, controls. */
const odd = 11;

/** The kind of each UTF-16 unit. */
const kinds = new Uint8Array(0x10000).fill(wide).fill(separator, 0, 128);
for (let code = 0; code < 32; code++) kinds[code] = odd;
for (const [kind, characters] of [
	[letter, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'],
	[digit, '0123456789'],
	[underscore, '_'],
	[joiner, "'."],
	[digitJoiner, ',;'],
	[mark, '*`~'],
	[space, ' \t\v\f'],
	[sign, '[]<&:'],
	[backslash, '\\'],
	[odd, '\x7f'],
	// Beyond ASCII, what English text has too: quotation marks, dashes, white space.
	[joiner, '\u2018\u2019'],
	[separator, '\xab\xbb\u2013\u2014\u201c\u201d\u2022\u2026'],
	[space, '\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff'],
	[odd, '\u2028\u2029'],
] as const)
	for (const character of characters) kinds[character.charCodeAt(0)] = kind;

/** The code that is read behind the end of a text: no character has it. */
const nothing = 0xffff;

/** The engine gives up its code for a loop that asks for a character behind the end. */
const codeAt = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : nothing);

/** A word begins with this step. */
const begins = 8;
/**
 * The state after a character (a column, by its kind) in a state (a row): outside of a word; after a letter, a digit, an
 * underscore of a word; after a joiner behind a letter, behind a digit.
 */
const steps = Uint8Array.from([
	...[0, begins | 1, begins | 2, 0, 0, 0, 0, 0],
	...[0, 1, 2, 3, 4, 0, 0, 0],
	...[0, 1, 2, 3, 5, 5, 0, 0],
	...[0, 1, 2, 3, 0, 0, 0, 0],
	...[0, 1, begins | 2, 0, 0, 0, 0, 0],
	...[0, begins | 1, 2, 0, 0, 0, 0, 0],
]);

/** The words of a line in one pass, or `needsRules`. */
function quickWords(text: string, start: number, end: number): number {
	let words = 0;
	let state = 0;
	let at = afterMarker(text, start, end);
	if (at === needsRules) return needsRules;
	/** Where the run between white space began, and the words before it. */
	let runStart = at;
	let wordsBefore = 0;
	for (; at < end; at++) {
		let kind = kindOf(text.charCodeAt(at));
		if (kind > digitJoiner) {
			if (kind === backslash) kind = kindOfBackslash(codeAt(text, at + 1));
			if (kind === mark) continue;
			if (kind === sign) {
				const last = lastOfSign(text, at, end);
				if (last > at) kind = space;
				at = last;
			} else if (kind === wide) {
				const next = endOfRun(text, at, end);
				if (next !== needsRules) words = wordsBefore + wordsOfRun(text.slice(runStart, next));
				at = next - 1;
			}
			if (kind === odd || at < start) return needsRules;
			if (kind === space) {
				runStart = at + 1;
				wordsBefore = words;
			}
			kind = separator;
		}
		const step = steps[(state << 3) | kind] ?? 0;
		state = step & 7;
		if (step >= begins) words++;
	}
	return words;
}

const kindOf = (code: number): number => kinds[code] ?? wide;

/** It leaves the sign that it escapes, but for emphasis, which has no meaning behind it. */
function kindOfBackslash(next: number): number {
	const kind = next < 128 ? kindOf(next) : wide;
	if (kind === sign || kind === backslash) return odd;
	return kind === separator || (kind >= underscore && kind <= digitJoiner) ? mark : separator;
}

/** Where a line begins behind the marker of a list, whose number and box are no words; `needsRules` at a fence. */
function afterMarker(text: string, start: number, end: number): number {
	let at = start;
	while (at < end && isBlank(codeAt(text, at), true)) at++;
	if (text.startsWith('```', at) || text.startsWith('~~~', at)) return needsRules;
	let marker = at;
	while (marker < at + 9 && isDigit(codeAt(text, marker))) marker++;
	const code = codeAt(text, marker);
	const isMarker = marker > at ? code === 0x2e || code === 0x29 : code === 0x2d || code === 0x2b || code === 0x2a;
	if (!isMarker || !isBlank(codeAt(text, marker + 1), false)) return at;
	at = marker + 1;
	while (at < end && isBlank(codeAt(text, at), false)) at++;
	const isBox = codeAt(text, at) === 0x5b && codeAt(text, at + 2) === 0x5d;
	return isBox && /[ xX]/.test(text.charAt(at + 1)) && isBlank(codeAt(text, at + 3), false) ? at + 3 : at;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isBlank = (code: number, withQuotes: boolean): boolean =>
	code === 0x20 || code === 0x09 || (withQuotes && code === 0x3e);

/**
 * The last character of a link's target where one begins at `at`; `at` itself where the sign means nothing; `needsRules`.
 */
function lastOfSign(text: string, at: number, end: number): number {
	const next = codeAt(text, at + 1);
	const ch = text[at];
	if (ch === ']' && next === 0x28) return lastOfTarget(text, at + 2, end);
	return beginsSyntax(ch, next) || (ch === ':' && next === 0x2f && text[at + 2] === '/') ? needsRules : at;
}

/** A reference to a note, a definition of a link, a tag, an entity. */
function beginsSyntax(character: string | undefined, next: number): boolean {
	if (character === '[') return next === 0x5e;
	if (character === ']') return next === 0x3a;
	const isLetter = kinds[next] === letter;
	return (character === '<' && (isLetter || next === 0x2f)) || (character === '&' && (isLetter || next === 0x23));
}

/** The closing parenthesis of a target without a title, brackets or anything escaped. */
function lastOfTarget(text: string, start: number, end: number): number {
	for (let at = start; at < end; at++) {
		const code = text.charCodeAt(at);
		if (code === 0x29) return at;
		// White space, `(`, `<`, `[`, `\`.
		if (code <= 0x20 || code >= 127 || code === 0x28 || code === 0x3c || code === 0x5b || code === 0x5c) break;
	}
	return needsRules;
}

/** The end of a run between white space, or the target of a link in it. */
function endOfRun(text: string, start: number, end: number): number {
	for (let at = start; at < end; at++) {
		const kind = kindOf(text.charCodeAt(at));
		if (kind === space) return at;
		if (kind === odd) return needsRules;
		if (kind !== sign) continue;
		if (text[at] === ']' && text[at + 1] === '(') return at;
		if (lastOfSign(text, at, end) !== at) return needsRules;
	}
	return end;
}
