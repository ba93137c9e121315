import { setMaxListeners } from 'node:events';
import type { Clock } from '@wayleave/crawler';
import { errorFields, type Log } from './log.ts';

export interface Background {
	/** Aborted when the service closes. */
	readonly signal: AbortSignal;
	/** Does something again and again, `pause` milliseconds after it was done; what it throws is logged. */
	every(pause: number, name: string, work: () => Promise<void>): void;
	/** Has `close` wait for something. */
	add(work: Promise<unknown>): void;
}

/** Work beside requests, with its end. */
export class BackgroundWork implements Background {
	readonly #stop = new AbortController();
	readonly #running = new Set<Promise<unknown>>();
	readonly #clock: Clock;
	readonly #log: Log;

	constructor(clock: Clock, log: Log) {
		this.#clock = clock;
		this.#log = log;
		// Each route module and each piece of work listens for the end.
		setMaxListeners(0, this.#stop.signal);
	}

	get signal(): AbortSignal {
		return this.#stop.signal;
	}

	every(pause: number, name: string, work: () => Promise<void>): void {
		this.add(this.#repeat(pause, name, work));
	}

	add(work: Promise<unknown>): void {
		this.#running.add(work);
		const done = () => void this.#running.delete(work);
		work.then(done, done);
	}

	async #repeat(pause: number, name: string, work: () => Promise<void>): Promise<void> {
		while (!this.signal.aborted) {
			await this.#clock.sleep(pause, this.signal);
			if (this.signal.aborted) return;
			await work().catch((error: unknown) => this.#log.error(`${name} failed`, errorFields(error)));
		}
	}

	/** Asks everything to end. */
	stop(): void {
		this.#stop.abort();
	}

	/** Resolves when everything has. */
	async ended(): Promise<void> {
		await Promise.allSettled(this.#running);
	}
}
