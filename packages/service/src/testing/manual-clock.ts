import type { Clock } from '@wayleave/crawler';

/** A clock that only the test advances. */
export class ManualClock implements Clock {
	#now = Date.UTC(2026, 10, 28, 12);
	readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

	now(): number {
		return this.#now;
	}

	advance(ms: number): void {
		this.#now += ms;
		for (const { until, wake } of this.#sleepers) if (until <= this.#now) wake();
	}

	sleep(ms: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const wake = () => {
				this.#sleepers.delete(sleeper);
				signal.removeEventListener('abort', wake);
				resolve();
			};
			const sleeper = { until: this.#now + ms, wake };
			this.#sleepers.add(sleeper);
			signal.addEventListener('abort', wake, { once: true });
			if (signal.aborted || ms <= 0) wake();
		});
	}
}
