/** An operation with a deadline. */
export interface Waiting {
	/** When it has waited long enough, on the clock of `performance.now()`; written by `Deadlines`. */
	lateAt: number;
	late(): void;
}

/** Waits of one length, kept by one clock: a timer for each of ten thousand requests would cost more than their terms. */
export class Deadlines {
	/** The one that ends first stands first, since all are of one length. */
	readonly #waiting = new Set<Waiting>();
	readonly #length: number;
	#clock: NodeJS.Timeout | undefined;

	/** @param length milliseconds; it may take up to a twentieth more, at most a second. */
	constructor(length: number) {
		this.#length = length;
	}

	/** Starts or restarts the wait. */
	add(waiting: Waiting): void {
		this.#waiting.delete(waiting);
		waiting.lateAt = performance.now() + this.#length;
		this.#waiting.add(waiting);
		this.#clock ??= setInterval(() => this.#look(), Math.min(1000, Math.max(5, this.#length / 20))).unref();
	}

	delete(waiting: Waiting): void {
		this.#waiting.delete(waiting);
	}

	close(): void {
		clearInterval(this.#clock);
		this.#clock = undefined;
	}

	#look(): void {
		const now = performance.now();
		for (const each of this.#waiting) {
			if (each.lateAt > now) return;
			this.#waiting.delete(each);
			each.late();
		}
	}
}
