/** A map that drops its oldest entry when it is full. */
export class RecentMap<Value> {
	readonly #entries = new Map<string, Value>();
	readonly #most: number;

	constructor(most: number) {
		this.#most = most;
	}

	get(key: string): Value | undefined {
		return this.#entries.get(key);
	}

	has(key: string): boolean {
		return this.#entries.has(key);
	}

	set(key: string, value: Value): void {
		this.#entries.delete(key);
		this.#entries.set(key, value);
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
	}
}
