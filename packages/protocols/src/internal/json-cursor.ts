/** A syntax error in JSON, with its place. */
export class JsonSyntaxError extends Error {
	override readonly name = 'JsonSyntaxError';
	/** Offset in the text. */
	readonly at: number;

	constructor(at: number) {
		super(`not JSON at offset ${at}`);
		this.at = at;
	}
}

/** A value that is neither an object nor an array; `composite` stands for those, which were passed over. */
export type JsonScalar = string | number | boolean | null | typeof composite;
export const composite: unique symbol = Symbol('object or array');

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Reads JSON (RFC 8259, strictly) from front to back, without building values that are not needed.
 *
 * `JSON.parse` forgets where a value stood, how a number was written and that a name came twice;
 * formats that forbid the latter two, and problems that name a line, need the text itself.
 * Every method but `end` leaves the cursor behind the value; broken syntax throws JsonSyntaxError.
 */
export class JsonCursor {
	readonly text: string;
	at: number;

	constructor(text: string, at = 0) {
		this.text = text;
		this.at = at;
	}

	/** The code of the next significant character, NaN at the end; the cursor stands on it. */
	peek(): number {
		const { text } = this;
		let at = this.at;
		let code = text.charCodeAt(at);
		while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
		this.at = at;
		return code;
	}

	isObject(): boolean {
		return this.peek() === openBrace;
	}

	isArray(): boolean {
		return this.peek() === openBracket;
	}

	/** Reads an object; `onMember` gets each name with its offset, the cursor before the value, and must read the value. */
	object(onMember: (name: string, at: number) => void): void {
		this.#take(openBrace);
		if (this.#taken(closeBrace)) return;
		do {
			this.peek();
			const at = this.at;
			const name = this.string();
			this.#take(0x3a);
			onMember(name, at);
		} while (this.#taken(0x2c));
		this.#take(closeBrace);
	}

	/** Reads an array; `onItem` stands before each value and must read it. */
	array(onItem: () => void): void {
		this.#take(openBracket);
		if (this.#taken(closeBracket)) return;
		do onItem();
		while (this.#taken(0x2c));
		this.#take(closeBracket);
	}

	/** Reads a string. */
	string(): string {
		const start = this.at;
		const plain = this.#passString();
		const { text, at } = this;
		return plain ? text.slice(start + 1, at - 1) : (JSON.parse(text.slice(start, at)) as string);
	}

	/** Reads a value that should be a string, number, boolean or null; passes over an object or array. */
	scalar(): JsonScalar {
		const code = this.peek();
		if (code === quote) return this.string();
		const start = this.at;
		this.skip();
		if (code === openBrace || code === openBracket) return composite;
		return JSON.parse(this.text.slice(start, this.at)) as number | boolean | null;
	}

	/**
	 * Reads a number written as digits without sign, fraction, exponent or leading zero, and not above 2^53 - 1.
	 * Anything else is passed over and gives -1.
	 */
	naturalNumber(): number {
		const { text } = this;
		let code = this.peek();
		const start = this.at;
		let at = start;
		let value = 0;
		while (code >= 0x30 && code <= 0x39) {
			value = value * 10 + (code - 0x30);
			code = text.charCodeAt(++at);
		}
		const plain = at > start && code !== 0x2e && code !== 0x65 && code !== 0x45;
		if (plain && (at === start + 1 || text.charCodeAt(start) !== 0x30)) {
			this.at = at;
			return Number.isSafeInteger(value) ? value : -1;
		}
		this.skip();
		return -1;
	}

	/** Passes over any value, however deeply nested, without recursion. */
	skip(): void {
		/** The closing characters that are awaited. */
		const open: number[] = [];
		do {
			const code = this.peek();
			if (code === openBrace || code === openBracket) {
				this.at++;
				const close = code + 2;
				if (!this.#taken(close)) {
					open.push(close);
					if (close === closeBrace) this.#passName();
					continue;
				}
			} else this.#passScalar(code);
			this.#passEnds(open);
		} while (open.length > 0);
	}

	/** Demands that nothing but white space follows. */
	end(): void {
		if (!Number.isNaN(this.peek())) this.#fail();
	}

	/** After a value: a comma and what comes before the next value, or the ends of what is now complete. */
	#passEnds(open: number[]): void {
		for (let close = open.at(-1); close !== undefined; close = open.at(-1)) {
			if (this.#taken(0x2c)) {
				if (close === closeBrace) this.#passName();
				return;
			}
			this.#take(close);
			open.pop();
		}
	}

	#passName(): void {
		this.peek();
		this.#passString();
		this.#take(0x3a);
	}

	#passScalar(code: number): void {
		if (code === quote) this.#passString();
		else if (code === 0x74) this.#passWord('true');
		else if (code === 0x66) this.#passWord('false');
		else if (code === 0x6e) this.#passWord('null');
		else this.#passNumber();
	}

	#passWord(word: string): void {
		if (!this.text.startsWith(word, this.at)) this.#fail();
		this.at += word.length;
	}

	#passNumber(): void {
		number.lastIndex = this.at;
		if (!number.test(this.text)) this.#fail();
		this.at = number.lastIndex;
	}

	/** Passes over a string; true when it holds no escape. */
	#passString(): boolean {
		const { text } = this;
		let at = this.at;
		if (text.charCodeAt(at) !== quote) this.#fail();
		let plain = true;
		for (;;) {
			const code = text.charCodeAt(++at);
			if (code === quote) break;
			if (code === backslash) {
				plain = false;
				at = this.#passEscape(at);
			} else if (!(code >= 0x20)) {
				this.at = at;
				this.#fail();
			}
		}
		this.at = at + 1;
		return plain;
	}

	/** The offset of the last character of the escape that begins at `at`. */
	#passEscape(at: number): number {
		escapeSequence.lastIndex = at;
		if (!escapeSequence.test(this.text)) {
			this.at = at;
			this.#fail();
		}
		return escapeSequence.lastIndex - 1;
	}

	#take(code: number): void {
		if (this.peek() !== code) this.#fail();
		this.at++;
	}

	#taken(code: number): boolean {
		if (this.peek() !== code) return false;
		this.at++;
		return true;
	}

	#fail(): never {
		throw new JsonSyntaxError(this.at);
	}
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
