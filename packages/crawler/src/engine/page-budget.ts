/** A limit to the documents of a run. */
export interface PageBudget {
	readonly exhausted: boolean;
	/** Whether another visit may begin. */
	reserve(): Promise<boolean>;
	/** A visit that had a place has ended, with a document or without one. */
	finish(brought: boolean): void;
	/** There is nothing to visit for now: others may have the places that are not needed. */
	giveBack(): Promise<void>;
}

/** How many documents a run may fetch. A visit takes its place first and gives it back when it brought none. */
export class Budget implements PageBudget {
	readonly #max: number;
	#spent: number;
	#reserved = 0;
	#waiters: (() => void)[] = [];

	constructor(max: number, spent: number) {
		this.#max = max;
		this.#spent = spent;
	}

	get exhausted(): boolean {
		return this.#spent >= this.#max;
	}

	/** Whether another visit may begin; waits while that depends on visits in flight. */
	async reserve(): Promise<boolean> {
		while (!this.exhausted && this.#spent + this.#reserved >= this.#max)
			await new Promise<void>((resolve) => this.#waiters.push(resolve));
		if (this.exhausted) return false;
		this.#reserved++;
		return true;
	}

	async giveBack(): Promise<void> {}

	finish(brought: boolean): void {
		this.#reserved--;
		if (brought) this.#spent++;
		const waiters = this.#waiters;
		this.#waiters = [];
		for (const resolve of waiters) resolve();
	}
}
