import { FetchError } from './failure.ts';

/** The head of a response. */
export class MessageHead {
	readonly status: number;
	/** The reason phrase. */
	readonly message: string;
	readonly version: '1.0' | '1.1';
	/** Names and values in turn, as received. */
	readonly rawHeaders: readonly string[];
	/** The first line that was dropped because it is not a header field. */
	readonly malformed: string | undefined;
	/** The lines as received, the empty one at the end included; Latin-1. */
	readonly raw: string;

	constructor({ code, message, version }: StatusLine, { rawHeaders, malformed }: Fields, raw: string) {
		this.status = code;
		this.message = message;
		this.version = version;
		this.rawHeaders = rawHeaders;
		this.malformed = malformed;
		this.raw = raw;
	}

	/** The first value of a field, by its name in lower case. */
	value(name: string): string | undefined {
		const { rawHeaders } = this;
		for (let at = 0; at < rawHeaders.length; at += 2) {
			const each = rawHeaders[at] ?? '';
			if (each.length === name.length && each.toLowerCase() === name) return rawHeaders[at + 1];
		}
		return undefined;
	}

	/** All values of a field, by its name in lower case. */
	values(name: string): string[] {
		return this.rawHeaders.filter((_, at) => at % 2 === 1 && this.rawHeaders[at - 1]?.toLowerCase() === name);
	}
}

export interface StatusLine {
	readonly version: '1.0' | '1.1';
	readonly code: number;
	readonly message: string;
}

interface Fields {
	readonly rawHeaders: readonly string[];
	readonly malformed: string | undefined;
}

/** How long the body of a message is, and what follows it (RFC 9112 §6.3, §9.3). */
export type Framing = {
	/** Codings to undo before the content codings, the outermost last (RFC 9112 §7.1). */
	readonly codings: readonly string[];
	readonly reusable: boolean;
} & ({ readonly kind: 'sized'; readonly length: number } | { readonly kind: 'chunked' | 'until-close' });

/** How strict a parser of HTTP/1 responses is. */
export interface ParserMode {
	readonly name: 'strict' | 'lenient' | 'archive';
	/** A bare LF ends a line (RFC 9112 §2.2), and empty lines before the status line are skipped. */
	readonly isLineFeedEnough: boolean;
	/** A connection that closes before the trailers are complete cuts the message off. */
	readonly needsTrailers: boolean;
	/** Each chunk must end with a line end (RFC 9112 §7.1). */
	readonly needsChunkEnd: boolean;
	readonly maxChunkLine: number;
	/** The groups are minor version, status and reason. */
	readonly statusLine: RegExp;
	/** The group is the size. */
	readonly chunkSize: RegExp;
	/** @throws FetchError where the lines leave the length or the meaning of the message in doubt */
	fieldsOf(lines: readonly string[]): Fields;
	/** @throws FetchError where the fields do not settle the length */
	framingOf(head: MessageHead, bodyless: boolean): Framing;
}

