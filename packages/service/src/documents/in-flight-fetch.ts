import type { Entry, FairQueue } from './fair-queue.ts';
import type { Served } from './served.ts';

/** A caller's request for a page. */
export interface PendingCall {
	/** The queue in which it waits: the caller, or one purpose of a caller. */
	readonly lane: string;
	readonly refresh: boolean;
	readonly som: boolean;
}

/** One way to one page, for all who want it meanwhile. */
export class InFlightFetch {
	readonly #queue: FairQueue;
	readonly #host: string;
	readonly #fly: (flight: InFlightFetch) => Promise<Served>;
	readonly #entries = new Map<string, Entry>();
	readonly #done: Promise<Served>;
	#outcome!: { resolve(served: Served): void; reject(error: unknown): void };
	#waiters = 0;
	#started = false;
	#taken = false;
	/** A caller that ran out of time was promised that the fetch continues. */
	#promised = false;
	readonly #abandoned = new AbortController();
	refresh = false;
	som = false;

	constructor(queue: FairQueue, host: string, fly: (flight: InFlightFetch) => Promise<Served>) {
		this.#queue = queue;
		this.#host = host;
		this.#fly = fly;
		this.#done = new Promise((resolve, reject) => {
			this.#outcome = { resolve, reject };
		});
		this.#done.catch(() => {}); // callers that wait get the error
	}

	/** Whether a pending can still be met: before the start any; later none that asks for more, or for something newer. */
	serves({ refresh, som }: PendingCall): boolean {
		if (this.signal.aborted) return false;
		return !this.#started || (!refresh && (!som || this.som));
	}

	/** No caller waits, and the fetch has not started. */
	get idle(): boolean {
		return this.#waiters === 0 && !this.#started;
	}

	/** Aborted when the last caller has cancelled the fetch. */
	get signal(): AbortSignal {
		return this.#abandoned.signal;
	}

	/** Takes what only one may have; returns whether it was still there. */
	takeOnce(): boolean {
		const first = !this.#taken;
		this.#taken = true;
		return first;
	}

	/**
	 * Waits too. It begins when the first of all who wait has its turn, so that sharing delays no caller.
	 *
	 * @param left rejects when this caller waits no longer
	 * @param cancelled whether the caller left because it no longer wants the page
	 */
	async join({ lane, refresh, som }: PendingCall, left: Promise<never>, cancelled: () => boolean): Promise<Served> {
		this.refresh ||= refresh;
		this.som ||= som;
		this.#waiters++;
		if (!this.#started && !this.#entries.has(lane))
			this.#entries.set(
				lane,
				this.#queue.enter(lane, this.#host, () => this.#start()),
			);
		try {
			return await Promise.race([this.#done, left]);
		} finally {
			this.#leave(cancelled());
		}
	}

	#leave(cancelled: boolean): void {
		this.#promised ||= !cancelled;
		if (--this.#waiters > 0) return;
		if (!this.#started) this.#cancel();
		else if (!this.#promised) this.#abandoned.abort();
	}

	async #start(): Promise<void> {
		this.#started = true;
		this.#cancel();
		try {
			this.#outcome.resolve(await this.#fly(this));
		} catch (error) {
			this.#outcome.reject(error);
		}
	}

	#cancel(): void {
		for (const entry of this.#entries.values()) entry.cancel();
		this.#entries.clear();
	}
}
