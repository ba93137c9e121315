import { ServiceError } from '../problems/problem.ts';
import type { Caller } from './caller.ts';
import type { KeyStore } from './key-store.ts';
import { RequestRates } from './request-rates.ts';

const day = 86_400_000;

interface Day {
	readonly day: string;
	/** The count in the database as it was last read: the documents of all processes, their spare ones included. */
	counted: number;
	/** Documents that are counted there for this process, and not reserved. */
	spare: number;
}

/** Spare documents of a day are a twentieth of the quota, and no more than these. */
const maxSpare = 50;

/** Documents reserved for a caller: each is counted when it is sent, or refunded. */
export interface Reservation {
	/** One of them is sent. */
	keep(): void;
	/** Refunds one of them. */
	refund(): void;
	/** Refunds the rest. */
	close(): void;
}

/**
 * Limits of keys: requests per minute as tokens that all processes share, documents per day as a count in the database. A
 * document is counted there before it is sent, in blocks, so that several processes never send more than the quota
 * together. What is not sent is taken off again: spare ones within a second, reserved ones when they are refunded.
 */
export class Limits {
	readonly #keys: KeyStore;
	readonly #now: () => number;
	readonly #rates: RequestRates;
	readonly #days = new Map<string, Day>();
	readonly #reserved = new Map<string, number>();
	/** Refunds of earlier days, by day and key. */
	readonly #owed = new Map<string, { readonly id: string; readonly day: string; count: number }>();

	constructor(keys: KeyStore, now: () => number) {
		this.#keys = keys;
		this.#now = now;
		this.#rates = new RequestRates(keys, now);
	}

	/**
	 * Takes one request from a caller's limit, regardless of its outcome.
	 *
	 * @throws ServiceError `rate-exceeded`
	 */
	takeRequest(caller: Caller): void {
		const { rate } = caller;
		const wait = this.#takeOne(caller);
		if (wait === 0) return;
		throw new ServiceError('rate-exceeded', {
			detail: `${rate} requests per minute`,
			retry_after: Math.ceil(wait / 1000),
		});
	}

	/** Takes one request if the caller has one left. */
	tryRequest(caller: Caller): boolean {
		return this.#takeOne(caller) === 0;
	}

	/** Milliseconds to wait; 0: it is taken. */
	#takeOne({ id, rate, bucket }: Caller): number {
		return rate === undefined ? 0 : this.#rates.take(id, rate, bucket);
	}

	/** Whether the caller seems to have a request left; it is not taken. */
	hasRequest({ id, rate }: Caller): boolean {
		return rate === undefined || this.#rates.peek(id, rate).wait === 0;
	}

	/** The result of `fields` for a key without a quota. */
	rateFields({ id, rate }: Caller): Readonly<Record<string, string>> {
		if (rate === undefined) return {};
		const { tokens, wait } = this.#rates.peek(id, rate);
		return {
			'ratelimit-policy': `"minute";q=${rate};w=60`,
			ratelimit: `"minute";r=${Math.floor(tokens)};t=${Math.ceil(wait / 1000)}`,
		};
	}

	/**
	 * Remaining limits of a key (draft-ietf-httpapi-ratelimit-headers-10): `minute` counts requests, `day` documents.
	 * Empty for a key without limits.
	 */
	async fields(caller: Caller): Promise<Readonly<Record<string, string>>> {
		const { id, quota } = caller;
		if (quota === undefined) return this.rateFields(caller);
		const now = this.#now();
		const { counted, spare } = await this.#today(id, now);
		const rest = Math.max(0, quota - counted + spare);
		const { 'ratelimit-policy': policy, ratelimit: left } = this.rateFields(caller);
		const join = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined).join(', ');
		return {
			'ratelimit-policy': join(policy, `"day";q=${quota};w=86400`),
			ratelimit: join(left, `"day";r=${rest};t=${secondsToMidnight(now)}`),
		};
	}

	/**
	 * Reserves documents from a caller's quota of today: all of them, or none.
	 *
	 * @throws ServiceError `quota-exceeded`
	 */
	async reserve({ id, quota }: Caller, documents: number): Promise<Reservation> {
		if (quota === undefined) return unlimited;
		const now = this.#now();
		const today = await this.#today(id, now);
		if (today.spare < documents) await this.#takeBlock(id, today, documents - today.spare, quota);
		if (today.spare < documents) {
			const reserved = this.#reservedOf(id);
			const isFull = today.counted - today.spare - reserved + documents > quota;
			throw new ServiceError('quota-exceeded', {
				detail: `${quota} documents per day (UTC)${isFull ? '' : `, and ${reserved} requested ones are not there yet`}`,
				retry_after: isFull ? secondsToMidnight(now) : pauseForReserved,
			});
		}
		today.spare -= documents;
		return this.hold({ id, quota }, documents, today.day);
	}

	/**
	 * Documents that were counted on a day before a restart, or in another process.
	 *
	 * @param day `2026-12-01`
	 */
	hold(
		{ id, quota }: { readonly id: string; readonly quota?: number | undefined },
		documents: number,
		day: string,
	): Reservation {
		if (quota === undefined) return unlimited;
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
			keep: () => void free(1),
			refund: () => this.#giveBack(id, day, free(1)),
			close: () => this.#giveBack(id, day, free(open)),
		};
	}

	#giveBack(id: string, day: string, count: number): void {
		if (count === 0) return;
		const known = this.#days.get(id);
		if (known?.day === day) {
			known.spare += count;
			return;
		}
		const owed = this.#owed.get(`${day} ${id}`) ?? { id, day, count: 0 };
		owed.count += count;
		this.#owed.set(`${day} ${id}`, owed);
	}

	async #takeBlock(id: string, today: Day, needed: number, quota: number): Promise<void> {
		const wanted = Math.max(needed, Math.min(maxSpare, Math.floor(quota / 20)));
		const { taken, counted } = await this.#keys.takeUsage(id, today.day, wanted, quota);
		today.spare += taken;
		today.counted = counted;
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
			if (isDocument(got)) reservation.keep();
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
		if (known !== undefined) await this.#return(id, known);
		const counted = await this.#keys.addUsage(id, day, 0);
		// Another request may have looked meanwhile.
		const other = this.#days.get(id);
		if (other?.day === day) return other;
		const today = { day, counted, spare: 0 };
		this.#days.set(id, today);
		return today;
	}

	/** Tells other processes what was permitted, and takes off the count what is spare. To be called every second, and at the end. */
	async save(): Promise<void> {
		await this.#rates.save();
		const today = dayOf(this.#now());
		for (const [id, day] of this.#days) {
			await this.#return(id, day);
			if (day.day !== today && day.spare === 0) this.#days.delete(id);
		}
		for (const [key, { id, day, count }] of this.#owed) {
			this.#owed.delete(key);
			await this.#keys.addUsage(id, day, -count).catch((error) => {
				this.#giveBack(id, day, count);
				throw error;
			});
		}
	}

	async #return(id: string, day: Day): Promise<void> {
		const { spare } = day;
		if (spare === 0) return;
		day.spare = 0;
		day.counted -= spare;
		try {
			day.counted = await this.#keys.addUsage(id, day.day, -spare);
		} catch (error) {
			day.spare += spare;
			day.counted += spare;
			throw error;
		}
	}
}

/** For a key without a quota. */
const unlimited: Reservation = { keep() {}, refund() {}, close() {} };

/** Seconds after which reserved documents may have been refunded. */
const pauseForReserved = 5;

const secondsToMidnight = (now: number): number => Math.ceil((Date.parse(dayOf(now + day)) - now) / 1000);
/** The day (UTC) of a time. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
