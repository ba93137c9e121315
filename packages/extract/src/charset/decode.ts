import { TextDecoder } from '@exodus/bytes/encoding.js';
import { detectEncoding } from './detect.ts';
import { charsetParameter, encodingOf, metaCharset } from './prescan.ts';

/** The source that decided: see `decodeHtml`. */
export type CharsetSource = 'bom' | 'header' | 'meta' | 'valid-utf-8' | 'detected' | 'default';

/** A page as text, and how we came to it. */
export interface DecodedHtml {
	/** Without a byte order mark. */
	text: string;
	/** Lower-case name of the Encoding Standard, such as `windows-1252`. */
	encoding: string;
	source: CharsetSource;
	/** The other encoding that was declared and not used (`charset-conflict`). */
	conflict?: string;
}

interface Candidate {
	encoding: string;
	source: CharsetSource;
	/** The label promises that 0x80-0x9F are controls, though the standard decodes them by a Windows code page. */
	isoLabel?: boolean;
}

/**
 * Decodes a page by, in this order: byte order mark, transport header, `<meta>`; with nothing declared valid UTF-8, a late
 * declaration, a detector, and windows-1252 at last. Never throws.
 *
 * @param contentType the Content-Type header of the response, whole
 */
export function decodeHtml(bytes: Uint8Array, contentType?: string): DecodedHtml {
	const bom = bomEncoding(bytes);
	if (bom !== undefined) return { text: decode(bytes, bom), encoding: bom, source: 'bom' };
	const declared = declarations(bytes, contentType);
	return declared.length > 0 ? decodeDeclared(bytes, declared) : decodeUndeclared(bytes);
}

function bomEncoding([a, b, c]: Uint8Array): string | undefined {
	if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
	if (a === 0xfe && b === 0xff) return 'utf-16be';
	return a === 0xff && b === 0xfe ? 'utf-16le' : undefined;
}

function declarations(bytes: Uint8Array, contentType: string | undefined): Candidate[] {
	const found: Candidate[] = [];
	const label = charsetParameter(contentType ?? '');
	const header = encodingOf(label);
	if (header !== undefined)
		found.push({ encoding: header, source: 'header', isoLabel: /^\W*(iso|latin|l\d|us|ascii)/i.test(label!) });
	const meta = metaCharset(bytes, false);
	if (meta !== undefined && meta !== header) found.push({ encoding: meta, source: 'meta' });
	return found;
}

/** The first declaration, unless it decodes badly and the other one cleanly. */
function decodeDeclared(bytes: Uint8Array, declared: readonly Candidate[]): DecodedHtml {
	const [first, second] = declared as [Candidate, Candidate?];
	const { encoding, source } = first;
	if (second === undefined) return { text: decode(bytes, encoding), encoding, source };
	const clean = cleanly(bytes, first);
	const other = clean === undefined ? cleanly(bytes, second) : undefined;
	if (other !== undefined) {
		return { text: other, encoding: second.encoding, source: second.source, conflict: encoding };
	}
	return { text: clean ?? decode(bytes, encoding), encoding, source, conflict: second.encoding };
}

function decodeUndeclared(bytes: Uint8Array): DecodedHtml {
	const utf8 = strictly(bytes, 'utf-8');
	// ISO-2022-JP is ASCII with escapes: valid as UTF-8, and never meant so.
	if (utf8 !== undefined && !/\x1b\$[@B]/.test(utf8)) return { text: utf8, encoding: 'utf-8', source: 'valid-utf-8' };
	const late = metaCharset(bytes, true);
	if (late !== undefined) return { text: decode(bytes, late), encoding: late, source: 'meta' };
	const detected = detectEncoding(bytes);
	if (detected !== undefined) return { text: decode(bytes, detected), encoding: detected, source: 'detected' };
	return { text: decode(bytes, 'windows-1252'), encoding: 'windows-1252', source: 'default' };
}

function decode(bytes: Uint8Array, encoding: string): string {
	return new TextDecoder(encoding).decode(bytes);
}

/** The text, or undefined when some bytes mean nothing in this encoding. */
function strictly(bytes: Uint8Array, encoding: string): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** Without errors and without C1 controls, which no page means. */
function cleanly(bytes: Uint8Array, { encoding, isoLabel }: Candidate): string | undefined {
	if (isoLabel && encoding.startsWith('windows-') && bytes.some((byte) => byte >= 0x80 && byte <= 0x9f))
		return undefined;
	const text = strictly(bytes, encoding);
	return text === undefined || /[\x80-\x9f]/.test(text) ? undefined : text;
}
