import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, isUnreachable } from '@wayleave/io/sql';
import type { StoreTrouble } from '../roles/store.ts';

/** Milliseconds between two tries: the first, and the longest. */
const firstPause = 100;
const maxPause = 5000;
/** Tries within a lease: the first worker to return gives every other one a lease to come back. */
const perLease = 6;

/** Waits for a server that is away, as long as it may come back. */
export class OutageRetry {
	readonly #patience: number;
	readonly #maxPause: number;
	readonly #tell: (trouble: StoreTrouble) => void;
	#lostAt: number | undefined;
	#reached = false;
	#closed = false;

	/**
	 * @param patience milliseconds
	 * @param lease milliseconds
	 */
	constructor(patience: number, lease: number, tell: (trouble: StoreTrouble) => void) {
		this.#patience = patience;
		this.#maxPause = Math.min(maxPause, lease / perLease);
		this.#tell = tell;
	}

	/** Whether the server could not be reached the last time. */
	get isLost(): boolean {
		return this.#lostAt !== undefined;
	}

	/** Does the work, again and again while the server cannot be reached. */
	async run<Value>(work: () => Promise<Value>): Promise<Value> {
		for (let pause = firstPause; ; pause = Math.min(2 * pause, this.#maxPause)) {
			try {
				const value = await work();
				this.#reached = true;
				this.#back();
				return value;
			} catch (error) {
				if (!this.#mayComeBack(error) || this.#closed) throw error;
				const lostAt = this.#lost(error as Error);
				if (performance.now() - lostAt > this.#patience) throw error;
			}
			await sleep(pause);
		}
	}

	/** Ends all retries. */
	close(): void {
		this.#closed = true;
	}

	/** An administrator who restores a backup drops or renames the database first. */
	#mayComeBack(error: unknown): boolean {
		if (isUnreachable(error)) return true;
		return this.#reached && error instanceof DatabaseError && error.code === 'no-such-database';
	}

	/** Since when the server cannot be reached. */
	#lost({ message }: Error): number {
		if (this.#lostAt !== undefined) return this.#lostAt;
		const now = performance.now();
		this.#lostAt = now;
		this.#tell({ state: 'lost', detail: message });
		return now;
	}

	#back(): void {
		if (this.#lostAt === undefined) return;
		const seconds = Math.round((performance.now() - this.#lostAt) / 1000);
		this.#lostAt = undefined;
		this.#tell({ state: 'back', detail: `after ${seconds} seconds` });
	}
}
