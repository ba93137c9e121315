/** Numbers that depend on a seed only (mulberry32). */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = (seed * 0x9e3779b1) >>> 0;
	}

	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let t = this.#state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	/** From `from` to `to`, both included. */
	whole(from: number, to: number): number {
		return from + Math.floor(this.next() * (to - from + 1));
	}

	pick<Item>(items: readonly Item[]): Item {
		return items[this.whole(0, items.length - 1)] as Item;
	}

	chance(part: number): boolean {
		return this.next() < part;
	}
}
