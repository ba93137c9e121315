/** Classes of characters for the tokenizer, as bits. */
export const spaceBit = 1 << 0;
/** `>` and `/`. */
export const tagEndBit = 1 << 1;
export const equalsBit = 1 << 2;
/** Tags begin with an ASCII letter. */
export const letterBit = 1 << 3;

const kinds = new Uint8Array(128);
for (const char of '\t\n\f\r ') kinds[char.charCodeAt(0)] = spaceBit;
for (const char of '>/') kinds[char.charCodeAt(0)] = tagEndBit;
kinds['='.charCodeAt(0)] = equalsBit;
for (let c = 65; c <= 90; c++) kinds[c] = kinds[c + 32] = letterBit;

/** The kind of the character at a place; 0 for one that means nothing, and beyond the end. */
export function kindAt(source: string, at: number): number {
	const c = source.charCodeAt(at);
	return c < 128 ? kinds[c]! : 0;
}

/** The first place from `start` on with a character of these kinds, or the end. */
export function findKind(source: string, start: number, wanted: number): number {
	let at = start;
	while (at < source.length && (kindAt(source, at) & wanted) === 0) at++;
	return at;
}

/** The first place from `start` on with any other character. */
export function skipSpace(source: string, start: number): number {
	let at = start;
	while (kindAt(source, at) === spaceBit) at++;
	return at;
}

/** Line breaks as HTML has them (§13.2.3.5): a page with others is not copied for them, only what is taken out of it. */
export function withLineFeeds(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
