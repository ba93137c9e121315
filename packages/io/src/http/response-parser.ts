import { FetchError } from './failure.ts';
import {
	endOfHead,
	type Framing,
	lineFeed,
	type MessageHead,
	type ParserMode,
	parseChunkSize,
	parseHead,
	parserModes,
	parseStatusLine,
} from './message-syntax.ts';

export { MessageHead, type ParserMode, parserModes } from './message-syntax.ts';

/** Callbacks of a parser. */
export interface ParserEvents {
	/** An interim response, such as 103 (RFC 9110 §15.2). */
	interim?(head: MessageHead): void;
	/** `more`: part of the body came in the same piece, and follows at once. */
	head(head: MessageHead, framing: Framing, more: boolean): void;
	/** `last`: nothing follows, and `end` is called next. True: the memory of the bytes may be reused. */
	data(chunk: Buffer, last: boolean): boolean;
	/** The message is complete; `reusable`: another may follow on this connection. */
	end(trailers: readonly string[], reusable: boolean): void;
}

export interface ParserOptions {
	readonly mode: ParserMode;
	/** The response to HEAD has no body, whatever its fields say. */
	readonly bodyless: boolean;
	/** Bytes of all heads and trailers together. */
	readonly headerBytes: number;
}

type State = 'head' | 'sized' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'done';

const empty = Buffer.alloc(0);

/** Reads one HTTP/1 response (RFC 9112) from pieces of any size, in linear time and bounded memory. */
export class ResponseParser {
	readonly #events: ParserEvents;
	readonly #mode: ParserMode;
	readonly #bodyless: boolean;
	readonly #headerBytes: number;
	#state: State = 'head';
	/** Bytes of a head or a line that is not complete: copies, since the memory of a piece may be reused. */
	#pending: Buffer[] = [];
	#pendingLength = 0;
	/** The end of `#pending`, which the end of a head may begin in. */
	#tail: Buffer = empty;
	#isStatusChecked = false;
	#headLength = 0;
	#reusable = false;
	#remaining = 0;
	#payload = 0;
	#overhead = 0;
	#trailers: string[] = [];
	#isHeld = false;

	constructor(events: ParserEvents, { mode, bodyless, headerBytes }: ParserOptions) {
		this.#events = events;
		this.#mode = mode;
		this.#bodyless = bodyless;
		this.#headerBytes = headerBytes;
	}

