/** A map that forgets what was set longest ago once there is too much in it. */
export class BoundedMap<Value> {
	readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
	readonly #most: number;
	readonly #mostBytes: number;
	#bytes = 0;

	/**
	 * @param most entries
	 * @param mostBytes of all entries together, where their sizes are told; a single larger one is kept all the same
	 */
	constructor(most: number, mostBytes: number = Number.POSITIVE_INFINITY) {
		this.#most = most;
		this.#mostBytes = mostBytes;
	}

	get(key: string): Value | undefined {
		return this.#entries.get(key)?.value;
	}

	*entries(): Iterable<[key: string, value: Value]> {
		for (const [key, { value }] of this.#entries) yield [key, value];
	}

	set(key: string, value: Value, bytes = 0): void {
		this.delete(key);
		this.#entries.set(key, { value, bytes });
		this.#bytes += bytes;
		for (const oldest of this.#entries.keys()) {
			if (oldest === key || (this.#entries.size <= this.#most && this.#bytes <= this.#mostBytes)) break;
			this.delete(oldest);
		}
	}

	delete(key: string): void {
		this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
		this.#entries.delete(key);
	}

	clear(): void {
		this.#entries.clear();
		this.#bytes = 0;
	}
}
