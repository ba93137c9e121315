import type { Rate } from '@wayleave/io/rate';
import { LRUCache } from 'lru-cache';
import type { LimitName } from '../request/sharing.ts';

/** What was spent of a bucket and is not in the store yet. */
export interface SpentTokens {
	readonly name: LimitName;
	readonly client: string;
	readonly spent: number;
	readonly rate: Rate;
}

/** A bucket as the store has it. */
export interface StoredBucket {
	readonly name: string;
	readonly client: string;
	/** May be negative. */
	readonly tokens: number;
	/** Milliseconds since the store computed `tokens`. */
	readonly age: number;
}

interface Bucket {
	/** Tokens in the store, when it was last heard. */
	tokens: number;
	/** Milliseconds. */
	at: number;
	/** Tokens spent here that `tokens` does not include. */
	spent: number;
	/** Of `spent`: those on their way to the store. */
	sent: number;
	/** While the store cannot be reached: the share of this gateway. */
	share?: Share;
}

interface Share {
	tokens: number;
	/** Tokens that were taken and have not been refilled since: what is to be settled after the outage. */
	used: number;
	at: number;
	readonly outage: number;
}

interface Limit {
	/** Undefined for one of another gateway that is not in use here, or not yet. */
	rate: Rate | undefined;
	readonly buckets: LRUCache<string, Bucket>;
	/** Clients whose bucket has tokens to settle. */
	readonly spent: Set<string>;
}

/** Milliseconds until a client that used up its share of this gateway may try again, when there are tokens left. */
const untilSettled = 100;
/** Buckets in one write: with more, the rest waits for the next one, and these clients keep to their share. */
const maxSettled = 2000;

/**
 * Token buckets of several gateways. Between two writes, each gateway gives away at most its share of the tokens that
 * the store had: one in n, rounded up. Tokens that were spent twice are a debt: the store counts below zero, and the
 * client waits until it is paid.
 *
 * While the store cannot be reached, each gateway goes on with a bucket of an n-th of the size and the rate.
 */
export class SharedLimits {
	readonly #now: () => number;
	readonly #max: number;
	readonly #limits = new Map<LimitName, Limit>();
	/** Gateways that are running. */
	members = 1;
	#outage = 0;
	#lost = false;

	/** @param now milliseconds */
	constructor(now: () => number, max: number) {
		this.#now = now;
		this.#max = max;
	}

	/** Buckets with tokens that the store does not know of. */
	get unsettled(): number {
		let sum = 0;
		for (const { spent } of this.#limits.values()) sum += spent.size;
		return sum;
	}

	limit(name: LimitName, rate: Rate): (client: string) => number {
		const limit = this.#limitOf(name);
		limit.rate = rate;
		const { buckets, spent } = limit;
		return (client) => {
			const bucket = this.#bucketOf(buckets, client, rate);
			const wait = this.#lost ? this.#takeShare(bucket, rate) : this.#take(bucket, rate);
			if (wait === 0) spent.add(client);
			return wait;
		};
	}

	#limitOf(name: LimitName): Limit {
		const known = this.#limits.get(name);
		if (known !== undefined) return known;
		const spent = new Set<string>();
		const buckets = new LRUCache<string, Bucket>({
			maxSize: this.#max,
			sizeCalculation: () => 1,
			dispose: (_, client) => spent.delete(client),
		});
		const made: Limit = { rate: undefined, buckets, spent };
		this.#limits.set(name, made);
		return made;
	}

	#bucketOf(buckets: LRUCache<string, Bucket>, client: string, rate: Rate): Bucket {
		const found = buckets.get(client);
		if (found !== undefined) return found;
		const made: Bucket = { tokens: rate.burst, at: this.#now(), spent: 0, sent: 0 };
		buckets.set(client, made);
		return made;
	}

	#take(bucket: Bucket, rate: Rate): number {
		const all = fill(bucket, rate, this.#now());
		const left = all - bucket.spent;
		if (left < 1) return waitFor(left, rate);
		if (bucket.spent >= Math.ceil(all / this.members)) return untilSettled;
		bucket.spent++;
		return 0;
	}

