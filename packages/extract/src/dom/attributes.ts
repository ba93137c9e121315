import { decodeHTMLAttribute } from 'entities/decode';
import { attributeBit } from './attribute-bits.ts';
import { nameOf, placeAt, placeCount } from './names.ts';
import type { OwnAttributes } from './node.ts';
import { equalsBit, findKind, kindAt, skipSpace, spaceBit, tagEndBit, withLineFeeds } from './source-chars.ts';

/** No author writes more class names than this; every later look at them is bounded so. */
const maxClass = 4_000;

/** Names of one tag that are compared with each further one: faster than to look it up in the attributes. */
const maxCompared = 16;

const gtCode = 62;
const slashCode = 47;

const bitsByPlace = Int32Array.from({ length: placeCount }, (_, place) => attributeBit(nameOf(place)));

type Own = { -readonly [Key in keyof OwnAttributes]: OwnAttributes[Key] };

/** Reads the attributes of one start tag after the other (HTML §13.2.5.32–40). */
export class AttributeReader {
	readonly #source: string;
	readonly #hasReturns: boolean;
	readonly #hasNulls: boolean;
	/** After a tag was read: the place of its `>`, or the end of a source that breaks the tag off. */
	at = 0;
	/** The tag ends with `/>`. */
	selfClosing = false;
	/** `read` returns this object for every tag. */
	readonly #own: Own = { attributes: {}, attributeBits: 0 };
	/** The first `&` from the last value on, or the end. */
	#reference = -1;
	/** The names of the attributes of a tag. */
	readonly #names: string[] = [];

	/**
	 * @param hasReturns the source has line breaks that HTML would have replaced
	 * @param hasNulls the source has U+0000, which becomes U+FFFD in values
	 */
	constructor(source: string, hasReturns: boolean, hasNulls: boolean) {
		this.#source = source;
		this.#hasReturns = hasReturns;
		this.#hasNulls = hasNulls;
	}

	/** The attributes from here to the end of the tag, until the next are read; `null` where there are none. */
	read(start: number): OwnAttributes | null {
		const source = this.#source;
		const names = this.#names;
		let count = 0;
		let values: Record<string, string> | null = null;
		let bits = 0;
		this.at = start;
		for (;;) {
			const from = this.at;
			let at = from;
			while ((kindAt(source, at) & (spaceBit | tagEndBit)) !== 0 && source.charCodeAt(at) !== gtCode) at++;
			this.at = at;
			this.selfClosing = at > from && source.charCodeAt(at - 1) === slashCode;
			if (at >= source.length || source.charCodeAt(at) === gtCode) break;
			// An equals sign that no name stands before begins one.
			const end = findKind(source, at + 1, spaceBit | tagEndBit | equalsBit);
			const place = placeAt(source, at, end);
			const name = place < 0 ? source.slice(at, end).toLowerCase() : nameOf(place);
			const value = this.#readValue(skipSpace(source, end));
			values ??= {};
			// The first of two wins.
			if (count < maxCompared ? isAmong(names, count, name) : Object.hasOwn(values, name)) continue;
			if (count < maxCompared) names[count++] = name;
			// Those with a bit have a place, unless they are written in capitals.
			bits |= place >= 0 ? bitsByPlace[place]! : hasCapital(source, at, end) ? attributeBit(name) : 0;
			values[name] = name === 'class' && value.length > maxClass ? value.slice(0, maxClass) : value;
		}
		if (values === null) return null;
		const own = this.#own;
		own.attributes = values;
		own.attributeBits = bits;
		return own;
	}

	/** The value after a name and the space that follows it: empty where there is no equals sign. */
	#readValue(start: number): string {
		const source = this.#source;
		this.at = start;
		if (kindAt(source, start) !== equalsBit) return '';
		const at = skipSpace(source, start + 1);
		const quote = source[at];
		const written = quote === '"' || quote === "'" ? this.#quoted(at + 1, quote) : this.#unquoted(at);
		const whole = this.#hasNulls ? written.replaceAll('\0', '\ufffd') : written;
		const value = this.#hasReturns ? withLineFeeds(whole) : whole;
		return this.#hasReference(at) ? decodeHTMLAttribute(value) : value;
	}

	/** Whether there is an `&` between here and the end of the value. */
	#hasReference(start: number): boolean {
		if (this.#reference < start) {
			const next = this.#source.indexOf('&', start);
			this.#reference = next < 0 ? this.#source.length : next;
		}
		return this.#reference < this.at;
	}

	#quoted(start: number, quote: string): string {
		const end = this.#source.indexOf(quote, start);
		this.at = end < 0 ? this.#source.length : end + 1;
		return this.#source.slice(start, end < 0 ? this.#source.length : end);
	}

	#unquoted(start: number): string {
		const source = this.#source;
		let end = findKind(source, start, spaceBit | tagEndBit);
		while (source.charCodeAt(end) === slashCode) end = findKind(source, end + 1, spaceBit | tagEndBit);
		this.at = end;
		return source.slice(start, end);
	}
}

function isAmong(names: readonly string[], count: number, name: string): boolean {
	for (let i = 0; i < count; i++) if (names[i] === name) return true;
	return false;
}

/** Letters of other scripts can be capitals too. */
function hasCapital(source: string, start: number, end: number): boolean {
	for (let at = start; at < end; at++) {
		const code = source.charCodeAt(at);
		if ((code >= 65 && code <= 90) || code > 127) return true;
	}
	return false;
}