	/**
	 * @returns whether the memory of the piece may be reused
	 * @throws FetchError
	 */
	push(bytes: Buffer): boolean {
		this.#isHeld = false;
		let at = 0;
		while (at < bytes.length && this.#state !== 'done') at = this.#step(bytes, at);
		// Bytes that follow without a request spoil the connection, not the response.
		if (this.#state === 'done') this.#events.end(this.#trailers, this.#reusable && at === bytes.length);
		return !this.#isHeld;
	}

	/**
	 * The connection ended.
	 *
	 * @throws FetchError if the response is not complete
	 */
	finish(): void {
		const isEnough = this.#state === 'until-close' || (this.#state === 'trailers' && !this.#mode.needsTrailers);
		if (isEnough) {
			this.#state = 'done';
			this.#events.end([], false);
			return;
		}
		if (this.#state === 'done') return;
		if (this.#state === 'head') throw this.#closedInHead();
		throw this.#state === 'sized'
			? new FetchError('truncated', `closed with ${this.#remaining} bytes of Content-Length missing`)
			: new FetchError('truncated', 'closed before the last chunk');
	}

	#closedInHead(): FetchError {
		const nothing = this.#headLength === 0;
		// HTTP/0.9, or TLS where none was asked for: another try gives the same.
		const start = Buffer.concat(this.#pending).toString('latin1').trimStart();
		if (!start.startsWith('HTTP/'.slice(0, start.length))) parseStatusLine(start, this.#mode);
		const detail = nothing ? 'closed before any byte of a response' : 'closed in the middle of the headers';
		return new FetchError('connection-reset', detail, { unanswered: nothing });
	}

	/** Takes what it can from `at`; returns where to continue. */
	#step(bytes: Buffer, at: number): number {
		switch (this.#state) {
			case 'head':
				return this.#takeHead(bytes, at);
			case 'chunk-size':
			case 'chunk-end':
			case 'trailers':
				return this.#takeLine(bytes, at);
			default:
				return this.#takeBody(bytes, at);
		}
	}

	#takeHead(bytes: Buffer, at: number): number {
		const text = this.#headText(bytes, at);
		if (text === undefined) return bytes.length;
		const { end, head: lines } = text;
		// RFC 9112 §2.2: empty lines before the status line.
		if (lines === '') return end;
		const head = parseHead(lines, this.#mode);
		this.#isStatusChecked = false;
		if (head.status === 101)
			throw new FetchError('bad-response', 'the server switched to a protocol that was not requested (101)');
		if (head.status < 200) {
			this.#events.interim?.(head);
			return end;
		}
		const framing = this.#mode.framingOf(head, this.#bodyless);
		this.#reusable = framing.reusable;
		this.#remaining = framing.kind === 'sized' ? framing.length : 0;
		this.#state = framing.kind === 'chunked' ? 'chunk-size' : framing.kind;
		const isEmpty = framing.kind === 'sized' && framing.length === 0;
		this.#events.head(head, framing, end < bytes.length && !isEmpty);
		if (isEmpty) this.#state = 'done';
		return end;
	}

	/** The lines of a complete head and where it ends in `bytes`; undefined while it is not complete. */
	#headText(bytes: Buffer, at: number): { head: string; end: number } | undefined {
		const mode = this.#mode;
		const before = this.#tail.length;
		const seen = before === 0 ? bytes : Buffer.concat([this.#tail, bytes.subarray(at)]);
		const found = endOfHead(seen, before === 0 ? at : 0, mode);
		const end = found < 0 ? bytes.length : before === 0 ? found : found - before + at;
		this.#headLength += end - at;
		this.#checkLength();
		if (found < 0) {
			this.#keep(bytes.subarray(at));
			this.#tail = Buffer.from(seen.subarray(Math.max(before === 0 ? at : 0, seen.length - 3)));
			if (mode.isLineFeedEnough && !this.#isStatusChecked && bytes.includes(lineFeed, at)) this.#checkStatus();
			return undefined;
		}
		const text =
			this.#pending.length === 0
				? bytes.toString('latin1', at, end)
				: Buffer.concat([...this.#pending, bytes.subarray(at, end)]).toString('latin1');
		this.#forget();
		return { head: mode.isLineFeedEnough ? text.replace(/^(?:\r?\n)+/, '') : text, end };
	}

	/** A response that does not start like HTTP is refused at its first line: no more of it may ever come. */
	#checkStatus(): void {
		const [, first] = /^(?:\r?\n)*([^\r\n][^\n]*?)\r?\n/.exec(Buffer.concat(this.#pending).toString('latin1')) ?? [];
		if (first === undefined) return;
		parseStatusLine(first, this.#mode);
		this.#isStatusChecked = true;
	}

	#takeBody(bytes: Buffer, at: number): number {
		const isOpen = this.#state === 'until-close';
		const end = isOpen ? bytes.length : Math.min(bytes.length, at + this.#remaining);
		const piece = at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end);
		this.#payload += end - at;
		if (!isOpen) this.#remaining -= end - at;
		const last = this.#state === 'sized' && this.#remaining === 0;
		if (!this.#events.data(piece, last)) this.#isHeld = true;
		if (last) this.#state = 'done';
		else if (this.#state === 'chunk' && this.#remaining === 0)
			this.#state = this.#mode.needsChunkEnd ? 'chunk-end' : 'chunk-size';
		return end;
	}

	#takeLine(bytes: Buffer, at: number): number {
		const feed = bytes.indexOf(lineFeed, at);
		const end = feed < 0 ? bytes.length : feed + 1;
		this.#countLine(end - at);
		if (feed < 0) {
			this.#keep(bytes.subarray(at));
			return end;
		}
		const whole =
			this.#pending.length === 0
				? bytes.toString('latin1', at, feed)
				: Buffer.concat([...this.#pending, bytes.subarray(at, feed)]).toString('latin1');
		this.#forget();
		const hasReturn = whole.endsWith('\r');
		if (!hasReturn && !this.#mode.isLineFeedEnough)
			throw new FetchError('bad-response', 'a line ends without a carriage return');
		this.#readLine(hasReturn ? whole.slice(0, -1) : whole);
		return end;
	}

	/** Bytes that are not content have bounds of their own. */
	#countLine(length: number): void {
		if (this.#state === 'trailers') {
			this.#headLength += length;
			this.#checkLength();
			return;
		}
		this.#overhead += length;
		if (this.#pendingLength + length > this.#mode.maxChunkLine + 2)
			throw new FetchError('bad-response', 'chunk size line too long');
		// One byte per chunk costs six; ten times as much is no longer a message.
		if (this.#overhead > 65_536 + 64 * this.#payload) throw new FetchError('bad-response', 'chunks without content');
	}

	#checkLength(): void {
		if (this.#headLength > this.#headerBytes)
			throw new FetchError('headers-too-large', `more than ${this.#headerBytes} bytes`);
	}

	#readLine(line: string): void {
		if (this.#state === 'chunk-end') {
			if (line !== '') throw new FetchError('bad-response', 'a chunk is longer than its size says');
			this.#state = 'chunk-size';
		} else if (this.#state === 'chunk-size') {
			// The line end after a chunk, where it may be missing.
			if (line === '' && !this.#mode.needsChunkEnd && this.#payload > 0) return;
			this.#remaining = parseChunkSize(line, this.#mode);
			this.#state = this.#remaining === 0 ? 'trailers' : 'chunk';
		} else if (line !== '') this.#trailers.push(line);
		else {
			// Only a proxy passes trailers on.
			this.#trailers = this.#mode.needsTrailers ? [...this.#mode.fieldsOf(this.#trailers).rawHeaders] : [];
			this.#state = 'done';
		}
	}

	#keep(bytes: Buffer): void {
		this.#pending.push(Buffer.from(bytes));
		this.#pendingLength += bytes.length;
	}

	#forget(): void {
		this.#pending = [];
		this.#pendingLength = 0;
		this.#tail = empty;
	}
}

/** A response that is at hand as a whole, as an archive stores it. */
export interface StoredResponse {
	readonly head: MessageHead;
	/** As stored, with all codings that are still on it. */
	readonly body: Buffer;
}

/** Heads of stored responses that are longer are cut. */
const maxStoredHead = 262_144;

/** Undefined if the bytes do not start with an HTTP status line. A response without an empty line is all head. */
export function parseStoredResponse(bytes: Buffer): StoredResponse | undefined {
	const mode = parserModes.archive;
	const start = bytes.subarray(0, maxStoredHead);
	const end = endOfHead(start, 0, mode);
	const text = start.toString('latin1', 0, end < 0 ? start.length : end);
	if (!mode.statusLine.test(/^[^\r\n]*/.exec(text)?.[0] ?? '')) return undefined;
	return { head: parseHead(text, mode), body: end < 0 ? empty : bytes.subarray(end) };
}

/**
 * The content of a stored chunked body (RFC 9112 §7.1); what there is of it if it breaks off. Undefined if it does not
 * start with a chunk: archives are known to remove the coding and keep the header.
 */
export function joinChunks(bytes: Buffer): Buffer | undefined {
	const parts: Buffer[] = [];
	const events: ParserEvents = { head() {}, data: (chunk) => parts.push(chunk) > 0, end() {} };
	const parser = new ResponseParser(events, { mode: parserModes.archive, bodyless: false, headerBytes: maxStoredHead });
	try {
		parser.push(Buffer.from('HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n'));
		parser.push(bytes);
		parser.finish();
	} catch (error) {
		if (!(error instanceof FetchError)) throw error;
		return parts.length === 0 ? undefined : Buffer.concat(parts);
	}
	return Buffer.concat(parts);
}
