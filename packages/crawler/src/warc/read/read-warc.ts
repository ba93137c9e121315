import { ReceivedHeaders } from '@wayleave/io/http';
import { readPieces } from './pieces.ts';
import type { WarcProblem, WarcProblemCode } from './problems.ts';
import { ArcParser, arcStart } from './read-arc.ts';
import type { WarcItem, WarcRecord } from './warc-item.ts';

export interface ReadWarcOptions {
	/** Larger blocks are reported as a problem and skipped. Default 64 MiB. */
	readonly maxBlock?: number;
	/** Selects records; others are skipped without being kept. Default: all. */
	readonly wants?: (type: string, fields: ReceivedHeaders) => boolean;
}

const maxFieldBytes = 65_536;
const maxBlockBytes = 64 << 20;
/** A length that is off by at most this many bytes leaves no doubt where the record ends. */
const maxSlip = 4;
/** Bytes in which the next record must begin, after empty lines. */
const lookAhead = 24;
const version = Buffer.from('WARC/');

/**
 * Reads a web archive (WARC 1.0 and 1.1, and ARC before them, compressed or not) record by record. It reports damaged
 * records with their offset in the file, skips them, and continues with the next record. Memory holds one record at a
 * time, regardless of the size of the file.
 *
 * ```ts
 * for await (const item of readWarc(createReadStream('site.warc.gz')))
 *   if ('record' in item) console.log(item.record.type, item.record.fields.get('warc-target-uri'));
 * ```
 */
export async function* readWarc(
	source: AsyncIterable<Uint8Array>,
	options: ReadWarcOptions = {},
): AsyncGenerator<WarcItem> {
	const parser = new RecordParser(options);
	let arc: ArcParser | undefined;
	/** The first bytes, until there are enough to detect the format. */
	let start: Buffer | undefined = Buffer.alloc(0);
	for await (const piece of readPieces(source)) {
		if (start !== undefined && piece.kind === 'data') {
			start = Buffer.concat([start, piece.bytes]);
			const isArc = arcStart.subarray(0, start.length).equals(start.subarray(0, arcStart.length));
			if (isArc && start.length < arcStart.length) continue;
			const { bytes, offset } = { bytes: start, offset: piece.offset - (start.length - piece.bytes.length) };
			start = undefined;
			if (isArc) {
				arc = new ArcParser(options.maxBlock ?? maxBlockBytes);
				yield* arc.data(bytes);
			} else yield* parser.data(bytes, Math.max(0, offset));
			continue;
		}
		if (arc !== undefined) {
			if (piece.kind === 'data') yield* arc.data(piece.bytes);
			else if (piece.kind === 'damage') yield { problem: piece.problem };
		} else if (piece.kind === 'member') yield* parser.member(piece.offset);
		else if (piece.kind === 'data') yield* parser.data(piece.bytes, piece.offset);
		else if (piece.kind === 'whole') yield* parser.whole();
		else yield* parser.damage(piece.problem);
	}
	yield* arc === undefined ? parser.end() : arc.end();
}

/** A record of which the fields have been read. */
interface Open extends Omit<WarcRecord, 'block'> {
	readonly length: number;
	/** Of the block, as far as it has been read; undefined if it is skipped. */
	readonly parts: Uint8Array[] | undefined;
	have: number;
}

class RecordParser {
	readonly #maxBlock: number;
	readonly #wants: NonNullable<ReadWarcOptions['wants']>;
	/** Not yet read. */
	#ready: Buffer = Buffer.alloc(0);
	/** Of its first byte in the file; of the member in a compressed one. */
	#offset = 0;
	#member: number | undefined;
	#open: Open | undefined;
	/** A record that is good if what follows it is. */
	#held: WarcRecord | undefined;
	/** Of the member that is being read. */
	#problems: WarcItem[] = [];
	/** The empty lines behind it. */
	#blank: Buffer = Buffer.alloc(0);
	/** Looking for the beginning of a record after something that was none. */
	#lost = false;
	/** Ends the input. */
	#atEnd = false;
	/** A member has begun inside of a record: it may be a new one. */
	#doubt = false;

	constructor({ maxBlock = maxBlockBytes, wants = () => true }: ReadWarcOptions) {
		this.#maxBlock = maxBlock;
		this.#wants = wants;
	}

