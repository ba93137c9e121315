/**
 * A robots.txt file is compared by octets, and its octets are often not UTF-8. So everything works on an
 * *octet string*: a string in which each unit is one byte (0–255). For ASCII, nearly every file, that is the text itself.
 */
export interface Octets {
	readonly text: string;
	readonly ascii: boolean;
	readonly truncated: boolean;
}

const beyondAscii = /[^\0-\x7f]/;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const strictUtf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const encoder = new TextEncoder();
/** Arguments of one call; more would overflow the stack of some engines. */
const chunk = 8192;

function fromBytes(bytes: Uint8Array): string {
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

export const isAscii = (text: string): boolean => !beyondAscii.test(text);

/** The octets of a text in UTF-8. */
export const encodeUtf8 = (text: string): string => (isAscii(text) ? text : fromBytes(encoder.encode(text)));

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

/** The first `limit` bytes of a file; a line that the limit cuts is left out, since half a rule is another rule. */
export function readOctets(input: string | Uint8Array, limit: number): Octets {
	let text: string;
	let ascii: boolean;
	if (typeof input === 'string') {
		// A text is never longer than its bytes.
		const head = input.length > limit + 1 ? input.slice(0, limit + 1) : input;
		ascii = isAscii(head);
		text = ascii ? head : fromBytes(encoder.encode(head));
	} else {
		const bytes = input.length > limit + 1 ? input.subarray(0, limit + 1) : input;
		text = utf8.decode(bytes);
		ascii = text.length === bytes.length && isAscii(text);
		if (!ascii) text = fromBytes(bytes);
	}
	if (text.length <= limit) return { text, ascii, truncated: false };
	const end = Math.max(text.lastIndexOf('\n', limit), text.lastIndexOf('\r', limit));
	return { text: text.slice(0, Math.max(end, 0)), ascii, truncated: true };
}
