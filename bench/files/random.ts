import { seeded } from '../../packages/crawler/src/testing/random.ts';

/** Numbers that depend on a seed only. */
export class Random {
	readonly next: () => number;

	constructor(seed: number) {
		this.next = seeded((seed * 0x9e3779b1) >>> 0);
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
