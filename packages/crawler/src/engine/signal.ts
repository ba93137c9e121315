/** Something changed, for those who wait for it. Who remembers the version that he saw misses no change. */
export class Signal {
	#version = 0;
	#waiters: (() => void)[] = [];

	get version(): number {
		return this.#version;
	}

	notify(): void {
		this.#version++;
		const waiters = this.#waiters;
		this.#waiters = [];
		for (const resolve of waiters) resolve();
	}

	/** Resolves as soon as there is a newer version than the one seen. */
	async after(seen: number): Promise<void> {
		if (this.#version === seen) await new Promise<void>((resolve) => this.#waiters.push(resolve));
	}
}
