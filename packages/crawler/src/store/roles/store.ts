import type { Clock } from '../../base/clock.ts';
import type { MinHashSignature } from '../../model/minhash-signature.ts';
import type { Ending, Reason } from '../../model/outcome.ts';
import type { Result } from '../../model/result.ts';
import type { ChangeStore } from './changes.ts';
import type { Batch, Committed } from './commit.ts';
import type { Ended, EndWhere, FrontierUrl, KnownUrl, NewUrl, RunRequest, RunState, UrlKind } from './frontier.ts';
import type { HostRecord } from './leases.ts';
import type {
	Comparable,
	DocumentPlace,
	GivenOptions,
	KeptDocument,
	KeptPage,
	KnownLikeness,
	SiteOf,
	SitePage,
	Snapshot,
	StoredResultsOptions,
	UnvisitedOptions,
} from './pages.ts';
import type { KeptAnswer, PolicyFile } from './policies.ts';
import type { Tally } from './tally.ts';

/**
 * Where a crawl keeps what it knows: the frontier, the pages, the policy files, the positions of the sinks.
 *
 * One implementation per database. The unit of work is the host: whoever holds it may visit its URLs, and its clock
 * (`nextAt`) goes with it. What one visit changes is committed in one transaction, so that a crash loses nothing that
 * was reported and repeats nothing.
 */
