import type { Favor, Page } from '@wayleave/extract';
import type { FetchFailure } from '@wayleave/io';
import type { Evidence } from '@wayleave/protocols';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import type { AskAnswer } from '@wayleave/protocols/robots2';
import type { ChangeStore, ListedUpdate } from '../change/records.ts';
import type { RevisitRules } from '../change/revisit.ts';
import type { Clock } from '../clock.ts';
import type { Likeness } from '../discover/likeness.ts';
import type { RunMode, SitemapTally } from '../events.ts';
import type { LearnedHost } from '../inspect/learned.ts';
import type { StoredResultsOptions } from '../inspect/results.ts';
import type { Use } from '../options.ts';
import type { Ending, Outcome, Reason } from '../outcome.ts';
import type { PolicyNote, Result } from '../result.ts';
import type { Representation } from '../som/representation.ts';
import type { Terms } from '../visit/terms.ts';
import type { Capture } from '../warc/exchange.ts';
import type { DocumentPlace, KeptDocument, SiteOf, SitePage } from './site-pages.ts';

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
	lookalikes(likeness: Likeness): Promise<KnownLikeness[]>;
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

/** Pages and sitemaps wait in one queue; an address can be both. */
export type UrlKind = 'page' | 'sitemap';

export interface RunRequest {
	readonly seeds: readonly NewUrl[];
	/** What decides which URLs are in scope; when it differs from the last run, the others are looked at again. */
	readonly scope: string;
	/** Visit all known pages again although an earlier run stopped at a limit. */
	readonly refresh: boolean;
	readonly at: number;
	/** Milliseconds from the beginning of a run to that of the next one, whoever of the workers begins them. */
	readonly every?: number;
	/** Sinks that a refresh does not begin anew, by name. */
	readonly lasting?: readonly string[];
	/** Judges anew a URL that was out of scope; undefined when it still is. */
	readonly reconsider: (url: OutOfScope) => { host: string } | undefined;
}

/** How many URLs were ended in one step, and how many of them are pages. */
export interface Ended {
	readonly urls: number;
	readonly pages: number;
}

/** A URL that was found and not to be visited. */
export interface OutOfScope {
	readonly url: string;
	readonly depth: number;
	/** Date pages on the way to it, itself included. */
	readonly dates: number;
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
	readonly widened: readonly string[];
	/** Others that work on this run already. */
	readonly workers: number;
	/** By name: how far each sink had come when the last commit happened. */
	readonly positions: ReadonlyMap<string, string>;
}

export interface HostRecord {
	readonly id: number;
	/** Host name without port. */
	readonly name: string;
	/** No request before this moment; milliseconds since 1970. The last one had ended `delay` before it, or earlier. */
	nextAt: number;
	/** The host wants https (AWI-78). */
	https: boolean;
	/** Milliseconds between two requests, as far as known. */
	delay?: number;
}

export interface FrontierUrl {
	readonly id: number;
	readonly url: string;
	readonly kind: UrlKind;
	readonly depth: number;
	/** Pages with nothing but a date in their address on the way here. */
	readonly dates: number;
	readonly attempts: number;
	readonly seed: boolean;
	readonly foundOn?: string;
	/** Whether the site lists it: a sitemap, a feed or llms.txt led here. */
	readonly listed?: boolean;
	/** From an earlier visit. */
	readonly last?: LastSeen;
}

/** What tells whether a page has changed. */
export interface Validators {
	readonly etag?: string;
	readonly lastModified?: string;
	/** SHA-256 of the decoded body. */
	readonly bodyHash?: Uint8Array;
}

export interface LastSeen extends Validators {
	/** Whether its document is there: of a page that nobody may keep only the validators are (AMB-10). */
	readonly kept: boolean;
}

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

