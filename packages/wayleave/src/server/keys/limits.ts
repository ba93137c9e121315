import { ServiceError } from '../problem.ts';
import type { Caller } from './caller.ts';
import type { KeyStore } from './key-store.ts';

const minute = 60_000;

interface Bucket {
	tokens: number;
	at: number;
}

interface Day {
	readonly day: string;
	/** What the database said at last, and what was asked for since. */
	had: number;
	unsaved: number;
}

/** What keys may do in which time: requests per minute as a bucket of tokens, documents per day as a count that is stored. */
export class Limits {
	readonly #keys: KeyStore;
	readonly #now: () => number;
	readonly #buckets = new Map<string, Bucket>();
	readonly #days = new Map<string, Day>();

	constructor(keys: KeyStore, now: () => number) {
		this.#keys = keys;
		this.#now = now;
	}

	/**
	 * Takes one request from what a caller may make.
	 *
	 * @returns headers that say what is left
	 * @throws ServiceError `rate-exceeded`
	 */
	takeRequest({ id, rate }: Caller): Readonly<Record<string, string>> {
		if (rate === undefined) return {};
		const now = this.#now();
		const { tokens, at } = this.#buckets.get(id) ?? { tokens: rate, at: now };
		const filled = Math.min(rate, tokens + ((now - at) * rate) / minute);
		const left = filled >= 1 ? filled - 1 : filled;
		this.#buckets.set(id, { tokens: left, at: now });
		const wait = Math.max(1, Math.ceil(((1 - left) * 60) / rate));
		const headers = {
			'ratelimit-policy': `"minute";q=${rate};w=60`,
			ratelimit: `"minute";r=${Math.floor(left)};t=${left >= 1 ? 0 : wait}`,
		};
		if (filled >= 1) return headers;
		throw new ServiceError('rate-exceeded', { detail: `${rate} requests per minute`, retry_after: wait }, headers);
	}

	/**
	 * Takes documents from what a caller may have today. All of them, or none.
	 *
	 * @throws ServiceError `quota-exceeded`
	 */
	async takeDocuments({ id, quota }: Caller, documents: number): Promise<void> {
		if (quota === undefined) return;
		const now = this.#now();
		const today = await this.#today(id, now);
		if (today.had + today.unsaved + documents > quota) {
			const retry_after = Math.ceil((Date.parse(dayOf(now + 24 * 60 * minute)) - now) / 1000);
			throw new ServiceError('quota-exceeded', { detail: `${quota} documents per day (UTC)`, retry_after });
		}
		today.unsaved += documents;
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
		for (const [id, { at }] of this.#buckets) if (now - at >= minute) this.#buckets.delete(id);
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

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
