/**
 * Reads the words of a text one after the other (letters and numbers in a row, `[\p{L}\p{N}]+`), without a string for each.
 * Those of ASCII are in lower case already.
 */
export class WordReader {
	/** Of the word: where it begins and ends, and its hash, the same as `hashOf` gives. */
	start = 0;
	end = 0;
	hash = 0;
	/** A long number, or digits among letters: eight characters or more. */
	isGenerated = false;
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	get word(): string {
		return this.#text.slice(this.start, this.end);
	}

	/** Begins with a digit of ASCII. */
	get isNumber(): boolean {
		return isDigit(this.#text.charCodeAt(this.start));
	}

	/** Goes to the next word; false at the end of the text. */
	next(): boolean {
		const text = this.#text;
		const { length } = text;
		let at = this.end;
		while (at < length && kindAt(text, at) === apart) at++;
		this.start = at;
		let hash = 0x811c9dc5 | 0;
		let digits = 0;
		let letters = 0;
		while (at < length) {
			const kind = kindAt(text, at);
			if (kind === apart) break;
			if (kind === digit) digits++;
			else if (kind === letter) letters++;
			hash = Math.imul(hash ^ text.charCodeAt(at++), 0x01000193);
			if (kind === pair) hash = Math.imul(hash ^ text.charCodeAt(at++), 0x01000193);
		}
		this.end = at;
		this.hash = hash;
		const isPlain = digits + letters === at - this.start;
		this.isGenerated = isPlain && digits > 0 && (letters > 0 ? digits + letters >= 8 : digits >= 10);
		return at > this.start;
	}
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Between words. */
const apart = 1;
/** Of ASCII, in lower case. */
const letter = 2;
const digit = 3;
/** Letters and numbers beyond that, of one code unit and of two. */
const other = 4;
const pair = 5;

/** Code unit → kind, 0 if not asked yet: classes of Unicode are slow. */
const known = new Uint8Array(0x10000);

function kindAt(text: string, at: number): number {
	const code = text.charCodeAt(at);
	return known[code] || look(text, at, code);
}

function look(text: string, at: number, code: number): number {
	// The second half of a pair decides.
	if (code >= 0xd800 && code < 0xdc00) return pattern.test(text.slice(at, at + 2)) ? pair : apart;
	const isLetter = code >= 0x61 && code <= 0x7a;
	const kind = isLetter ? letter : isDigit(code) ? digit : pattern.test(text.charAt(at)) ? other : apart;
	known[code] = kind;
	return kind;
}

const pattern = /^[\p{L}\p{N}]/u;
