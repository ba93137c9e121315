import type { Favor } from '@wayleave/extract';
import type { SchemaReader } from '@wayleave/extract/fields';
import type { Lookup, Resolver } from '@wayleave/io/dns';
import type { Fetcher, Limits, OwnSiteCredentials, ProxyFor } from '@wayleave/io/http';
import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import type { Use } from '@wayleave/protocols/policy';
import type { AddressOptions } from '../addresses/address-rules.ts';
import type { Clock } from '../base/clock.ts';
import type { ChunkBudget } from '../model/chunks.ts';
import type { Identity } from '../model/identity.ts';
import type { Progress } from '../model/progress.ts';
import type { Preference } from '../model/representation.ts';
import type { Source } from '../model/source.ts';
import type { RenderLimits, RenderMode } from '../render/types.ts';
import type { SomOptions } from '../represent/som-options.ts';
import type { Sink } from '../sinks/types.ts';
import type { Store } from '../store/roles/store.ts';
import type { WatchOptions } from '../watch/types.ts';

export type { Use };

/** Options of both `crawl` and `fetchDocument`. Times are milliseconds. */
export interface CommonOptions {
	readonly identity?: Identity;
	/** Default `read` and `store`; `crawl` always counts too. */
	readonly uses?: readonly Use[];
	/**
	 * Whether a site whose policy says `ask` is asked (robots2.txt §6); with `never` that counts as no. Default `auto`.
	 */
	readonly ask?: 'auto' | 'never';
	/**
	 * Whether a page is refused, too, that the rules of its site forbid in another reading of its address: `//private` and
	 * `/%2Fprivate` for `/private`. For addresses that others give. Default false: rules are read as RFC 9309 §2.2.2 says.
	 */
	readonly everyReading?: boolean;
	/**
	 * A store, or where it is: `sqlite:FILE`, `postgres://…` or `memory`. Several databases of PostgreSQL that share the hosts
	 * are separated by commas. A store that was given open is left open. Default `memory`.
	 */
	readonly store?: Store | string;
	/**
	 * Where new documents are kept, if not in the database of the store: `s3://BUCKET/PREFIX`, `file:FOLDER`. The store
	 * remembers the place. Not for a store that was given open.
	 */
	readonly documents?: string;
	/** Between two requests to one host. Default 2,000; less than that counts only for own sites and loopback. */
	readonly delay?: number;
	/** Host names that the user vouches for as own: the delay may be below two seconds there. */
	readonly ownSites?: readonly string[];
	/**
	 * Header fields and cookies that open own sites: for origins whose host is in `ownSites`, and for no other origin,
	 * redirects included. They are in no result, event, archive or store.
	 */
	readonly credentials?: OwnSiteCredentials;
	/** A site that wants a longer delay between requests is deferred. Default 120,000. */
	readonly maxCrawlDelay?: number;
	/** A pause longer than this (Retry-After) is not waited for: the URLs of the host are deferred. Default 300,000. */
	readonly maxPause?: number;
	/**
	 * The longest time that a 429 or 503 pauses the whole host. A URL that asks for more is put off on its own, for at
	 * most 30 days. Default 3,600,000; values under a minute apply only to own sites and loopback.
	 */
	readonly pauseCap?: number;
	/** Token counts in the document; they cost about five milliseconds a page. Default false. */
	readonly economics?: boolean;
	/** If the main content is ambiguous: `recall` keeps more, `precision` less; for pages read from now on. Default: neither. */
	readonly favor?: Favor;
	/**
	 * Fills a JSON Schema from each page, as `page.fields`: `await readFieldSchema(schema)` of `@wayleave/extract/fields`.
	 * Default: none.
	 */
	readonly fields?: SchemaReader;
	/**
	 * The form of pages to request if the site permits several. Default: from the SOM endpoint that robots.txt announces,
	 * else as HTML. `som` also respects what the page itself announces and looks at it first; `markdown` asks the server
	 * for it; `html` reads the page itself. A page that robots.txt forbids is read by its endpoint or not at all.
	 */
	readonly prefer?: Preference;
	/** Options for SOM endpoints. */
	readonly som?: SomOptions;
	/**
	 * Whether pages are opened in a browser: `always`, `auto` for those that show their content only by scripts, or
	 * `never` (default). It takes a Chromium, and many requests more.
	 */
	readonly render?: RenderMode;
	/** The executable of the Chromium. Default: `CHROMIUM_PATH`, else the first one in the usual places. */
	readonly chromium?: string;
	/** Limits of a page in the browser. */
	readonly renderLimits?: Partial<RenderLimits>;
	/** Asks the DNS for proofs of foreign SOM endpoints. */
	readonly resolver?: Pick<Resolver, 'resolveTxt'>;
	/** Default: that of the machine. A test can pass one that jumps. */
	readonly clock?: Clock;
	/** Replaces the fetcher, with everything that the following options set. The crawl does not close it, and ends if it is closed. */
	readonly fetcher?: Fetcher;
	/**
	 * Forward proxies, by request (`fixedProxy`, `proxyFromEnvironment` of `@wayleave/io`). Default: none; the environment
	 * is not read. The proxy then resolves names, so that private addresses are refused by name and literal only.
	 */
	readonly proxy?: ProxyFor;
	/** Called when a request begins to wait for its host or for the response. */
	readonly onProgress?: (progress: Progress) => void;
	/** Name resolution. */
	readonly lookup?: Lookup;
	/** How long each phase of a request may take, and how much it may bring. */
	readonly limits?: Partial<Limits>;
	/** Certificate authorities in PEM form that are trusted instead of the well-known ones. */
	readonly ca?: string;
	/** Ends the work: what is in flight is finished and saved. */
	readonly signal?: AbortSignal;
}

