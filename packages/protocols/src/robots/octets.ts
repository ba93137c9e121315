/**
 * A robots.txt file is compared by octets, and its octets are often not UTF-8. A file that is UTF-8 is read as text;
 * any other as an *octet string*, in which each unit is one byte (0–255).
 */
export interface Content {
	readonly text: string;
	/** Each unit of `text` is one byte. */
	readonly octets: boolean;
	readonly truncated: boolean;
}

const beyondAscii = /[^\0-\x7f]/;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const strictUtf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const encoder = new TextEncoder();
/** Arguments of one call; more would overflow the stack of some engines. */
const chunk = 8192;

function toOctets(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += chunk) {
		text += String.fromCharCode.apply(null, bytes.subarray(at, at + chunk) as unknown as number[]);
	}
	return text;
}

function toBytes(octets: string): Uint8Array {
	const bytes = new Uint8Array(octets.length);
	for (let at = 0; at < octets.length; at++) bytes[at] = octets.charCodeAt(at);
	return bytes;
}

const isAscii = (text: string): boolean => !beyondAscii.test(text);

/** The octets of a text in UTF-8. */
export const encodeUtf8 = (text: string): string => (isAscii(text) ? text : toOctets(encoder.encode(text)));

/** The text of octets; what is not UTF-8 becomes U+FFFD. */
export const decodeUtf8 = (octets: string): string => (isAscii(octets) ? octets : utf8.decode(toBytes(octets)));

/** Whether octets are well-formed UTF-8. */
export function isUtf8(octets: string): boolean {
	if (isAscii(octets)) return true;
	try {
		strictUtf8.decode(toBytes(octets));
		return true;
	} catch {
		return false;
	}
}

/**
 * The first `limit` bytes of a file. A line that the limit cuts is left out, since half a rule is another rule.
 * `lineLimit` counts bytes too: where characters of several bytes could make a difference to it, octets are read.
 */
export function readContent(input: string | Uint8Array, limit: number, lineLimit: number): Content {
	const content = typeof input === 'string' ? fromText(input, limit) : fromBytes(input, limit);
	const { text, octets } = content;
	if (octets || text.length * 3 <= lineLimit || isAscii(text)) return content;
	return { ...content, text: encodeUtf8(text), octets: true };
}

function fromText(input: string, limit: number): Content {
	// A unit of text is one to three bytes.
	if (input.length * 3 <= limit) return { text: input, octets: false, truncated: false };
	const head = input.length > limit ? input.slice(0, limit + 1) : input;
	if (!isAscii(head)) return fromBytes(encoder.encode(head), limit);
	if (head.length <= limit) return { text: head, octets: false, truncated: false };
	const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r'), 0);
	return { text: head.slice(0, end), octets: false, truncated: true };
}

function fromBytes(input: Uint8Array, limit: number): Content {
	const truncated = input.length > limit;
	const end = truncated ? Math.max(input.lastIndexOf(10, limit), input.lastIndexOf(13, limit), 0) : input.length;
	const bytes = input.subarray(0, end);
	try {
		return { text: strictUtf8.decode(bytes), octets: false, truncated };
	} catch {
		return { text: toOctets(bytes), octets: true, truncated };
	}
}