export interface KnownUrl {
	readonly id: number;
	readonly url: string;
	/** Undefined while it waits for a visit. */
	readonly outcome?: Outcome;
	/** Where it waits for another try: not before this moment; milliseconds since 1970. */
	readonly due?: number;
	readonly reason?: Reason;
	readonly redirectedTo?: string;
	readonly last?: LastSeen;
}

export interface GivenOptions {
	/** What ended without a visit in earlier runs counts as given. */
	readonly otherRuns: boolean;
	/** Up to which number what ended so in this run was given. */
	readonly told: number;
	/** Of what ended without a visit also URLs without a document. */
	readonly outcomes: boolean;
}

export interface UnvisitedOptions {
	/** Only those that ended in this run. */
	readonly thisRun: boolean;
	/** Only those with a document. */
	readonly documents: boolean;
}

/** A page as it was last read. */
export interface Snapshot extends Validators {
	readonly url: string;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
	/** When the site said last that it is good; milliseconds since 1970. */
	readonly checkedAt: number;
	/** Whether it is the last that is known of the page: that was not found gone, closed or another since. */
	readonly stands: boolean;
	readonly document: AIDocument;
	readonly page?: Page;
	readonly policy?: PolicyNote;
	readonly representation?: Representation;
	/** Where an archive has what it was made from. */
	readonly capture?: Capture;
	/** How the document was read, where that was said. */
	readonly favor?: Favor;
	readonly terms?: Terms;
}

/** Which of the URLs that wait are ended. */
export interface EndWhere {
	readonly host: number;
	/** Only what belongs to it. */
	readonly origin?: string;
	/** URLs that are left, by number. */
	readonly except: readonly number[];
}

/** What one visit changes. */
export interface Visit {
	readonly id: number;
	/** Undefined: the URL waits for another try, not before `due`. With both, only a refresh visits it before. */
	readonly ending?: Ending;
	readonly due?: number;
	readonly attempts: number;
	readonly at: number;
	readonly status?: number;
	readonly redirectedTo?: string;
	readonly evidence?: readonly Evidence[];
	readonly content?: Content;
	/** Addresses of pages whose documents nobody may keep any longer, whatever else the visit has brought. */
	readonly withdrawn?: readonly string[];
	/** A document was given for it, which has its place among those of the run. */
	readonly document?: boolean;
	readonly found: readonly NewUrl[];
	/** Names that identify the page when another address of it comes: the first page with a name keeps it. */
	readonly names?: readonly string[];
	/** The target of the redirect, when this visit has read it: it ends here too, and the content is its own. */
	readonly target?: Pick<KeptPage, 'url' | 'ending' | 'due'> & { readonly look?: Look };
	/** For the history of the page; undefined when the visit could not tell whether it had changed. */
	readonly look?: Look;
	/** Revisions of the manifest that now count as fetched, or no longer do. */
	readonly listed?: readonly ListedUpdate[];
}

/** What a look at a page has shown. */
export interface Look {
	readonly changed: boolean;
	readonly rules?: RevisitRules;
}

/** What is kept of the content of a page; without `document` only what tells a change (AMB-10). */
export interface Content extends Validators {
	/** What its text is like, and which page it is a near duplicate of; null where that cannot be told. */
	readonly likeness?: { readonly value: Likeness; readonly twin?: string; readonly prose?: number } | null;
	/** Undefined when the server said that nothing has changed: then only the time of the check moves. */
	readonly snapshot?: {
		readonly fetchedAt: number;
		readonly document?: AIDocument;
		readonly page?: Page;
		readonly policy?: PolicyNote;
		readonly representation?: Representation;
		readonly capture?: Capture;
		readonly favor?: Favor;
		readonly terms?: Terms;
	};
	/** When the page was looked at last, where it was not now; milliseconds since 1970. */
	readonly checkedAt?: number;
}

/** What the text of a page is like. */
export interface KnownLikeness {
	readonly url: string;
	readonly likeness: Likeness;
	/** The hash of its prose, if known. */
	readonly prose?: number;
}

