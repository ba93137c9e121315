import { FetchError } from './failure.ts';
import { ReceivedHeaders } from './headers.ts';
import { type Framing, messageFraming, parseHeaderLine, parseStatusLine } from './http1-syntax.ts';

/** The head of a final response. */
export interface ResponseHead {
	readonly status: number;
	readonly headers: ReceivedHeaders;
	readonly httpVersion: '1.0' | '1.1' | '2';
	/** Length of the body as it is sent, where it is known beforehand. */
	readonly length: number | undefined;
	/** Codings to undo before the content codings, the outermost last (RFC 9112 §7.1). */
	readonly transferCodings: readonly string[];
	/** The lines as received, the empty one at the end included; Latin-1. HTTP/2 has none. */
	readonly raw?: string;
	/** The first line that was dropped because it is not a header field. */
	readonly malformed?: string | undefined;
}

export interface ResponseEvents {
	head(head: ResponseHead): void;
	data(chunk: Uint8Array): void;
	/** The message is complete; `reusable` tells whether another may follow on this connection. */
	end(reusable: boolean): void;
}

type State =
	| 'status'
	| 'headers'
	| 'sized'
	| 'until-close'
	| 'chunk-size'
	| 'chunk'
	| 'chunk-end'
	| 'trailers'
	| 'done';

const lineFeed = 10;
const maxChunkLine = 4096;

/**
 * Reads one HTTP/1.x response (RFC 9112) from pieces of any size, in linear time and bounded memory. It forgives what
 * recipients may forgive (bare LF, folded lines, an empty line first, obs-text in values) and throws a `FetchError`
 * for what would leave the length or the meaning of the message in doubt.
 */
export class ResponseParser {
	readonly #events: ResponseEvents;
	readonly #bodyless: boolean;
	readonly #headerBytes: number;
	#state: State = 'status';
	#line: Uint8Array[] = [];
	#lineLength = 0;
	#headLength = 0;
	#status: ReturnType<typeof parseStatusLine> | undefined;
	#headers: [name: string, value: string][] = [];
	#raw = '';
	#malformed: string | undefined;
	/** The line before was dropped; its continuation is dropped too. */
	#isDropping = false;
	#framing: Framing | undefined;
	#remaining = 0;
	#payload = 0;
	#overhead = 0;

	constructor(events: ResponseEvents, options: { method: string; headerBytes: number }) {
		this.#events = events;
		this.#bodyless = options.method === 'HEAD';
		this.#headerBytes = options.headerBytes;
	}

