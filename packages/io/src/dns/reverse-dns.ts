import { LRUCache } from 'lru-cache';
import { confirmReverse, type ReverseAnswer, type ReverseOutcome } from './confirm.ts';
import { createResolver, type Resolver } from './resolver.ts';

export interface ReverseDnsOptions {
	/** Default: one that asks the servers of the system and gives each look-up `timeout`. */
	readonly resolver?: Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>;
	/** For one look-up, milliseconds. Default 2000. */
	readonly timeout?: number;
	/** For a whole confirmation, milliseconds. Default 5000. */
	readonly total?: number;
	/** Addresses whose answer is kept. Default 20,000. */
	readonly maxKept?: number;
	/** Confirmations under way at a time; more are answered with `dns-failed`, and that is not kept. Default 64. */
	readonly maxPending?: number;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** A kept answer. */
export interface KeptReverseAnswer extends ReverseAnswer {
	/** Milliseconds since 1970. */
	readonly checkedAt: number;
}

const minute = 60_000;

/** How long an answer holds. Trouble is forgotten soon, so that it never passes for an answer. */
const lifetimes = {
	confirmed: 6 * 60 * minute,
	mismatch: 60 * minute,
	'no-ptr': 60 * minute,
	'no-forward': 30 * minute,
	'dns-failed': 0.5 * minute,
	timeout: 0.5 * minute,
} as const satisfies Record<ReverseOutcome, number>;

/** Forward-confirmed reverse DNS with a memory: bounded, single-flight, and quick to forget trouble. */
export class ReverseDns {
	readonly #resolver: Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>;
	readonly #total: number;
	readonly #maxPending: number;
	readonly #now: () => number;
	readonly #kept: LRUCache<string, KeptReverseAnswer>;
	readonly #pending = new Map<string, Promise<KeptReverseAnswer>>();

	constructor({ timeout = 2000, total = 5000, maxKept = 20_000, ...options }: ReverseDnsOptions = {}) {
		this.#resolver = options.resolver ?? createResolver({ timeout });
		this.#total = total;
		this.#maxPending = options.maxPending ?? 64;
		this.#now = options.now ?? Date.now;
		// Not `max`, which allocates for all of them at once.
		this.#kept = new LRUCache({ maxSize: maxKept, sizeCalculation: () => 1 });
	}

	/** The cached result for an address, without a query. */
	peek(address: string, suffixes: readonly string[]): KeptReverseAnswer | undefined {
		const kept = this.#kept.get(keyOf(address, suffixes));
		return kept !== undefined && this.#now() - kept.checkedAt < lifetimes[kept.outcome] ? kept : undefined;
	}

	/** Whether the address belongs to one of the suffixes (see `confirmReverse`); never rejects. */
	async confirm(address: string, suffixes: readonly string[]): Promise<KeptReverseAnswer> {
		const kept = this.peek(address, suffixes);
		if (kept !== undefined) return kept;
		const key = keyOf(address, suffixes);
		const pending = this.#pending.get(key);
		if (pending !== undefined) return pending;
		if (this.#pending.size >= this.#maxPending) {
			return {
				outcome: 'dns-failed',
				names: [],
				forward: [],
				detail: 'too many pending DNS lookups',
				checkedAt: this.#now(),
			};
		}
		const asked = this.#ask(key, address, suffixes).finally(() => this.#pending.delete(key));
		this.#pending.set(key, asked);
		return asked;
	}

	async #ask(key: string, address: string, suffixes: readonly string[]): Promise<KeptReverseAnswer> {
		const options = { resolver: this.#resolver, total: this.#total };
		const answer = await confirmReverse(address, suffixes, options).catch(failed);
		const kept = { ...answer, checkedAt: this.#now() };
		this.#kept.set(key, kept);
		return kept;
	}
}

/** A resolver that throws is one in trouble. */
function failed(error: unknown): ReverseAnswer {
	return { outcome: 'dns-failed', names: [], forward: [], detail: String(error).slice(0, 200) };
}

function keyOf(address: string, suffixes: readonly string[]): string {
	return `${address} ${suffixes.join(' ')}`;
}
