import { FetchError } from './failure.ts';

/** The largest window that a zstd content coding may ask for (RFC 9659 §3). */
const maxWindow = 8 << 20;
/** The decoder moves its whole window with each block: a bound on the bytes moved for one body. */
const maxMoved = 2 ** 31;
const frameMagic = 0xfd2fb528;

/**
 * Reads along with a zstd decoder (RFC 8878 §3.1), frame and block headers only, and stops what would cost more
 * memory or time than its content is worth: a decoder that trusts the window of a header allocates up to two
 * gigabytes for eighteen bytes.
 */
export class ZstdFrames {
	#head: number[] = [];
	/** Bytes that belong to what was announced and need no look. */
	#skip = 0;
	#inFrame = false;
	#lastBlock = false;
	#window = 0;
	#checksum = false;
	#moved = 0;

	/** Whether the bytes so far end with a frame. */
	get complete(): boolean {
		return !this.#inFrame && this.#skip === 0 && this.#head.length === 0;
	}

	push(bytes: Uint8Array): void {
		for (let at = 0; at < bytes.length; ) {
			const skipped = Math.min(this.#skip, bytes.length - at);
			this.#skip -= skipped;
			at += skipped;
			if (this.#skip === 0 && this.#lastBlock) this.#inFrame = this.#lastBlock = false;
			const byte = bytes[at++];
			if (byte !== undefined) {
				this.#head.push(byte);
				if (this.#inFrame) this.#readBlock();
				else this.#readFrame();
			}
		}
		if (this.#skip === 0 && this.#lastBlock) this.#inFrame = this.#lastBlock = false;
	}

	#readFrame(): void {
		const head = this.#head;
		if (head.length < 5) return;
		const magic = number(head, 0, 4);
		if ((magic & 0xfffffff0) >>> 0 === 0x184d2a50) {
			if (head.length < 8) return;
			this.#skip = number(head, 4, 4); // skippable, RFC 8878 §3.1.2
			this.#head = [];
			return;
		}
		if (magic !== frameMagic) throw new FetchError('bad-encoding', 'a zstd frame was expected');
		const flags = number(head, 4, 1);
		const single = (flags & 32) !== 0;
		const sizeBytes = flags >> 6 === 0 ? Number(single) : 1 << (flags >> 6);
		const dictionaryBytes = (1 << (flags & 3)) >> 1;
		const sizeAt = 5 + (single ? 0 : 1) + dictionaryBytes;
		if (head.length < sizeAt + sizeBytes) return;
		this.#window = single
			? number(head, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0)
			: windowSize(number(head, 5, 1));
		if (this.#window > maxWindow)
			throw new FetchError('bad-encoding', `the zstd window of ${this.#window} bytes exceeds the limit`);
		this.#checksum = (flags & 4) !== 0;
		this.#inFrame = true;
		this.#head = [];
	}

	#readBlock(): void {
		if (this.#head.length < 3) return;
		const header = number(this.#head, 0, 3);
		const runLength = ((header >> 1) & 3) === 1;
		this.#head = [];
		this.#moved += this.#window;
		if (this.#moved > maxMoved) throw new FetchError('bad-encoding', 'zstd blocks without content');
		this.#lastBlock = (header & 1) === 1;
		this.#skip = (runLength ? 1 : header >> 3) + (this.#lastBlock && this.#checksum ? 4 : 0);
	}
}

function number(bytes: readonly number[], at: number, length: number): number {
	let value = 0;
	for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
	return value;
}

/** RFC 8878 §3.1.1.1.2 */
function windowSize(descriptor: number): number {
	const base = 2 ** (10 + (descriptor >> 3));
	return base + (base / 8) * (descriptor & 7);
}
