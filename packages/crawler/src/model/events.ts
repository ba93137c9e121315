import type { Evidence } from '@wayleave/protocols';
import type { TrustLevel } from '@wayleave/protocols/pagedigest';
import type { LearnedHost } from './learned-addresses.ts';
import type { Outcome, Reason } from './outcome.ts';
import type { PageChange } from './page-change.ts';
import type { Result } from './result.ts';

/** Events of a crawl. All times are RFC 3339. */
export type CrawlEvent =
	| StartEvent
	| PageEvent
	| RobotsEvent
	| AskEvent
	| SitemapEvent
	| ManifestEvent
	| AuditEvent
	| TrustEvent
	| WaitEvent
	| HostEvent
	| ProblemEvent
	| StoreEvent
	| DoneEvent
	| CycleEvent
	| ChangeEvent
	| NoticeEvent;

/** How this run began: new, resumed, or as a refresh. */
export type RunMode = 'new' | 'resume' | 'refresh';

export interface StartEvent {
	readonly type: 'start';
	readonly mode: RunMode;
	/** URLs waiting for a visit. */
	readonly pending: number;
	/** URLs known in all. */
	readonly known: number;
	/** Other processes that work on this run already. */
	readonly workers: number;
	/** How the address rules differ from those of the run before, in sentences. */
	readonly changed?: readonly string[];
}

/** One URL has ended; the same as the `Result`, without the document. */
export interface PageEvent extends Omit<Result, 'document' | 'page' | 'policy' | 'chunks' | 'redirectedTo'> {
	readonly type: 'page';
	/** Decoded bytes of the body. */
	readonly bytes?: number;
	/** New URLs that the page led to. */
	readonly newLinks?: number;
}

/** A policy file of a site was fetched, or could not be. */
export interface RobotsEvent {
	readonly type: 'robots';
	/** The file: robots.txt or robots2.txt. */
	readonly url: string;
	readonly state: 'read' | 'none' | 'unreachable' | 'unchanged' | 'stale';
	readonly detail?: string;
	readonly status?: number;
}

/** A site was asked for a permission, and answered. */
export interface AskEvent {
	readonly type: 'ask';
	/** The URL that was asked. */
	readonly url: string;
	readonly directive: string;
	readonly decision: 'allow' | 'allow-once' | 'deny' | 'later';
	/** Paths that the permission is limited to; absent = the whole site. */
	readonly scopes?: readonly string[];
	/** For `deny`: what it stands for. */
	readonly detail?: string;
	/** Until when it is not asked again; absent for a response that is used once. */
	readonly until?: string;
}

export interface SitemapEvent extends Pick<Result, 'url' | 'outcome' | 'reason' | 'detail'> {
	readonly type: 'sitemap';
	/** URLs and further sitemaps listed in it. */
	readonly urls: number;
	readonly sitemaps: number;
}

/** The manifest of a site (pagedigest) was asked for. */
export interface ManifestEvent {
	readonly type: 'manifest';
	readonly url: string;
	/** `unchanged`: nothing has changed since it was read; the others are those of the store. */
	readonly state: 'read' | 'unchanged' | 'none' | 'unreachable' | 'invalid' | 'anomalous';
	readonly detail?: string;
	readonly siteRev?: number;
	/** URLs that it lists, and of them, those that have changed, are new, or are no longer there. */
	readonly entries?: number;
	readonly changed?: number;
	readonly added?: number;
	readonly removed?: number;
}

/** A page was compared with the digest that the manifest claims for it. */
export interface AuditEvent {
	readonly type: 'audit';
	readonly url: string;
	readonly verdict: 'match' | 'mismatch' | 'inconclusive';
	/** Fetched for this alone; otherwise the page had to be fetched anyway. */
	readonly drawn: boolean;
	/** Why it proves nothing. */
	readonly detail?: string;
}

/** How far the manifest of a site is believed has changed. */
export interface TrustEvent {
	readonly type: 'trust';
	readonly origin: string;
	readonly level: TrustLevel;
	readonly before: TrustLevel;
}

/** Why a host is left alone. */
export type WaitReason = 'cooldown' | 'crawl-delay' | 'rate' | 'retry-after' | 'backoff';

/** A host asked for a pause (429, 503) or failed; its other URLs wait too. Ordinary cooldowns are no events. */
export interface WaitEvent {
	readonly type: 'wait';
	readonly host: string;
	readonly why: WaitReason;
	readonly until: string;
	readonly status?: number;
	/** Details of the problem. */
	readonly detail?: string;
}

/** Something about a whole host was decided. */
export interface HostEvent {
	readonly type: 'host';
	readonly host: string;
	readonly change: 'deferred' | 'https' | 'delay' | 'in-scope';
	readonly reason?: Reason;
	readonly detail?: string;
	/** URLs concerned. */
	readonly count?: number;
}

/** Something odd that did not end a URL. */
export interface ProblemEvent {
	readonly type: 'problem';
	readonly code: string;
	readonly source: string;
	readonly line?: number;
	readonly detail?: string;
}

/**
 * The database of the store: it cannot be reached and the crawl waits for it, it is back, its tables are upgraded, or this
 * worker begins again.
 */
export interface StoreEvent {
	readonly type: 'store';
	readonly state: 'lost' | 'back' | 'upgrade' | 'lease-lost' | 'documents';
	readonly detail: string;
}

export interface DoneEvent {
	readonly type: 'done';
	readonly summary: Summary;
}

