import { TokenBuckets } from '@wayleave/io/rate';
import { ServiceError } from '../problems/problem.ts';
import type { Caller } from './caller.ts';
import type { KeyStore } from './key-store.ts';

const day = 86_400_000;

interface Day {
	readonly day: string;
	/** The last count from the database, and the documents sent since. */
	had: number;
	unsaved: number;
}

/** Documents reserved for a caller: each is counted when it is sent, or refunded. */
export interface Reservation {
	/** Counts one of them as sent. */
	keep(): Promise<void>;
	/** Refunds one of them. */
	refund(): void;
	/** Refunds the rest. */
	close(): void;
}

/**
 * Limits of keys: requests per minute as a token bucket, documents per day as a stored count. A document counts when it
 * is sent. Until then it is reserved, so that concurrent calls cannot exceed the quota together.
 */
export class Limits {
	readonly #keys: KeyStore;
	readonly #now: () => number;
	readonly #buckets: TokenBuckets;
	readonly #days = new Map<string, Day>();
	readonly #reserved = new Map<string, number>();

	constructor(keys: KeyStore, now: () => number) {
		this.#keys = keys;
		this.#now = now;
		this.#buckets = new TokenBuckets(now);
	}

	/**
	 * Takes one request from a caller's limit, regardless of its outcome.
	 *
	 * @throws ServiceError `rate-exceeded`
	 */
	takeRequest({ id, rate }: Caller): void {
		if (rate === undefined) return;
		const wait = this.#buckets.take(id, { perMinute: rate, burst: rate });
		if (wait === 0) return;
		throw new ServiceError('rate-exceeded', {
			detail: `${rate} requests per minute`,
			retry_after: Math.ceil(wait / 1000),
		});
	}

	/**
	 * Remaining limits of a key (draft-ietf-httpapi-ratelimit-headers-10): `minute` counts requests, `day` documents.
	 * Empty for a key without limits.
	 */
	async fields({ id, rate, quota }: Caller): Promise<Readonly<Record<string, string>>> {
		const policies: string[] = [];
		const left: string[] = [];
		if (rate !== undefined) {
			const { tokens, wait } = this.#buckets.peek(id, { perMinute: rate, burst: rate });
			policies.push(`"minute";q=${rate};w=60`);
			left.push(`"minute";r=${Math.floor(tokens)};t=${Math.ceil(wait / 1000)}`);
		}
		if (quota !== undefined) {
			const now = this.#now();
			const { had, unsaved } = await this.#today(id, now);
			const rest = Math.max(0, quota - had - unsaved - this.#reservedOf(id));
			policies.push(`"day";q=${quota};w=86400`);
			left.push(`"day";r=${rest};t=${secondsToMidnight(now)}`);
		}
		if (policies.length === 0) return {};
		return { 'ratelimit-policy': policies.join(', '), ratelimit: left.join(', ') };
	}

	/**
	 * Reserves documents from a caller's quota of today: all of them, or none.
	 *
	 * @throws ServiceError `quota-exceeded`
	 */
	async reserve({ id, quota }: Caller, documents: number): Promise<Reservation> {
		if (quota === undefined) return unlimited;
		const now = this.#now();
		const { had, unsaved } = await this.#today(id, now);
		const reserved = this.#reservedOf(id);
		if (had + unsaved + reserved + documents > quota) {
			const isFull = had + unsaved + documents > quota;
			throw new ServiceError('quota-exceeded', {
				detail: `${quota} documents per day (UTC)${isFull ? '' : `, and ${reserved} requested ones are not there yet`}`,
				retry_after: isFull ? secondsToMidnight(now) : pauseForReserved,
			});
		}
		return this.hold(id, documents);
	}

	/** Reserves documents without a check of the quota: those that were reserved before a restart. */
	hold(id: string, documents: number): Reservation {
		let open = documents;
		const free = (count: number): number => {
			const freed = Math.min(open, count);
			open -= freed;
			const rest = this.#reservedOf(id) - freed;
			if (rest > 0) this.#reserved.set(id, rest);
			else this.#reserved.delete(id);
			return freed;
		};
		this.#reserved.set(id, this.#reservedOf(id) + documents);
		return {
			keep: async () => {
				const today = await this.#today(id, this.#now());
				today.unsaved += free(1);
			},
			refund: () => void free(1),
			close: () => void free(open),
		};
	}

	/**
	 * Sends one document: it counts if there is one.
	 *
	 * @param work produces the result
	 * @param isDocument whether a result has a document
	 * @throws ServiceError `quota-exceeded`, and what `work` throws
	 */
	async handOver<Got>(caller: Caller, work: () => Promise<Got>, isDocument: (got: Got) => boolean): Promise<Got> {
		if (caller.quota === undefined) return work();
		const reservation = await this.reserve(caller, 1);
		try {
			const got = await work();
			if (isDocument(got)) await reservation.keep();
			return got;
		} finally {
			reservation.close();
		}
	}

	#reservedOf(id: string): number {
		return this.#reserved.get(id) ?? 0;
	}

	async #today(id: string, now: number): Promise<Day> {
		const day = dayOf(now);
		const known = this.#days.get(id);
		if (known?.day === day) return known;
		if (known !== undefined) await this.#save(id, known);
		const had = await this.#keys.addUsage(id, day, 0);
		// Another request may have looked meanwhile.
		const other = this.#days.get(id);
		if (other?.day === day) return other;
		const today = { day, had, unsaved: 0 };
		this.#days.set(id, today);
		return today;
	}

	/** Writes what was counted, and learns what other processes have counted. To be called now and then, and at the end. */
	async save(): Promise<void> {
		const now = this.#now();
		for (const [id, day] of this.#days) {
			await this.#save(id, day);
			if (day.day !== dayOf(now) && day.unsaved === 0) this.#days.delete(id);
		}
	}

	async #save(id: string, day: Day): Promise<void> {
		const { unsaved } = day;
		if (unsaved === 0) return;
		day.unsaved = 0;
		day.had += unsaved;
		try {
			day.had = await this.#keys.addUsage(id, day.day, unsaved);
		} catch (error) {
			day.unsaved += unsaved;
			day.had -= unsaved;
			throw error;
		}
	}
}

/** For a key without a quota. */
const unlimited: Reservation = { keep: async () => {}, refund() {}, close() {} };

/** Seconds after which reserved documents may have been refunded. */
const pauseForReserved = 5;

const secondsToMidnight = (now: number): number => Math.ceil((Date.parse(dayOf(now + day)) - now) / 1000);
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
