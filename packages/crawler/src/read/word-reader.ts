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
		let at = this.end;
		while (at < text.length && wordLength(text, at) === 0) at++;
		this.start = at;
		let hash = 0x811c9dc5 | 0;
		let digits = 0;
		let letters = 0;
		for (let length = 1; length > 0; at += length) {
			length = wordLength(text, at);
			for (let i = 0; i < length; i++) {
				const code = text.charCodeAt(at + i);
				if (isDigit(code)) digits++;
				else if (code >= 0x61 && code <= 0x7a) letters++;
				hash = Math.imul(hash ^ code, 0x01000193);
			}
		}
		this.end = at;
		this.hash = hash;
		const isPlain = digits + letters === at - this.start;
		this.isGenerated = isPlain && digits > 0 && (letters > 0 ? digits + letters >= 8 : digits >= 10);
		return at > this.start;
	}
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Code unit → 1 for a letter or number, 2 for another, 0 if not asked yet: classes of Unicode are slow. */
const known = new Uint8Array(0x10000);

/** How many code units the letter or number at a place has; 0 where neither stands. */
function wordLength(text: string, at: number): number {
	const code = text.charCodeAt(at);
	if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || isDigit(code) || (code >= 0x41 && code <= 0x5a) ? 1 : 0;
	if (code >= 0xd800 && code < 0xdc00) return pattern.test(text.slice(at, at + 2)) ? 2 : 0;
	if (known[code] === 0) known[code] = pattern.test(String.fromCharCode(code)) ? 1 : 2;
	return known[code] === 1 ? 1 : 0;
}

const pattern = /^[\p{L}\p{N}]/u;
