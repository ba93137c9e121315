/** Rows of numbers, one per block, all of the same width. */
export interface Matrix {
	readonly rows: number;
	readonly width: number;
	readonly data: Float32Array;
}

/** More room than this, 4 MiB, is not kept for the next matrix. */
const maxKept = 2 ** 20;

/** Rows that grow value by value. */
export class RowWriter {
	#data: Float32Array<ArrayBuffer>;
	#at = 0;

	constructor(expected = 0) {
		this.#data = new Float32Array(expected);
	}

	/** Begins another matrix, with room for so many values: the one before it is written over. */
	restart(expected: number): void {
		this.#at = 0;
		const { length } = this.#data;
		if (expected > length || length > maxKept) this.#data = new Float32Array(expected);
	}

	/** Where all values are, until there is room for more. */
	get data(): Float32Array {
		return this.#data;
	}

	/** Makes room for so many values, and gives the place of the first in `data`. A call of `add` can make an object of a number. */
	take(count: number): number {
		const at = this.#at;
		if (at + count > this.#data.length) this.#grow(count);
		this.#at = at + count;
		return at;
	}

	add(value: number): void {
		if (this.#at === this.#data.length) this.#grow(1);
		this.#data[this.#at++] = value;
	}

	addAll(values: Float32Array): void {
		this.addFrom(values, 0, values.length);
	}

	addFrom(values: Float32Array, start: number, count: number): void {
		const at = this.#at;
		if (at + count > this.#data.length) this.#grow(count);
		const data = this.#data;
		for (let i = 0; i < count; i++) data[at + i] = values[start + i]!;
		this.#at = at + count;
	}

	/** One value per bit, the lowest first. */
	addBits(bits: number, count: number): void {
		const at = this.#at;
		if (at + count > this.#data.length) this.#grow(count);
		const data = this.#data;
		for (let bit = 0; bit < count; bit++) data[at + bit] = (bits >> bit) & 1;
		this.#at = at + count;
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
