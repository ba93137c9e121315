import { FetchError } from './failure.ts';
import type { FetchFailure } from './types.ts';

/** A longer one would fire at once. */
const maxTimer = 2 ** 31 - 1;

/**
 * A body that comes in drips: after a grace time, three windows of half that time, each with fewer bytes than this. A
 * window without any byte counts for nothing: a server that works on the rest of a page sends nothing meanwhile, and
 * has its own limit.
 */
const drip = { bytes: 1024, windows: 3 } as const;

/**
 * Everything that can end a fetch early: its timers, its caller, the closing of the fetcher. Every wait for the network
 * goes through `race` or `onEnd`, so that no wait is without a bound.
 */
export class Deadline {
	#error: FetchError | undefined;
	#listeners = new Set<(error: FetchError) => void>();
	#phase: NodeJS.Timeout | undefined;
	#total: NodeJS.Timeout | undefined;
	/** The current window of the body, and how many slow ones came before it. */
	#body: { readonly grace: number; from: number; bytes: number; slow: number } | undefined;
	readonly #signal: AbortSignal | undefined;
	readonly #onAbort = () => this.end(new FetchError('aborted', 'the caller aborted the request'));

	constructor(signal: AbortSignal | undefined) {
		this.#signal = signal;
		if (signal?.aborted) this.#onAbort();
		else signal?.addEventListener('abort', this.#onAbort, { once: true });
	}

	/** Starts the clock of the whole exchange. */
	start(milliseconds: number): void {
		this.#total = this.#timer('total-timeout', milliseconds);
	}

	/** Replaces the clock of the phase before: a fetch waits for one thing at a time. */
	phase(reason: FetchFailure, milliseconds: number): void {
		clearTimeout(this.#phase);
		this.#phase = this.#timer(reason, milliseconds);
	}

	/** Nothing is waited for any more but our own work, which only the clock of the whole exchange bounds. */
	arrived(): void {
		clearTimeout(this.#phase);
		this.#phase = undefined;
	}

	/** The body begins: its pieces may not be too far apart, nor too small for long. */
	body(idle: number, grace: number): void {
		this.phase('body-timeout', idle);
		this.#body = { grace, from: performance.now() + grace, bytes: 0, slow: 0 };
	}

	/** A piece of the body arrived: the clock of the phase starts again. */
	touch(bytes: number): void {
		this.#phase?.refresh();
		const body = this.#body;
		const now = performance.now();
		if (body === undefined || now < body.from) return;
		const window = body.grace / 2;
		if (now < body.from + window) {
			body.bytes += bytes;
			return;
		}
		if (body.bytes >= drip.bytes) body.slow = 0;
		else if (body.bytes > 0 && ++body.slow >= drip.windows)
			this.end(new FetchError('too-slow', `fewer than ${drip.bytes} bytes in each of ${drip.windows} × ${window} ms`));
		body.from = now;
		body.bytes = bytes;
	}

	end(error: FetchError): void {
		if (this.#error !== undefined) return;
		this.#error = error;
		for (const listener of this.#listeners) listener(error);
		this.stop();
	}

	/** Calls back when the fetch ends early, at once if it already has. Returns the way to stop listening. */
	onEnd(listener: (error: FetchError) => void): () => void {
		if (this.#error !== undefined) listener(this.#error);
		else this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** The promise, or the early end if that comes first. */
	race<T>(promise: Promise<T>): Promise<T> {
		return new Promise((resolve, reject) => {
			const forget = this.onEnd(reject);
			promise.then(resolve, reject).finally(forget);
		});
	}

	/** Frees the timers and lets go of the caller's signal. */
	stop(): void {
		this.arrived();
		clearTimeout(this.#total);
		this.#listeners.clear();
		this.#signal?.removeEventListener('abort', this.#onAbort);
	}

	#timer(reason: FetchFailure, milliseconds: number): NodeJS.Timeout {
		const error = () => new FetchError(reason, `timed out after ${milliseconds} ms`);
		return setTimeout(() => this.end(error()), Math.min(milliseconds, maxTimer));
	}
}
