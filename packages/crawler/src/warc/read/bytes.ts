/** Compressed bytes of a member that are kept for a second look at them. Larger ones are searched from where they broke. */
const maxKept = 8 << 20;

/** Bytes that come in parts, taken one after the other, with a look at what comes and a way back to a mark. */
export class Bytes {
	readonly #source: AsyncIterator<Uint8Array>;
	#ready: Buffer = Buffer.alloc(0);
	/** In `ready`, of the next byte. */
	#at = 0;
	/** Of the first byte of `ready` in the source. */
	#base = 0;
	/** In the source. What lies behind it stays in `ready`. */
	#mark: number | undefined;

	constructor(source: AsyncIterable<Uint8Array>) {
		this.#source = source[Symbol.asyncIterator]();
	}

	/** Of the next byte, in the source. */
	get offset(): number {
		return this.#base + this.#at;
	}

	/** Up to `most` bytes; undefined at the end. */
	async take(most: number): Promise<Buffer | undefined> {
		while (this.#left === 0) if (!(await this.#more())) return undefined;
		return this.#pass(Math.min(most, this.#left));
	}

	/** So many bytes; undefined where there are not so many left. */
	async exactly(length: number): Promise<Buffer | undefined> {
		while (this.#left < length) if (!(await this.#more())) return undefined;
		return this.#pass(length);
	}

	/** The last bytes that were taken will be taken again. */
	giveBack(length: number): void {
		this.#at -= length;
	}

	async startsWith(pattern: Uint8Array): Promise<boolean> {
		while (this.#left < pattern.length) if (!(await this.#more())) return false;
		return this.#ready.subarray(this.#at, this.#at + pattern.length).equals(pattern);
	}

	/** Goes on to where the pattern stands next; false where it does not. */
	async seek(pattern: Uint8Array): Promise<boolean> {
		this.#mark = undefined;
		for (;;) {
			const found = this.#ready.indexOf(pattern, this.#at);
			if (found >= 0) {
				this.#at = found;
				return true;
			}
			this.#at = Math.max(this.#at, this.#ready.length - pattern.length + 1);
			if (!(await this.#more())) return false;
		}
	}

	/** Remembers the place, and returns its offset. */
	mark(): number {
		this.#mark = this.offset;
		return this.#mark;
	}

	/** Back to the mark, if that is not too far. */
	rewind(): void {
		if (this.#mark !== undefined) this.#at = this.#mark - this.#base;
	}

	get #left(): number {
		return this.#ready.length - this.#at;
	}

	#pass(length: number): Buffer {
		this.#at += length;
		return this.#ready.subarray(this.#at - length, this.#at);
	}

	async #more(): Promise<boolean> {
		const { done, value } = await this.#source.next();
		if (done) return false;
		if (this.#mark !== undefined && this.offset - this.#mark > maxKept) this.#mark = undefined;
		const from = (this.#mark ?? this.offset) - this.#base;
		this.#ready = Buffer.concat([this.#ready.subarray(from), value]);
		this.#base += from;
		this.#at -= from;
		return true;
	}
}
