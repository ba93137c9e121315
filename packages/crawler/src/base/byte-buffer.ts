/** Bytes that are kept between texts; what a single large page needs is not. */
const usual = 1 << 18;

/**
 * Puts texts together as bytes, always in the same memory: V8 counts buffers that wait for the collector, and collects
 * three times as often when each page leaves some.
 */
export class ByteBuffer {
	#memory = Buffer.allocUnsafeSlow(usual);
	#length = 0;

	/** Begins the next text, in the memory of the last one. */
	clear(): void {
		this.#length = 0;
		if (this.#memory.length > usual) this.#memory = Buffer.allocUnsafeSlow(usual);
	}

	text(text: string): void {
		// UTF-8 has at most three bytes for each UTF-16 code unit.
		this.#reserve(text.length * 3);
		this.#length += this.#memory.write(text, this.#length, 'utf8');
	}

	/** A text of which each character is a byte. */
	bytes(text: string): void {
		this.#reserve(text.length);
		this.#length += this.#memory.write(text, this.#length, 'latin1');
	}

	/** All of it, until `clear` is called. */
	get value(): Buffer {
		return this.#memory.subarray(0, this.#length);
	}

	#reserve(more: number): void {
		if (this.#length + more <= this.#memory.length) return;
		const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
		this.#memory.copy(larger, 0, 0, this.#length);
		this.#memory = larger;
	}
}
