import { compileRanges, type RangeIndex } from '@wayleave/protocols/jafar';
import { day, hour } from './lifetime.ts';
import { type Received, readNarrow, receive } from './receive.ts';
import { requestList } from './request.ts';
import type { StoredRangeList } from './store.ts';
import type { RangeAnswer, RangeListStatus, RangeListsOptions } from './types.ts';

interface Entry {
	received: Received;
	index: RangeIndex | undefined;
	loading: Promise<void>;
	polling: Promise<void> | undefined;
}

/**
 * Published lists of address ranges, kept current by the rules of JAFAR §3.1 and §3.2: asked for about daily, never more
 * often than hourly unless the publisher's caching headers permit it, conditionally, and with the last good list in use
 * whatever the next one is.
 *
 * ```ts
 * const lists = new RangeLists({ fetcher, store: fileRangeStore('./.wayleave/ranges') });
 * lists.add('https://openai.com/gptbot.json');
 * lists.start();
 * lists.lookup('https://openai.com/gptbot.json', '192.0.2.1').result; // 'not-listed'
 * ```
 */
export class RangeLists {
	readonly #options: RangeListsOptions;
	readonly #interval: number;
	readonly #now: () => number;
	readonly #entries = new Map<string, Entry>();
	readonly #polls = new Set<AbortController>();
	/** All lists as one index, made when it is first needed after a change. */
	#union: { readonly index: RangeIndex; readonly urls: readonly string[] } | undefined;
	#closed = false;
	#timer: NodeJS.Timeout | undefined;
	#running = false;
	#firstRound: Promise<void> = Promise.resolve();

	constructor(options: RangeListsOptions) {
		this.#options = options;
		this.#interval = Math.max(options.interval ?? day, hour);
		this.#now = options.now ?? Date.now;
	}

	/** Makes a list known; it is read from the store, and asked for once `start` or `refresh` is called. */
	add(url: string): void {
		this.#entryOf(url);
	}

	#entryOf(url: string): Entry {
		const known = this.#entries.get(url);
		if (known !== undefined) return known;
		const received: Received = { stored: { url, earliest: 0, failures: 0 }, list: undefined, problems: [] };
		const entry: Entry = { received, index: undefined, loading: Promise.resolve(), polling: undefined };
		this.#entries.set(url, entry);
		entry.loading = this.#load(entry);
		if (this.#running) void this.#round();
		return entry;
	}

	/** Looks an address up in an added list, from memory. */
	lookup(url: string, address: string): RangeAnswer {
		const entry = this.#entries.get(url);
		const { stored, list } = entry?.received ?? {};
		if (entry?.index === undefined || list === undefined || stored?.confirmedAt === undefined)
			return { result: 'unavailable', stale: true };
		const about = { stale: this.#isStale(stored), confirmedAt: stored.confirmedAt };
		const [match] = entry.index.lookup(address);
		if (match !== undefined) return { result: 'listed', prefix: match.prefix, services: match.services, ...about };
		return { result: list.prefixes.length === 0 ? 'empty' : 'not-listed', ...about };
	}

	/** The first list, in the order in which they were added, that holds an address. */
	find(address: string): { readonly url: string; readonly answer: RangeAnswer } | undefined {
		this.#union ??= this.#compileUnion();
		const [match] = this.#union.index.lookup(address);
		const url = match && this.#union.urls[match.list];
		return url === undefined ? undefined : { url, answer: this.lookup(url, address) };
	}

	#compileUnion() {
		const known = [...this.#entries.values()].filter(({ received }) => received.list !== undefined);
		const index = compileRanges(known.map(({ received }) => ({ prefixes: received.list?.prefixes ?? [] })));
		return { index, urls: known.map(({ received }) => received.stored.url) };
	}

	status(url: string): RangeListStatus | undefined {
		const entry = this.#entries.get(url);
		return entry && this.#describe(entry.received);
	}

	/** All lists, in the order in which they were added. */
	statuses(): RangeListStatus[] {
		return Array.from(this.#entries.values(), ({ received }) => this.#describe(received));
	}

	/** Asks for a list now if its publisher permits it; callers at the same time share one request. */
	async refresh(url: string): Promise<RangeListStatus> {
		const entry = this.#entryOf(url);
		await entry.loading;
		const permitted = this.#now() >= entry.received.stored.earliest && !this.#closed;
		if (entry.polling === undefined && permitted) {
			entry.polling = this.#poll(entry).finally(() => {
				entry.polling = undefined;
			});
		}
		await entry.polling;
		return this.#describe(entry.received);
	}

