/** Deeper values are cut off: no real page has them. */
const maxDepth = 100;

/**
 * Reads JSON as pages really write it: comments, CDATA marks, trailing commas and semicolons, raw line breaks in
 * strings, HTML-escaped quotes, single quotes, bare keys, a missing end. Undefined when nothing of it can be read.
 */
export function parseLenientJson(source: string): { value: unknown; repaired: boolean } | undefined {
	const text = withoutNulls(source.trim());
	try {
		if (!isTooDeep(text)) return { value: JSON.parse(text), repaired: false };
	} catch {
		// Mended below.
	}
	const plain = escaped.test(text) && !/[{[,:]\s*"/.test(text) ? unescapeQuotes(text) : text;
	const value = new LenientReader(plain).document();
	return value === undefined ? undefined : { value, repaired: true };
}

/** An escaped U+0000 in a JSON string becomes U+FFFD: databases refuse U+0000. */
export function withoutNulls(json: string): string {
	return json.includes('\\u0000')
		? json.replace(/\\(?:u0000|.)/gs, (written) => (written === '\\u0000' ? '\ufffd' : written))
		: json;
}

const escaped = /&quot;|&#0*34;/;

/** Brackets in strings count too: then the careful reader does the work, with the same result. */
function isTooDeep(text: string): boolean {
	let depth = 0;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code === 0x5b || code === 0x7b) {
			if (++depth > maxDepth) return true;
		} else if (code === 0x5d || code === 0x7d) depth--;
	}
	return false;
}

function unescapeQuotes(text: string): string {
	return text
		.replace(/&quot;|&#0*34;/g, '"')
		.replace(/&#0*39;|&apos;/g, "'")
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&amp;/g, '&');
}

/** White space, comments, CDATA marks and stray separators between the parts of a document. */
const filler = /(?:[\s;\ufeff]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|<!--|-->|<!\[CDATA\[|\]\]>)+/y;
const bare = /[^\s,:{}[\]"'/]+/y;
const plainText = { '"': /[^"\\]+/y, "'": /[^'\\]+/y } as const;

class LenientReader {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	/** One value, or an array of several that stand side by side. */
	document(): unknown {
		const values: unknown[] = [];
		for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
			const before = this.#at;
			const character = this.#text[this.#at]!;
			if (character === '{' || character === '[') values.push(this.#value(0));
			if (this.#at === before) this.#at++;
		}
		return values.length > 1 ? values : values[0];
	}

	#skip(): void {
		filler.lastIndex = this.#at;
		if (filler.test(this.#text)) this.#at = filler.lastIndex;
	}

	#value(depth: number): unknown {
		this.#skip();
		const character = this.#text[this.#at];
		if (depth >= maxDepth && (character === '{' || character === '[')) return this.#skipNested();
		if (character === '{') return this.#object(depth + 1);
		if (character === '[') return this.#array(depth + 1);
		if (character === '"' || character === "'") return this.#string(character);
		return literal(this.#bare());
	}

	/** Passes over a container that lies too deep. */
	#skipNested(): undefined {
		for (let depth = 0; this.#at < this.#text.length; this.#at++) {
			const character = this.#text[this.#at]!;
			if (character === '{' || character === '[') depth++;
			else if ((character === '}' || character === ']') && --depth === 0) {
				this.#at++;
				return;
			}
		}
	}

	#object(depth: number): Record<string, unknown> {
		const entries: [string, unknown][] = [];
		this.#at++;
		while (this.#open('}')) {
			const before = this.#at;
			const character = this.#text[this.#at]!;
			const key = character === '"' || character === "'" ? this.#string(character) : this.#bare();
			this.#skip();
			if (this.#text[this.#at] === ':') {
				this.#at++;
				const value = this.#value(depth);
				if (value !== undefined) entries.push([key, value]);
			}
			if (this.#at === before) this.#at++;
		}
		return Object.fromEntries(entries);
	}

	#array(depth: number): unknown[] {
		const values: unknown[] = [];
		this.#at++;
		while (this.#open(']')) {
			const before = this.#at;
			const value = this.#value(depth);
			if (value !== undefined) values.push(value);
			if (this.#at === before) this.#at++;
		}
		return values;
	}

	/** Moves to the next member; false at the end of the container or of the text. */
	#open(end: string): boolean {
		this.#skip();
		while (this.#text[this.#at] === ',') {
			this.#at++;
			this.#skip();
		}
		const character = this.#text[this.#at];
		if (character === undefined) return false;
		if (character === end) {
			this.#at++;
			return false;
		}
		// The other bracket: a container was not closed. It is left to the one outside.
		return character !== (end === '}' ? ']' : '}');
	}

	#string(quote: '"' | "'"): string {
		let out = '';
		this.#at++;
		while (this.#at < this.#text.length) {
			const plain = plainText[quote];
			plain.lastIndex = this.#at;
			if (plain.test(this.#text)) {
				out += this.#text.slice(this.#at, plain.lastIndex);
				this.#at = plain.lastIndex;
			}
			if (this.#text[this.#at] === '\\') out += this.#escape();
			else if (this.#text[this.#at++] === quote && this.#endsString()) break;
			else if (this.#at <= this.#text.length) out += quote;
		}
		return out;
	}

	/** A quote inside the text that the page forgot to escape is followed by more text, but not by another key. */
	#endsString(): boolean {
		const rest = this.#text.slice(this.#at, this.#at + 200);
		const next = /\S/.exec(rest)?.[0];
		return next === undefined || ',:}];/<'.includes(next) || /^\s+"[^"\n]{1,60}"\s*:/.test(rest);
	}

	#escape(): string {
		const character = this.#text[this.#at + 1] ?? '';
		this.#at += 2;
		if (character === 'u') {
			const hex = /^[\da-fA-F]{4}/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0];
			if (hex === undefined) return 'u';
			this.#at += 4;
			return String.fromCharCode(Number.parseInt(hex, 16));
		}
		return escapes[character] ?? character;
	}

	#bare(): string {
		bare.lastIndex = this.#at;
		if (!bare.test(this.#text)) return '';
		const word = this.#text.slice(this.#at, bare.lastIndex);
		this.#at = bare.lastIndex;
		return word;
	}
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' };

function literal(word: string): unknown {
	if (word === 'true' || word === 'false') return word === 'true';
	if (word === 'null') return null;
	if (word === '') return undefined;
	return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) ? Number(word) : word;
}
