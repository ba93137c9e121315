/** Numbers that follow from a seed (mulberry32). */
export class Seeded {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let t = this.#state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	whole(from: number, to: number): number {
		return from + Math.floor(this.next() * (to - from + 1));
	}

	of<T>(all: readonly T[]): T {
		return all[this.whole(0, all.length - 1)] as T;
	}

	some<T>(all: readonly T[], count: number): T[] {
		const left = [...all];
		return Array.from(
			{ length: Math.min(count, left.length) },
			() => left.splice(this.whole(0, left.length - 1), 1)[0] as T,
		);
	}
}
