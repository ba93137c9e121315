import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases } from '../store/roles/leases.ts';
import type { PageBudget } from './page-budget.ts';

/** Milliseconds after which a worker asks again whether others have given back a place. */
const askAgain = 250;
/** Milliseconds for which places are taken beforehand, and how many at most. */
const ahead = 500;
const maxAtOnce = 32;
/** Milliseconds after which places that were not used go back: others may wait for them. */
const keepFor = 2 * ahead;

/**
 * How many documents a run of several workers may fetch: places are taken in the store, and come back with their worker.
 * Each time is a write that commits wait for, so that a worker takes as many as it needs for the next moment.
 */
export class SharedBudget implements PageBudget {
	readonly #max: number;
	readonly #leases: Pick<Leases, 'reserve'>;
	readonly #stopped: () => boolean;
	readonly #now: () => number;
	#free = 0;
	#exhausted = false;
	/** Places that were used since the store was asked, and when that was. */
	#used = 0;
	#askedAt: number;
	#asking: Promise<number> | undefined;
	#idle: NodeJS.Timeout | undefined;

	/**
	 * @param stopped whether waiting for a place has to end
	 * @param now milliseconds, from wherever
	 */
	constructor(
		max: number,
		leases: Pick<Leases, 'reserve'>,
		stopped: () => boolean,
		now: () => number = () => performance.now(),
	) {
		this.#max = max;
		this.#leases = leases;
		this.#stopped = stopped;
		this.#now = now;
		this.#askedAt = now();
	}

	get exhausted(): boolean {
		return this.#exhausted;
	}

	async reserve(): Promise<boolean> {
		while (!this.#exhausted && !this.#stopped()) {
			if (this.#free > 0) {
				this.#free--;
				this.#used++;
				return true;
			}
			this.#asking ??= this.#ask().finally(() => {
				this.#asking = undefined;
			});
			if ((await this.#asking) === 0 && !this.#exhausted) await sleep(askAgain);
		}
		return false;
	}

	/** At the pace of the time since the last time. */
	async #ask(): Promise<number> {
		const now = this.#now();
		const pace = this.#used / Math.max(1, now - this.#askedAt);
		this.#used = 0;
		this.#askedAt = now;
		const wanted = Math.max(1, Math.min(maxAtOnce, Math.floor(pace * ahead)));
		const { granted, exhausted } = await this.#leases.reserve(this.#max, wanted);
		this.#free += granted;
		this.#exhausted = exhausted;
		this.#keepForNow();
		return granted;
	}

	#keepForNow(): void {
		clearTimeout(this.#idle);
		// Places that cannot be returned now return when the worker leaves.
		this.#idle = setTimeout(() => void this.giveBack().catch(() => {}), keepFor).unref();
	}

	/** A document has taken its place for good when it was committed. */
	finish(brought: boolean): void {
		if (brought) return;
		// The others that came with it may have gone back already.
		if (this.#free++ === 0) this.#keepForNow();
	}

	async giveBack(): Promise<void> {
		clearTimeout(this.#idle);
		const free = this.#free;
		this.#free = 0;
		if (free > 0) await this.#leases.reserve(this.#max, -free);
	}
}