export interface Store {
	/** What tells whether anything has changed. */
	readonly changes: ChangeStore;
	/** Whether other processes may work with it at the same time, each on hosts of its own. */
	readonly shared: boolean;
	/**
	 * Takes back the hosts whose holder has died. Their clocks tell of the last moment at which the dead may have asked for
	 * something. A store that is shared goes on doing so, and calls `onFreed` when hosts may have become free.
	 * Where nobody else is at work, what could not be had before is forgotten: it is asked for anew.
	 */
	recover(at: number, onFreed?: () => void): Promise<void>;
	/**
	 * Resolves when the hosts that are held are surely ours for long enough to send another request, with a signal that is
	 * aborted when what is in flight has to end because they soon may be somebody else's.
	 *
	 * @throws CrawlError `lease-lost`
	 */
	assure(): Promise<AbortSignal | undefined>;
	/** Whether URLs wait that a worker, this one or another, will visit. */
	unfinished(): Promise<boolean>;
	/**
	 * Takes places for `wanted` documents of the `most` that the run may bring, as far as there are any, until they are
	 * committed; a negative number gives places back. `exhausted`: as many as that were brought.
	 */
	reserve(most: number, wanted: number): Promise<{ readonly granted: number; readonly exhausted: boolean }>;
	/** Hosts that other workers would visit now if they had any. */
	wanted(): Promise<number>;
	/** Starts a run or continues the one that was interrupted, and queues the seeds. */
	begin(request: RunRequest): Promise<RunState>;
	/** Judges again what was out of scope, after that has changed; returns how many URLs wait now that did not. */
	reconsider(judge: RunRequest['reconsider']): Promise<number>;
	/** Where redirects of seeds have led, whoever has followed them. */
	widened(): Promise<string[]>;
	/** Whether something may be out of scope only because a worker has died before it could look at it again. */
	unjudged(): Promise<boolean>;
	/**
	 * Takes up to `limit` hosts that have URLs waiting and that nobody holds, those whose clock is earliest first.
	 *
	 * @param except numbers of hosts that are left to others
	 */
	claimHosts(limit: number, except?: readonly number[]): Promise<HostRecord[]>;
	/** Takes one host by name, known or not; undefined when somebody else holds it. */
	claimHost(name: string): Promise<HostRecord | undefined>;
	/** Gives a host back, with its clock. */
	releaseHost(host: HostRecord): Promise<void>;
	/**
	 * URLs of a host that wait and are due by `now`: nearest to the seeds first, then in the order found.
	 *
	 * @param last URL prefixes that sort behind all others, as do URLs whose last try got 429 or 503
	 */
	pending(host: number, kind: UrlKind, now: number, limit: number, last?: readonly string[]): Promise<FrontierUrl[]>;
	/** The earliest moment at which one of the waiting URLs of a host is due; undefined when none waits. */
	nextDue(host: number): Promise<number | undefined>;
	/** How many URLs of a host wait. */
	waiting(host: number): Promise<number>;
	/** What is known of a URL, as a page unless something else is said. */
	find(url: string, kind?: UrlKind): Promise<KnownUrl | undefined>;
	/** Whether the user asked to forget the URL or its host: then it is never requested. */
	isForgotten(url: string): Promise<boolean>;
	/** The stored snapshot of a page. */
	snapshot(url: string): Promise<Snapshot | undefined>;
	/** Writes what visits have changed, and how far the sinks have come: all of it or nothing. */
	commit(batch: Batch): Promise<Committed>;
	/** Adds URLs that no visit has found; returns how many new ones wait now, by host name. */
	offer(found: readonly NewUrl[]): Promise<Committed['added']>;
	/** Pages whose text may be like a given one; of pages that are alike only the first. */
	lookalikes(likeness: MinHashSignature): Promise<KnownLikeness[]>;
	/** Learned address patterns of a host, as JSON. */
	learned(host: number): Promise<string | undefined>;
	/** Pages by the names that visits gave them, and by their addresses. */
	comparable(names: readonly string[], urls: readonly string[]): Promise<Comparable[]>;
	/** Queues the URLs of a host again that were skipped without a request; returns how many. */
	reopen(host: number, reasons: readonly Reason[]): Promise<number>;
	/** Queues URLs again that were aliases of some pages; returns how many. */
	reopenAliases(pages: readonly string[]): Promise<number>;
	/** Records a page that was visited outside of a run. */
	keep(page: KeptPage): Promise<void>;
	/** Ends all waiting URLs, or those of a host or of one origin of it, in one step. */
	endPending(ending: Ending, at: number, where?: EndWhere): Promise<Ended>;
	/** Up to `limit` pages of a site that were visited, in the order of their addresses, from behind `after` on. */
	pagesOf(site: SiteOf, after: string, limit: number): Promise<SitePage[]>;
	/** Up to `limit` kept documents that were fetched after a place in that order, oldest first. */
	documentsSince(place: DocumentPlace, limit: number): Promise<KeptDocument[]>;
	/** Removes what is kept of up to `limit` pages of a site, or of one of them; returns their addresses. */
	forgetPages(site: SiteOf, url: string | undefined, limit: number): Promise<string[]>;
	policyFile(url: string): Promise<PolicyFile | undefined>;
	savePolicyFile(file: PolicyFile): Promise<void>;
	/** What an origin has answered to us when it was asked (robots2.txt §6), as far as it holds at `now`. */
	askAnswers(origin: string, identity: string, now: number): Promise<KeptAnswer[]>;
	/** In place of an earlier answer to the same question. */
	saveAskAnswer(answer: KeptAnswer): Promise<void>;
	/** What the store holds now, in the order found, a few results at a time. */
	results(options?: StoredResultsOptions): AsyncIterable<Result[]>;
	/** What was given to the sinks before this run went on, in the order found, a few results at a time. */
	given(which: GivenOptions): AsyncIterable<Result[]>;
	/**
	 * Some of the URLs that ended without a visit, behind that with the number `after`; `last` is the number of the last
	 * of them, undefined when there are no more. With the document of an earlier run where one stands, but for what only
	 * waits for a run without the limit of pages: that is given when it is visited.
	 */
	unvisited(
		after: number,
		which: UnvisitedOptions,
	): Promise<{ readonly results: Result[]; readonly last: number | undefined }>;
	/** Counts by outcome, reason and evidence over everything known. */
	tally(): Promise<Tally>;
	/** Marks the run as ended, or as interrupted; hosts still held are given back. */
	end(complete: boolean, at: number): Promise<void>;
	close(): Promise<void>;
}

/** How a store is opened. Times are milliseconds. */
export interface StoreOptions {
	readonly clock?: Clock;
	/** The hosts of a worker that was not heard of for so long are others' then, and go on. Default 20,000. */
	readonly lease?: number;
	/** How long to wait for a database server that has gone away. Default 600,000. */
	readonly patience?: number;
	/** Told when the server goes away, and when it is back. */
	readonly onTrouble?: (trouble: StoreTrouble) => void;
}

/** What a store tells of its server. */
export interface StoreTrouble {
	/** `lost`: it cannot be reached, and is tried again and again; `back`: it can. */
	readonly state: 'lost' | 'back';
	readonly detail: string;
}
