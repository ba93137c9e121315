import { LRUCache } from 'lru-cache';

/** Remembers what may be used once, until it is no longer good for anything; the oldest is forgotten over the bound. */
export class ReplayCache {
	readonly #until: LRUCache<string, number>;

	constructor(max: number) {
		// Not `max`, which allocates for all of them at once.
		this.#until = new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
	}

	/** Whether the key is used for the first time. `until` and `now` are in one unit. */
	admit(key: string, until: number, now: number): boolean {
		const used = this.#until.get(key);
		if (used !== undefined && used >= now) return false;
		this.#until.set(key, until);
		return true;
	}
}
