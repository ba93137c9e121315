import { ReceivedHeaders } from '@wayleave/io/http';
import type { WarcItem } from './warc-item.ts';

/** The first record of an ARC file, which describes the file itself. */
export const arcStart = Buffer.from('filedesc://');

const maxLineBytes = 65_536;
/** How far from its stated end a record may end, and what must be read to see it. */
const lookAhead = 4096;
/** By how many bytes the length of the last record may be off. */
const maxSlip = 4;

/** The line before each record (ARC 1): URL, address, date, type, length; ARC 2 has more words before the length. */
const headLine = /^([a-z][a-z0-9+.-]*:\S+) (\S+) (\d{14}|\d{12}) (\S+) (?:\S+ )*?(\d+)$/i;

/** A record line at the beginning of a text. */
const startsRecord = /^[a-z][a-z0-9+.-]*:\S+ \S+ (?:\d{14}|\d{12}) \S+ (?:\S+ )*?\d+\r?(?:\n|$)/i;
/** Start of a record line inside other bytes. */
const begins = /\n(?=[a-z][a-z0-9+.-]*:\/\/\S+ \S+ (?:\d{14}|\d{12}) \S+ (?:\S+ )*?\d+\r?\n)/gi;

interface Open {
	readonly offset: number;
	readonly url: string;
	readonly date: string;
	readonly length: number;
}

/**
 * Reads ARC, the format before WARC, and yields its records as WARC responses. Bytes that are not a record are reported
 * with their offset and skipped up to the next record line.
 */
export class ArcParser {
	readonly #maxBlock: number;
	#ready: Buffer = Buffer.alloc(0);
	#offset = 0;
	#open: Open | undefined;
	/** Bytes still to skip of a record that is too large. */
	#toSkip = 0;
	#lost = false;
	#atEnd = false;

	constructor(maxBlock: number) {
		this.#maxBlock = maxBlock;
	}

	*data(bytes: Uint8Array): Generator<WarcItem> {
		this.#ready = Buffer.concat([this.#ready, bytes]);
		while (yield* this.#step());
	}

	*end(): Generator<WarcItem> {
		this.#atEnd = true;
		while (yield* this.#step());
		const open = this.#open;
		if (open !== undefined)
			yield {
				problem: { code: 'warc-cut', offset: open.offset, detail: `${this.#ready.length} of ${open.length} bytes` },
			};
	}

	*#step(): Generator<WarcItem, boolean> {
		if (this.#toSkip > 0) {
			const part = Math.min(this.#toSkip, this.#ready.length);
			this.#toSkip -= part;
			this.#pass(part);
			return this.#toSkip === 0 && this.#ready.length > 0;
		}
		if (this.#open !== undefined) return yield* this.#readBlock(this.#open);
		const end = this.#ready.indexOf('\n');
		if (end === -1 && this.#ready.length < maxLineBytes) return false;
		const length = end === -1 ? this.#ready.length : end + 1;
		const line = this.#ready.toString('latin1', 0, length).trim();
		const offset = this.#offset;
		this.#pass(length);
		if (line !== '') yield* this.#begin(line, offset);
		return true;
	}

	*#begin(line: string, offset: number): Generator<WarcItem> {
		const [, url = '', , date = '', , length = ''] = headLine.exec(line) ?? [];
		if (url === '') {
			if (!this.#lost)
				yield { problem: { code: 'warc-malformed-record', offset, detail: 'no ARC record begins here' } };
			this.#lost = true;
			return;
		}
		this.#lost = false;
		if (Number(length) <= this.#maxBlock) this.#open = { offset, url, date, length: Number(length) };
		else {
			this.#toSkip = Number(length);
			yield { problem: { code: 'warc-record-too-large', offset, detail: `${length} bytes` } };
		}
	}

	*#readBlock(open: Open): Generator<WarcItem, boolean> {
		if (!this.#atEnd && this.#ready.length < open.length + lookAhead) return false;
		const end = this.#endOf(open);
		if (end === undefined) return false;
		const block = Buffer.from(this.#ready.subarray(0, end));
		this.#pass(end);
		this.#open = undefined;
		if (end !== open.length) {
			const detail = `the stated length is ${open.length}, the record has ${end} bytes`;
			yield { problem: { code: 'warc-wrong-length', offset: open.offset, detail } };
		}
		if (/^https?:/i.test(open.url))
			yield { record: { offset: open.offset, type: 'response', fields: fieldsOf(open), block } };
		return true;
	}

	/** End of a record: as declared if a line ends there, else at the start of the nearest one. */
	#endOf({ length }: Open): number | undefined {
		const text = (from: number, to: number) => this.#ready.toString('latin1', from, to);
		const size = this.#ready.length;
		if (size >= length) {
			const after = text(length, length + lookAhead);
			const lines = /^(?:\r?\n){0,2}/.exec(after)?.[0] ?? '';
			const next = after.slice(lines.length);
			// Bytes after a line end that are not a record are skipped with a problem of their own.
			if (next === '' || lines !== '') return length;
			if (text(length - 1, length) === '\n' && startsRecord.test(next)) return length;
		}
		const from = Math.max(0, length - lookAhead);
		const starts = Array.from(text(from, length + lookAhead).matchAll(begins), ({ index }) => from + index);
		// A file that was cut ends anywhere, a whole one with a line.
		const isWhole = this.#atEnd && (size >= length || text(size - 1, size) === '\n');
		if (isWhole && Math.abs(size - length) <= maxSlip) starts.push(size);
		const distance = (at: number) => Math.abs(at - length);
		const nearest = starts.reduce<number | undefined>(
			(best, at) => (best === undefined || distance(at) < distance(best) ? at : best),
			undefined,
		);
		if (nearest === undefined) return size < length ? undefined : length;
		let end = nearest;
		while (end > 0 && nearest - end < 2 && /[\r\n]/.test(text(end - 1, end))) end--;
		return end;
	}

	#pass(length: number): void {
		this.#ready = this.#ready.subarray(length);
		this.#offset += length;
	}
}

function fieldsOf({ url, date }: Open): ReceivedHeaders {
	const [, year, month, day, hour, minute, second = '00'] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/.exec(date) ?? [];
	return new ReceivedHeaders([
		['WARC-Type', 'response'],
		['WARC-Target-URI', url],
		['WARC-Date', `${year}-${month}-${day}T${hour}:${minute}:${second}Z`],
		['Content-Type', 'application/http; msgtype=response'],
	]);
}
