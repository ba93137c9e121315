import { LRUCache } from 'lru-cache';

/** How often a client may come: `perMinute` on average, `burst` at once. */
export interface Rate {
	perMinute: number;
	burst: number;
}

interface Bucket {
	tokens: number;
	at: number;
}

/** A token bucket for each client, for a bounded number of clients: the least recent ones are forgotten first. */
export class TokenBuckets {
	readonly #now: () => number;
	readonly #buckets: LRUCache<string, Bucket>;

	/** @param now milliseconds */
	constructor(now: () => number, maxClients = 100_000) {
		this.#now = now;
		// Not `max`, which allocates for all of them at once.
		this.#buckets = new LRUCache({ maxSize: maxClients, sizeCalculation: () => 1 });
	}

	/** Milliseconds to wait; 0: go on, and one token is spent. */
	take(client: string, rate: Rate): number {
		const bucket = this.#filled(client, rate);
		this.#buckets.set(client, bucket);
		if (bucket.tokens >= 1) {
			bucket.tokens--;
			return 0;
		}
		return waitFor(bucket.tokens, rate);
	}

	/** Tokens that are left, and the milliseconds until there is one; none is spent. */
	peek(client: string, rate: Rate): { readonly tokens: number; readonly wait: number } {
		const { tokens } = this.#filled(client, rate);
		return { tokens, wait: tokens >= 1 ? 0 : waitFor(tokens, rate) };
	}

	/**
	 * Replaces the tokens of a client by those that another place counted.
	 *
	 * @param counted how many there were at a time, in milliseconds
	 * @param spent tokens that were spent here and are not counted there
	 */
	replace(client: string, rate: Rate, counted: Readonly<Bucket>, spent: number): void {
		const { tokens, at } = refilled(counted, rate, this.#now());
		this.#buckets.set(client, { tokens: tokens - spent, at });
	}

	#filled(client: string, rate: Rate): Bucket {
		const time = this.#now();
		return refilled(this.#buckets.get(client) ?? { tokens: rate.burst, at: time }, rate, time);
	}
}

const refilled = ({ tokens, at }: Readonly<Bucket>, { perMinute, burst }: Rate, time: number): Bucket => ({
	tokens: Math.min(burst, tokens + (Math.max(0, time - at) / 60_000) * perMinute),
	at: time,
});

function waitFor(tokens: number, { perMinute }: Rate): number {
	return Math.ceil(((1 - tokens) / perMinute) * 60_000);
}
