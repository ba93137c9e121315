/** Milliseconds between the looks of two workers at the same lease: the first of them takes what hangs on it. */
const apart = 10;
/** Part of the lease after which a worker checks again an expired one that another worker holds locked. */
const again = 1 / 16;

/** Facts about the other workers. */
export interface Others {
	/** Milliseconds until the first of them counts as dead; undefined if there are no others. */
	readonly left: number | undefined;
	/** Number of workers that check before this one. */
	readonly before: number;
}

interface Tools {
	readonly observe: () => Promise<Others>;
	/** Takes back what the dead have held; resolves with whether there were any. */
	readonly takeOver: () => Promise<boolean>;
	/** Hosts may have become free, by any worker. */
	readonly onFreed: () => void;
	/** Looks for what the dead have left unsaid, which may take long. */
	readonly wake: () => Promise<void>;
}

/**
 * Waits for the moment when the lease of another worker is over, so that what hangs on it stands still no longer than
 * that. Leases are renewed long before: as long as all live, it only puts off its timer.
 */
export class Watch {
	readonly #lease: number;
	readonly #tools: Tools;
	#timer: NodeJS.Timeout | undefined;
	#observing: Promise<void> | undefined;
	#waking: Promise<void> = Promise.resolve();

	/** @param lease milliseconds */
	constructor(lease: number, tools: Tools) {
		this.#lease = lease;
		this.#tools = tools;
	}

	/** To be called with what was seen a moment ago. */
	see({ left, before }: Others): void {
		clearTimeout(this.#timer);
		if (left === undefined) return;
		// One more, since it is over only after its last millisecond.
		this.#timer = setTimeout(() => this.#start(), Math.max(0, left + 1) + before * apart);
		this.#timer.unref();
	}

	/** Stops watching; resolves when no check is in flight. */
	async stop(): Promise<void> {
		clearTimeout(this.#timer);
		await this.#observing;
		clearTimeout(this.#timer);
		await this.#waking;
	}

	#start(): void {
		this.#observing ??= this.#observe()
			.catch(() => {}) // the next beat sees them again
			.finally(() => {
				this.#observing = undefined;
			});
	}

	async #observe(): Promise<void> {
		const { observe, takeOver, onFreed, wake } = this.#tools;
		const seen = await observe();
		const tookOver = isOver(seen) && (await takeOver());
		// Also those of another expired lease, which the worker before has freed.
		onFreed();
		const others = isOver(seen) ? await observe() : seen;
		this.see(isOver(others) ? { ...others, left: this.#lease * again } : others);
		// The next lease that is over does not wait for it.
		if (tookOver) this.#waking = this.#waking.then(wake).then(onFreed, () => {}); // `unfinished` makes up for it
	}
}

const isOver = ({ left }: Others): boolean => left !== undefined && left < 0;
