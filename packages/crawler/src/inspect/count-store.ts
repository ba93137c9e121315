import type { Outcome, Reason } from '../model/outcome.ts';
import type { UrlCount } from '../store/roles/frontier.ts';
import type { StoreReader } from '../store/roles/reader.ts';

/** How many URLs ended in one way. */
export type EndingCount = Omit<UrlCount, 'kind' | 'host'>;

/** How far the URLs of one host have come. */
export interface HostCount {
	readonly host: string;
	readonly done: number;
	readonly waiting: number;
	/** Of those done, pages with a document. */
	readonly read: number;
}

/** The counts so far; complete when `isComplete`. */
export interface StoreCounts {
	readonly isComplete: boolean;
	/** URLs counted, sitemaps included. */
	readonly counted: number;
	readonly pages: readonly EndingCount[];
	readonly sitemaps: readonly EndingCount[];
	/** Those with the most URLs. */
	readonly hosts: readonly HostCount[];
	/** Hosts counted together because there were too many to list. */
	readonly otherHosts: number;
	/** Visits to pages in slices of the last run, oldest first. Milliseconds since 1970. */
	readonly speed: readonly { readonly at: number; readonly visits: number }[];
	/** Length of a slice; milliseconds. */
	readonly step: number;
	/** When the count began; milliseconds since 1970. */
	readonly startedAt: number;
}

/** Hosts counted one by one; an outcome has few reasons, but a status is one too. */
const maxHosts = 1000;
const maxShown = 200;
const slices = 60;

/**
 * Counts a store of any size a piece at a time: each call of `step` examines a bounded number of URLs, so that neither a
 * crawl nor the page that shows the counts waits for all of them.
 */
export class StoreCounter {
	readonly #store: StoreReader;
	readonly #rows: number;
	readonly #now: () => number;
	#after: number | undefined = 0;
	#counted = 0;
	#startedAt = 0;
	#since = 0;
	#step = 1000;
	readonly #endings = { page: new Map<string, EndingCount>(), sitemap: new Map<string, EndingCount>() };
	readonly #hosts = new Map<string, HostCount>();
	readonly #others = new Set<string>();
	#speed: number[] = [];

	/** @param rows URLs that one call examines */
	constructor(store: StoreReader, rows: number, now: () => number) {
		this.#store = store;
		this.#rows = rows;
		this.#now = now;
	}

	/** Counts the next piece; does nothing once all are counted. */
	async step(): Promise<StoreCounts> {
		if (this.#after === 0) await this.#begin();
		if (this.#after !== undefined) {
			const slicing = { since: this.#since, step: this.#step };
			const { counts, slices: parts, next } = await this.#store.frontier.count(this.#after, this.#rows, slicing);
			for (const { kind, outcome, reason, host, count } of counts) {
				this.#counted += count;
				addEnding(this.#endings[kind], outcome, reason, count);
				if (host !== undefined && kind === 'page') this.#addHost(host, outcome, count);
			}
			for (const { slice, count } of parts)
				this.#speed[Math.min(slice, slices)] = (this.#speed[Math.min(slice, slices)] ?? 0) + count;
			this.#after = next;
		}
		return this.#show();
	}

	async #begin(): Promise<void> {
		const run = await this.#store.frontier.lastRun();
		this.#startedAt = this.#now();
		this.#since = run?.startedAt ?? this.#startedAt;
		const until = run?.endedAt ?? this.#startedAt;
		this.#step = Math.max(1000, Math.ceil((until - this.#since) / slices));
	}

	#addHost(host: string, outcome: Outcome | undefined, count: number): void {
		const known = this.#hosts.get(host);
		if (known === undefined && this.#hosts.size >= maxHosts) {
			if (this.#others.size < maxHosts) this.#others.add(host);
			return;
		}
		const { done = 0, waiting = 0, read = 0 } = known ?? {};
		const isRead = outcome === 'fetched' || outcome === 'unchanged';
		this.#hosts.set(host, {
			host,
			done: done + (outcome === undefined ? 0 : count),
			waiting: waiting + (outcome === undefined ? count : 0),
			read: read + (isRead ? count : 0),
		});
	}

	#show(): StoreCounts {
		const byCount = (a: EndingCount, b: EndingCount) => b.count - a.count;
		const hosts = [...this.#hosts.values()].sort((a, b) => b.done + b.waiting - (a.done + a.waiting));
		return {
			isComplete: this.#after === undefined,
			counted: this.#counted,
			pages: [...this.#endings.page.values()].sort(byCount),
			sitemaps: [...this.#endings.sitemap.values()].sort(byCount),
			hosts: hosts.slice(0, maxShown),
			otherHosts: Math.max(0, hosts.length - maxShown) + this.#others.size,
			speed: Array.from(this.#speed, (visits = 0, slice) => ({ at: this.#since + slice * this.#step, visits })),
			step: this.#step,
			startedAt: this.#startedAt,
		};
	}
}

function addEnding(
	counts: Map<string, EndingCount>,
	outcome: Outcome | undefined,
	reason: Reason | undefined,
	count: number,
): void {
	const key = `${outcome} ${reason}`;
	const before = counts.get(key)?.count ?? 0;
	counts.set(key, { ...(outcome && { outcome }), ...(reason && { reason }), count: before + count });
}
