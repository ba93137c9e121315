/**
 * Notifies waiting callers of a change. Each passes the version that it saw last, so that no change is missed between
 * looking and waiting.
 */
export class ChangeNotifier {
	#version = 0;
	readonly #waiters = new Set<() => void>();

	get version(): number {
		return this.#version;
	}

	notify(): void {
		this.#version++;
		const waiters = [...this.#waiters];
		this.#waiters.clear();
		for (const resolve of waiters) resolve();
	}

	/** Resolves as soon as there is a newer version than the one seen, or `over` is aborted. */
	async after(seen: number, over?: AbortSignal): Promise<void> {
		if (this.#version !== seen || over?.aborted) return;
		await new Promise<void>((resolve) => {
			this.#waiters.add(resolve);
			over?.addEventListener('abort', () => {
				this.#waiters.delete(resolve);
				resolve();
			});
		});
	}
}
