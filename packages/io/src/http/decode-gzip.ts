import { crc32 } from 'node:zlib';
import { FetchError } from './failure.ts';
import { InflateDecoder, InflateStage } from './inflate-stage.ts';

const trailerLength = 8;
/** Name and comment of a file can be of any length; longer ones are an attack. */
const maxHeader = 65_536;

/**
 * Undoes `gzip` (RFC 1952), one member or several. Bytes after a complete member that begin no other one are passed
 * over, as browsers do; zlib's own reader fails on them and drops the content with them.
 */
export class GzipDecoder extends InflateDecoder {
	#state: 'header' | 'data' | 'trailer' | 'over' = 'header';
	#pending: Buffer = Buffer.alloc(0);
	#members = 0;
	#crc = 0;
	#length = 0;

	override async unpack(chunk: Buffer): Promise<void> {
		let rest: Uint8Array | undefined = chunk;
		while (rest !== undefined && rest.length > 0 && !this.destroyed) {
			if (this.#state === 'over') return;
			if (this.#state === 'data' && this.stage !== undefined) rest = await this.#inflate(this.stage, rest);
			else if (this.#state === 'trailer') rest = this.#checkTrailer(rest);
			else rest = this.#openMember(rest);
		}
	}

	async #inflate(stage: InflateStage, bytes: Uint8Array): Promise<Uint8Array | undefined> {
		const rest = await stage.write(bytes);
		if (rest !== undefined) this.#state = 'trailer';
		return rest;
	}

	#openMember(bytes: Uint8Array): Uint8Array | undefined {
		this.#pending = Buffer.concat([this.#pending, bytes]);
		const end = headerEnd(this.#pending);
		if (end === 'none') {
			if (this.#members === 0) throw new FetchError('bad-encoding', 'the body does not start with a gzip header');
			this.#state = 'over';
			return undefined;
		}
		if (end === 'more') return undefined;
		const rest = this.#pending.subarray(end);
		this.#pending = Buffer.alloc(0);
		this.#crc = 0;
		this.#length = 0;
		this.stage?.destroy();
		this.stage = new InflateStage('raw', this, (piece) => {
			this.#crc = crc32(piece, this.#crc);
			this.#length += piece.length;
		});
		this.#state = 'data';
		return rest;
	}

	#checkTrailer(bytes: Uint8Array): Uint8Array | undefined {
		const missing = trailerLength - this.#pending.length;
		this.#pending = Buffer.concat([this.#pending, bytes.subarray(0, missing)]);
		if (this.#pending.length < trailerLength) return undefined;
		const whole =
			this.#pending.readUInt32LE(0) === this.#crc && this.#pending.readUInt32LE(4) === this.#length % 2 ** 32;
		if (!whole) throw new FetchError('bad-encoding', 'the gzip checksum does not match');
		this.#pending = Buffer.alloc(0);
		this.#members++;
		this.#state = 'header';
		return bytes.subarray(missing);
	}

	override async finish(): Promise<void> {
		if (this.#state === 'data') {
			await this.stage?.end();
			throw new FetchError('truncated', 'the gzip data ends before its checksum');
		}
		if (this.#state === 'trailer') throw new FetchError('truncated', 'the gzip data ends inside its checksum');
		if (this.#members === 0) throw new FetchError('truncated', 'the gzip data ends inside its header');
	}
}

/** Where the header that begins here ends (RFC 1952 §2.3), if it does, and if it is one. */
function headerEnd(bytes: Buffer): number | 'more' | 'none' {
	const magic = [0x1f, 0x8b, 8];
	if (magic.some((byte, index) => index < bytes.length && bytes[index] !== byte)) return 'none';
	if (bytes.length > maxHeader) return 'none';
	if (bytes.length < 10) return 'more';
	const flags = bytes.readUInt8(3);
	let at = 10;
	if (flags & 4) {
		if (bytes.length < at + 2) return 'more';
		at += 2 + bytes.readUInt16LE(at);
	}
	for (const text of [flags & 8, flags & 16]) {
		if (!text) continue;
		const zero = bytes.indexOf(0, at);
		if (zero === -1) return 'more';
		at = zero + 1;
	}
	if (flags & 2) at += 2;
	return bytes.length < at ? 'more' : at;
}
