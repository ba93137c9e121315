import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw } from 'node:zlib';

/** Pieces of output: each costs a trip to zlib's thread. */
const chunkSize = 32_768;

/** One deflate stream inside a decoder: what it unpacks goes to the decoder at the decoder's pace. */
export class InflateStage {
	readonly #inflate: ReturnType<typeof createInflateRaw>;
	#fed = 0;
	#completion: { resolve: (over: boolean) => void; reject: (error: Error) => void } | undefined;

	/** @param each sees every piece that is unpacked */
	constructor(format: 'zlib' | 'raw', decoder: Transform, each: (piece: Uint8Array) => void = () => {}) {
		this.#inflate = format === 'zlib' ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
		this.#inflate.on('data', (piece: Uint8Array) => {
			each(piece);
			if (!decoder.push(piece)) this.#inflate.pause();
		});
		this.#inflate.on('end', () => this.#completion?.resolve(true));
		this.#inflate.on('error', (error) => this.#completion?.reject(error));
		this.#inflate.on('close', () => this.#completion?.resolve(true));
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
			this.#completion = { resolve, reject };
			start(resolve);
		});
	}
}

/** A decoder around such streams: waits for them, wakes them when its reader has room, and ends them with itself. */
export abstract class InflateDecoder extends Transform {
	stage: InflateStage | undefined;

	abstract unpack(chunk: Buffer): Promise<void>;
	/** The input is complete. */
	abstract finish(): Promise<void>;

	override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
		this.unpack(chunk).then(() => done(), done);
	}

	override _flush(done: TransformCallback): void {
		this.finish().then(() => done(), done);
	}

	override _read(size: number): void {
		this.stage?.resume();
		super._read(size);
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		this.stage?.destroy();
		done(error);
	}
}
