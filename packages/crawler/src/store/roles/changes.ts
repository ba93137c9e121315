import type { Coverage, Digest, TrustState } from '@wayleave/protocols/pagedigest';
import type { Outcome, Reason } from '../../model/outcome.ts';
import type { History, RevisitRules } from '../../model/revisit.ts';
import type { UrlKind } from './frontier.ts';

/** How the last look for a manifest ended. */
export type ManifestState =
	/** It was read, or had not changed since. */
	| 'read'
	/** The site has none. */
	| 'none'
	/** It could not be had: the site did not answer, or with an error. */
	| 'unreachable'
	/** It is there and means nothing, or is too large (pagedigest §7.3). */
	| 'invalid'
	/** robots.txt or robots2.txt keep us from it. */
	| 'refused'
	/** Its revisions went backwards for the whole site (pagedigest §4.1). */
	| 'anomalous';

/** The record of the manifest of one origin. Times are milliseconds since 1970. */
export interface SiteRecord {
	/** 0 before it was saved for the first time. */
	readonly id: number;
	readonly origin: string;
	readonly state: ManifestState;
	readonly checkedAt: number;
	/** Cycles in which the manifest was looked for. */
	readonly cycle: number;
	/** Random: a site cannot predict which pages are going to be audited. */
	readonly salt: string;
	/** `site_rev` of the last cycle that was settled as a whole. */
	readonly settledRev?: number;
	/** `site_rev` of the manifest that was read last. */
	readonly siteRev?: number;
	readonly generated?: string;
	readonly coverage?: Coverage;
	readonly etag?: string;
	readonly lastModified?: string;
	/** This cycle's manifest had a new `generated` or `site_rev`. */
	readonly fresh: boolean;
	/** When this cycle began, the manifest was the one that had been settled: nothing on the site has changed. */
	readonly stayed: boolean;
	readonly trust: TrustState;
	/** How often a page had changed when a date announced it, and how often not. */
	readonly hints: { readonly right: number; readonly wrong: number };
}

/** State of a URL in the manifest. */
export type ListedState =
	/** Listed, and nothing is to be done when the recorded revision is the listed one. */
	| 'listed'
	/** New or changed: to be fetched. */
	| 'due'
	/** The revision went backwards: to be fetched, and the new one is not recorded (pagedigest §4.1). */
	| 'decreased'
	/** A complete manifest listed it once and does not any more. */
	| 'removed'
	/** Listed once; the manifest is silent about it now. */
	| 'undescribed';

/** One URL of a site, by its origin-relative key, as it would be requested before redirects (pagedigest §5.1 step 3). */
export interface ListedUrl {
	readonly key: string;
	readonly state: ListedState;
	/** Recorded after a fetch. */
	readonly rev?: number;
	readonly listedRev: number;
	readonly digest?: Digest;
}

/** Changes to it by a visit, committed with the visit. */
export interface ListedUpdate {
	readonly site: number;
	readonly key: string;
	readonly state: 'listed' | 'due';
	/** Undefined: no revision counts as fetched. */
	readonly rev: number | undefined;
}

/** How the last visit of a URL that waits for another had ended. */
export interface Former {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	readonly detail?: string;
	readonly redirectedTo?: string;
}

/** Everything that may save the request for a page. */
export interface Outlook {
	/** Undefined: never visited. */
	readonly former?: Former;
	/** Whether its document is there. */
	readonly kept?: boolean;
	/** SHA-256 of the decoded body of the stored copy. */
	readonly bodyHash?: Uint8Array;
	readonly listed?: ListedUrl;
	readonly history?: History;
}

/** A date of a page from another source: a sitemap, a feed. */
export interface Hint {
	readonly url: string;
	/** Milliseconds since 1970. */
	readonly modifiedAt: number;
}

/** The change history of one page. Times are RFC 3339. */
export interface ChangeHistory {
	/** How often the page was checked and had changed, and when the next check is due. */
	readonly revisit?: { readonly visits: number; readonly changes: number; readonly nextAt: string };
	/** The manifest of its site at the last check. */
	readonly manifest?: {
		readonly state: string;
		readonly trust: string;
		readonly checkedAt: string;
		/** The entry of this URL; absent if the manifest does not list it. */
		readonly entry?: {
			readonly state: ListedState;
			/** The revision that was fetched last, and the one that the manifest lists. */
			readonly rev?: number;
			readonly listedRev: number;
			readonly digest?: string;
		};
	};
}

/** The part of the change records that a reader needs. */
export interface ChangeReader {
	historyOf(url: string): Promise<ChangeHistory>;
}

/** When pages change: manifests of sites, dates from sitemaps and feeds, and the history of each page. */
export interface ChangeRecords extends ChangeReader {
	site(origin: string): Promise<SiteRecord | undefined>;
	/** Replaces the record of the origin; returns its number. */
	saveSite(site: SiteRecord): Promise<number>;
	/** Up to `limit` URLs of a site, sorted by key, after the key `after`. */
	listed(site: number, after: string, limit: number): Promise<ListedUrl[]>;
	saveListed(site: number, urls: readonly ListedUrl[]): Promise<void>;
	/** Forgets all revisions of a site. */
	forgetListed(site: number): Promise<void>;
	/** How many URLs the manifest wants fetched, that may be fetched, and that have not been. */
	unsettled(site: number, origin: string): Promise<number>;
	outlook(url: string, kind: UrlKind, site: number | undefined, key: string | undefined): Promise<Outlook>;
	hint(hints: readonly Hint[]): Promise<void>;
	/**
	 * The urgency (`History`) from which on a due page of a host is among the first `most` ones. Pages that were never
	 * visited, and those that a manifest wants fetched, come before all others.
	 */
	urgencyOfLast(host: number, horizon: number, now: number, most: number): Promise<number>;
}

/** The result of checking a page. */
export interface CheckResult {
	readonly changed: boolean;
	readonly rules?: RevisitRules;
}
