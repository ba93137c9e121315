import { classBit, idBit } from './attribute-bits.ts';
import { lower, placeOf, setPlace } from './hash-places.ts';
import type { Element } from './node.ts';

/** Not a number of a name: see `NameTable.lastName`. */
export const absent = -1;
export const unread = -2;

/** Longer class lists are not checked. */
const maxClass = 2_000;

/**
 * The names that a page has, found in a sheet without cutting them out of it. Most selectors of a large sheet have none
 * of them. Letters in either case are the same.
 */
export class NameTable {
	/** See `hash-places.ts`. */
	#places = new Int32Array(2 * 512);
	#count = 0;
	/** See `lastName`. */
	from = 0;
	/** Of each name, by its number: `.`, `#` or 0 for a tag, and where it stands. */
	readonly #kinds: number[] = [];
	readonly #texts: string[] = [];
	readonly #starts: number[] = [];
	readonly #ends: number[] = [];

	/** The tags, classes and ids of an element and of those in it. */
	static of(root: Element): NameTable {
		const names = new NameTable();
		// Bare text is wrapped in elements of this tag later.
		const tags = new Set(['span']);
		const lists = new Set<string>();
		const open = [root];
		for (let element = open.pop(); element !== undefined; element = open.pop()) {
			const { tag, attributes, attributeBits, children } = element;
			tags.add(tag);
			if ((attributeBits & classBit) !== 0) lists.add(attributes.class ?? '');
			if ((attributeBits & idBit) !== 0) names.#add(hashCode, foldable(attributes.id ?? ''));
			for (const child of children)
				if (child.kind === 'element') open.push(child);
				else if (tag === 'noscript') names.#addEscaped(foldable(child.data));
		}
		for (const tag of tags) names.#add(tagKind, tag);
		for (const list of lists) if (list.length <= maxClass) names.#addList(foldable(list));
		return names;
	}

	/** A table of classes in lower case. */
	static ofClasses(classes: Iterable<string>): NameTable {
		const names = new NameTable();
		for (const name of classes) names.#add(dotCode, name);
		return names;
	}

	get size(): number {
		return this.#count;
	}

