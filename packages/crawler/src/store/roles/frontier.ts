import type { RunMode } from '../../model/events.ts';
import type { LearnedAddresses } from '../../model/learned-addresses.ts';
import type { Ending, Outcome, Reason } from '../../model/outcome.ts';
import type { Result } from '../../model/result.ts';
import type { Validators } from '../../response/validators.ts';
import type { Tally } from './tally.ts';

/** Pages and sitemaps wait in one queue; an address can be both. */
export type UrlKind = 'page' | 'sitemap';

/** A URL that was found. With an ending it is only recorded, without one it waits for a visit. */
export interface NewUrl {
	readonly url: string;
	readonly kind: UrlKind;
	/** Host name; the URLs of one host are visited together. */
	readonly host: string;
	readonly depth: number;
	readonly dates: number;
	readonly seed?: boolean;
	readonly ending?: Ending;
}

export interface FrontierUrl extends Pick<NewUrl, 'url' | 'kind' | 'depth'> {
	readonly id: number;
	/** Pages with nothing but a date in their address on the way here. */
	readonly dates: number;
	readonly attempts: number;
	readonly seed: boolean;
	readonly foundOn?: string;
	/** Whether the site lists it: a sitemap, a feed or llms.txt led here. */
	readonly listed?: boolean;
	/** From an earlier visit. */
	readonly last?: LastSeen;
	/** The route (`#/tides`) for which the page is requested. */
	readonly route?: string;
}

export interface KnownUrl {
	readonly id: number;
	readonly url: string;
	/** Undefined while it waits for a visit. */
	readonly outcome?: Outcome;
	/** Earliest time of the next try, if it waits for one; milliseconds since 1970. */
	readonly due?: number;
	readonly reason?: Reason;
	readonly redirectedTo?: string;
	readonly last?: LastSeen;
}

/** A URL that was found and not to be visited. */
export interface OutOfScope {
	readonly url: string;
	readonly depth: number;
	/** Date pages on the way to it, itself included. */
	readonly dates: number;
}

/** Selects waiting URLs to end. */
export interface EndWhere {
	readonly host: number;
	/** Only what belongs to it. */
	readonly origin?: string;
	/** URLs that are left, by number. */
	readonly except: readonly number[];
}

/** How many URLs were ended in one step, and how many of them are pages. */
export interface Ended {
	readonly urls: number;
	readonly pages: number;
}

export interface RunRequest {
	readonly seeds: readonly NewUrl[];
	/** Identifies the scope; if it differs from the last run, URLs out of scope are re-evaluated. */
	readonly scope: string;
	/** Visit all known pages again although an earlier run stopped at a limit. */
	readonly refresh: boolean;
	readonly at: number;
	/** Milliseconds from the beginning of a run to that of the next, by any worker. */
	readonly every?: number;
	/** The last run left URLs or links in a database of the crawl: there is no refresh yet. */
	readonly waitsElsewhere?: boolean;
	/** How the first database of the crawl began this run, for the others. */
	readonly following?: RunMode;
	/** Names of sinks that a refresh continues. */
	readonly lasting?: readonly string[];
	/** Re-evaluates a URL that was out of scope; undefined if it still is. */
	readonly reconsider: (url: OutOfScope) => { host: string } | undefined;
}

export interface RunState {
	readonly run: number;
	readonly mode: RunMode;
	/** Options that decided the scope of the run before; undefined in a new store. */
	readonly scopeBefore?: string;
	readonly pending: number;
	readonly known: number;
	/** Documents that this run has brought so far. */
	readonly documents: number;
	/** URLs whose places redirected seeds have brought into scope. */
	readonly scopeExpansions: readonly string[];
	/** Others that work on this run already. */
	readonly workers: number;
	/** By name: how far each sink had come when the last commit happened. */
	readonly positions: ReadonlyMap<string, string>;
}

export interface LastSeen extends Validators {
	/** Whether its document is stored; of a page that may not be kept, only the validators are. */
	readonly kept: boolean;
}

/** A run as it is recorded. Times are milliseconds since 1970. */
export interface RunRecord {
	readonly mode: RunMode;
	readonly startedAt: number;
	readonly endedAt?: number;
	/** Whether it visited everything; undefined while it goes on, and after its workers were killed. */
	readonly complete?: boolean;
}

/** The record of one URL. Times are RFC 3339. */
export interface UrlRecord
	extends Omit<UrlSummary, 'id'>,
		Pick<Result, 'detail' | 'evidence' | 'redirectedTo' | 'aliasOf'> {
	/** The pages that led to the URL, from the nearest one back to a seed. */
	readonly foundBy: readonly string[];
	/** Visits since it was queued the last time. */
	readonly attempts: number;
	/** While it waits: no visit before this time. */
	readonly due?: string;
	/** Absent where the URL was never to be visited. */
	readonly host?: string;
}

/** Selects hosts in alphabetical order. */
export interface LearnedPart {
	/** Begins behind the host with this name; empty for the first part. */
	readonly after: string;
	/** Hosts to examine, at most. */
	readonly hosts: number;
}

export interface UnvisitedOptions {
	/** Only those that ended in this run. */
	readonly thisRun: boolean;
	/** Only those with a document. */
	readonly documents: boolean;
}

/** Selects URLs: one has to match everything that is given. */
export interface UrlFilter {
	readonly kind?: UrlKind;
	/** `waiting`: it has no outcome yet. */
	readonly outcome?: Outcome | 'waiting';
	readonly reason?: Reason;
	/** Host name. */
	readonly host?: string;
	/** A part of the URL; the case of ASCII letters does not matter. */
	readonly contains?: string;
	/** Ended at this moment or later; milliseconds since 1970. */
	readonly since?: number;
	/** Checked once only: pages that are new to the store. */
	readonly isNew?: true;
}

