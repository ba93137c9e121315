import type { ChangeHistory, ChangeReader } from './changes.ts';
import type { FrontierReader, UrlRecord } from './frontier.ts';
import type { HostState, LeasesReader, WaitingHost } from './leases.ts';
import type { ForgetTarget, Forgotten, PagesReader, Pruned, PruneOptions, StoredPage } from './pages.ts';
import type { PolicyReader, StoredPolicyFile } from './policies.ts';
import type { Tally } from './tally.ts';
import type { WatchReader } from './watch.ts';

/** The part of a store that shows its content, also while a crawl uses it. */
export interface StoreReader {
	readonly frontier: FrontierReader;
	readonly pages: PagesReader;
	readonly policies: PolicyReader;
	readonly changes: ChangeReader;
	readonly leases: LeasesReader;
	readonly watch?: WatchReader;
	/**
	 * Deletes old documents and gives their space back. The URLs stay, and the next crawl fetches the pages in full.
	 *
	 * @throws CrawlError `store-in-use` while a crawl uses the store
	 */
	prune(options: PruneOptions): Promise<Pruned>;
	/**
	 * Removes the stored content of a URL or a host. No later crawl requests it, until `remember` undoes this.
	 *
	 * @throws CrawlError `store-in-use` while a crawl uses the store
	 */
	forget(target: ForgetTarget): Promise<Forgotten>;
	/** Undoes `forget`; returns whether there was something to undo. */
	remember(target: ForgetTarget): Promise<boolean>;
	/**
	 * Lets the next crawl send notices that receivers have rejected, also to receivers that have stopped; returns how many.
	 *
	 * @throws CrawlError `store-in-use` while a crawl uses the store
	 */
	retryNotices?(): Promise<number>;
	close(): Promise<void>;
}

/** Everything that a store knows of one URL. Times are RFC 3339. */
export interface UrlHistory extends Omit<UrlRecord, 'host'>, ChangeHistory {
	readonly host?: HostState;
	/** Its stored copy. */
	readonly page?: StoredPage;
	/** The files in which its site states its terms, as they were last fetched. */
	readonly policyFiles: readonly StoredPolicyFile[];
}

/** The status of a store. Times are RFC 3339, sizes bytes. */
export interface StoreStatus extends Tally {
	/** The last run; absent in a store that no crawl has used. */
	readonly run?: {
		readonly mode: string;
		readonly startedAt: string;
		readonly endedAt?: string;
		/** `open` while it goes on; `killed` when it did not come to an end: the next crawl resumes it. */
		readonly state: 'complete' | 'interrupted' | 'open' | 'killed';
	};
	/** Known pages of every outcome. */
	readonly urls: number;
	readonly hosts: number;
	/** URLs that wait in an outbox for the database of their host; absent when there are none. */
	readonly outgoing?: number;
	/** The hosts with the most URLs to visit. */
	readonly waiting: readonly WaitingHost[];
	readonly pages: { readonly documents: number; readonly bytes: number };
	readonly policyFiles: number;
	/** Of the database, with everything in it. */
	readonly bytes: number;
}