	/** Polls from now on, each list in its own time, until `close`. The timer does not keep the process alive. */
	start(): void {
		if (this.#running || this.#closed) return;
		this.#running = true;
		this.#firstRound = this.#round();
	}

	/** Settles when every list that was known at the start has been asked for once. */
	get firstRound(): Promise<void> {
		return this.#firstRound;
	}

	/** Ends polling. Lists that are in memory can still be asked. */
	close(): void {
		this.#running = false;
		clearTimeout(this.#timer);
		this.#closed = true;
		for (const poll of this.#polls) poll.abort();
	}

	/** Refreshes what is due and sleeps until the next list is. */
	async #round(): Promise<void> {
		await Promise.all(Array.from(this.#entries.values(), ({ loading }) => loading));
		const due = [...this.#entries.values()].filter(({ received }) => this.#dueAt(received) <= this.#now());
		await Promise.all(due.map(({ received }) => this.refresh(received.stored.url)));
		if (!this.#running) return;
		const next = Math.min(...Array.from(this.#entries.values(), ({ received }) => this.#dueAt(received)));
		clearTimeout(this.#timer);
		// Awake at least hourly, because long timers drift when a machine sleeps.
		this.#timer = setTimeout(() => void this.#round(), Math.min(Math.max(next - this.#now(), 1000), hour)).unref();
	}

	#dueAt({ stored, list }: Received): number {
		if (list === undefined || stored.confirmedAt === undefined || stored.failures > 0) return stored.earliest;
		return Math.max(stored.earliest, stored.confirmedAt + this.#interval);
	}

	async #load(entry: Entry): Promise<void> {
		const { url } = entry.received.stored;
		const stored = await this.#options.store?.load(url).catch(() => undefined);
		if (stored === undefined) return;
		const parsed = stored.body === undefined ? undefined : readNarrow(stored.body, this.#isBroadAllowed(url));
		const { earliest, failures, fault } = stored;
		// Without the body nothing of it is kept: its validators would confirm a list that we do not have.
		const bare = { url, earliest, failures, ...(fault !== undefined && { fault }) };
		const list = stored.confirmedAt === undefined ? undefined : parsed?.value;
		const kept = list === undefined ? bare : stored;
		this.#union = undefined;
		keep(entry, { stored: inOurTime(kept, this.#now()), list, problems: parsed?.problems ?? [] });
	}

	async #poll(entry: Entry): Promise<void> {
		const before = { ...entry.received, stored: { ...entry.received.stored, earliest: this.#now() + hour } };
		// Written down first: a process that dies while it asks has asked.
		keep(entry, before);
		await this.#save(entry);
		const { fetcher, maxBytes = 4 << 20 } = this.#options;
		const poll = new AbortController();
		this.#polls.add(poll);
		const response = await requestList(fetcher, before.stored, { maxBytes, signal: poll.signal });
		this.#polls.delete(poll);
		if (this.#closed) return;
		this.#union = undefined;
		keep(entry, receive(before, response, this.#now(), this.#isBroadAllowed(before.stored.url)));
		const { fault } = entry.received.stored;
		if (fault !== undefined && fault !== before.stored.fault) this.#options.onFault?.(this.#describe(entry.received));
		await this.#save(entry);
	}

	#isBroadAllowed(url: string): boolean {
		return this.#options.allowBroad?.includes(url) === true;
	}

	async #save({ received }: Entry): Promise<void> {
		await this.#options.store?.save(received.stored).catch(() => {});
	}

	/** Two polls missed, or the lifetime that the publisher stated is over by one. */
	#isStale({ confirmedAt, pause = 0 }: StoredRangeList): boolean {
		return confirmedAt === undefined || this.#now() > confirmedAt + Math.max(pause, this.#interval) + this.#interval;
	}

	#describe({ stored, list, problems }: Received): RangeListStatus {
		const { url, confirmedAt, earliest, failures, fault } = stored;
		return {
			url,
			...(list !== undefined && { ranges: list.prefixes.length }),
			...(confirmedAt !== undefined && { confirmedAt }),
			stale: this.#isStale(stored),
			earliest,
			failures,
			...(fault !== undefined && { fault }),
			problems,
		};
	}
}

function keep(entry: Entry, received: Received): void {
	const { list } = received;
	if (list !== entry.received.list) entry.index = list && compileRanges([list]);
	entry.received = received;
}

/** Without this, times written by a clock that ran ahead would stop polling, and the list would never be old. */
function inOurTime(stored: StoredRangeList, now: number): StoredRangeList {
	if (stored.confirmedAt === undefined || stored.confirmedAt <= now) return stored;
	return { ...stored, confirmedAt: 0, earliest: Math.min(stored.earliest, now + hour) };
}
