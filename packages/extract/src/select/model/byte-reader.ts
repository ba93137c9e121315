/**
 * Reads numbers that `scripts/encode.ts` writes, big-endian. Each loop is short and calls nothing: a model is read once,
 * before the engine compiles the functions.
 */
export class ByteReader {
	readonly #bytes: Uint8Array<ArrayBuffer>;
	#at = 0;

	constructor(bytes: Uint8Array<ArrayBuffer>) {
		this.#bytes = bytes;
	}

	int8s(count: number): Int8Array {
		const { buffer, byteOffset } = this.#bytes;
		return new Int8Array(buffer, byteOffset + this.#skip(count), count);
	}

	uint8s(count: number): Uint8Array {
		return this.#bytes.subarray(this.#skip(count), this.#at);
	}

	int16s(count: number): Int16Array {
		const bytes = this.#bytes;
		const values = new Int16Array(count);
		for (let i = 0, at = this.#skip(2 * count); i < count; i++, at += 2) values[i] = (bytes[at]! << 8) | bytes[at + 1]!;
		return values;
	}

	uint16s(count: number): Uint16Array {
		return new Uint16Array(this.int16s(count).buffer);
	}

	uint24s(count: number): Int32Array {
		const bytes = this.#bytes;
		const values = new Int32Array(count);
		for (let i = 0, at = this.#skip(3 * count); i < count; i++, at += 3)
			values[i] = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
		return values;
	}

	float32s(count: number): Float32Array {
		const { buffer, byteOffset } = this.#bytes;
		const view = new DataView(buffer, byteOffset + this.#skip(4 * count));
		const values = new Float32Array(count);
		for (let i = 0; i < count; i++) values[i] = view.getFloat32(4 * i);
		return values;
	}

	#skip(count: number): number {
		const at = this.#at;
		this.#at = at + count;
		return at;
	}
}
