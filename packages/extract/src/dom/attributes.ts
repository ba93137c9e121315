import { decodeHTMLAttribute } from 'entities/decode';
import { nameAt } from './names.ts';
import { EQUALS, findKind, kindAt, SPACE, skipSpace, TAG_END, withLineFeeds } from './source-chars.ts';

/** No author writes more class names than this; every later look at them is bounded so. */
const MAX_CLASS = 4_000;

const GT = 62;
const SLASH = 47;

/** Reads the attributes of one start tag after the other (HTML §13.2.5.32–40). */
export class AttributeReader {
	readonly #source: string;
	readonly #hasReturns: boolean;
	readonly #hasNulls: boolean;
	/** After a tag was read: the place of its `>`, or the end of a source that breaks the tag off. */
	at = 0;
	/** The tag ends with `/>`. */
	selfClosing = false;

	/**
	 * @param hasReturns the source has line breaks that HTML would have replaced
	 * @param hasNulls the source has U+0000, which becomes U+FFFD in values
	 */
	constructor(source: string, hasReturns: boolean, hasNulls: boolean) {
		this.#source = source;
		this.#hasReturns = hasReturns;
		this.#hasNulls = hasNulls;
	}

	/** The attributes from here to the end of the tag; `null` where there are none. */
	read(start: number): Record<string, string> | null {
		const source = this.#source;
		let attributes: Record<string, string> | null = null;
		this.at = start;
		for (;;) {
			const from = this.at;
			let at = from;
			while ((kindAt(source, at) & (SPACE | TAG_END)) !== 0 && source.charCodeAt(at) !== GT) at++;
			this.at = at;
			this.selfClosing = at > from && source.charCodeAt(at - 1) === SLASH;
			if (at >= source.length || source.charCodeAt(at) === GT) return attributes;
			// An equals sign that no name stands before begins one.
			const end = findKind(source, at + 1, SPACE | TAG_END | EQUALS);
			const name = nameAt(source, at, end);
			const value = this.#readValue(skipSpace(source, end));
			attributes ??= {};
			// The first of two wins; `constructor` is no attribute that has been.
			if (attributes[name] === undefined || !Object.hasOwn(attributes, name))
				attributes[name] = name === 'class' && value.length > MAX_CLASS ? value.slice(0, MAX_CLASS) : value;
		}
	}

	/** The value after a name and the space that follows it: empty where there is no equals sign. */
	#readValue(start: number): string {
		const source = this.#source;
		this.at = start;
		if (kindAt(source, start) !== EQUALS) return '';
		const at = skipSpace(source, start + 1);
		const quote = source[at];
		const written = quote === '"' || quote === "'" ? this.#quoted(at + 1, quote) : this.#unquoted(at);
		const whole = this.#hasNulls ? written.replaceAll('\0', '\ufffd') : written;
		const value = this.#hasReturns ? withLineFeeds(whole) : whole;
		return value.includes('&') ? decodeHTMLAttribute(value) : value;
	}

	#quoted(start: number, quote: string): string {
		const end = this.#source.indexOf(quote, start);
		this.at = end < 0 ? this.#source.length : end + 1;
		return this.#source.slice(start, end < 0 ? this.#source.length : end);
	}

	#unquoted(start: number): string {
		const source = this.#source;
		let end = findKind(source, start, SPACE | TAG_END);
		while (source.charCodeAt(end) === SLASH) end = findKind(source, end + 1, SPACE | TAG_END);
		this.at = end;
		return source.slice(start, end);
	}
}