	push(bytes: Uint8Array): void {
		let at = 0;
		while (at < bytes.length && this.#state !== 'done') {
			at = this.#readsBytes() ? this.#takeBody(bytes, at) : this.#takeLine(bytes, at);
		}
		// What follows an answer without having been asked for spoils the connection, not the answer.
		if (this.#state === 'done') this.#events.end(this.#framing!.reusable && at === bytes.length);
	}

	/** The connection ended. */
	finish(): void {
		switch (this.#state) {
			case 'done':
				return;
			case 'until-close':
			case 'trailers': // the last chunk was there: the content is complete
				this.#state = 'done';
				this.#events.end(false);
				return;
			case 'status':
			case 'headers': {
				const nothing = this.#headLength === 0;
				// HTTP/0.9, or TLS where none was asked for: another try gives the same.
				const start = Buffer.concat(this.#line).toString('latin1');
				if (this.#state === 'status' && !start.startsWith('HTTP/'.slice(0, start.length))) parseStatusLine(start);
				const detail = nothing ? 'closed before any byte of a response' : 'closed in the middle of the headers';
				throw new FetchError('connection-reset', detail, { unanswered: nothing });
			}
			case 'sized':
				throw new FetchError('truncated', `closed with ${this.#remaining} bytes of Content-Length missing`);
			default:
				throw new FetchError('truncated', 'closed before the last chunk');
		}
	}

	#readsBytes(): boolean {
		return this.#state === 'sized' || this.#state === 'until-close' || this.#state === 'chunk';
	}

	#takeBody(bytes: Uint8Array, at: number): number {
		const end = this.#state === 'until-close' ? bytes.length : Math.min(bytes.length, at + this.#remaining);
		this.#remaining -= end - at;
		this.#payload += end - at;
		this.#events.data(bytes.subarray(at, end));
		if (this.#remaining === 0 && this.#state === 'sized') this.#state = 'done';
		else if (this.#remaining === 0 && this.#state === 'chunk') this.#state = 'chunk-end';
		return end;
	}

	#takeLine(bytes: Uint8Array, at: number): number {
		const feed = bytes.indexOf(lineFeed, at);
		const end = feed === -1 ? bytes.length : feed + 1;
		this.#count(end - at);
		this.#line.push(bytes.subarray(at, end));
		this.#lineLength += end - at;
		if (feed !== -1) {
			const line = Buffer.concat(this.#line, this.#lineLength).toString('latin1');
			this.#line = [];
			this.#lineLength = 0;
			if (this.#state === 'status' || this.#state === 'headers') this.#raw += line;
			this.#readLine(line.endsWith('\r\n') ? line.slice(0, -2) : line.slice(0, -1));
		}
		return end;
	}

	/** Bytes that are not content have bounds of their own. */
	#count(length: number): void {
		if (this.#state === 'chunk-size' || this.#state === 'chunk-end') {
			this.#overhead += length;
			if (this.#lineLength + length > maxChunkLine) throw new FetchError('bad-response', 'chunk size line too long');
			// One byte per chunk costs six; ten times as much is no longer a message.
			if (this.#overhead > 65_536 + 64 * this.#payload) throw new FetchError('bad-response', 'chunks without content');
			return;
		}
		this.#headLength += length;
		if (this.#headLength > this.#headerBytes) {
			throw new FetchError('headers-too-large', `more than ${this.#headerBytes} bytes`);
		}
	}

	#readLine(line: string): void {
		switch (this.#state) {
			case 'status':
				if (line === '' && this.#status === undefined) return; // RFC 9112 §2.2
				this.#status = parseStatusLine(line);
				this.#state = 'headers';
				return;
			case 'headers':
				if (line === '') this.#endHead();
				else this.#readHeader(line);
				return;
			case 'chunk-size':
				this.#readChunkSize(line);
				return;
			case 'chunk-end':
				if (line !== '') throw new FetchError('bad-response', 'a chunk is longer than its size says');
				this.#state = 'chunk-size';
				return;
			default: // trailers: read past, never used
				if (line === '') this.#state = 'done';
		}
	}

	#readHeader(line: string): void {
		const last = this.#headers.at(-1);
		const isFolded = /^[ \t]/.test(line) && (last !== undefined || this.#isDropping);
		if (isFolded && this.#isDropping) return;
		if (isFolded && last !== undefined) {
			last[1] += last[1] === '' ? line.trim() : ` ${line.trim()}`; // obs-fold, RFC 9112 §5.2
			return;
		}
		const field = parseHeaderLine(line);
		this.#isDropping = field === undefined;
		if (field === undefined) this.#malformed ??= line.slice(0, 100);
		else this.#headers.push(field);
	}

	#endHead(): void {
		const status = this.#status!;
		const headers = new ReceivedHeaders(this.#headers);
		this.#headers = [];
		if (status.code === 101)
			throw new FetchError('bad-response', 'the server switched to a protocol that was not requested (101)');
		if (status.code < 200) {
			this.#state = 'status';
			this.#status = undefined;
			this.#raw = '';
			this.#malformed = undefined;
			return;
		}
		this.#framing = messageFraming(status, headers, this.#bodyless);
		this.#events.head({
			status: status.code,
			headers,
			httpVersion: status.version,
			length: this.#framing.kind === 'sized' ? this.#framing.length : undefined,
			transferCodings: this.#framing.codings,
			raw: this.#raw,
			malformed: this.#malformed,
		});
		this.#remaining = this.#framing.kind === 'sized' ? this.#framing.length : 0;
		this.#state = this.#framing.kind === 'chunked' ? 'chunk-size' : this.#framing.kind;
		if (this.#state === 'sized' && this.#remaining === 0) this.#state = 'done';
	}

	#readChunkSize(line: string): void {
		const digits = /^[ \t]*([0-9A-Fa-f]+)[ \t]*(?:;.*)?$/.exec(line)?.[1];
		const size = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
		if (!Number.isSafeInteger(size)) throw new FetchError('bad-response', 'a chunk size is not a number');
		this.#remaining = size;
		this.#state = size === 0 ? 'trailers' : 'chunk';
	}
}
