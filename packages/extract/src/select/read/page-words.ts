import type { Block } from './box.ts';
import { mix, seed } from './word-table.ts';
import {
	BlockWords,
	copyright,
	digit,
	isHighSurrogate,
	kindAt,
	letter,
	maxChars,
	maxWord,
	setNumber,
	setWord,
	type Words,
	widthOf,
} from './words.ts';

/** So much of a block is read. */
const maxRead = 5_000;
const placeBits = 13;
const placeMask = (1 << placeBits) - 1;

/** What characters of a word are; none of the others is in a word. */
const letterMark = 1;
const digitMark = 2;
/** A number other than an ASCII digit. */
const numberMark = 4;
/** Not ASCII, and another character in lower case. */
const capitalMark = 8;
const apartMark = 16;
const signMark = 32;

/** UTF-16 unit → marks, filled in on demand. */
const marks = new Uint8Array(0x10000);

function marksAt(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	const found = marksOf(text, at, unit);
	if (!isHighSurrogate(unit)) marks[unit] = found;
	return found;
}

function marksOf(text: string, at: number, unit: number): number {
	const kind = kindAt(text, at);
	if (kind !== letter && kind !== digit) return unit === copyright ? signMark : apartMark;
	if (unit < 128) return kind === letter ? letterMark : digitMark;
	const char = String.fromCodePoint(text.codePointAt(at)!);
	return (kind === letter ? letterMark : numberMark) | (char.toLowerCase() === char ? 0 : capitalMark);
}

/** Words of a page, in the order of its blocks. */
export class FoundWords {
	/** Of each block its first word, and the end. */
	starts = new Int32Array(2 ** 10);
	/** Of each word its hash. */
	hashes = new Int32Array(2 ** 14);
	/** And its marks, its start and its end: see `startOf`. */
	spans = new Int32Array(2 ** 14);
}

/** Holds the words of one page at a time: new arrays for each would cost more than finding the words. */
let current = new FoundWords();
/** More words than this, 4 MiB, are not kept until the next page. */
const maxKept = 2 ** 19;
/** The page that they are of. */
let owner = 0;
let pages = 0;

/** The runs of letters and digits of the blocks of a page, found in one pass for all that asks about them. */
export class PageWords {
	readonly #page = ++pages;
	readonly #blocks: readonly Block[];
	/** Of blocks with capitals other than those of ASCII their texts in lower case. */
	readonly #lower = new Map<number, string>();
	/** Blocks with a sign that is a word in a menu or a notice. */
	readonly #signed = new Set<number>();
	#count = 0;

	constructor(blocks: readonly Block[]) {
		this.#blocks = blocks;
	}

	/** All words, until another page is read. */
	read(): FoundWords {
		if (owner === this.#page) return current;
		const blocks = this.#blocks;
		owner = this.#page;
		this.#count = 0;
		this.#lower.clear();
		if (current.hashes.length > maxKept) current = new FoundWords();
		if (current.starts.length <= blocks.length) current.starts = new Int32Array(2 * blocks.length);
		for (let i = 0; i < blocks.length; i++) {
			this.#read(i, blocks[i]!.text);
			current.starts[i + 1] = this.#count;
		}
		return current;
	}

	/** The text of a block with no capitals but those of ASCII, once the page was read. */
	textOf(block: number): string {
		return this.#lower.get(block) ?? this.#blocks[block]!.text;
	}

	isSigned(block: number): boolean {
		return this.#signed.has(block);
	}

	#read(block: number, whole: string): void {
		let text = whole.length > maxRead ? whole.slice(0, maxRead) : whole;
		let { length } = text;
		let count = this.#count;
		this.#makeRoom(length);
		const { hashes, spans } = current;
		let apart = 0;
		for (let at = 0; at < length; ) {
			const start = at;
			let unit = text.charCodeAt(at);
			let mark = marks[unit]! || marksAt(text, at);
			if (mark >= apartMark) {
				apart |= mark;
				at += widthOf(unit, at, length);
				continue;
			}
			let hash = seed;
			let found = 0;
			do {
				found |= mark;
				hash = mix(hash, unit);
				at++;
				if (isHighSurrogate(unit) && at < length) hash = mix(hash, text.charCodeAt(at++));
				if (at === length) break;
				unit = text.charCodeAt(at);
				mark = marks[unit]! || marksAt(text, at);
			} while (mark < apartMark);
			if (found >= capitalMark && !this.#lower.has(block)) {
				// All that is before the first capital stays as it is.
				text = text.toLowerCase();
				length = Math.min(text.length, placeMask);
				this.#lower.set(block, text);
				at = start;
				continue;
			}
			hashes[count] = hash;
			spans[count++] = (found << (2 * placeBits)) | (start << placeBits) | at;
		}
		this.#count = count;
		if (apart >= signMark) this.#signed.add(block);
	}

	/** Every second character can be a word, and a text in lower case be a little longer. */
	#makeRoom(length: number): void {
		const size = this.#count + length;
		if (size <= current.hashes.length) return;
		current.hashes = grown(current.hashes, 2 * size);
		current.spans = grown(current.spans, 2 * size);
	}
}

function grown(values: Int32Array, size: number): Int32Array<ArrayBuffer> {
	const more = new Int32Array(size);
	more.set(values);
	return more;
}

export const startOf = (span: number): number => (span >>> placeBits) & placeMask;
export const endOf = (span: number): number => span & placeMask;

/** The words of a block as `BlockWords` gives them, from the pass over the page. */
export class ReadBlockWords implements Words {
	text = '';
	start = 0;
	end = 0;
	hash = seed;
	readonly #page: PageWords;
	readonly #blocks: readonly Block[];
	readonly #found: FoundWords;
	#block = '';
	#at = 0;
	#last = 0;
	/** Takes apart what has more than letters or digits alone. */
	readonly #parts = new BlockWords();
	#isInParts = false;

	constructor({ words, blocks }: { readonly words: PageWords; readonly blocks: readonly Block[] }) {
		this.#page = words;
		this.#blocks = blocks;
		this.#found = words.read();
	}

	begin(block: number): void {
		const { text } = this.#blocks[block]!;
		const { starts } = this.#found;
		this.#isInParts = text.length > maxChars || this.#page.isSigned(block);
		if (this.#isInParts) this.#parts.begin(text);
		this.#block = this.#page.textOf(block);
		this.#at = starts[block]!;
		this.#last = this.#isInParts ? this.#at : starts[block + 1]!;
	}

	next(): boolean {
		while (!this.#isInParts || !this.#nextPart()) {
			if (this.#at === this.#last) return false;
			const hash = this.#found.hashes[this.#at]!;
			const span = this.#found.spans[this.#at++]!;
			const start = startOf(span);
			const end = endOf(span);
			const found = span >>> (2 * placeBits);
			if (found !== letterMark && found !== digitMark) {
				this.#parts.begin(this.#block.slice(start, end));
				this.#isInParts = true;
			} else if (end - start <= maxWord) {
				if (found === digitMark) setNumber(this, this.#block, start, end, hash);
				else setWord(this, this.#block, start, end, hash);
				return true;
			}
		}
		return true;
	}

	#nextPart(): boolean {
		const parts = this.#parts;
		this.#isInParts = parts.next();
		if (this.#isInParts) setWord(this, parts.text, parts.start, parts.end, parts.hash);
		return this.#isInParts;
	}
}
