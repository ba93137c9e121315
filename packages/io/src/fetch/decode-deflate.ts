import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw, type Inflate, type InflateRaw } from 'node:zlib';

/**
 * Undoes `deflate`, which is the zlib format (RFC 9110 §8.4.1.2) but is sent raw by some servers. The first two bytes
 * tell: a zlib header names method 8 and is divisible by 31 (RFC 1950 §2.2).
 */
export function createDeflateDecoder(): Transform {
	return new DeflateDecoder();
}

class DeflateDecoder extends Transform {
	#first: Buffer = Buffer.alloc(0);
	#inner: Inflate | InflateRaw | undefined;
	/** Bytes after the end of the deflate stream end it early: the rest is never asked for. */
	#onInnerEnd: () => void = () => this.push(null);

	override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
		if (this.#inner !== undefined) {
			this.#feed(this.#inner, chunk, done);
			return;
		}
		this.#first = Buffer.concat([this.#first, chunk]);
		if (this.#first.length < 2) done();
		else this.#feed(this.#open(), this.#first, done);
	}

	override _flush(done: TransformCallback): void {
		this.#onInnerEnd = done;
		if (this.#inner?.readableEnded) done();
		else if (this.#inner === undefined) this.#open().end(this.#first);
		else this.#inner.end();
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		this.#inner?.destroy();
		done(error);
	}

	#open(): Inflate | InflateRaw {
		const zlib = (this.#first[0]! & 15) === 8 && this.#first.length > 1 && this.#first.readUInt16BE() % 31 === 0;
		const inner = zlib ? createInflate() : createInflateRaw();
		this.#inner = inner;
		inner.on('data', (piece: Buffer) => {
			if (!this.push(piece)) inner.pause();
		});
		inner.on('end', () => this.#onInnerEnd());
		inner.on('error', (error) => this.destroy(error));
		return inner;
	}

	override _read(size: number): void {
		this.#inner?.resume();
		super._read(size);
	}

	#feed(inner: Inflate | InflateRaw, chunk: Buffer, done: TransformCallback): void {
		if (inner.write(chunk)) done();
		else inner.once('drain', done);
	}
}
