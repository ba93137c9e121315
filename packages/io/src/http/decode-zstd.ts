import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Decompress } from 'fzstd';
import { FetchError } from './failure.ts';
import { ZstdFrames } from './zstd-frames.ts';

/**
 * Input goes in in slices: the decoder works in one go through all it is given, and four bytes can stand for 128 KiB.
 */
const slice = 256;

/** Undoes `zstd` (RFC 8878), which is never asked for but is sent by some. */
export class ZstdDecoder extends Transform {
	readonly #frames = new ZstdFrames();
	#room = true;
	#onRoom: () => void = () => {};
	readonly #inner = new Decompress((piece) => {
		if (piece.length > 0) this.#room = this.push(piece);
	});

	override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
		this.#take(chunk).then(() => done(), done);
	}

	override _flush(done: TransformCallback): void {
		done(this.#frames.complete ? null : new FetchError('truncated', 'the zstd data ends inside a frame'));
	}

	override _read(size: number): void {
		this.#room = true;
		this.#onRoom();
		super._read(size);
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		this.#onRoom();
		done(error);
	}

	async #take(chunk: Buffer): Promise<void> {
		for (let at = 0; at < chunk.length && !this.destroyed; at += slice) {
			const piece = chunk.subarray(at, at + slice);
			this.#frames.push(piece);
			// The decoder may keep what it is given; the chunk belongs to the socket.
			this.#inner.push(Uint8Array.from(piece));
			if (!this.#room) await this.#waitForRoom();
		}
		await setImmediate();
	}

	async #waitForRoom(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.#onRoom = resolve;
		});
	}
}
