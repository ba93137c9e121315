import { type Rate, TokenBuckets } from '@wayleave/io/rate';

/** The tokens of a key in the database, which all processes share. */
export interface StoredBucket {
	/** Requests that are left; below zero if processes permitted too many at the same time. */
	readonly tokens: number;
	/** When that was computed; milliseconds since 1970. */
	readonly at: number;
}

/** Where processes share the tokens of keys. */
export interface BucketStore {
	/** Takes tokens of a key, and fills up what has come since. */
	spendTokens(key: string, spent: number, rate: number): Promise<StoredBucket>;
}

interface Spent {
	rate: number;
	/** Requests that the database does not count yet. */
	count: number;
	/** Some of them are on their way to it. */
	isSending: boolean;
	/** The time of the tokens that were last read from it. */
	readAt: number;
}

/**
 * Requests per minute of each key, for several processes with one database. Each process decides alone with what it knows,
 * and tells the database each second what it permitted. Tokens that two processes spent are a debt: the key waits until it is paid,
 * so that all processes together keep the rate, after at most one burst each.
 */
export class RequestRates {
	readonly #store: BucketStore;
	readonly #buckets: TokenBuckets;
	readonly #spent = new Map<string, Spent>();

	constructor(store: BucketStore, now: () => number) {
		this.#store = store;
		this.#buckets = new TokenBuckets(now);
	}

	/**
	 * Takes one request.
	 *
	 * @param stored the tokens of the key in the database, as they were read with the key
	 * @returns milliseconds to wait; 0: the request is permitted
	 */
	take(key: string, rate: number, stored?: StoredBucket): number {
		const spent = this.#spent.get(key) ?? { rate, count: 0, isSending: false, readAt: Number.NEGATIVE_INFINITY };
		spent.rate = rate;
		this.#spent.set(key, spent);
		if (stored !== undefined && !spent.isSending && stored.at > spent.readAt) this.#update(key, spent, stored);
		const wait = this.#buckets.take(key, rateOf(rate));
		if (wait === 0) spent.count++;
		return wait;
	}

	/** Requests that are left, and the milliseconds until there is one. */
	peek(key: string, rate: number): { readonly tokens: number; readonly wait: number } {
		const { tokens, wait } = this.#buckets.peek(key, rateOf(rate));
		return { tokens: Math.max(0, tokens), wait };
	}

	/** Tells the database what was spent. To be called every second, and at the end. */
	async save(): Promise<void> {
		for (const [key, spent] of this.#spent) {
			const { count, rate } = spent;
			if (count === 0) {
				// The next request reads the tokens of the key again.
				this.#spent.delete(key);
				continue;
			}
			spent.isSending = true;
			try {
				const stored = await this.#store.spendTokens(key, count, rate);
				spent.count -= count;
				this.#update(key, spent, stored);
			} finally {
				spent.isSending = false;
			}
		}
	}

	#update(key: string, spent: Spent, stored: StoredBucket): void {
		spent.readAt = stored.at;
		this.#buckets.replace(key, rateOf(spent.rate), stored, spent.count);
	}
}

const rateOf = (rate: number): Rate => ({ perMinute: rate, burst: rate });
