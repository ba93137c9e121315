import { LRUCache } from 'lru-cache';

/** A cache with a bound on entries, and on their bytes where `set` states them. Only `set` counts as use. */
export class BoundedMap<Value> {
	readonly #entries: LRUCache<string, { readonly value: Value }>;
	readonly #maxBytes: number;

	/** @param maxBytes of all entries together; a single larger one is kept all the same */
	constructor(max: number, maxBytes?: number) {
		// Each entry counts as 1 where bytes have no bound: for `max` the library allocates all of them at once. It refuses
		// Infinity.
		if (maxBytes === undefined) this.#entries = new LRUCache({ maxSize: max });
		else this.#entries = new LRUCache({ ...(Number.isFinite(max) && { max }), maxSize: maxBytes });
		this.#maxBytes = maxBytes ?? 1;
	}

	get(key: string): Value | undefined {
		return this.#entries.peek(key)?.value;
	}

	/** The oldest first. */
	*entries(): Iterable<[key: string, value: Value]> {
		for (const key of this.#entries.rkeys()) {
			const held = this.#entries.peek(key);
			if (held !== undefined) yield [key, held.value];
		}
	}

	set(key: string, value: Value, bytes = 0): void {
		// The library takes no size of 0, and refuses an entry that is larger than the bound.
		this.#entries.set(key, { value }, { size: Math.min(Math.max(bytes, 1), this.#maxBytes) });
	}

	delete(key: string): void {
		this.#entries.delete(key);
	}

	clear(): void {
		this.#entries.clear();
	}
}
