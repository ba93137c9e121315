import type { Deadline } from './deadline.ts';

/** Lets a number of requests in at a time for each key; the others wait in the order in which they came. */
export class HostSemaphore {
	readonly #width: number;
	readonly #inside = new Map<string, number>();
	readonly #waiting = new Map<string, Set<() => void>>();

	constructor(width: number) {
		this.#width = width;
	}

	async enter(key: string, deadline: Deadline): Promise<void> {
		const inside = this.#inside.get(key) ?? 0;
		if (inside < this.#width) this.#inside.set(key, inside + 1);
		else await this.#wait(key, deadline);
	}

	/** The place goes to the first who waits. */
	leave(key: string): void {
		const queue = this.#waiting.get(key);
		const [next] = queue ?? [];
		if (next !== undefined) {
			this.#drop(key, next);
			next();
			return;
		}
		const inside = (this.#inside.get(key) ?? 1) - 1;
		if (inside === 0) this.#inside.delete(key);
		else this.#inside.set(key, inside);
	}

	#wait(key: string, deadline: Deadline): Promise<void> {
		return new Promise((resolve, reject) => {
			const enter = () => {
				forget();
				resolve();
			};
			const queue = this.#waiting.get(key) ?? new Set();
			this.#waiting.set(key, queue.add(enter));
			const forget = deadline.onEnd((error) => {
				this.#drop(key, enter);
				reject(error);
			});
		});
	}

	#drop(key: string, waiter: () => void): void {
		const queue = this.#waiting.get(key);
		queue?.delete(waiter);
		if (queue?.size === 0) this.#waiting.delete(key);
	}
}
