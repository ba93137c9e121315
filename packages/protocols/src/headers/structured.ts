import { decodePercent } from '../internal/percent.ts';
import type { BareItem, Dictionary, InnerList, Item, List, Member, Parameters } from './types.ts';

/**
 * Reads a dictionary such as `train-ai=n, search=y` (RFC 9651 §4.2.2).
 *
 * Strict, as the RFC demands: one fault anywhere (an upper-case key, a trailing comma) voids the whole field,
 * and the answer is undefined. Several lines of one field are joined with commas before they come here.
 */
export function parseDictionary(text: string): Dictionary | undefined {
	return parseWhole(text, (input) => {
		const dictionary = new Map<string, Member>();
		const complete = readSeparated(input, () => {
			const key = readKey(input);
			if (key === undefined) return false;
			const member = input.take('=') ? readMember(input) : readBareKey(input);
			if (member !== undefined) dictionary.set(key, member);
			return member !== undefined;
		});
		return complete ? dictionary : undefined;
	});
}

/** Reads a list such as `*;nosnippet, (a b);q=1` (RFC 9651 §4.2.1); undefined when it is malformed. */
export function parseList(text: string): List | undefined {
	return parseWhole(text, (input) => {
		const list: Member[] = [];
		const complete = readSeparated(input, () => {
			const member = readMember(input);
			if (member !== undefined) list.push(member);
			return member !== undefined;
		});
		return complete ? list : undefined;
	});
}

/** Reads a single item such as `"text";q=0.5` (RFC 9651 §4.2.3); undefined when it is malformed. */
export function parseItem(text: string): Item | undefined {
	return parseWhole(text, readItem);
}

/** A place in the text. Every step is a sticky expression that cannot backtrack, so reading is linear. */
class Input {
	readonly text: string;
	at = 0;

	constructor(text: string) {
		this.text = text;
	}

	get done(): boolean {
		return this.at >= this.text.length;
	}

	take(char: string): boolean {
		if (this.text[this.at] !== char) return false;
		this.at++;
		return true;
	}

	match(sticky: RegExp): RegExpExecArray | undefined {
		sticky.lastIndex = this.at;
		const found = sticky.exec(this.text);
		if (found === null) return undefined;
		this.at += found[0].length;
		return found;
	}
}

const spaces = / */y;
const optionalWhitespace = /[ \t]*/y;
const key = /[a-z*][a-z0-9_.*-]*/y;
const number = /-?(\d{1,15})(\.\d{1,3})?/y;
const string = /"([ !#-[\]-~]*(?:\\["\\][ !#-[\]-~]*)*)"/y;
const displayString = /%"([ !#$&-~]*(?:%[0-9a-f]{2}[ !#$&-~]*)*)"/y;
const token = /[A-Za-z*][!#$%&'*+.^_`|~:/A-Za-z0-9-]*/y;
const bytes = /:([A-Za-z0-9+/]*={0,2}):/y;
const boolean = /\?([01])/y;

function parseWhole<Value>(text: string, read: (input: Input) => Value | undefined): Value | undefined {
	const input = new Input(text);
	input.match(spaces);
	const value = read(input);
	input.match(spaces);
	return input.done ? value : undefined;
}

/** Reads members between commas until the text ends; false for a bad member or a comma with nothing after it. */
function readSeparated(input: Input, readOne: () => boolean): boolean {
	if (input.done) return true;
	while (readOne()) {
		input.match(optionalWhitespace);
		if (input.done) return true;
		if (!input.take(',')) return false;
		input.match(optionalWhitespace);
	}
	return false;
}

function readMember(input: Input): Member | undefined {
	return input.text[input.at] === '(' ? readInnerList(input) : readItem(input);
}

/** A key without `=` stands for the boolean true, and may have parameters. */
function readBareKey(input: Input): Item | undefined {
	const params = readParameters(input);
	return params && { type: 'boolean', value: true, params };
}

function readInnerList(input: Input): InnerList | undefined {
	input.take('(');
	const value: Item[] = [];
	for (;;) {
		const gap = input.match(spaces)?.[0].length ?? 0;
		if (input.take(')')) break;
		if (value.length > 0 && gap === 0) return undefined;
		const item = readItem(input);
		if (item === undefined) return undefined;
		value.push(item);
	}
	const params = readParameters(input);
	return params && { type: 'inner-list', value, params };
}

function readItem(input: Input): Item | undefined {
	const bare = readBareItem(input);
	const params = bare && readParameters(input);
	return params && { ...bare, params };
}

function readParameters(input: Input): Parameters | undefined {
	const params = new Map<string, BareItem>();
	while (input.take(';')) {
		input.match(spaces);
		const name = readKey(input);
		if (name === undefined) return undefined;
		const value: BareItem | undefined = input.take('=') ? readBareItem(input) : { type: 'boolean', value: true };
		if (value === undefined) return undefined;
		params.set(name, value);
	}
	return params;
}

function readKey(input: Input): string | undefined {
	return input.match(key)?.[0];
}

/** The first character alone tells the type (RFC 9651 §4.2.3.1). */
function readBareItem(input: Input): BareItem | undefined {
	const first = input.text[input.at] ?? '';
	if (first === '"') {
		const found = input.match(string);
		return found && { type: 'string', value: (found[1] ?? '').replace(/\\(.)/g, '$1') };
	}
	if (first === ':') {
		const value = decodeBase64(input.match(bytes)?.[1]);
		return value && { type: 'bytes', value };
	}
	if (first === '?') {
		const found = input.match(boolean);
		return found && { type: 'boolean', value: found[1] === '1' };
	}
	if (first === '%') return readDisplayString(input);
	if (first === '@') {
		input.take('@');
		const seconds = readNumber(input);
		return seconds?.type === 'integer' ? { type: 'date', value: seconds.value } : undefined;
	}
	if (first === '-' || (first >= '0' && first <= '9')) return readNumber(input);
	const found = input.match(token);
	return found && { type: 'token', value: found[0] };
}

/** At most 15 digits, or 12 before and 3 after the point (RFC 9651 §4.2.4); `-0` is 0. */
/** With right or absent padding (RFC 9651 §4.2.7). */
function decodeBase64(text: string | undefined): Uint8Array | undefined {
	if (text === undefined) return undefined;
	try {
		return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
	} catch {
		return undefined;
	}
}

function readNumber(input: Input): { type: 'integer' | 'decimal'; value: number } | undefined {
	const found = input.match(number);
	// Left over: a sixteenth digit, a fourth decimal, or a point without digits.
	if (found === undefined || /[\d.]/.test(input.text[input.at] ?? '')) return undefined;
	if (found[2] === undefined) return { type: 'integer', value: Number(found[0]) + 0 };
	return (found[1] ?? '').length > 12 ? undefined : { type: 'decimal', value: Number(found[0]) + 0 };
}

function readDisplayString(input: Input): BareItem | undefined {
	const source = input.match(displayString)?.[1];
	const value = source === undefined ? undefined : decodePercent(source);
	return value === undefined ? undefined : { type: 'display-string', value };
}
