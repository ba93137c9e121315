/** Figures kept, of different periods and filters. */
const maxKept = 32;

/** The name of the figures, the period and the filters. */
export type Question = readonly unknown[];

/** Reads figures until `signal` says that all callers have left. */
export type Read<Value> = (signal: AbortSignal) => Promise<Value>;

interface Kept {
	readonly value: Promise<unknown>;
	readonly reading: AbortController;
	/** Callers that wait for the value. */
	waiting: number;
	/** Infinity while the figures are read. */
	until: number;
}

/** Figures that are being read, or were a moment ago: several people may look at the same ones. */
export class KeptFigures {
	readonly #freshness: number;
	readonly #now: () => number;
	readonly #kept = new Map<string, Kept>();

	constructor(freshness: number, now: () => number) {
		this.#freshness = freshness;
		this.#now = now;
	}

	/**
	 * The figures that answer a question, read once for all callers that ask meanwhile. The reading ends when all of them
	 * have left.
	 *
	 * @param leaving the caller has left
	 * @param freshness milliseconds for which figures are shown again
	 */
	async of<Value>(
		question: Question,
		read: Read<Value>,
		leaving?: AbortSignal,
		freshness = this.#freshness,
	): Promise<Value> {
		leaving?.throwIfAborted();
		const key = JSON.stringify(question);
		const known = this.#kept.get(key);
		const kept = known !== undefined && known.until > this.#now() ? known : this.#start(key, read, freshness);
		kept.waiting++;
		const leave = () => {
			kept.waiting--;
			if (kept.waiting > 0 || kept.until < Number.POSITIVE_INFINITY) return;
			this.#forget(key, kept);
			kept.reading.abort();
		};
		leaving?.addEventListener('abort', leave);
		try {
			return (await kept.value) as Value;
		} finally {
			leaving?.removeEventListener('abort', leave);
		}
	}

	#start<Value>(key: string, read: Read<Value>, freshness: number): Kept {
		const reading = new AbortController();
		const value = read(reading.signal);
		const kept: Kept = { value, reading, waiting: 0, until: Number.POSITIVE_INFINITY };
		if (this.#kept.size >= maxKept) this.#forgetFinished();
		this.#kept.set(key, kept);
		value.then(
			() => {
				kept.until = this.#now() + freshness;
				if (freshness === 0) this.#forget(key, kept);
			},
			() => this.#forget(key, kept),
		);
		return kept;
	}

	#forget(key: string, kept: Kept): void {
		if (this.#kept.get(key) === kept) this.#kept.delete(key);
	}

	#forgetFinished(): void {
		for (const [key, { until }] of this.#kept) if (until < Number.POSITIVE_INFINITY) this.#kept.delete(key);
	}
}