/** A page to compare others with. */
export interface Comparable extends Partial<Pick<KnownLikeness, 'likeness' | 'prose'>> {
	/** The name it was found by, or its own address. */
	readonly key: string;
	readonly url: string;
	/** Undefined while it waits for a visit. */
	readonly outcome?: Outcome;
	readonly bodyHash?: Uint8Array;
}

/** Pages whose text is that of another page. */
export interface DuplicateTally {
	readonly pages: number;
	readonly examples: readonly { readonly url: string; readonly twin: string }[];
	/** Hosts that give the same pages with and without `www.`, and how many. */
	readonly aliases: readonly { readonly hosts: readonly [string, string]; readonly pages: number }[];
}

/** A page with its outcome. */
export interface KeptPage {
	readonly url: NewUrl;
	readonly ending: Ending;
	/** As in a visit. */
	readonly due?: number;
	readonly at: number;
	readonly status?: number;
	readonly redirectedTo?: string;
	readonly content?: Content;
}

export interface Batch {
	readonly visits: readonly Visit[];
	/** Clocks of the hosts concerned. */
	readonly hosts: readonly HostRecord[];
	readonly positions: ReadonlyMap<string, string>;
	/** URLs whose places come into scope. */
	readonly widened: readonly string[];
	/** By host number: its learned address patterns, as JSON. */
	readonly learned?: ReadonlyMap<number, string>;
}

export interface Committed {
	/** How many new URLs wait, by host name. */
	readonly added: ReadonlyMap<string, number>;
	/** By visit, in order: how many URLs were new. */
	readonly newLinks: readonly number[];
}

/** A policy file as it was last fetched. */
export interface PolicyFile {
	/** Where it is looked for. */
	readonly url: string;
	/** Where it was found, when redirects led away. */
	readonly finalUrl?: string;
	readonly fetchedAt: number;
	readonly expiresAt: number;
	/** Since when it could not be fetched; the rest is of the time before. */
	readonly unreachableSince?: number;
	/** How it could not be fetched at the last try, for as long as anybody works who was at work then. */
	readonly outage?: Outage;
	/** Status of the last answer that counted; 0 when there never was one. */
	readonly status: number;
	readonly body?: Uint8Array;
	readonly etag?: string;
	readonly lastModified?: string;
	readonly contentType?: string;
}

/** Why a policy file could not be had. */
export interface Outage {
	/** For people: `timeout`, `500`. */
	readonly detail: string;
	/** Where there was no answer. */
	readonly failure?: FetchFailure;
	readonly status?: number;
	/** Before that it is not asked for again; milliseconds since 1970. */
	readonly until: number;
}

/** The answer of a site to one question, with how long it may be used. Never one that is good for one use only. */
export interface KeptAnswer {
	readonly origin: string;
	/** Whom it was given to: the whole `X-Agent-Identity`. */
	readonly identity: string;
	readonly directive: Use;
	readonly answer: AskAnswer;
	/** The URL that was asked. */
	readonly source: string;
	readonly askedAt: number;
	readonly expiresAt: number;
}

export interface Tally {
	readonly pending: number;
	readonly rows: readonly TallyRow[];
	/** What exactly happened where something failed or was put off, the most frequent first; not all that are rare. */
	readonly causes: readonly TallyCause[];
	readonly seeds: readonly { readonly url: string; readonly outcome?: Outcome; readonly reason?: Reason }[];
	readonly sitemaps: SitemapTally;
	readonly duplicates: DuplicateTally;
	/** Learned address patterns of some hosts. */
	readonly learned: readonly LearnedHost[];
	readonly paused: PauseTally;
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

export interface TallyCause {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	readonly detail: string;
	readonly count: number;
	/** The first URL that it happened to. */
	readonly example: string;
}

export interface TallyRow {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	readonly evidence?: readonly Evidence[];
	readonly count: number;
	/** The first and the last URL that ended so. */
	readonly examples: readonly string[];
}
