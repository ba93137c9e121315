import { decodeHTML } from 'entities/decode';
import { AttributeReader } from './attributes.ts';
import type { TreeBuilder } from './builder.ts';
import { nameAt } from './names.ts';
import { findKind, kindAt, letterBit, spaceBit, tagEndBit, withLineFeeds } from './source-chars.ts';

/** Elements whose inside is text up to their end tag (§13.2.5.2–5), and whether character references count there. */
const textOnly: ReadonlyMap<string, boolean> = new Map([
	['title', true],
	['textarea', true],
	['script', false],
	['style', false],
	['xmp', false],
	['iframe', false],
	['noembed', false],
	['noframes', false],
	['plaintext', false],
]);

const gtCode = 62;
const slashCode = 47;
const cdata = '<![CDATA[';
const replacement = '\ufffd';
/** Inside a script: comment delimiters and script tags. */
const escapes = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;

/**
 * Cuts a page into tags and text (HTML §13.2.5) and hands them to the builder of its tree. Each piece is found by the
 * character that ends it, not read letter by letter. Comments, doctypes and a tag that the source breaks off are left
 * out. Departures: an end tag ends at the first `>`, quoted or not, and `<!--` does not hide the end of a script.
 */
export class Tokenizer {
	readonly #source: string;
	readonly #hasReturns: boolean;
	readonly #hasNulls: boolean;
	readonly #builder: TreeBuilder;
	readonly #attributes: AttributeReader;
	#at = 0;
	/** The first `<!--` from the last script on, or the end. */
	#comment = -1;

	constructor(source: string, builder: TreeBuilder) {
		this.#source = source;
		this.#hasReturns = source.includes('\r');
		this.#hasNulls = source.includes('\0');
		this.#builder = builder;
		this.#attributes = new AttributeReader(source, this.#hasReturns, this.#hasNulls);
	}

	run(): void {
		const source = this.#source;
		while (this.#at < source.length) {
			const open = this.#nextMarkup();
			if (open > this.#at) this.#text(open, true, this.#builder.inForeign() ? replacement : '');
			if (open === source.length) return;
			if (kindAt(source, open + 1) === letterBit) this.#startTag(open + 1);
			else if (source.charCodeAt(open + 1) === slashCode) this.#endTag(open + 2);
			else if (source.startsWith('<!--', open)) this.#at = this.#afterComment(open + 4);
			else if (source.startsWith(cdata, open) && this.#builder.inForeign()) this.#cdata(open + cdata.length);
			else this.#at = this.#after('>', open);
		}
	}

	/** Index of the next `<` that begins markup: one before a space or a digit is text. */
	#nextMarkup(): number {
		const source = this.#source;
		for (let open = source.indexOf('<', this.#at); open >= 0; open = source.indexOf('<', open + 1)) {
			if (kindAt(source, open + 1) === letterBit) return open;
			const next = source[open + 1];
			if (next === '!' || next === '?' || (next === '/' && open + 2 < source.length)) return open;
		}
		return source.length;
	}

	/** The place after the next of these, or the end. */
	#after(end: string, from: number): number {
		const at = this.#source.indexOf(end, from);
		return at < 0 ? this.#source.length : at + end.length;
	}

	/**
	 * Emits the text up to `end`.
	 *
	 * @param nul replaces U+0000 (§13.2.5.1, §13.2.6.4.7)
	 */
	#text(end: number, references: boolean, nul = replacement): void {
		const written = this.#source.slice(this.#at, end);
		const whole = this.#hasNulls ? written.replaceAll('\0', nul) : written;
		const data = this.#hasReturns ? withLineFeeds(whole) : whole;
		this.#builder.addText(references && data.includes('&') ? decodeHTML(data) : data);
		this.#at = end;
	}

	/** A comment ends at `-->` or `--!>`; `<!-->` and `<!--->` are whole ones. */
	#afterComment(start: number): number {
		const source = this.#source;
		if (source.startsWith('>', start)) return start + 1;
		if (source.startsWith('->', start)) return start + 2;
		let dashes = source.indexOf('--', start);
		while (dashes >= 0 && source[dashes + 2] !== '>' && !source.startsWith('!>', dashes + 2))
			dashes = source.indexOf('--', dashes + 1);
		return dashes < 0 ? source.length : this.#after('>', dashes);
	}

	#cdata(start: number): void {
		const end = this.#source.indexOf(']]>', start);
		this.#at = start;
		this.#text(end < 0 ? this.#source.length : end, false);
		if (end >= 0) this.#at += 3;
	}

	#endTag(start: number): void {
		const source = this.#source;
		const isTag = kindAt(source, start) === letterBit;
		const end = isTag ? findKind(source, start, spaceBit | tagEndBit) : start;
		const close = source.indexOf('>', end);
		this.#at = close < 0 ? source.length : close + 1;
		if (isTag && close >= 0) this.#builder.endTag(nameAt(source, start, end));
	}

	#startTag(start: number): void {
		const source = this.#source;
		const end = findKind(source, start, spaceBit | tagEndBit);
		const name = nameAt(source, start, end);
		const reader = this.#attributes;
		const own = reader.read(end);
		this.#at = reader.at + 1;
		if (source.charCodeAt(reader.at) !== gtCode) return;
		const references = textOnly.get(name);
		const isTextOnly = references !== undefined && !this.#builder.inForeign();
		this.#builder.startTag(name, own, reader.selfClosing);
		if (isTextOnly) this.#textOnly(name, references);
	}

	/** Text up to the end tag of this name. */
	#textOnly(name: string, references: boolean): void {
		const end = name === 'plaintext' ? this.#source.length : this.#endOf(name);
		if (end > this.#at) this.#text(end, references);
	}

	#endOf(name: string): number {
		const end = this.#findEndTag(name);
		if (name !== 'script') return end;
		// Each comment is searched for once: most pages have many scripts before the next one.
		if (this.#comment < this.#at) {
			const comment = this.#source.indexOf('<!--', this.#at);
			this.#comment = comment < 0 ? this.#source.length : comment;
		}
		return this.#comment >= end ? end : this.#endOfEscapedScript(this.#comment);
	}

	/**
	 * A script tag that opens in a script's comment closes with that comment (§13.2.5.18–31, "script data double
	 * escaped").
	 */
	#endOfEscapedScript(comment: number): number {
		let isComment = false;
		let isInner = false;
		escapes.lastIndex = comment;
		for (let match = escapes.exec(this.#source); match !== null; match = escapes.exec(this.#source)) {
			const [mark] = match;
			if (mark === '<!--') {
				isComment = true;
				// The dashes of `<!-->` also close the comment.
				escapes.lastIndex -= 2;
			} else if (mark === '-->') isComment = isInner = false;
			else if (mark[1] !== '/') isInner = isComment;
			else if (isInner) isInner = false;
			else return match.index;
		}
		return this.#source.length;
	}

	#findEndTag(name: string): number {
		const source = this.#source;
		for (let open = source.indexOf('</', this.#at); open >= 0; open = source.indexOf('</', open + 2)) {
			const after = open + 2 + name.length;
			const isEnd = (kindAt(source, after) & (spaceBit | tagEndBit)) !== 0;
			if (isEnd && source.slice(open + 2, after).toLowerCase() === name) return open;
		}
		return source.length;
	}
}
