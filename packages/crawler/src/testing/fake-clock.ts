import type { Clock } from '../base/clock.ts';

/**
 * A clock that jumps: as soon as nothing else happens for a moment, it is as late as the first sleeper wants.
 * Real sockets go on working meanwhile; only the waiting takes no time.
 */
export class FakeClock implements Clock {
	#now: number;
	readonly #sleepers = new Set<{ at: number; wake: () => void }>();
	#scheduled = false;
	/** Requests that are out; time stands still for them. */
	#held = 0;

	constructor(now = Date.UTC(2026, 10, 28, 12, 0, 0)) {
		this.#now = now;
	}

	now(): number {
		return this.#now;
	}

	sleep(ms: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const sleeper = { at: this.#now + ms, wake: resolve };
			this.#sleepers.add(sleeper);
			signal.addEventListener('abort', () => {
				this.#sleepers.delete(sleeper);
				resolve();
			});
			this.#schedule();
		});
	}

	/** Moves the time without anybody sleeping. */
	advance(ms: number): void {
		this.#now += ms;
	}

	/** Time stands still while a request is out. */
	async during<Value>(work: Promise<Value>): Promise<Value> {
		this.#held++;
		try {
			return await work;
		} finally {
			this.#held--;
			this.#schedule();
		}
	}

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		setTimeout(() => {
			this.#scheduled = false;
			if (this.#held > 0 || this.#sleepers.size === 0) return;
			const first = [...this.#sleepers].reduce((a, b) => (a.at <= b.at ? a : b));
			this.#sleepers.delete(first);
			this.#now = Math.max(this.#now, first.at);
			first.wake();
			this.#schedule();
		}, 1);
	}
}
