// JSON that the crawl view serves. Plain types, so that the page can import them. Times are milliseconds since 1970
// unless they are strings (RFC 3339).

import type { StoreCounts } from '../inspect/count-store.ts';
import type { HostStats, Stats } from '../model/events.ts';
import type { LearnedAddresses } from '../model/learned-addresses.ts';
import type { StoredPage } from '../store/roles/pages.ts';
import type { StoredPolicyFile } from '../store/roles/policies.ts';
import type { VersionText } from '../store/roles/watch.ts';

/** How a URL ended, with the sentence for its reason. */
export interface ShownEnding {
	/** Absent while the URL waits. */
	readonly outcome?: string;
	readonly reason?: string;
	readonly why?: string;
}

export interface CountedEnding extends ShownEnding {
	readonly count: number;
	/** The last URL that ended so. */
	readonly example?: string;
}

/** `GET api/state` */
export interface ViewState {
	/** Name of the store, without a password. */
	readonly store: string;
	/** Whether the process that serves the page is the crawl. */
	readonly isLive: boolean;
	readonly now: number;
	/** Absent in a store that no crawl has used. */
	readonly run?: {
		readonly mode: string;
		readonly startedAt: number;
		readonly endedAt?: number;
		readonly state: 'complete' | 'interrupted' | 'open' | 'killed';
	};
	/** URLs from which the crawl started. */
	readonly seeds: readonly ShownUrl[];
}

export interface ShownUrl extends ShownEnding {
	readonly url: string;
	readonly kind: string;
	readonly depth: number;
	readonly status?: number;
	readonly at?: string;
}

/** Progress of one host. */
export interface LiveHost extends Omit<HostStats, 'waiting'> {
	readonly done: number;
	/** Why no request is sent now, and until when. */
	readonly waiting?: {
		readonly reason: string;
		readonly why: string;
		readonly until: number;
		/** The server asked for it, or does not respond; otherwise it is the usual pause between two requests. */
		readonly isPause: boolean;
		readonly status?: number;
		readonly detail?: string;
	};
	/** The rest of the host was put off to a later run. */
	readonly deferred?: ShownEnding & { readonly count: number; readonly detail?: string };
}

/** `GET api/live` */
export interface LiveState extends Omit<Stats, 'mode' | 'outcomes' | 'hosts'> {
	/** `pausing`: between two cycles. */
	readonly state: 'starting' | 'running' | 'pausing' | 'done';
	/** The next cycle begins. */
	readonly next?: string;
	/** With `done`: whether everything was visited. */
	readonly isComplete?: boolean;
	readonly now: number;
	readonly startedAt: number;
	readonly mode: string;
	readonly outcomes: Readonly<Record<string, number>>;
	readonly endings: readonly CountedEnding[];
	readonly hosts: readonly LiveHost[];
	/** Hosts that are not listed. */
	readonly otherHosts: number;
	readonly speed: readonly { readonly at: number; readonly pagesPerSecond: number; readonly pending: number }[];
	/** Milliseconds between two points of `speed`. */
	readonly step: number;
	/** The latest first. */
	readonly recent: readonly (ShownUrl & { readonly host: string })[];
	readonly notes: readonly { readonly at: number; readonly text: string }[];
}

/** `GET api/counts`: counts a further piece of the store. */
export interface ShownCounts extends Omit<StoreCounts, 'pages' | 'sitemaps'> {
	readonly pages: readonly CountedEnding[];
	readonly sitemaps: readonly CountedEnding[];
}

/** `GET api/urls`, `api/changes` */
export interface UrlPage {
	readonly urls: readonly ShownUrl[];
	/** For `after` of the next request; absent at the end. */
	readonly next?: string;
}

/** `GET api/search` */
export interface SearchPage {
	readonly hits: readonly { readonly url: string; readonly title: string; readonly excerpt?: string }[];
	readonly examined: number;
	readonly next?: string;
}

export interface EvidenceLine {
	readonly source: string;
	readonly line: number;
	readonly text: string;
}

/** `GET api/history` */
export interface HistoryPage {
	readonly url: string;
	/** From a seed to the URL, each with how it ended; the URL itself is the last. */
	readonly chain: readonly ShownUrl[];
	/** Links of the chain that are not listed. */
	readonly omitted: number;
	/** Target of its redirect, or the page whose alias it is. */
	readonly leadsTo?: ShownUrl;
	/** Absent for a URL that was never seen. */
	readonly history?: ShownEnding & {
		readonly kind: string;
		readonly isSeed: boolean;
		readonly depth: number;
		readonly detail?: string;
		readonly evidence: readonly EvidenceLine[];
		readonly status?: number;
		readonly at?: string;
		readonly attempts: number;
		readonly due?: string;
		readonly host?: {
			readonly name: string;
			readonly nextAt: string;
			readonly isHeld: boolean;
			readonly waiting: number;
		};
		readonly page?: Omit<StoredPage, 'policy' | 'representation' | 'capture'> & {
			readonly uses: Readonly<Record<string, string>>;
			readonly terms: readonly string[];
			readonly readAs?: string;
			readonly archive?: string;
		};
		readonly revisit?: { readonly visits: number; readonly changes: number; readonly nextAt: string };
		readonly manifest?: string;
	};
	readonly policyFiles: readonly Omit<StoredPolicyFile, 'unreachableSince'>[];
	/** Known URLs that begin alike, where this one was never seen. */
	readonly near: readonly ShownUrl[];
}

export interface ShownVersion extends Omit<VersionText, 'version'> {
	/** The text is longer than the page shows. */
	readonly isCut: boolean;
}

/** `GET api/document` */
export interface DocumentPage {
	readonly url: string;
	/** The current document, then the one that it replaced. */
	readonly versions: readonly ShownVersion[];
	/** Why the document is not shown. */
	readonly withheld?: string;
	readonly hasSource: boolean;
}

/** `GET api/source` */
export interface SourcePage {
	/** Absent where the source is not available: `reason` says why. */
	readonly source?: {
		readonly text: string;
		readonly isCut: boolean;
		readonly contentType: string;
		readonly status: number;
		readonly headers: readonly (readonly [name: string, value: string])[];
		readonly archive: string;
		readonly at: string;
	};
	readonly reason?: string;
}

/** `GET api/left-out` */
export interface LeftOutPage extends Omit<LearnedAddresses, 'hosts'> {
	readonly hosts: readonly {
		readonly host: string;
		readonly patterns: readonly {
			readonly kind: string;
			readonly pattern: string;
			readonly why: string;
			readonly leftOut: number;
		}[];
	}[];
}

/** `GET api/page-changes`: what a watched crawl has found changed, the latest first. */
export interface PageChangesPage {
	readonly changes: readonly ShownChange[];
	readonly next?: string;
}

export interface ShownChange {
	readonly id: string;
	readonly at: number;
	/** `added`, `changed`, `gone`, `moved` or `terms`. */
	readonly kind: string;
	readonly url: string;
	readonly title?: string;
	readonly movedTo?: string;
	/** What has changed, in lines that begin with `-`, `+` or `>` (moved). */
	readonly difference: string;
	/** Waits for the end of the run. */
	readonly isHeld: boolean;
	readonly notices: readonly {
		readonly receiver: string;
		readonly state: 'waiting' | 'delivered' | 'kept';
		readonly attempts: number;
		readonly detail?: string;
	}[];
}
