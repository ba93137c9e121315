import type { FetchResult, FetchSuccess } from '@wayleave/io/http';
import { type Capture, type Exchange, type RecordFor, toExchange } from '../../model/exchange.ts';

/** Collects what goes over the wire, until the visits that it belongs to are committed. */
export class Recorder {
	/** The archive, as its records will name it. */
	readonly #archive: string;
	readonly #visits = new WeakMap<object, Exchange[]>();
	readonly #exchanges = new WeakMap<FetchSuccess, Exchange>();
	#policies: Exchange[] = [];

	constructor(archive: string) {
		this.#archive = archive;
	}

	/** @param at when the request went out; milliseconds since 1970 */
	note(response: FetchResult, owner: RecordFor, at: number): void {
		const exchange = toExchange(response, at);
		if (exchange === undefined) return;
		if (response.ok) this.#exchanges.set(response, exchange);
		if (owner === 'policy') this.#policies.push(exchange);
		else this.#visits.set(owner, [...(this.#visits.get(owner) ?? []), exchange]);
	}

	/**
	 * The record with the content of a page from now on: that of this response, or the earlier one that it only repeats.
	 * Undefined where the archive has none.
	 */
	capture(response: FetchSuccess, earlier: Capture | undefined): Capture | undefined {
		const exchange = this.#exchanges.get(response);
		if (exchange === undefined) return undefined;
		const known = earlier?.archive === this.#archive ? earlier : undefined;
		if (known !== undefined && (exchange.status === 304 || exchange.digest === known.digest)) {
			exchange.repeats = known;
			return known;
		}
		const { id, at, digest, status } = exchange;
		return status === 304 ? undefined : { id, at: new Date(at).toISOString(), digest, archive: this.#archive };
	}

	/** Takes the exchanges of a visit, in order; once. */
	take(visit: object): Exchange[] {
		const exchanges = this.#visits.get(visit) ?? [];
		this.#visits.delete(visit);
		return exchanges;
	}

	/** The policy files since the last call. */
	takePolicies(): Exchange[] {
		const policies = this.#policies;
		this.#policies = [];
		return policies;
	}
}