/** A piece of the list of all URLs. Its cost depends on `rows` and `limit` alone, not on the size of the store. */
export interface UrlListRequest extends UrlFilter {
	/** Begins behind the URL with this number; 0 for the first piece. */
	readonly after: number;
	/** URLs to examine, at most. */
	readonly rows: number;
	/** URLs to return, at most. */
	readonly limit: number;
}

/** A URL in a list. */
export interface UrlSummary {
	readonly id: number;
	readonly url: string;
	readonly kind: UrlKind;
	readonly seed: boolean;
	readonly depth: number;
	/** Absent while the URL waits for a visit. */
	readonly outcome?: Outcome;
	readonly reason?: Reason;
	/** HTTP status of the last response. */
	readonly status?: number;
	/** When it ended; RFC 3339. */
	readonly at?: string;
}

export interface UrlList {
	/** In the order found. */
	readonly urls: readonly UrlSummary[];
	/** Where the next piece begins; undefined at the end of the store. */
	readonly next?: number;
}

/** URLs of one host that ended alike. */
export interface UrlCount {
	readonly kind: UrlKind;
	/** Undefined: they wait. */
	readonly outcome?: Outcome;
	readonly reason?: Reason;
	/** Absent for URLs that were never to be visited. */
	readonly host?: string;
	readonly count: number;
}

export interface UrlCounts {
	readonly counts: readonly UrlCount[];
	/** Visits to pages that ended in each slice of time, by its number. */
	readonly slices: readonly { readonly slice: number; readonly count: number }[];
	/** Where the next piece begins; undefined at the end of the store. */
	readonly next?: number;
}

/** Slices of time of equal length. Milliseconds. */
export interface TimeSlices {
	readonly since: number;
	readonly step: number;
}

/** The part of the frontier that a reader needs. */
export interface FrontierReader {
	/** A piece of the list of all URLs. */
	list(request: UrlListRequest): Promise<UrlList>;
	/** Counts up to `rows` URLs behind the one with the number `after`. */
	count(after: number, rows: number, slices: TimeSlices): Promise<UrlCounts>;
	/** Up to `limit` URLs that begin with a text, in alphabetical order. */
	startingWith(prefix: string, limit: number): Promise<UrlSummary[]>;
	/** Counts by outcome, reason and evidence over everything known. */
	tally(): Promise<Tally>;
	/** Counts known pages and hosts of every outcome. */
	size(): Promise<{ readonly urls: number; readonly hosts: number }>;
	/** The record of the page at a URL, or of the sitemap if there is no page. */
	historyOf(url: string): Promise<UrlRecord | undefined>;
	/** Learned address patterns, and the aliases of pages; with `part` those of some hosts only. */
	learnedAddresses(part?: LearnedPart): Promise<LearnedAddresses>;
	lastRun(): Promise<RunRecord | undefined>;
	/** Of several databases: how many URLs wait for their database. */
	outgoing?(): Promise<number>;
}

/** Known URLs, their outcomes, and those that wait. */
export interface Frontier extends FrontierReader {
	/**
	 * URLs of a host that wait and are due by `now`: nearest to the seeds first, then in the order found.
	 *
	 * @param last URL prefixes that sort last, as do URLs whose last attempt got 429 or 503
	 */
	pending(host: number, kind: UrlKind, now: number, limit: number, last?: readonly string[]): Promise<FrontierUrl[]>;
	/** When the first of the waiting URLs of a host is due; undefined if none waits. */
	nextDue(host: number): Promise<number | undefined>;
	/** How many URLs of a host wait. */
	waiting(host: number): Promise<number>;
	/** Whether URLs wait that this worker or another one will visit. */
	unfinished(): Promise<boolean>;
	/** The state of a URL; `kind` defaults to `page`. */
	find(url: string, kind?: UrlKind): Promise<KnownUrl | undefined>;
	/** Adds URLs that no visit has found; returns how many new ones wait now, by host name. */
	offer(found: readonly NewUrl[]): Promise<ReadonlyMap<string, number>>;
	/** Ends all waiting URLs, or those of a host or of one origin of it, in one step. */
	endPending(ending: Ending, at: number, where?: EndWhere): Promise<Ended>;
	/** Judges again what was out of scope, after the scope changed; returns how many of these URLs wait now. */
	reconsider(judge: RunRequest['reconsider']): Promise<number>;
	/** URLs that redirected seeds brought into scope, regardless of the worker that followed the redirect. */
	scopeExpansions(): Promise<string[]>;
	/** Whether a worker died before it judged URLs again in a scope that had become wider. */
	hasUnjudged(): Promise<boolean>;
	/** Queues the URLs of a host again that were skipped without a request; returns how many. */
	reopen(host: number, reasons: readonly Reason[]): Promise<number>;
	/** Queues URLs again that were aliases of some pages; returns how many. */
	reopenAliases(pages: readonly string[]): Promise<number>;
	/** Learned address patterns of a host, as JSON. */
	learned(host: number): Promise<string | undefined>;
	/**
	 * Some of the URLs that ended without a visit, after the one with the number `after`; `last` is the number of the last
	 * of them, undefined when there are no more. Each comes with its current document from an earlier run, except those
	 * that the limit of pages put off: the run that visits them emits it.
	 */
	unvisited(
		after: number,
		which: UnvisitedOptions,
	): Promise<{ readonly results: Result[]; readonly last: number | undefined }>;
	/** Records when the next cycle begins, for `StoreReader` to report. */
	setNextRun(at: number): Promise<void>;
}
