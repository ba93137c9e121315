import type { Clock } from '../../packages/crawler/src/base/clock.ts';
import { Heap } from '../../packages/crawler/src/politeness/heap.ts';

interface Sleeper {
	wake: (() => void) | undefined;
}

/** A clock that jumps to the next sleeper as soon as the program has nothing else to do. No real time passes. */
export class VirtualClock implements Clock {
	/** Jumps so far, and sleeps that were asked for: the steps of the simulation. */
	jumps = 0;
	sleeps = 0;
	#now: number;
	readonly #rounds: 1 | 2;
	readonly #sleepers = new Heap<Sleeper>();
	#running = false;

	/** @param rounds of the event loop after which nothing is left to do: two for code that itself waits for one */
	constructor(rounds: 1 | 2 = 2, now = Date.UTC(2026, 0, 1)) {
		this.#rounds = rounds;
		this.#now = now;
	}

	now(): number {
		return this.#now;
	}

	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		this.sleeps++;
		return new Promise((resolve) => {
			if (signal?.aborted) return resolve();
			const sleeper: Sleeper = { wake: resolve };
			if (signal !== undefined) {
				const abort = () => {
					sleeper.wake = undefined;
					resolve();
				};
				signal.addEventListener('abort', abort, { once: true });
				// A signal looks through all its listeners for each new one.
				sleeper.wake = () => {
					signal.removeEventListener('abort', abort);
					resolve();
				};
			}
			this.#sleepers.push(this.#now + Math.max(0, ms), sleeper);
			this.#run();
		});
	}

	#run(): void {
		if (this.#running) return;
		this.#running = true;
		// Promises that can settle have settled when the event loop comes round.
		const jump = () => this.#jump();
		setImmediate(this.#rounds === 2 ? () => setImmediate(jump) : jump);
	}

	/** Wakes all that sleep until the same millisecond. Sleepers that were aborted are dropped on the way. */
	#jump(): void {
		this.#running = false;
		let woken = 0;
		for (let at = this.#sleepers.first; at !== undefined; at = this.#sleepers.first) {
			if (woken > 0 && at > this.#now) break;
			const sleeper = this.#sleepers.pop();
			if (sleeper?.wake === undefined) continue;
			this.#now = Math.max(this.#now, at);
			sleeper.wake();
			sleeper.wake = undefined;
			woken++;
		}
		if (woken > 0) this.jumps++;
		if (this.#sleepers.size > 0) this.#run();
	}
}
