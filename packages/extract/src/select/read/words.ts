import { hashOf, mix, seed } from './word-table.ts';

const unknown = 0;
export const letter = 1;
export const digit = 2;
export const other = 3;
const sign = 4;

/** UTF-16 unit → kind, filled in on demand: a Unicode property test costs as much as a hundred look-ups. */
const kinds = new Uint8Array(0x10000);

const isLetter = /^\p{L}$/u;
const isDigit = /^\p{N}$/u;

function look(char: string): number {
	return isLetter.test(char) ? letter : isDigit.test(char) ? digit : other;
}

export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The kind of the character at a place; one outside the basic plane takes both of its units. */
export function kindAt(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	const known = kinds[unit]!;
	if (known !== unknown) return known;
	if (isHighSurrogate(unit)) return look(String.fromCodePoint(text.codePointAt(at)!));
	const kind = look(text[at]!);
	kinds[unit] = kind;
	return kind;
}

/** Goes from word to word of a text without cutting them out: each is `[start, end)` of `text`. */
export interface Words {
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** Of the word: see `mix`. */
	readonly hash: number;
	/** Goes to the next word; false where there is none. */
	next(): boolean;
}

export const cut = ({ text, start, end }: Words): string => text.slice(start, end).toLowerCase();

/** The different ones, in their order. */
export function distinct(words: Words): Set<string> {
	const found = new Set<string>();
	while (words.next()) found.add(cut(words));
	return found;
}

/** The runs of letters and digits of a text. */
export class FlatWords implements Words {
	text = '';
	start = 0;
	end = 0;
	hash = seed;

	begin(text: string): void {
		this.text = inLowerCase(text);
		this.end = 0;
	}

	next(): boolean {
		const { text } = this;
		const { length } = text;
		let at = this.end;
		while (at < length) {
			const unit = text.charCodeAt(at);
			if ((kinds[unit]! || kindAt(text, at)) !== other) break;
			at += widthOf(unit, at, length);
		}
		this.start = at;
		let hash = seed;
		while (at < length) {
			const unit = text.charCodeAt(at);
			if ((kinds[unit]! || kindAt(text, at)) === other) break;
			hash = mix(hash, unit);
			at++;
			if (isHighSurrogate(unit) && at < length) hash = mix(hash, text.charCodeAt(at++));
		}
		this.hash = hash;
		this.end = at;
		return at > this.start;
	}
}

/** The runs of letters and digits of a text, in lower case. */
export function flatWords(text: string): string[] {
	const found: string[] = [];
	const words = new FlatWords();
	words.begin(text);
	while (words.next()) found.push(cut(words));
	return found;
}

/** Characters of a block that are looked at word by word. */
export const maxChars = 400;
/** Longer words are passed over. */
export const maxWord = 24;
/** Replacement of a number, by its number of digits, and the length of that. */
const numbers = '#1#2#3#4#5';
const number = 2;
/** No run of digits is taken for a number that begins so and goes on. */
const highest = '99999999';

/**
 * The words of a short block, which menus and notices repeat: runs of letters, copyright signs, and for a run of ASCII
 * digits how many they are.
 */
export class BlockWords implements Words {
	text = '';
	start = 0;
	end = 0;
	hash = seed;
	#block = '';
	#at = 0;

	begin(block: string): void {
		this.#block = inLowerCase(block.length > maxChars ? block.slice(0, maxChars) : block);
		this.#at = 0;
	}

	next(): boolean {
		const block = this.#block;
		const { length } = block;
		for (let at = this.#at; at < length; ) {
			const start = at;
			let unit = block.charCodeAt(at);
			const kind = blockKinds[unit]! || blockKindAt(block, at);
			if (kind === other) {
				at += widthOf(unit, at, length);
				continue;
			}
			let hash = seed;
			do {
				hash = mix(hash, unit);
				at++;
				if (isHighSurrogate(unit) && at < length) hash = mix(hash, block.charCodeAt(at++));
				if (kind === sign || at === length) break;
				unit = block.charCodeAt(at);
			} while ((blockKinds[unit]! || blockKindAt(block, at)) === kind);
			if (at - start > maxWord) continue;
			this.#at = at;
			if (kind === digit) setNumber(this, block, start, at, hash);
			else setWord(this, block, start, at, hash);
			return true;
		}
		return false;
	}
}

/** The word that a reader has reached. */
type Reached = { -readonly [Member in 'text' | 'start' | 'end' | 'hash']: Words[Member] };

export function setWord(words: Reached, text: string, start: number, end: number, hash: number): void {
	words.text = text;
	words.start = start;
	words.end = end;
	words.hash = hash;
}

/** A run of digits: how many they are. */
export function setNumber(words: Reached, text: string, start: number, end: number, hash: number): void {
	if (end - start > highest.length && text.startsWith(highest, start)) {
		setWord(words, text, start, end, hash);
		return;
	}
	const digits = Math.min(end - start, numberHashes.length);
	setWord(words, numbers, number * (digits - 1), number * digits, numberHashes[digits - 1]!);
}

const numberHashes = Array.from({ length: numbers.length / number }, (_, i) =>
	hashOf(numbers, number * i, number * (i + 1)),
);

export const copyright = 0xa9;

/** UTF-16 unit → kind in a block, filled in on demand. */
const blockKinds = new Uint8Array(0x10000);

function blockKindAt(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	const all = kindAt(text, at);
	const kind = unit === copyright ? sign : all === digit && (unit < 48 || unit > 57) ? other : all;
	if (!isHighSurrogate(unit)) blockKinds[unit] = kind;
	return kind;
}

/** How many units the character at a place has, going by the first. */
export const widthOf = (unit: number, at: number, length: number): number =>
	isHighSurrogate(unit) && at + 1 < length ? 2 : 1;

/** A text with no capitals but those of ASCII. */
function inLowerCase(text: string): string {
	for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return text.toLowerCase();
	return text;
}