export interface CrawlOptions extends CommonOptions, AddressOptions {
	/**
	 * The links to follow: to the hosts of the seeds, to their registrable domains, or below their paths.
	 * Default `host`.
	 */
	readonly scope?: 'host' | 'domain' | 'prefix';
	/** Documents that the run may bring; what is left then waits for the next one. Default: no limit. */
	readonly maxPages?: number;
	/** The most links that a page may be away from the seeds. Default: no limit. */
	readonly maxDepth?: number;
	/** Requests in flight; on own sites with delay 0 as many go to one host. Default 8. */
	readonly concurrency?: number;
	/**
	 * Threads that pages are read in, at most. With 0 pages are read where the crawl itself runs. Default: what the
	 * environment says by `WAYLEAVE_THREADS`, else one, and with four or more processors as many as bring more pages.
	 */
	readonly threads?: number;
	/** Tries after a failure that may pass. Default 2. */
	readonly retries?: number;
	/** Whether sitemaps are read. Default true. */
	readonly sitemaps?: boolean;
	/**
	 * Visits all known pages again even when an earlier run stopped before its end, and asks for each of them, whatever
	 * the manifest of the site or a schedule says. Default false.
	 */
	readonly refresh?: boolean;
	/** The share of the requests that a manifest saves which are made all the same, to see whether it is true. Default 0.01. */
	readonly auditRate?: number;
	/**
	 * Goes on until `signal` ends it: a cycle begins so many milliseconds after the one before began. Known pages are then
	 * looked at when a change is to be expected, not in every cycle.
	 */
	readonly every?: number;
	/** Requests for pages of one host in one run or cycle. Those where a change is most to be expected come first. */
	readonly budget?: number;
	/**
	 * Cuts each document at its headings into chunks of at most so many tokens, as `chunks` of its result. Default: none.
	 * Sinks have an option `chunks` of their own.
	 */
	readonly chunks?: ChunkBudget;
	/**
	 * Remembers what pages said, and tells what has changed since: as `change` events, and as signed notices to receivers.
	 * Default: the crawl does not watch.
	 */
	readonly watch?: WatchOptions;
	/** Where the results are written, as they come. */
	readonly sinks?: readonly Sink[];
	/**
	 * Whether URLs that ended without a visit are given as results too, at the end of the run: links out of scope, and
	 * what was put off together with its host. Default false: they are counted in the summary.
	 */
	readonly everyOutcome?: boolean;
	/** A hook: returns the URL, another one in its place, or nothing to leave it out. */
	readonly filter?: (url: URL) => URL | undefined;
}

/** How one page is wanted. */
export interface DocumentRequest {
	/** Default `cache_first`: a stored snapshot is given without a request. */
	readonly freshnessPolicy?: FreshnessPolicy;
	/** How long ago the site may have said last that a stored snapshot is good; milliseconds. Default: at any time. */
	readonly maxAge?: number;
	/** The page itself is wanted, for `onSource`, even when it has not changed. Default false. */
	readonly whole?: boolean;
	/** A hook: is given what the document is made from, as it came. Not called for a stored copy. */
	readonly onSource?: (source: Source) => void;
	/** Cuts the document at its headings into chunks of at most so many tokens, as `chunks` of the result. Default: none. */
	readonly chunks?: ChunkBudget;
	/** Aborts this fetch, in flight or waiting for its host; the result is then `failed`, `aborted`. */
	readonly signal?: AbortSignal;
}

export interface FetchOptions extends CommonOptions, Omit<DocumentRequest, 'signal'> {}

export interface DocumentFetcherOptions extends CommonOptions {
	/** Requests in flight. Default 8. */
	readonly concurrency?: number;
	/** Threads that pages are read in, at most; with 0 they are read where the calls come in. Default: as for `crawl`. */
	readonly threads?: number;
	/** The route within pages that a browser opens: `#/tides`. Default: none. */
	readonly hash?: string;
	/** Host names that may be on a private network. No other host may, regardless of the caller. */
	readonly privateHosts?: readonly string[];
}
