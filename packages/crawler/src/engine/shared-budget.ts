import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/types.ts';
import type { PageBudget } from './budget.ts';

/** Milliseconds after which a worker asks again whether others have given back a place. */
const askAgain = 250;

/** How many documents a run of several workers may fetch: each place is taken in the store, and comes back with its worker. */
export class SharedBudget implements PageBudget {
	readonly #most: number;
	readonly #store: Store;
	readonly #stopped: () => boolean;
	#free = 0;
	#exhausted = false;

	/** @param stopped whether nobody is to wait for a place any longer */
	constructor(most: number, store: Store, stopped: () => boolean) {
		this.#most = most;
		this.#store = store;
		this.#stopped = stopped;
	}

	get exhausted(): boolean {
		return this.#exhausted;
	}

	async reserve(): Promise<boolean> {
		while (!this.#exhausted && !this.#stopped()) {
			if (this.#free > 0) {
				this.#free--;
				return true;
			}
			const { granted, exhausted } = await this.#store.reserve(this.#most, 1);
			this.#free += granted;
			this.#exhausted = exhausted;
			if (granted === 0 && !exhausted) await sleep(askAgain);
		}
		return false;
	}

	/** A document has taken its place for good when it was committed. */
	settle(documents: number): void {
		if (documents === 0) this.#free++;
	}

	async giveBack(): Promise<void> {
		const free = this.#free;
		this.#free = 0;
		if (free > 0) await this.#store.reserve(this.#most, -free);
	}
}