	#takeShare(bucket: Bucket, rate: Rate): number {
		const own = this.#shareOf(rate);
		const now = this.#now();
		if (bucket.share?.outage !== this.#outage) {
			const left = Math.ceil(fill(bucket, rate, now) / this.members) - bucket.spent;
			bucket.share = { tokens: Math.min(own.burst, left), used: bucket.spent, at: now, outage: this.#outage };
		}
		const { share } = bucket;
		share.used = usedOf(share, own, now);
		share.tokens = fill(share, own, now);
		share.at = now;
		if (share.tokens < 1) return waitFor(share.tokens, own);
		share.tokens--;
		share.used++;
		return 0;
	}

	#shareOf({ perMinute, burst }: Rate): Rate {
		return { perMinute: perMinute / this.members, burst: Math.max(1, burst / this.members) };
	}

	/** The store cannot be reached from now on. */
	lose(): void {
		if (this.#lost) return;
		this.#lost = true;
		this.#outage++;
	}

	/** The store can be reached again: tokens that were taken lately from a share are to be settled. */
	find(): void {
		if (!this.#lost) return;
		this.#lost = false;
		const now = this.#now();
		for (const { rate, buckets, spent } of this.#limits.values()) {
			if (rate === undefined) continue;
			const own = this.#shareOf(rate);
			for (const [client, bucket] of buckets.entries()) {
				if (bucket.share?.outage !== this.#outage) continue;
				bucket.spent = Math.ceil(usedOf(bucket.share, own, now));
				delete bucket.share;
				if (bucket.spent > 0) spent.add(client);
			}
		}
	}

	/** Tokens that the store has to learn of; to be ended by `settled` or `notSettled`. */
	take(): SpentTokens[] {
		const taken: SpentTokens[] = [];
		for (const [name, { rate, buckets, spent }] of this.#limits) {
			if (rate === undefined) continue;
			for (const client of spent) {
				if (taken.length >= maxSettled) return taken;
				spent.delete(client);
				const bucket = buckets.peek(client);
				if (bucket === undefined || bucket.spent === 0) continue;
				bucket.sent = bucket.spent;
				taken.push({ name, client, spent: bucket.sent, rate });
			}
		}
		return taken;
	}

	/** The store has them. */
	settled(taken: readonly SpentTokens[]): void {
		for (const { name, client, rate } of taken) {
			const bucket = this.#limits.get(name)?.buckets.peek(client);
			if (bucket === undefined) continue;
			// Until the row is read, they are missing from the tokens of the store.
			bucket.tokens = Math.min(bucket.tokens, rate.burst) - bucket.sent;
			bucket.spent -= bucket.sent;
			// A share that began meanwhile counts them too.
			if (bucket.share !== undefined) bucket.share.used = Math.max(0, bucket.share.used - bucket.sent);
			bucket.sent = 0;
		}
	}

	/** Whether the store has them is not known: they are settled again, since a client is rather slowed down than let go. */
	notSettled(taken: readonly SpentTokens[]): void {
		for (const { name, client } of taken) {
			const limit = this.#limits.get(name);
			const bucket = limit?.buckets.peek(client);
			if (bucket === undefined) continue;
			bucket.sent = 0;
			limit?.spent.add(client);
		}
	}

	/** A bucket as another gateway, or this one, has left it in the store. */
	read({ name, client, tokens, age }: StoredBucket): void {
		const { buckets } = this.#limitOf(name as LimitName);
		const at = this.#now() - age;
		const bucket = buckets.get(client);
		if (bucket === undefined) buckets.set(client, { tokens, at, spent: 0, sent: 0 });
		else Object.assign(bucket, { tokens, at });
	}
}

function fill({ tokens, at }: { readonly tokens: number; readonly at: number }, rate: Rate, now: number): number {
	return Math.min(rate.burst, tokens + ((now - at) / 60_000) * rate.perMinute);
}

function usedOf({ used, at }: Share, { perMinute }: Rate, now: number): number {
	return Math.max(0, used - ((now - at) / 60_000) * perMinute);
}

function waitFor(tokens: number, { perMinute }: Rate): number {
	return Math.ceil(((1 - tokens) / perMinute) * 60_000);
}
