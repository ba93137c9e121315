import { decodeHTML } from 'entities/decode';
import { AttributeReader } from './attributes.ts';
import type { TreeBuilder } from './builder.ts';
import { nameAt } from './names.ts';
import { findKind, kindAt, LETTER, SPACE, TAG_END, withLineFeeds } from './source-chars.ts';

/** Elements whose inside is text up to their end tag (§13.2.5.2–5), and whether character references count there. */
const TEXT_ONLY: ReadonlyMap<string, boolean> = new Map([
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

const GT = 62;
const SLASH = 47;
const CDATA = '<![CDATA[';
const REPLACEMENT = '\ufffd';
/** Inside a script: comment delimiters and script tags. */
const ESCAPES = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;

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
			if (open > this.#at) this.#text(open, true, this.#builder.inForeign() ? REPLACEMENT : '');
			if (open === source.length) return;
			if (kindAt(source, open + 1) === LETTER) this.#startTag(open + 1);
			else if (source.charCodeAt(open + 1) === SLASH) this.#endTag(open + 2);
			else if (source.startsWith('<!--', open)) this.#at = this.#afterComment(open + 4);
			else if (source.startsWith(CDATA, open) && this.#builder.inForeign()) this.#cdata(open + CDATA.length);
			else this.#at = this.#after('>', open);
		}
	}

	/** Where the next `<` stands that begins something: one before a space or a digit is text. */
	#nextMarkup(): number {
		const source = this.#source;
		for (let open = source.indexOf('<', this.#at); open >= 0; open = source.indexOf('<', open + 1)) {
			if (kindAt(source, open + 1) === LETTER) return open;
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
	#text(end: number, references: boolean, nul = REPLACEMENT): void {
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
		const isTag = kindAt(source, start) === LETTER;
		const end = isTag ? findKind(source, start, SPACE | TAG_END) : start;
		const close = source.indexOf('>', end);
		this.#at = close < 0 ? source.length : close + 1;
		if (isTag && close >= 0) this.#builder.endTag(nameAt(source, start, end));
	}

	#startTag(start: number): void {
		const source = this.#source;
		const end = findKind(source, start, SPACE | TAG_END);
		const name = nameAt(source, start, end);
		const attributes = this.#attributes.read(end);
		this.#at = this.#attributes.at + 1;
		if (source.charCodeAt(this.#attributes.at) !== GT) return;
		const references = TEXT_ONLY.get(name);
		const isTextOnly = references !== undefined && !this.#builder.inForeign();
		this.#builder.startTag(name, attributes, this.#attributes.selfClosing);
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
		const comment = this.#source.indexOf('<!--', this.#at);
		return comment < 0 || comment > end ? end : this.#endOfEscapedScript(comment);
	}

	/**
	 * A script tag that opens in a script's comment closes with that comment (§13.2.5.18–31, "script data double
	 * escaped").
	 */
	#endOfEscapedScript(comment: number): number {
		let isComment = false;
		let isInner = false;
		ESCAPES.lastIndex = comment;
		for (let match = ESCAPES.exec(this.#source); match !== null; match = ESCAPES.exec(this.#source)) {
			const [mark] = match;
			if (mark === '<!--') {
				isComment = true;
				// The dashes of `<!-->` also close the comment.
				ESCAPES.lastIndex -= 2;
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
			const isEnd = (kindAt(source, after) & (SPACE | TAG_END)) !== 0;
			if (isEnd && source.slice(open + 2, after).toLowerCase() === name) return open;
		}
		return source.length;
	}
}