	/** The numbers of the classes of a list that are in the table. */
	numbersOf(list: string): number[] {
		const found: number[] = [];
		this.#eachClass(foldable(list), (text, start, end, hash) => {
			const number = this.#find(dotCode, text, start, end, hash);
			if (number >= 0 && !found.includes(number)) found.push(number);
		});
		return found;
	}

	/** Whether the page has no element of a tag, `.class` or `#id`, in lower case; attributes are not looked up. */
	lacks(name: string): boolean {
		return name !== '*' && name.charCodeAt(0) !== bracketCode && this.numberOf(name) < 0;
	}

	/** The number of a tag, `.class` or `#id` among the names of the page; `absent` if it has none. */
	numberOf(text: string, start = 0, end = text.length): number {
		const first = text.charCodeAt(start);
		const kind = first === dotCode || first === hashCode ? first : tagKind;
		const from = kind === tagKind ? start : start + 1;
		return this.#find(kind, text, from, end, hashOf(kind, text, from, end));
	}

	/** Whether the last compound of each selector of a list is a single name that the page does not have. */
	hasNoneOf(css: string, start: number, end: number): boolean {
		for (let to = end; to >= start; ) {
			if (this.lastName(css, start, to) !== absent) return false;
			// Back to the comma before this selector.
			let at = this.from;
			while (at > start && css.charCodeAt(at - 1) !== commaCode) at--;
			to = at - 1;
		}
		return true;
	}

	/**
	 * The number of the name that is the last compound of the selector of a list that ends at `to`: `absent` if the page
	 * has no element with any of the names of the compound, or if it is a part that the sheet makes; `unread` if there is
	 * more than one name, or none. `from` is not behind the comma before an absent one.
	 */
	lastName(css: string, start: number, to: number): number {
		let at = to;
		while (at > start && css.charCodeAt(at - 1) <= spaceCode) at--;
		let end = at;
		let hash = 0;
		/** A class or an id was passed that the page does not have. */
		let isNamed = false;
		for (; at > start; at--) {
			const code = css.charCodeAt(at - 1);
			if (isWord(code)) {
				hash = nextHash(hash, code);
				continue;
			}
			if (code === colonCode) {
				this.from = at - 1;
				if (isPart(css, at, end)) return absent;
			} else if (code === closeCode || code === closeBracketCode) {
				at = openBefore(css, start, at - 1);
				if (at < 0) return unread;
			} else if (code === dotCode || code === hashCode) {
				// No name begins with a digit.
				if (at >= end || isDigit(css.charCodeAt(at))) return unread;
				const number = this.#find(code, css, at, end, nextHash(hash, code));
				const isWhole = at <= start + 1 || isBoundary(css.charCodeAt(at - 2));
				this.from = at - 1;
				if (number !== absent) return isWhole && !isNamed ? number : unread;
				if (isWhole) return absent;
				isNamed = true;
			} else if (code === commaCode || isCombinator(code)) break;
			else return unread;
			end = at - 1;
			hash = 0;
		}
		this.from = at;
		if (at >= end || isDigit(css.charCodeAt(at))) return unread;
		return isNamed ? absent : this.#find(tagKind, css, at, end, nextHash(hash, tagKind));
	}

	/** Whether the page lacks a class or id that a selector needs outside of its brackets. */
	lacksOneOf(css: string, start: number, to: number): boolean {
		let end = to;
		let hash = 0;
		for (let at = to; at > start; at--) {
			const code = css.charCodeAt(at - 1);
			if (isWord(code)) {
				hash = nextHash(hash, code);
				continue;
			}
			if (code === dotCode || code === hashCode) {
				if (css.charCodeAt(at - 2) === backslashCode) return false;
				if (this.#find(code, css, at, end, nextHash(hash, code)) === absent) return true;
			} else if (code === closeCode || code === closeBracketCode) {
				at = openBefore(css, start, at - 1);
				if (at < 0) return false;
			} else if (code > 127 || code === backslashCode) return false;
			end = at - 1;
			hash = 0;
		}
		return false;
	}

	/** Adds the words of escaped markup, which becomes elements later. */
	#addEscaped(text: string): void {
		for (const { 0: word, index } of text.matchAll(/[\w-]+/g))
			for (const kind of [tagKind, dotCode, hashCode]) this.#add(kind, text, index, index + word.length);
	}

	#addList(list: string): void {
		this.#eachClass(list, (text, start, end, hash) => this.#put(dotCode, text, start, end, hash));
	}

	/** Visits the classes of a list, read from its end, with their hashes. */
	#eachClass(text: string, visit: (text: string, start: number, end: number, hash: number) => void): void {
		let end = text.length;
		let hash = 0;
		for (let at = end; at >= 0; at--) {
			const code = at === 0 ? spaceCode : text.charCodeAt(at - 1);
			if (!isWhite(code)) {
				hash = nextHash(hash, code);
				continue;
			}
			if (at < end) visit(text, at, end, nextHash(hash, dotCode));
			end = at - 1;
			hash = 0;
		}
	}

	#add(kind: number, text: string, start = 0, end = text.length): void {
		this.#put(kind, text, start, end, hashOf(kind, text, start, end));
	}

	#put(kind: number, text: string, start: number, end: number, hash: number): void {
		if (this.#find(kind, text, start, end, hash) >= 0) return;
		if (this.#places.length < 8 * this.#count) this.#grow();
		this.#kinds.push(kind);
		this.#texts.push(text);
		this.#starts.push(start);
		this.#ends.push(end);
		setPlace(this.#places, hash, ++this.#count);
	}

	#grow(): void {
		const before = this.#places;
		this.#places = new Int32Array(2 * before.length);
		for (let at = 0; at < before.length; at += 2)
			if (before[at + 1] !== 0) setPlace(this.#places, before[at]!, before[at + 1]!);
	}

	#find(kind: number, text: string, start: number, end: number, hash: number): number {
		const places = this.#places;
		const mask = places.length - 1;
		for (let place = placeOf(hash, places); ; place = (place + 2) & mask) {
			const number = places[place + 1]! - 1;
			if (number < 0) return absent;
			if (places[place] === hash && this.#isNamed(number, kind, text, start, end)) return number;
		}
	}

	#isNamed(number: number, kind: number, text: string, start: number, end: number): boolean {
		const from = this.#starts[number]!;
		if (this.#kinds[number] !== kind || this.#ends[number]! - from !== end - start) return false;
		const name = this.#texts[number]!;
		for (let i = 0; i < end - start; i++)
			if (lower(name.charCodeAt(from + i)) !== lower(text.charCodeAt(start + i))) return false;
		return true;
	}
}

/** Adds a character of a name, read from its end, then its kind; letters in either case are the same. */
const nextHash = (hash: number, code: number): number => (Math.imul(hash, 31) + (code | 0x20)) | 0;

function hashOf(kind: number, text: string, start: number, end: number): number {
	let hash = 0;
	for (let at = end; at > start; at--) hash = nextHash(hash, text.charCodeAt(at - 1));
	return nextHash(hash, kind);
}

/** A text in which only ASCII letters can be in upper case. */
function foldable(text: string): string {
	for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return text.toLowerCase();
	return text;
}

const tagKind = 0;
const spaceCode = 0x20;
const commaCode = 0x2c;
const colonCode = 0x3a;
const dotCode = 0x2e;
const hashCode = 0x23;
const bracketCode = 0x5b;
const closeBracketCode = 0x5d;
const openCode = 0x28;
const closeCode = 0x29;
const backslashCode = 0x5c;
const quoteCode = 0x22;
const apostropheCode = 0x27;
const equalsCode = 0x3d;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export const isWord = (code: number): boolean =>
	(code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x2d || code === 0x5f;

/** White space as `\s` has it. */
export const isWhite = (code: number): boolean =>
	code === spaceCode || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));

