/** Milliseconds between the looks of two workers at the same lease: the first of them takes what hangs on it. */
const apart = 10;
/** Part of the lease after which a worker looks again at one that is over and that somebody holds locked. */
const again = 1 / 16;

/** What a worker sees of the others. */
export interface Others {
	/** Milliseconds until the first of them is to be taken for dead; undefined where there is nobody. */
	readonly left: number | undefined;
	/** Those who look before this one. */
	readonly before: number;
}

interface Tools {
	readonly look: () => Promise<Others>;
	/** Takes back what the dead have held; resolves with whether there were any. */
	readonly bury: () => Promise<boolean>;
	/** Hosts may have become free, whoever has freed them. */
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
	#looking: Promise<void> | undefined;
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

	/** Nobody looks any more; resolves when nobody is about to. */
	async stop(): Promise<void> {
		clearTimeout(this.#timer);
		await this.#looking;
		clearTimeout(this.#timer);
		await this.#waking;
	}

	#start(): void {
		this.#looking ??= this.#look()
			.catch(() => {}) // the next beat sees them again
			.finally(() => {
				this.#looking = undefined;
			});
	}

	async #look(): Promise<void> {
		const { look, bury, onFreed, wake } = this.#tools;
		const seen = await look();
		const buried = isOver(seen) && (await bury());
		// Those of another lease that was over, too: whoever looked before has freed them.
		onFreed();
		const others = isOver(seen) ? await look() : seen;
		this.see(isOver(others) ? { ...others, left: this.#lease * again } : others);
		// The next lease that is over does not wait for it.
		if (buried) this.#waking = this.#waking.then(wake).then(onFreed, () => {}); // `unfinished` makes up for it
	}
}

const isOver = ({ left }: Others): boolean => left !== undefined && left < 0;
