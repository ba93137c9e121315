import { normalizeEncoding } from '@exodus/bytes/encoding.js';

/** Labels are found in the first 1,024 bytes by the standard's prescan (HTML §13.2.3.2). */
const prescanBytes = 1024;
/** How far the lenient search goes. */
const lenientBytes = 65_536;

/**
 * The encoding that a label names, or undefined. The `replacement` encoding counts as unknown: it would turn the
 * whole page into one U+FFFD.
 */
export function encodingOf(label: string | undefined): string | undefined {
	if (label === undefined) return undefined;
	const name = normalizeEncoding(label.trim());
	return name === null || name === 'replacement' ? undefined : name;
}

/** `charset` of a Content-Type value, quoted or not. */
export function charsetParameter(contentType: string): string | undefined {
	return /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i
		.exec(contentType)
		?.slice(1)
		.find((v) => v !== undefined);
}

/** Encodings a `<meta>` can declare: UTF-16 is read as UTF-8, since the tag itself was read as ASCII. */
function metaEncoding(label: string | undefined): string | undefined {
	const name = encodingOf(label);
	if (name === 'utf-16le' || name === 'utf-16be') return 'utf-8';
	return name === 'x-user-defined' ? 'windows-1252' : name;
}

/** Bytes as characters of the same number: enough to read ASCII markup. */
function asLatin1(bytes: Uint8Array, length: number): string {
	let text = '';
	const end = Math.min(bytes.length, length);
	for (let at = 0; at < end; at += 4096)
		text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(end, at + 4096)) as unknown as number[]);
	return text;
}

/** Comments, tags with quoted attributes, and bogus comments, each as one match. */
const markup =
	/<!--[\s\S]*?(?:-->|$)|<(meta)(?=[\s/])((?:[^>"']|"[^"]*"|'[^']*')*)>?|<[a-z/!?](?:[^>"']|"[^"]*"|'[^']*')*>?/gi;
const attribute = /([^\s/=>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;

function attributesOf(source: string): Map<string, string> {
	const attributes = new Map<string, string>();
	for (const [, name, double, single, bare] of source.matchAll(attribute)) {
		const key = name!.toLowerCase();
		if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
	}
	return attributes;
}

/** Encoding §"extracting a character encoding from a meta element". */
function charsetIn(content: string | undefined): string | undefined {
	const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(content ?? '');
	return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/**
 * The declaration in a page's first bytes.
 *
 * @param lenient also take `content="charset=gbk"` without a pragma and misspelt attributes, within 64 KiB
 */
export function metaCharset(bytes: Uint8Array, lenient: boolean): string | undefined {
	const head = asLatin1(bytes, lenient ? lenientBytes : prescanBytes);
	for (const [, meta, source] of head.matchAll(markup)) {
		if (meta === undefined) continue;
		const attributes = attributesOf(source!);
		const pragma = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
		const label = attributes.get('charset') ?? (pragma || lenient ? charsetIn(attributes.get('content')) : undefined);
		const encoding = metaEncoding(label);
		if (encoding !== undefined) return encoding;
	}
	return lenient ? xmlEncoding(head) : undefined;
}

/** `<?xml version="1.0" encoding="..."?>` of XHTML served without a header. */
function xmlEncoding(head: string): string | undefined {
	return metaEncoding(/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1]);
}