/** White space, `>`, `+` or `~`. */
const isCombinator = (code: number): boolean => code <= spaceCode || code === 0x3e || code === 0x2b || code === 0x7e;

/** Whether what follows a colon is a part that the sheet makes, such as `::before`. */
function isPart(css: string, start: number, end: number): boolean {
	const before = css.charCodeAt(start - 2);
	if (before === backslashCode) return false;
	if (before === colonCode) return css.charCodeAt(start - 3) !== backslashCode;
	const length = end - start;
	return (length === 6 && css.startsWith('before', start)) || (length === 5 && css.startsWith('after', start));
}

/**
 * The place of the bracket that the one at `close` closes, plus one; -1 where quotes or escapes may hide it. A value in
 * quotes at the end of `[…]` is passed.
 */
function openBefore(css: string, start: number, close: number): number {
	let at = close;
	const quote = css.charCodeAt(close - 1);
	if (css.charCodeAt(close) === closeBracketCode && (quote === quoteCode || quote === apostropheCode)) {
		at = css.lastIndexOf(css.charAt(close - 1), close - 2);
		if (at <= start || css.charCodeAt(at - 1) !== equalsCode) return -1;
	}
	for (let depth = 0; at > start; at--) {
		const code = css.charCodeAt(at - 1);
		if (code === quoteCode || code === apostropheCode || code === backslashCode) return -1;
		if (code === closeCode || code === closeBracketCode) depth++;
		else if ((code === openCode || code === bracketCode) && --depth < 0) return at;
	}
	return -1;
}

const isBoundary = (code: number): boolean => code === commaCode || isCombinator(code);