export const parserModes: Readonly<Record<'strict' | 'lenient' | 'archive', ParserMode>> = {
	/** For a proxy: a client reads on where we stop, so what two readers could read differently is refused. */
	strict: {
		name: 'strict',
		isLineFeedEnough: false,
		needsTrailers: true,
		needsChunkEnd: true,
		maxChunkLine: 1024,
		statusLine: /^HTTP\/1\.([01]) (\d{3})(?: ([\t\x20-\x7e\x80-\xff]*))?$/,
		chunkSize: /^([\da-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i,
		fieldsOf: strictFields,
		framingOf: strictFraming,
	},
	/** For a client: forgives what recipients may forgive (bare LF, folded lines, lines that browsers drop). */
	lenient: {
		name: 'lenient',
		isLineFeedEnough: true,
		needsTrailers: false,
		needsChunkEnd: true,
		maxChunkLine: 4096,
		// The reason phrase and the space before it may be missing (RFC 9112 §4).
		statusLine: /^HTTP\/1\.(\d) +(\d{3})(?: (.*))?$/s,
		chunkSize: /^[ \t]*([0-9A-Fa-f]+)[ \t]*(?:;.*)?$/,
		fieldsOf: (lines) => foldedFields(lines, parseHeaderLine),
		framingOf: lenientFraming,
	},
	/** For stored messages, which tools have changed: takes what can be made out. */
	archive: {
		name: 'archive',
		isLineFeedEnough: true,
		needsTrailers: false,
		needsChunkEnd: false,
		maxChunkLine: 4096,
		statusLine: /^HTTP\/\d(?:\.(\d))?[ \t]+([1-9]\d\d)\b(.*)/is,
		chunkSize: /^[ \t]*([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i,
		fieldsOf: (lines) => foldedFields(lines, storedField),
		framingOf: lenientFraming,
	},
};

/** @throws FetchError `bad-response` */
export function parseStatusLine(line: string, mode: ParserMode): StatusLine {
	const found = mode.statusLine.exec(line);
	const code = Number(found?.[2] ?? 0);
	if (found === null || code < 100) {
		throw new FetchError('bad-response', `not an HTTP/1 status line: ${JSON.stringify(line.slice(0, 60))}`);
	}
	return { version: found[1] === '0' ? '1.0' : '1.1', code, message: found[3] ?? '' };
}

/** @param text status line and field lines, with or without the empty line after them */
export function parseHead(text: string, mode: ParserMode): MessageHead {
	const [first = '', ...lines] = mode.isLineFeedEnough ? text.split(/\r?\n/) : text.split('\r\n');
	while (lines.length > 0 && lines[lines.length - 1] === '') lines.pop();
	return new MessageHead(parseStatusLine(first, mode), mode.fieldsOf(lines), text);
}

/** End of the empty line after a head; -1 if it is not there yet. */
export function endOfHead(bytes: Buffer, from: number, { isLineFeedEnough }: ParserMode): number {
	if (!isLineFeedEnough) {
		const end = bytes.indexOf('\r\n\r\n', from, 'latin1');
		return end < 0 ? -1 : end + 4;
	}
	for (let feed = bytes.indexOf(lineFeed, from); feed >= 0; feed = bytes.indexOf(lineFeed, feed + 1)) {
		if (bytes[feed + 1] === lineFeed) return feed + 2;
		if (bytes[feed + 1] === carriageReturn && bytes[feed + 2] === lineFeed) return feed + 3;
	}
	return -1;
}

export const lineFeed = 10;
const carriageReturn = 13;

/** @throws FetchError `bad-response` */
export function parseChunkSize(line: string, mode: ParserMode): number {
	const digits = mode.chunkSize.exec(line)?.[1];
	const size = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
	if (!Number.isSafeInteger(size)) throw new FetchError('bad-response', 'a chunk size is not a number');
	return size;
}

/** No folded lines, no blanks before the colon, no controls (RFC 9112 §5). */
const strictField = /^([!#$%&'*+\-.^_`|~\w]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;

function strictFields(lines: readonly string[]): Fields {
	const rawHeaders: string[] = [];
	for (const line of lines) {
		// By index: destructuring a match costs as much as matching it.
		const found = strictField.exec(line);
		if (found === null) throw new FetchError('bad-header', `not a header field: ${JSON.stringify(line.slice(0, 60))}`);
		rawHeaders.push(found[1] ?? '', (found[2] ?? '').trimEnd());
	}
	return { rawHeaders, malformed: undefined };
}

function foldedFields(
	lines: readonly string[],
	fieldOf: (line: string) => [name: string, value: string] | undefined,
): Fields {
	const rawHeaders: string[] = [];
	let malformed: string | undefined;
	// The line before was dropped; its continuation is dropped too.
	let isDropping = false;
	for (const line of lines) {
		const isFolded = /^[ \t]/.test(line) && (rawHeaders.length > 0 || isDropping);
		if (isFolded && isDropping) continue;
		if (isFolded) {
			// obs-fold, RFC 9112 §5.2
			const value = rawHeaders.pop() ?? '';
			rawHeaders.push(value === '' ? line.trim() : `${value} ${line.trim()}`);
			continue;
		}
		const field = fieldOf(line);
		isDropping = field === undefined;
		if (field === undefined) malformed ??= line.slice(0, 100);
		else rawHeaders.push(...field);
	}
	return { rawHeaders, malformed };
}

function storedField(line: string): [name: string, value: string] | undefined {
	const [, name, value] = /^([^:\s]+)[ \t]*:[ \t]*(.*?)[ \t]*$/s.exec(line) ?? [];
	return name === undefined || value === undefined ? undefined : [name, value];
}

/** Fields that decide the length of the message. */
const framingNames = /content-length|transfer-encoding/i;

/**
 * Parses a field line, RFC 9112 §5. Controls other than CR and NUL are allowed. Undefined for a line that browsers
 * drop: one without a colon, or with an invalid name.
 *
 * @throws FetchError `bad-header` if such a line, or a blank before its colon, leaves the framing in doubt
 */
function parseHeaderLine(line: string): [name: string, value: string] | undefined {
	const colon = line.indexOf(':');
	const name = (colon === -1 ? line : line.slice(0, colon)).replace(/[ \t]+$/, '');
	const value = line.slice(colon + 1).trim();
	if (/[\0\r\n]/.test(line))
		throw new FetchError('bad-header', `a CR or NUL in the header line of ${name.slice(0, 60)}`);
	const isName = colon !== -1 && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
	const isExact = isName && name.length === colon;
	if (!isExact && framingNames.test(name))
		throw new FetchError('bad-header', `the length of the body is in doubt: ${JSON.stringify(line.slice(0, 60))}`);
	return isName ? [name, value] : undefined;
}

function strictFraming(head: MessageHead, bodyless: boolean): Framing {
	const options = head.value('connection')?.toLowerCase() ?? '';
	const reusable = head.version === '1.1' ? !options.includes('close') : options.includes('keep-alive');
	const coding = onlyValue(head, 'transfer-encoding');
	const length = onlyValue(head, 'content-length');
	const isClear =
		coding === undefined
			? length === undefined || /^\d{1,15}$/.test(length)
			: coding.toLowerCase() === 'chunked' && length === undefined;
	if (!isClear) throw new FetchError('bad-header', 'the length of the body is ambiguous');
	if (hasNoBody(head, bodyless)) return { kind: 'sized', length: 0, codings: [], reusable };
	if (coding !== undefined) return { kind: 'chunked', codings: [], reusable };
	if (length === undefined) return { kind: 'until-close', codings: [], reusable: false };
	return { kind: 'sized', length: Number(length), codings: [], reusable };
}

/** The value of a field that a response may have only once. */
function onlyValue(head: MessageHead, name: string): string | undefined {
	const { rawHeaders } = head;
	let found: string | undefined;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const each = rawHeaders[at] ?? '';
		if (each.length !== name.length || each.toLowerCase() !== name) continue;
		if (found !== undefined) throw new FetchError('bad-header', `the field ${name} appears twice`);
		found = rawHeaders[at + 1];
	}
	return found;
}

function lenientFraming(head: MessageHead, bodyless: boolean): Framing {
	const options = list(head.values('connection').join());
	const persistent = head.version === '1.0' ? options.includes('keep-alive') : !options.includes('close');
	if (hasNoBody(head, bodyless)) return { kind: 'sized', length: 0, codings: [], reusable: persistent };
	const codings = list(head.values('transfer-encoding').join()).filter((coding) => coding !== 'identity');
	const lengths = head.values('content-length');
	const length = contentLength(lengths.length === 0 ? undefined : lengths.join());
	if (codings.length > 0) {
		const chunked = codings.at(-1) === 'chunked';
		const others = chunked ? codings.slice(0, -1) : codings;
		// A length beside a transfer coding smells of response splitting: the connection is not used again (§6.3).
		const reusable = persistent && chunked && length === undefined;
		return { kind: chunked ? 'chunked' : 'until-close', codings: others, reusable };
	}
	if (length === undefined) return { kind: 'until-close', codings: [], reusable: false };
	return { kind: 'sized', length, codings: [], reusable: persistent };
}

function hasNoBody({ status }: MessageHead, bodyless: boolean): boolean {
	return bodyless || status === 204 || status === 304;
}

/** Repeated equal lengths are one length, different ones make the message unreadable (RFC 9110 §8.6). */
export function contentLength(given: string | undefined): number | undefined {
	if (given === undefined) return undefined;
	const values = new Set(given.split(',').map((value) => value.trim()));
	const [value = ''] = values;
	if (values.size > 1) throw new FetchError('bad-header', `different Content-Length values: ${given.slice(0, 60)}`);
	if (!/^\d+$/.test(value)) throw new FetchError('bad-header', `Content-Length is not a number: ${given.slice(0, 60)}`);
	return Number(value);
}

/** A comma-separated list of tokens, lower-case, without empty members. */
export function list(value: string | undefined): string[] {
	return (value ?? '')
		.split(',')
		.map((member) => member.trim().toLowerCase())
		.filter((member) => member !== '');
}
