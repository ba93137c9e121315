import { hashOf, mix, SEED } from './word-table.ts';

const UNKNOWN = 0;
const LETTER = 1;
const DIGIT = 2;
const OTHER = 3;
const SIGN = 4;

/** What each UTF-16 unit is, filled in as texts are read: a property of Unicode costs as much as a hundred of these. */
const kinds = new Uint8Array(0x10000);

const IS_LETTER = /^\p{L}$/u;
const IS_DIGIT = /^\p{N}$/u;

function look(char: string): number {
	return IS_LETTER.test(char) ? LETTER : IS_DIGIT.test(char) ? DIGIT : OTHER;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The kind of the character at a place; one outside the basic plane is told by both of its units. */
function kindAt(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	const known = kinds[unit]!;
	if (known !== UNKNOWN) return known;
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
	hash = SEED;

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
			if ((kinds[unit]! || kindAt(text, at)) !== OTHER) break;
			at += widthOf(unit, at, length);
		}
		this.start = at;
		let hash = SEED;
		while (at < length) {
			const unit = text.charCodeAt(at);
			if ((kinds[unit]! || kindAt(text, at)) === OTHER) break;
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
const MOST_CHARS = 400;
/** Longer words are passed over. */
const MOST_WORD = 24;
/** What stands for a number, by how many digits it has, and how many characters that is. */
const NUMBERS = '#1#2#3#4#5';
const NUMBER = 2;
/** No run of digits is taken for a number that begins so and goes on. */
const HIGHEST = '99999999';

/**
 * The words of a short block, which menus and notices repeat: runs of letters, copyright signs, and for a run of ASCII
 * digits how many they are.
 */
export class BlockWords implements Words {
	text = '';
	start = 0;
	end = 0;
	hash = SEED;
	#block = '';
	#at = 0;

	begin(block: string): void {
		this.#block = inLowerCase(block.length > MOST_CHARS ? block.slice(0, MOST_CHARS) : block);
		this.#at = 0;
	}

	next(): boolean {
		const block = this.#block;
		const { length } = block;
		for (let at = this.#at; at < length; ) {
			const start = at;
			let unit = block.charCodeAt(at);
			const kind = blockKinds[unit]! || blockKindAt(block, at);
			if (kind === OTHER) {
				at += widthOf(unit, at, length);
				continue;
			}
			let hash = SEED;
			do {
				hash = mix(hash, unit);
				at++;
				if (isHighSurrogate(unit) && at < length) hash = mix(hash, block.charCodeAt(at++));
				if (kind === SIGN || at === length) break;
				unit = block.charCodeAt(at);
			} while ((blockKinds[unit]! || blockKindAt(block, at)) === kind);
			if (at - start > MOST_WORD) continue;
			this.#at = at;
			if (kind === DIGIT && !(at - start > HIGHEST.length && block.startsWith(HIGHEST, start))) {
				const digits = Math.min(at - start, NUMBER_HASHES.length);
				this.text = NUMBERS;
				this.end = NUMBER * digits;
				this.start = this.end - NUMBER;
				this.hash = NUMBER_HASHES[digits - 1]!;
			} else {
				this.text = block;
				this.start = start;
				this.end = at;
				this.hash = hash;
			}
			return true;
		}
		return false;
	}
}

const NUMBER_HASHES = Array.from({ length: NUMBERS.length / NUMBER }, (_, i) =>
	hashOf(NUMBERS, NUMBER * i, NUMBER * (i + 1)),
);

const COPYRIGHT = 0xa9;

/** What each UTF-16 unit is in a block, filled in as blocks are read. */
const blockKinds = new Uint8Array(0x10000);

function blockKindAt(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	const all = kindAt(text, at);
	const kind = unit === COPYRIGHT ? SIGN : all === DIGIT && (unit < 48 || unit > 57) ? OTHER : all;
	if (!isHighSurrogate(unit)) blockKinds[unit] = kind;
	return kind;
}

/** How many units the character at a place has, going by the first. */
const widthOf = (unit: number, at: number, length: number): number =>
	isHighSurrogate(unit) && at + 1 < length ? 2 : 1;

/** A text with no capitals but those of ASCII. */
function inLowerCase(text: string): string {
	for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return text.toLowerCase();
	return text;
}
