/** The surroundings of a piece of text, which decide which characters could be read as markup. */
export interface TextPlace {
	/** The character before, `\n` at the start of a line. */
	readonly before: string;
	/** The character after, `\n` at the end of a line. */
	readonly after: string;
	/** The character after the marks that close here. */
	readonly beyond: string;
	/** Brackets would end the text of a link. */
	readonly inLink: boolean;
	/** The document holds formulas, so that `$` means something. */
	readonly math: boolean;
}

const markup = /_+|[\\`*[\]<&~$!]/g;
/** Text that GFM §6.9 makes a link without any markup, up to its possible end. */
const addressPattern = /(?:https?:|www\.)\S*/gi;

const mayBeAddress = /https?:|www\./i;

const sign = /[_\\`*[\]<&~$!]|https?:|www\./i;

/** Whether there is any of both. */
export const mayNeedEscape = (text: string): boolean => sign.test(text);

/**
 * Escapes what a CommonMark or GFM parser could read as markup, and no more: `snake_case`, `a * b`, `1 < 2` and
 * `AT&T` stay as they are.
 */
export function escapeText(text: string, place: TextPlace): string {
	if (!mayNeedEscape(text)) return text;
	const at = (index: number): string => (index < 0 ? place.before : index >= text.length ? place.after : text[index]!);
	const escaped = (start: number, end: number): string =>
		text.slice(start, end).replace(markup, (character, offset: number) => {
			const index = start + offset;
			const { length } = character;
			if (!needsEscape(character, at(index - 1), at(index + length), text, index, place)) return character;
			return length === 1 ? `\\${character}` : character.replace(/./g, '\\$&');
		});
	if (!mayBeAddress.test(text)) return escaped(0, text.length);
	let out = '';
	let done = 0;
	for (const { 0: address, index } of text.matchAll(addressPattern)) {
		const end = index + address.length;
		const safe = escaped(index, end);
		const glued = end === text.length && !/\s/.test(place.beyond);
		// No backslash works inside such a link: the link itself is undone by one.
		const undone = safe !== address || glued || address.includes('|');
		out += escaped(done, index) + (undone ? safe.replace(/^(https?|www)/i, '$1\\') : safe);
		done = end;
	}
	return out + escaped(done, text.length);
}

function needsEscape(
	character: string,
	previous: string,
	next: string,
	text: string,
	index: number,
	{ inLink, math }: TextPlace,
): boolean {
	// Underscores inside a word or between spaces open and close nothing (CommonMark §6.2).
	if (character.startsWith('_')) {
		return !(space.test(previous) && space.test(next)) && !(word.test(previous) && word.test(next));
	}
	switch (character) {
		case '\\':
			return next === '\n' || asciiPunctuation.test(next);
		case '`':
			return true;
		case '*':
			return !(space.test(previous) && space.test(next));
		case '[':
			return inLink || next === '^' || (previous === '\n' && /^\[[ xX]\]/.test(text.slice(index, index + 3)));
		case ']':
			return inLink || next === '(' || next === '[' || next === ':';
		case '<':
			return /[a-zA-Z/!?]/.test(next);
		case '&':
			// The character references of CommonMark §2.5.
			return /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/.test(text.slice(index, index + 40));
		case '~':
			return !space.test(previous) || next === '~' || previous === '~';
		case '$':
			return math;
		default: // `!` before a link makes an image
			return next === '[';
	}
}

const space = /\s/;
const asciiPunctuation = /[!-/:-@[-`{-~]/;
/** A letter or digit; half of a pair of surrogates is neither. */
const word = /[\p{L}\p{N}]/u;

/** Text that starts a block at the start of a line. */
const lineStart =
	/^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|=+\s*$|(?:_[ \t]*){3,}$|~~~|[|:-][-:| \t]*$|\d{1,9}(?=[.)](?:\s|$)))/;

/** Keeps a line of a paragraph from becoming a heading, list, quote, rule, fence or table. */
export function escapeLineStart(line: string): string {
	const match = lineStart.exec(line);
	if (match === null) return line;
	const marker = match[0];
	return /^\d/.test(marker) ? `${marker}\\${line.slice(marker.length)}` : `\\${line}`;
}

/** A code span whose fence is the shortest run of backticks that the text does not hold (CommonMark §6.1). */
export function codeSpan(text: string): string {
	const lengths = new Set((text.match(/`+/g) ?? []).map((run) => run.length));
	let length = 1;
	while (lengths.has(length)) length++;
	const fence = '`'.repeat(length);
	return /^`|`$|^ .*[^ ].* $/.test(text) ? `${fence} ${text} ${fence}` : fence + text + fence;
}

/** A fence longer than any run of backticks in the code. */
export function codeFence(text: string): string {
	let longest = 2;
	for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
	return '`'.repeat(longest + 1);
}

/** A link target, in angle brackets where parentheses do not balance (CommonMark §6.3). */
export function linkTarget(url: string): string {
	const target = url.replace(/[\s<>]/g, encodeURIComponent).replace(/\\/g, '%5C');
	return balanced(target) && target !== ''
		? target.replace(entityLike, '&amp;')
		: `<${target.replace(entityLike, '&amp;')}>`;
}

const entityLike = /&(?=#?\w{1,31};)/g;

function balanced(url: string): boolean {
	if (!url.includes('(') && !url.includes(')')) return true;
	let depth = 0;
	for (const character of url) {
		if (character === '(') depth++;
		else if (character === ')' && --depth < 0) return false;
		if (depth > 30) return false;
	}
	return depth === 0;
}
