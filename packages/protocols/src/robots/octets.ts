import { decodeUtf16 } from '../internal/utf16.ts';
import type { Reading } from './modes.ts';

/**
 * A robots.txt file is compared by octets, and its octets are often not UTF-8. A file that is UTF-8 is read as text;
 * any other as an *octet string*, in which each unit is one byte (0–255).
 */
export interface Content {
	readonly text: string;
	/** Each unit of `text` is one byte. */
	readonly octets: boolean;
	readonly truncated: boolean;
	/** The bytes were UTF-16. */
	readonly utf16?: true;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
/** Arguments of one call; more would overflow the stack of some engines. */
const chunk = 8192;

function toOctets(bytes: Uint8Array): string {
	let octets = '';
	for (let at = 0; at < bytes.length; at += chunk) {
		octets += String.fromCharCode(...bytes.subarray(at, at + chunk));
	}
	return octets;
}

export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** The octets of a text in UTF-8. */
export const encodeUtf8 = (text: string): string => (isAscii(text) ? text : toOctets(encoder.encode(text)));

/** The text of octets; what is not UTF-8 becomes U+FFFD. */
export const decodeUtf8 = (octets: string): string =>
	isAscii(octets) ? octets : utf8.decode(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)));

/** Whether a decoded text stands for its octets. A U+FFFD that stood there itself counts as a loss, at no harm. */
export const isFaithful = (text: string): boolean => !text.includes('\ufffd');

/** Drops the last line, which a limit may have cut. */
const wholeLines = (text: string): string => text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 0));

/**
 * The first `limit` bytes of a file. A line that the limit cuts is left out, since half a rule is another rule.
 * `lineLimit` counts bytes too: where characters of several bytes could make a difference to it, octets are read.
 */
export function readContent(
	input: string | Uint8Array,
	limit: number,
	{ lineLimit, utf16 }: Pick<Reading, 'lineLimit' | 'utf16'>,
): Content {
	if (utf16 && typeof input !== 'string') {
		const truncated = input.length > limit;
		const decoded = decodeUtf16(truncated ? input.subarray(0, limit) : input);
		if (decoded !== undefined)
			return { text: truncated ? wholeLines(decoded) : decoded, octets: false, truncated, utf16: true };
	}
	let text = input;
	let truncated = false;
	// A unit of text is one to three bytes. Only a text that is too long is read as bytes.
	if (typeof text === 'string' && text.length * 3 > limit) {
		const bytes = encoder.encode(text.slice(0, limit + 1));
		if (bytes.length > limit) text = bytes;
	}
	if (typeof text !== 'string') {
		truncated = text.length > limit;
		const end = truncated ? Math.max(text.lastIndexOf(10, limit), text.lastIndexOf(13, limit), 0) : text.length;
		const bytes = text.subarray(0, end);
		text = utf8.decode(bytes);
		if (!isFaithful(text)) return { text: toOctets(bytes), octets: true, truncated };
	}
	const octets = text.length * 3 > lineLimit && !isAscii(text);
	return { text: octets ? encodeUtf8(text) : text, octets, truncated };
}
