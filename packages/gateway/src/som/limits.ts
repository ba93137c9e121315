import { LRUCache } from 'lru-cache';

/** How often a client may come: `perMinute` on average, `burst` at once. */
export interface Rate {
	perMinute: number;
	burst: number;
}

/** A token bucket per client, for a bounded number of clients: the ones that came longest ago are forgotten first. */
export function createRateLimiter(rate: Rate, now: () => number, maxClients = 100_000) {
	const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: maxClients });
	return {
		/** Milliseconds to wait; 0 = go on, and one token is spent. */
		take(client: string): number {
			const time = now();
			const bucket = buckets.get(client) ?? { tokens: rate.burst, at: time };
			bucket.tokens = Math.min(rate.burst, bucket.tokens + ((time - bucket.at) / 60_000) * rate.perMinute);
			bucket.at = time;
			buckets.set(client, bucket);
			if (bucket.tokens >= 1) {
				bucket.tokens--;
				return 0;
			}
			return Math.ceil(((1 - bucket.tokens) / rate.perMinute) * 60_000);
		},
	};
}

/** Lets many callers wait for one piece of work: while it runs, whoever asks for the same key gets the same promise. */
export function createSingleFlight<Value>() {
	const running = new Map<string, Promise<Value>>();
	return (key: string, work: () => Promise<Value>): Promise<Value> => {
		const known = running.get(key);
		if (known !== undefined) return known;
		const started = work().finally(() => running.delete(key));
		running.set(key, started);
		return started;
	};
}
