import type { Result } from '../model/result.ts';

/** Results that wait to be taken, before visits begin to wait for that. */
const maxWaiting = 64;

/** Hands results from the crawl to its iterator, and slows the crawl if they are not taken. */
export class Output {
	readonly #waiting: Result[] = [];
	#reader: ((result: Result | undefined) => void) | undefined;
	#writers: (() => void)[] = [];
	#state: 'open' | 'discarding' | 'closed' = 'open';

	/** The caller does not iterate: results go to the sinks and the store only. */
	discard(): void {
		if (this.#state === 'open') this.#state = 'discarding';
		this.#waiting.length = 0;
		this.#letWrite();
	}

	/** No more results come; those that wait can still be taken. */
	close(): void {
		this.#state = 'closed';
		if (this.#waiting.length === 0) this.#resolveNext(undefined);
		this.#letWrite();
	}

	push(results: readonly Result[]): void {
		if (this.#state !== 'open') return;
		this.#waiting.push(...results);
		if (this.#reader !== undefined && this.#waiting.length > 0) this.#resolveNext(this.#waiting.shift());
	}

	/** Resolves when another visit may begin. */
	async room(): Promise<void> {
		if (this.#state === 'open' && this.#waiting.length >= maxWaiting)
			await new Promise<void>((resolve) => this.#writers.push(resolve));
	}

	/** The next result; undefined at the end. */
	async take(): Promise<Result | undefined> {
		const next = this.#waiting.shift();
		if (this.#waiting.length < maxWaiting) this.#letWrite();
		if (next !== undefined || this.#state !== 'open') return next;
		return new Promise((resolve) => {
			this.#reader = resolve;
		});
	}

	#resolveNext(result: Result | undefined): void {
		this.#reader?.(result);
		this.#reader = undefined;
	}

	#letWrite(): void {
		const writers = this.#writers;
		this.#writers = [];
		for (const resolve of writers) resolve();
	}
}
