import type { Transform } from 'node:stream';
import { createInflate, createInflateRaw } from 'node:zlib';

/** Pieces of output: each costs a trip to zlib's thread. */
const chunkSize = 32_768;

/** One deflate stream inside a decoder: what it unpacks goes to the decoder at the decoder's pace. */
export class InflateStage {
	readonly #inflate: ReturnType<typeof createInflateRaw>;
	#fed = 0;
	#settle: { resolve: (over: boolean) => void; reject: (error: Error) => void } | undefined;

	/** @param each sees every piece that is unpacked */
	constructor(format: 'zlib' | 'raw', decoder: Transform, each: (piece: Uint8Array) => void = () => {}) {
		this.#inflate = format === 'zlib' ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
		this.#inflate.on('data', (piece: Uint8Array) => {
			each(piece);
			if (!decoder.push(piece)) this.#inflate.pause();
		});
		this.#inflate.on('end', () => this.#settle?.resolve(true));
		this.#inflate.on('error', (error) => this.#settle?.reject(error));
		this.#inflate.on('close', () => this.#settle?.resolve(true));
	}

	/** Feeds a piece. Gives what follows the end of the stream, or undefined while it goes on. */
	async write(piece: Uint8Array): Promise<Uint8Array | undefined> {
		this.#fed += piece.length;
		const over = await this.#wait((done) => this.#inflate.write(piece, () => done(false)));
		// zlib says how much it has used, and ends its stream only when something is left.
		return over ? piece.subarray(piece.length - (this.#fed - this.#inflate.bytesWritten)) : undefined;
	}

	/** There is no more. Rejects with `Z_BUF_ERROR` where the stream is not complete. */
	async end(): Promise<void> {
		if (!this.#inflate.readableEnded) await this.#wait(() => this.#inflate.end());
	}

	/** The decoder has room again. */
	resume(): void {
		this.#inflate.resume();
	}

	destroy(): void {
		this.#inflate.destroy();
	}

	#wait(start: (done: (over: boolean) => void) => void): Promise<boolean> {
		return new Promise((resolve, reject) => {
			this.#settle = { resolve, reject };
			start(resolve);
		});
	}
}
