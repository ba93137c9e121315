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
	 * does not have it, `unread` if the compound is more than a name. `from` is where it begins then.
	 */
	lastName(css: string, start: number, to: number): number {
		let at = to;
		while (at > start && css.charCodeAt(at - 1) <= spaceCode) at--;
		let end = at;
		let hash = 0;
		let kind = tagKind;
		for (; at > start; at--) {
			const code = css.charCodeAt(at - 1);
			if (isWord(code)) {
				hash = nextHash(hash, code);
				continue;
			}
			if (code === colonCode) {
				end = at - 1;
				hash = 0;
				continue;
			}
			if (code === commaCode || isCombinator(code)) break;
			if ((code !== dotCode && code !== hashCode) || (at > start + 1 && !isBoundary(css.charCodeAt(at - 2))))
				return unread;
			kind = code;
			break;
		}
		// No name begins with a digit.
		if (at >= end || isDigit(css.charCodeAt(at))) return unread;
		this.from = kind === tagKind ? at : at - 1;
		return this.#find(kind, css, at, end, nextHash(hash, kind));
	}

	/** Adds the words of escaped markup, which becomes elements later. */
	#addEscaped(text: string): void {
		for (const { 0: word, index } of text.matchAll(/[\w-]+/g))
			for (const kind of [tagKind, dotCode, hashCode]) this.#add(kind, text, index, index + word.length);
	}

	/** Adds the names of a list, read from its end. */
	#addList(text: string): void {
		let end = text.length;
		let hash = 0;
		for (let at = end; at >= 0; at--) {
			const code = at === 0 ? spaceCode : text.charCodeAt(at - 1);
			if (!isWhite(code)) {
				hash = nextHash(hash, code);
				continue;
			}
			if (at < end) this.#put(dotCode, text, at, end, nextHash(hash, dotCode));
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

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export const isWord = (code: number): boolean =>
	(code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x2d || code === 0x5f;

/** White space as `\s` has it. */
export const isWhite = (code: number): boolean =>
	code === spaceCode || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));

/** White space, `>`, `+` or `~`. */
export const isCombinator = (code: number): boolean =>
	code <= spaceCode || code === 0x3e || code === 0x2b || code === 0x7e;

const isBoundary = (code: number): boolean => code === commaCode || isCombinator(code);
