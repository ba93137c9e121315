/** The head of an answer of the site. */
export interface SiteHead {
	readonly status: number;
	readonly message: string;
	/** Names and values in turn, as they came. */
	readonly rawHeaders: readonly string[];
	/** The first value of a field, by its name in lower case. */
	value(name: string): string | undefined;
}

export interface AnswerEvents {
	/** An interim answer: 100, 103 and the like (RFC 9110 §15.2). */
	interim(head: SiteHead): void;
	/** `more`: part of the body has come with it, and is told right after. */
	head(head: SiteHead, more: boolean): void;
	/** `last`: nothing follows, and `end` is called right after. True: the bytes are not needed any more. */
	data(chunk: Buffer, last: boolean): boolean;
	/** The message is complete; `reusable` tells whether another may follow on the connection. */
	end(trailers: readonly string[], reusable: boolean): void;
}

/** An answer that nobody can be sure to read as it was meant. */
export class AnswerFault extends Error {}

type State = 'head' | 'sized' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'done';

const longestHead = 65_536;
const longestChunkLine = 1024;
const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
/** No folded lines, no blanks before the colon, no controls (RFC 9112 §5). */
const fieldLine = /^([!#$%&'*+\-.^_`|~\w]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Reads one answer of the site (RFC 9112) from pieces of any size. Strict: what two readers could read differently is a
 * fault, since a client would read on where we stop.
 */
export class AnswerParser {
	private readonly events: AnswerEvents;
	private readonly bodyless: boolean;
	private state: State = 'head';
	private pending: Buffer = empty;
	private left = 0;
	private reusable = false;
	private held = false;
	private trailers: readonly string[] = [];

	/** @param bodyless it answers HEAD, so there is no body whatever its fields say. */
	constructor(events: AnswerEvents, bodyless: boolean) {
		this.events = events;
		this.bodyless = bodyless;
	}

	/**
	 * @returns whether the memory of the chunk may be used anew: nobody holds it.
	 * @throws AnswerFault
	 */
	push(chunk: Buffer): boolean {
		this.held = false;
		let bytes = chunk;
		if (this.pending.length > 0) {
			bytes = Buffer.concat([this.pending, chunk]);
			this.pending = empty;
		}
		let at = 0;
		while (at < bytes.length && this.state !== 'done') {
			const next = this.step(bytes, at);
			if (next < 0) {
				this.pending = Buffer.from(bytes.subarray(at));
				return !this.held;
			}
			at = next;
		}
		// What follows without having been asked for spoils the connection, not the answer.
		if (this.state === 'done') this.events.end(this.trailers, this.reusable && at === bytes.length);
		return !this.held;
	}

	/** The site closed the connection. @throws AnswerFault when the answer is not whole. */
	finish(): void {
		if (this.state === 'done') return;
		if (this.state !== 'until-close') throw new AnswerFault('closed before the end');
		this.state = 'done';
		this.events.end([], false);
	}

	/** Takes what it can from `at`; returns where it goes on, or -1 where a line is not whole yet. */
	private step(bytes: Buffer, at: number): number {
		switch (this.state) {
			case 'head':
				return this.takeHead(bytes, at);
			case 'chunk-size':
				return this.takeLine(bytes, at, (line) => this.readSize(line));
			case 'chunk-end':
				return this.takeLine(bytes, at, (line) => {
					if (line !== '') throw new AnswerFault('a chunk is longer than its size says');
					this.state = 'chunk-size';
				});
			case 'trailers':
				return this.takeTrailers(bytes, at);
			default:
				return this.takeBody(bytes, at);
		}
	}

	private takeHead(bytes: Buffer, at: number): number {
		const end = bytes.indexOf('\r\n\r\n', at, 'latin1');
		if ((end < 0 ? bytes.length : end) - at > longestHead) throw new AnswerFault('the head is too long');
		if (end < 0) return -1;
		const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
		const [, minor, code, message = ''] = statusLine.exec(first) ?? [];
		if (code === undefined) throw new AnswerFault('not a status line');
		const head = new Head(Number(code), message, readFields(lines));
		if (head.status < 200) {
			if (head.status < 100 || head.status === 101) throw new AnswerFault('a protocol switch that was not requested');
			this.events.interim(head);
			return end + 4;
		}
		this.frame(head, minor === '1');
		this.events.head(head, end + 4 < bytes.length && (this.state !== 'sized' || this.left > 0));
		if (this.state === 'sized' && this.left === 0) this.state = 'done';
		return end + 4;
	}

	/** How long the body is (RFC 9112 §6.3). */
	private frame(head: SiteHead, persistent: boolean): void {
		const connection = head.value('connection')?.toLowerCase() ?? '';
		this.reusable = persistent ? !connection.includes('close') : connection.includes('keep-alive');
		const coding = onlyValue(head, 'transfer-encoding');
		const length = onlyValue(head, 'content-length');
		if (coding !== undefined) {
			if (coding.toLowerCase() !== 'chunked' || length !== undefined) throw new AnswerFault('ambiguous length');
		} else if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new AnswerFault('ambiguous length');
		this.left = 0;
		if (this.bodyless || head.status === 204 || head.status === 304) this.state = 'sized';
		else if (coding !== undefined) this.state = 'chunk-size';
		else if (length === undefined) this.state = 'until-close';
		else {
			this.state = 'sized';
			this.left = Number(length);
		}
		if (this.state === 'until-close') this.reusable = false;
	}

	private takeBody(bytes: Buffer, at: number): number {
		const open = this.state === 'until-close';
		const end = open ? bytes.length : Math.min(bytes.length, at + this.left);
		const piece = at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end);
		if (!open) this.left -= end - at;
		const last = this.state === 'sized' && this.left === 0;
		if (!this.events.data(piece, last)) this.held = true;
		if (last) this.state = 'done';
		else if (this.state === 'chunk' && this.left === 0) this.state = 'chunk-end';
		return end;
	}

	private takeLine(bytes: Buffer, at: number, read: (line: string) => void): number {
		const end = bytes.indexOf('\r\n', at, 'latin1');
		if ((end < 0 ? bytes.length : end) - at > longestChunkLine) throw new AnswerFault('a chunk size is too long');
		if (end < 0) return -1;
		read(bytes.toString('latin1', at, end));
		return end + 2;
	}

	private readSize(line: string): void {
		const digits = /^([\da-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line)?.[1];
		if (digits === undefined) throw new AnswerFault('a chunk size is not a number');
		this.left = Number.parseInt(digits, 16);
		this.state = this.left === 0 ? 'trailers' : 'chunk';
	}

	private takeTrailers(bytes: Buffer, at: number): number {
		if (bytes.length - at < 2) return -1;
		if (bytes[at] === 13 && bytes[at + 1] === 10) {
			this.state = 'done';
			return at + 2;
		}
		const end = bytes.indexOf('\r\n\r\n', at, 'latin1');
		if ((end < 0 ? bytes.length : end) - at > longestHead) throw new AnswerFault('the trailers are too long');
		if (end < 0) return -1;
		this.trailers = readFields(bytes.toString('latin1', at, end).split('\r\n'));
		this.state = 'done';
		return end + 4;
	}
}

const empty = Buffer.alloc(0);

/** The value of a field of which there may be one only. */
function onlyValue(head: SiteHead, name: string): string | undefined {
	const { rawHeaders } = head;
	let found: string | undefined;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const each = rawHeaders[at]!;
		if (each.length !== name.length || each.toLowerCase() !== name) continue;
		if (found !== undefined) throw new AnswerFault(`the field ${name} appears twice`);
		found = rawHeaders[at + 1]!;
	}
	return found;
}

class Head implements SiteHead {
	readonly status: number;
	readonly message: string;
	readonly rawHeaders: readonly string[];

	constructor(status: number, message: string, rawHeaders: readonly string[]) {
		this.status = status;
		this.message = message;
		this.rawHeaders = rawHeaders;
	}

	value(name: string): string | undefined {
		const { rawHeaders } = this;
		for (let at = 0; at < rawHeaders.length; at += 2) {
			const each = rawHeaders[at]!;
			if (each.length === name.length && each.toLowerCase() === name) return rawHeaders[at + 1];
		}
		return undefined;
	}
}

function readFields(lines: readonly string[]): string[] {
	const fields: string[] = [];
	for (const line of lines) {
		const found = fieldLine.exec(line);
		if (found === null) throw new AnswerFault('a line is not a header field');
		fields.push(found[1]!, found[2]!.trimEnd());
	}
	return fields;
}
