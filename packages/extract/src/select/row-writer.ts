/** Rows of numbers, one per block, all of the same width. */
export interface Matrix {
	readonly rows: number;
	readonly width: number;
	readonly data: Float32Array;
}

/** Rows that grow value by value. */
export class RowWriter {
	#data: Float32Array<ArrayBuffer>;
	#at = 0;

	constructor(expected: number) {
		this.#data = new Float32Array(expected);
	}

	add(value: number): void {
		if (this.#at === this.#data.length) this.#grow(1);
		this.#data[this.#at++] = value;
	}

	addAll(values: Float32Array): void {
		this.addFrom(values, 0, values.length);
	}

	addFrom(values: Float32Array, start: number, count: number): void {
		if (this.#at + count > this.#data.length) this.#grow(count);
		for (let i = 0; i < count; i++) this.#data[this.#at + i] = values[start + i]!;
		this.#at += count;
	}

	/** One value per bit, the lowest first. */
	addBits(bits: number, count: number): void {
		if (this.#at + count > this.#data.length) this.#grow(count);
		for (let bit = 0; bit < count; bit++) this.#data[this.#at + bit] = (bits >> bit) & 1;
		this.#at += count;
	}

	finish(rows: number): Matrix {
		return { rows, width: rows === 0 ? 0 : this.#at / rows, data: this.#data.subarray(0, this.#at) };
	}

	#grow(room: number): void {
		const data = new Float32Array(2 * this.#data.length + room);
		data.set(this.#data);
		this.#data = data;
	}
}
