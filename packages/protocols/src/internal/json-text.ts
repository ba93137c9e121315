import { JsonCursor, JsonSyntaxError } from './json-cursor.ts';

/** Deeper nesting is refused: everybody downstream walks documents by recursion. */
export const maxJsonDepth = 256;

export type JsonReading =
	| { readonly value: unknown; readonly fault?: undefined }
	| { readonly fault: 'syntax' | 'depth'; readonly offset: number };

/** Reads a JSON text; a fault is returned with its kind and offset, never thrown. A byte order mark is passed over. */
export function readJson(text: string): JsonReading {
	const body = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		return { fault: 'syntax', offset: syntaxFault(body) };
	}
	const deep = depthExceededAt(body);
	return deep === undefined ? { value } : { fault: 'depth', offset: deep };
}

/** Offset at which JSON text exceeds the nesting limit; brackets in strings do not count. */
function depthExceededAt(text: string): number | undefined {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === 0x22) at = stringEnd(text, at);
		else if (code === 0x7b || code === 0x5b) depth++;
		else if (code === 0x7d || code === 0x5d) depth--;
		if (depth > maxJsonDepth) return at;
	}
	return undefined;
}

/** The offset of the quotation mark that ends the string beginning at `start`. */
function stringEnd(text: string, start: number): number {
	let at = start + 1;
	while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
	return at;
}

function syntaxFault(text: string): number {
	let at = text.length;
	readWhole(
		text,
		0,
		(cursor) => cursor.skip(),
		(fault) => {
			at = fault;
		},
	);
	return at;
}

/** Reads a whole text with `read`; undefined if it is not JSON, and `onFault` gets the offset. */
export function readWhole<Value>(
	text: string,
	start: number,
	read: (cursor: JsonCursor) => Value,
	onFault: (at: number) => void,
): Value | undefined {
	const cursor = new JsonCursor(text, start);
	try {
		const value = read(cursor);
		cursor.end();
		return value;
	} catch (error) {
		if (!(error instanceof JsonSyntaxError)) throw error;
		onFault(error.at);
		return undefined;
	}
}