/** With `every`: nothing is to be done before the next cycle. */
export interface CycleEvent {
	readonly type: 'cycle';
	/** When it begins. */
	readonly next: string;
}

/** With `watch`: something has happened to a page; the same as in the notice, without the difference. */
export interface ChangeEvent extends Omit<PageChange, 'diff'> {
	readonly type: 'change';
	/** `webhook-id` of the notice. */
	readonly id: string;
}

/** With `watch`: about notices for one receiver. */
export interface NoticeEvent {
	readonly type: 'notice';
	/**
	 * `delivered`: the receiver has taken it; `waiting`: the receiver cannot take notices now; `kept`: it rejects this one,
	 * which is not sent again; `stopped`: it wants no more notices (410); `left`: at the end, what stays in the store.
	 */
	readonly state: 'delivered' | 'waiting' | 'kept' | 'stopped' | 'left';
	/** Its address without the query. */
	readonly receiver: string;
	readonly id?: string;
	/** The page. */
	readonly url?: string;
	readonly status?: number;
	readonly detail?: string;
	/** For `left`: notices that wait, and those that the receiver rejects. */
	readonly waiting?: number;
	readonly kept?: number;
}

/** One row of the table at the end. */
export interface SummaryRow {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	readonly count: number;
	/** The first few URLs that ended so. */
	readonly examples: readonly string[];
	/** For `refused`, and for pages that were not kept: the deciding line of the deciding file, with the URLs that it decided. */
	readonly because?: readonly { readonly evidence: Evidence; readonly count: number; readonly example: string }[];
	/** For `failed` and `deferred`: what exactly happened, the most frequent first. */
	readonly causes?: readonly { readonly detail: string; readonly count: number; readonly example: string }[];
}

/** How many pages, and the first of them. */
export interface PageExample {
	readonly pages: number;
	readonly example: string;
}

/** Sitemaps, feeds and llms.txt. */
export interface SitemapTally {
	readonly read: number;
	readonly failed: number;
	/** The first that could not be read. */
	readonly example?: { readonly url: string; readonly reason: Reason };
}

/** The summary of a run; counts are of the store, so a resumed run includes earlier ones. */
export interface Summary {
	readonly mode: RunMode;
	/** False when it was interrupted and there is more to do. */
	readonly complete: boolean;
	readonly rows: readonly SummaryRow[];
	readonly totals: Readonly<Record<Outcome, number>>;
	/** Still waiting for a visit: 0 unless interrupted. */
	readonly pending: number;
	/** How the seeds ended. */
	readonly seeds: readonly { readonly url: string; readonly outcome?: Outcome; readonly reason?: Reason }[];
	readonly sitemaps: SitemapTally;
	/** Pages whose text is that of another page; absent when there are none. */
	readonly duplicates?: DuplicateTally;
	/** Address patterns learned for hosts, and how many URLs they skipped; absent when there are none. */
	readonly learned?: readonly LearnedHost[];
	/** Hosts and URLs put off because servers asked for it; absent when there are none. */
	readonly paused?: PauseTally;
	/** This run alone. */
	readonly requests: number;
	/** Of these requests, those that a server has answered. 0: no host that was asked could be reached. */
	readonly responses: number;
	readonly bytes: number;
	readonly milliseconds: number;
	/** Pages that say little without their scripts, which this run did not let run; absent when there are none. */
	readonly bare?: PageExample;
	/** Links to routes after `#`, which only a browser can show; absent when there are none, and in a crawl that renders. */
	readonly routes?: PageExample;
	/**
	 * Pages that were not asked for, and whose documents were made by another `favor`, or without `economics`; absent when
	 * there are none.
	 */
	readonly outdated?: PageExample;
	/** Pages with more links than the limit, and the number of links skipped; absent when there are none. */
	readonly crowded?: PageExample & { readonly links: number };
}

/** A moment of a running crawl, for a display. */
export interface Stats {
	readonly mode: RunMode;
	/** Of this run. */
	readonly outcomes: Readonly<Record<Outcome, number>>;
	/** Visits ended in this run. */
	readonly done: number;
	readonly pending: number;
	readonly inFlight: number;
	readonly requests: number;
	readonly bytes: number;
	readonly milliseconds: number;
	/** Over the last ten seconds. */
	readonly pagesPerSecond: number;
	readonly hosts: readonly HostStats[];
}

export interface HostStats {
	readonly host: string;
	readonly pending: number;
	readonly inFlight: number;
	/** Reason and end of the host's wait (milliseconds since 1970); absent if it is ready. */
	readonly waiting?: { readonly why: WaitReason; readonly until: number };
	/** Milliseconds between two requests. */
	readonly delay: number;
}

/** Pages whose text is that of another page. */
export interface DuplicateTally {
	readonly pages: number;
	readonly examples: readonly { readonly url: string; readonly twin: string }[];
	/** Hosts that give the same pages with and without `www.`, and how many. */
	readonly aliases: readonly { readonly hosts: readonly [string, string]; readonly pages: number }[];
}

/** Hosts and URLs put off because a server sent 429 or 503. Times are milliseconds since 1970. */
export interface PauseTally {
	/** Hosts whose URLs wait for the end of a pause; the ten longest pauses. */
	readonly hosts: readonly { readonly host: string; readonly until: number }[];
	/** URLs that asked for more than the host cap; absent when there are none. */
	readonly urls?: {
		readonly count: number;
		/** The first of them. */
		readonly until: number;
		readonly example: string;
	};
}
