import { Transform, type TransformCallback } from 'node:stream';
import { Decompress } from 'fzstd';

/** Undoes `zstd` (RFC 8878), which is never asked for but is sent by some. */
export function createZstdDecoder(): Transform {
	return new ZstdDecoder();
}

class ZstdDecoder extends Transform {
	readonly #inner = new Decompress((piece) => void this.push(piece));

	override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
		try {
			this.#inner.push(chunk);
			done();
		} catch (error) {
			done(error as Error);
		}
	}

	override _flush(done: TransformCallback): void {
		try {
			this.#inner.push(new Uint8Array(0), true);
			done();
		} catch (error) {
			done(error as Error);
		}
	}
}
