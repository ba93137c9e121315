import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from '@wayleave/io';
import type { StoreTrouble } from '../roles/store.ts';

/** Milliseconds between two tries: the first, and the longest. */
const shortest = 100;
const longest = 5000;
/** Tries within a lease: whoever is back first gives every other worker one lease to come back. */
const perLease = 6;

/** Waits for a server that has gone away, as long as it may be expected to come back. */
export class Endurance {
	readonly #patience: number;
	readonly #longest: number;
	readonly #tell: (trouble: StoreTrouble) => void;
	#lostAt: number | undefined;
	#closed = false;

	/**
	 * @param patience milliseconds
	 * @param lease milliseconds
	 */
	constructor(patience: number, lease: number, tell: (trouble: StoreTrouble) => void) {
		this.#patience = patience;
		this.#longest = Math.min(longest, lease / perLease);
		this.#tell = tell;
	}

	/** Does the work, again and again while the server cannot be reached. */
	async run<Value>(work: () => Promise<Value>): Promise<Value> {
		for (let pause = shortest; ; pause = Math.min(2 * pause, this.#longest)) {
			try {
				const value = await work();
				this.#back();
				return value;
			} catch (error) {
				if (!isUnreachable(error) || this.#closed) throw error;
				this.#lost(error as Error);
				if (performance.now() - this.#lostAt! > this.#patience) throw error;
			}
			await sleep(pause);
		}
	}

	/** Nobody waits any longer. */
	close(): void {
		this.#closed = true;
	}

	#lost({ message }: Error): void {
		if (this.#lostAt !== undefined) return;
		this.#lostAt = performance.now();
		this.#tell({ state: 'lost', detail: message });
	}

	#back(): void {
		if (this.#lostAt === undefined) return;
		const seconds = Math.round((performance.now() - this.#lostAt) / 1000);
		this.#lostAt = undefined;
		this.#tell({ state: 'back', detail: `after ${seconds} seconds` });
	}
}