	*member(offset: number): Generator<WarcItem> {
		this.#member = offset;
		if (this.#open === undefined && isBlank(this.#ready)) {
			yield* this.#release();
			this.#ready = Buffer.alloc(0);
			this.#lost = false;
		} else if (this.#lost) {
			this.#ready = Buffer.alloc(0);
			this.#lost = false;
		} else this.#doubt = true;
		if (this.#ready.length === 0) this.#offset = offset;
	}

	*data(bytes: Uint8Array, offset: number): Generator<WarcItem> {
		if (this.#doubt && startsWith(bytes, version)) {
			yield this.#problem('warc-malformed-record', 'the record is longer than its place in the file');
			this.#drop();
			this.#offset = offset;
		}
		this.#doubt = false;
		if (this.#ready.length === 0 && this.#member === undefined) this.#offset = offset;
		const more = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
		this.#ready = this.#ready.length === 0 ? more : Buffer.concat([this.#ready, more]);
		for (const item of this.#steps())
			if (this.#member !== undefined && 'problem' in item) this.#problems.push(item);
			else yield item;
	}

	/** The member was intact: emits its records. */
	*whole(): Generator<WarcItem> {
		yield* this.#problems.splice(0);
		if (this.#held !== undefined && !isBlank(this.#ready)) yield* this.#finish();
		if (this.#open === undefined && isBlank(this.#ready)) yield* this.#release();
	}

	/** The open record is damaged too; replaces its problems by the damage. */
	*damage(problem: WarcProblem): Generator<WarcItem> {
		this.#held = undefined;
		this.#problems = [];
		this.#drop();
		this.#lost = true;
		yield { problem };
	}

	*end(): Generator<WarcItem> {
		if (this.#open === undefined && !this.#lost && this.#held !== undefined) yield* this.#finish();
		yield* this.#problems.splice(0);
		yield* this.#release();
		const slipped = this.#open && endTooEarly(this.#open);
		if (slipped !== undefined) yield* slipped;
		else if (this.#open !== undefined)
			yield this.#problem('warc-cut', `${this.#open.have} of ${this.#open.length} bytes`);
		else if (!this.#lost && !isBlank(this.#ready)) yield this.#problem('warc-cut');
	}

	/** Ends the file or its member: decides what was waiting for more bytes. */
	*#finish(): Generator<WarcItem> {
		this.#atEnd = true;
		yield* this.#steps();
		this.#atEnd = false;
	}

	*#steps(): Generator<WarcItem> {
		while (yield* this.#step());
	}

	/** Returns whether there may be more to do. */
	*#step(): Generator<WarcItem, boolean> {
		if (this.#open !== undefined) return this.#readBlock(this.#open);
		if (this.#lost) return this.#find();
		this.#skipBlank();
		if (this.#ready.length < version.length) return false;
		if (!startsWith(this.#ready, version)) {
			// The record before was longer, or shorter, than it said.
			if (this.#held !== undefined) {
				if (this.#ready.length < lookAhead && !this.#atEnd) return false;
				const mended = this.#mend(this.#held);
				if (mended !== undefined) {
					yield mended;
					return true;
				}
				yield {
					problem: { code: 'warc-malformed-record', offset: this.#held.offset, detail: 'Content-Length is wrong' },
				};
				this.#reopen(this.#held);
			} else yield this.#problem('warc-malformed-record');
			this.#lost = true;
			return true;
		}
		yield* this.#release();
		return yield* this.#readFields();
	}

	*#readFields(): Generator<WarcItem, boolean> {
		const [end, gap] = endOfFields(this.#ready);
		if (end === -1 && this.#ready.length < maxFieldBytes) return false;
		const fields = end === -1 ? undefined : parseFields(this.#ready.toString('utf8', 0, end));
		const length = Number(fields?.get('content-length')?.trim() || Number.NaN);
		if (fields === undefined || !Number.isSafeInteger(length) || length < 0) {
			yield this.#problem(
				'warc-malformed-record',
				fields === undefined ? 'the header is not terminated' : 'Content-Length is missing or invalid',
			);
			this.#pass(version.length);
			this.#lost = true;
			return true;
		}
		const type = (fields.get('warc-type') ?? '').toLowerCase();
		const wanted = this.#wants(type, fields);
		if (wanted && length > this.#maxBlock) yield this.#problem('warc-record-too-large', `${length} bytes`);
		const parts = wanted && length <= this.#maxBlock ? [] : undefined;
		this.#open = { offset: this.#offset, type, fields, length, parts, have: 0 };
		this.#pass(end + gap);
		return true;
	}

	#readBlock(open: Open): boolean {
		const part = this.#ready.subarray(0, open.length - open.have);
		open.parts?.push(part);
		open.have += part.length;
		this.#pass(part.length);
		if (open.have < open.length) return false;
		const { offset, type, fields, parts } = open;
		this.#open = undefined;
		if (parts !== undefined) this.#held = { offset, type, fields, block: Buffer.concat(parts) };
		return this.#ready.length > 0;
	}

	/** The next beginning of a record. */
	#find(): boolean {
		const found = this.#ready.indexOf('\nWARC/');
		if (found === -1) {
			this.#pass(Math.max(0, this.#ready.length - version.length));
			return false;
		}
		this.#pass(found + 1);
		this.#lost = false;
		return true;
	}

	/**
	 * A record whose length is off by a few bytes ends where the next record, or the file, clearly begins. It is read up
	 * to there, and the wrong length is reported.
	 */
	#mend(held: WarcRecord): WarcItem | undefined {
		const { block } = held;
		const data = Buffer.concat([block, this.#blank, this.#ready]);
		const from = Math.max(0, block.length - maxSlip);
		const next = data
			.subarray(from, block.length + lookAhead)
			.toString('latin1')
			.search(/(?<=\n)WARC\/1\.|(?:\r?\n){1,2}$/);
		const end = next >= 0 ? from + next : -1;
		if (end < 0 || (!startsWith(data.subarray(end), version) && !this.#atEnd)) return undefined;
		const whole = data.subarray(0, end);
		let length = whole.length;
		while (length > 0 && whole.length - length < 4 && isNewline(whole[length - 1] ?? 0)) length--;
		if (Math.abs(length - block.length) > maxSlip) return undefined;
		this.#offset = this.#member ?? this.#offset + this.#ready.length - (data.length - end);
		this.#ready = data.subarray(end);
		this.#blank = Buffer.alloc(0);
		this.#held = { ...held, block: whole.subarray(0, length) };
		const detail = `Content-Length is ${block.length}, the block has ${length} bytes`;
		return { problem: { code: 'warc-wrong-length', offset: held.offset, detail } };
	}

	/** A block that was too long has the beginning of the next record in it. */
	#reopen({ block }: WarcRecord): void {
		this.#ready = Buffer.concat([block, this.#blank, this.#ready]);
		this.#offset = this.#member ?? this.#offset - block.length - this.#blank.length;
		this.#held = undefined;
	}

	*#release(): Generator<WarcItem> {
		if (this.#held !== undefined) yield { record: this.#held };
		this.#held = undefined;
		this.#blank = Buffer.alloc(0);
	}

	#drop(): void {
		this.#open = undefined;
		this.#ready = Buffer.alloc(0);
	}

	#skipBlank(): void {
		let at = 0;
		while (isPadding(this.#ready[at] ?? -1)) at++;
		if (at === 0) return;
		this.#blank = Buffer.concat([this.#blank, this.#ready.subarray(0, at)]);
		this.#pass(at);
	}

	#pass(length: number): void {
		this.#ready = this.#ready.subarray(length);
		this.#offset = this.#member ?? this.#offset + length;
	}

	#problem(code: WarcProblemCode, detail?: string): WarcItem {
		const offset = this.#open?.offset ?? this.#offset;
		return { problem: { code, offset, ...(detail !== undefined && { detail }) } };
	}
}

/**
 * A last record that is a few bytes shorter than it says, as when line ends were rewritten: read, with its wrong length
 * reported. The empty lines behind a record tell it from a file that was cut.
 */
function endTooEarly({ offset, type, fields, length, parts, have }: Open): WarcItem[] | undefined {
	if (parts === undefined || have === 0 || length - have > maxSlip) return undefined;
	const block = Buffer.concat(parts);
	if (!/\n\r?\n$/.test(block.toString('latin1', Math.max(0, block.length - 4)))) return undefined;
	let end = block.length;
	while (end > 0 && block.length - end < maxSlip && isNewline(block[end - 1] ?? 0)) end--;
	const detail = `Content-Length is ${length}, the block has ${end} bytes`;
	return [
		{ problem: { code: 'warc-wrong-length', offset, detail } },
		{ record: { offset, type, fields, block: block.subarray(0, end) } },
	];
}

const isNewline = (byte: number): boolean => byte === 0x0a || byte === 0x0d;
/** Between records: some writers fill up with NUL. */
const isPadding = (byte: number): boolean => isNewline(byte) || byte === 0;
const isBlank = (bytes: Uint8Array): boolean => bytes.every(isPadding);
const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
	bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte);

/** Where it is, and how long. Some writers end their lines with a bare line feed (ClueWeb09). */
function endOfFields(bytes: Buffer): readonly [end: number, length: number] {
	const end = bytes.indexOf('\r\n\r\n');
	const bare = bytes.subarray(0, end === -1 ? bytes.length : end).indexOf('\n\n');
	return bare === -1 ? [end, 4] : [bare, 2];
}

/** The lines behind the version; folded ones belong to the one before (WARC 1.0). */
function parseFields(text: string): ReceivedHeaders {
	const lines = text
		.replace(/\r?\n[ \t]+/g, ' ')
		.split(/\r?\n/)
		.slice(1);
	return new ReceivedHeaders(
		lines.flatMap((line) => {
			const [, name, value = ''] = /^([^:\s]+)[ \t]*:[ \t]*(.*?)[ \t]*$/s.exec(line) ?? [];
			return name === undefined ? [] : [[name, value] as const];
		}),
	);
}
