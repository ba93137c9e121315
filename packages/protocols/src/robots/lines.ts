/** Where a character first occurs at or after `from`, else a place that no line reaches: a whole number, for speed. */
function find(text: string, character: string, from: number): number {
	const found = text.indexOf(character, from);
	return found < 0 ? text.length + 2 : found;
}

/**
 * Reads the lines of a text one by one (RFC 9309 §2.2: `key : value # comment`, ended by `\n`, `\r` or both).
 * Its fields say where the parts of the current line lie; of each line at most `limit` units count.
 */
export class LineReader {
	start = 0;
	/** Exclusive, without the line end. */
	end = 0;
	/** Where a NUL stopped the reading, or -1. */
	nul = -1;
	keyStart = 0;
	/** `keyStart === keyEnd`: the line holds no record. This and what follows it is known after {@link split}. */
	keyEnd = 0;
	valueStart = 0;
	/** Exclusive; `keyStart` when nothing stands on the line but a comment. White space counts until {@link split}. */
	valueEnd = 0;
	missingColon = false;
	#next: number;
	readonly #text: string;
	readonly #limit: number;
	/** Next occurrences; searched again only when passed, so that each place is read once. */
	#feed = -1;
	#return = -1;
	#hash = -1;
	#nul = -1;
	#colon = -1;

	constructor(text: string, start: number, limit: number) {
		this.#text = text;
		this.#limit = limit;
		this.#next = start;
	}

	/** Finds the next line; false after the last. A text that ends with a line end has one more, empty line. */
	read(): boolean {
		const text = this.#text;
		const start = this.#next;
		if (start > text.length) return false;
		if (this.#feed < start) this.#feed = find(text, '\n', start);
		if (this.#return < start) this.#return = find(text, '\r', start);
		if (this.#hash < start) this.#hash = find(text, '#', start);
		if (this.#nul < start) this.#nul = find(text, '\0', start);
		const end = Math.min(this.#feed, this.#return, text.length);
		const stop = Math.min(end, start + this.#limit, this.#hash, this.#nul);
		this.start = start;
		this.end = end;
		this.#next = end + 1 === this.#feed ? end + 2 : end + 1;
		this.nul = stop === this.#nul ? stop : -1;
		this.keyStart = skipSpace(text, start, stop);
		this.valueEnd = stop;
		return true;
	}

	/** Finds key and value in the line. */
	split(): void {
		const text = this.#text;
		const from = this.keyStart;
		const to = trimEnd(text, from, this.valueEnd);
		this.valueEnd = to;
		if (this.#colon < from) this.#colon = find(text, ':', from);
		const colon = this.#colon;
		this.missingColon = colon >= to;
		const separator = this.missingColon ? onlyGap(text, from, to) : colon;
		if (separator < 0) {
			this.keyEnd = from;
			this.valueStart = to;
			return;
		}
		this.keyEnd = trimEnd(text, from, separator);
		this.valueStart = skipSpace(text, separator + 1, to);
	}
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function skipSpace(text: string, from: number, to: number): number {
	let at = from;
	while (at < to && isSpace(text.charCodeAt(at))) at++;
	return at;
}

function trimEnd(text: string, from: number, to: number): number {
	let at = to;
	while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
	return at;
}

/** The gap between two words when there are exactly two, else -1. */
function onlyGap(text: string, from: number, to: number): number {
	const words = text.slice(from, to);
	return /^[^ \t]+[ \t]+[^ \t]+$/.test(words) ? from + words.search(/[ \t]/) : -1;
}
