import { countTokens as countPiece } from 'gpt-tokenizer/encoding/cl100k_base';

/** The tokenizer is quadratic in unbroken runs: text is counted in pieces of at most this many characters. */
const piece = 2000;
/** How far back from a piece's end a boundary is looked for. */
const lookBack = 200;

/** Text such as `<|endoftext|>` is text here, never a control token. */
const options = { disallowedSpecial: new Set<string>() };

/**
 * How many cl100k_base tokens `text` has: exact up to 2,000 characters, and beyond that within about one
 * token for each 2,000. Time is linear in the length.
 */
export function countTokens(text: string): number {
	let total = 0;
	for (let start = 0; start < text.length; ) {
		const end = pieceEnd(text, start);
		total += countPiece(text.slice(start, end), options);
		start = end;
	}
	return total;
}

/** The end of the piece that begins at `start`: before white space that follows a word, where tokens part anyway. */
function pieceEnd(text: string, start: number): number {
	const limit = start + piece;
	if (limit >= text.length) return text.length;
	for (let at = limit; at > limit - lookBack; at--) {
		if (isSpace(text.charCodeAt(at)) && !isSpace(text.charCodeAt(at - 1))) return at;
	}
	const last = text.charCodeAt(limit - 1);
	return last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit;
}

function isSpace(code: number): boolean {
	return code === 32 || code === 10 || code === 9 || code === 13;
}
