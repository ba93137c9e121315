import {
	type Clock,
	CrawlError,
	createDocumentFetcher,
	type DocumentFetcher,
	type DocumentFetcherOptions,
	type DocumentPlace,
	type KeptDocument,
	type KnownUrl,
	normaliseUrl,
	type Result,
	type SiteOf,
	type SitePage,
	type Source,
} from '@wayleave/crawler';
import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import { addressFault, parseUrl } from '@wayleave/protocols/url';
import type { Kysely } from 'kysely';
import type { ServiceConfig } from '../config/config.ts';
import type { Background } from '../observe/background-work.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { resultOutside } from '../problems/outside.ts';
import { ServiceError } from '../problems/problem.ts';
import { DocumentCache } from './document-cache.ts';
import { FairQueue } from './fair-queue.ts';
import { InFlightFetch, type PendingCall } from './in-flight-fetch.ts';
import { KnownTexts } from './known-texts.ts';
import { asAskedFor, type Served } from './served.ts';
import { SharedFetches } from './shared-fetches.ts';
import { SomCopies, somOf } from './som-copies.ts';

export interface DocumentCall {
	/** Default `cache_first`. */
	readonly freshnessPolicy?: FreshnessPolicy;
	/** The queue in which the call waits: the caller, or one purpose of a caller. */
	readonly lane: string;
	/** Whether the SOM document is wanted too. */
	readonly som?: boolean;
	readonly signal?: AbortSignal;
	/** Whether `signal` aborts the fetch when no other caller wants the page. Default false: it is finished and stored. */
	readonly cancels?: boolean;
	/** Milliseconds; default as the service is configured. */
	readonly timeLimit?: number;
}

interface Tools {
	readonly config: ServiceConfig;
	readonly db: Kysely<unknown>;
	readonly clock: Clock;
	readonly metrics: Metrics;
	readonly log: Log;
	readonly background?: Background;
}

/** Refuses a page by throwing a ServiceError, at once or by the promise; without a promise the page is allowed. */
export type Guard = (url: string) => Promise<void> | undefined;

/** Pages that are removed in one step. */
const maxRemoved = 500;

/** Characters of documents that are kept ready, and for how many milliseconds: others may write to the store. */
const maxCachedCharacters = 32 << 20;
const atHandTime = 1000;

/** Pages that are on their way at a time at one own host that wants no pause. */
const ownWidth = 8;

/** How long a fetch waits for a host that another process holds, which gives it up 20 seconds after its death at the latest; ms. */
const hostWait = 30_000;
const hostPause = 250;

/**
 * Documents for many callers: from the store, or fetched; one way to a page for all who want it at a time, turns for
 * callers one after the other, and the manners of the crawler towards every host.
 */
export class Documents {
	readonly #config: ServiceConfig;
	readonly #log: Log;
	readonly #fetcher: DocumentFetcher;
	readonly #copies: SomCopies;
	/** Undefined where one process has the store for itself. */
	readonly #shared: SharedFetches | undefined;
	readonly #clock: Clock;
	readonly #cache: DocumentCache;
	readonly #queue: FairQueue;
	readonly #inFlight = new Map<string, InFlightFetch>();
	readonly #looking = new Map<string, Promise<Result | undefined>>();
	readonly #count: ReturnType<Metrics['counter']>;
	readonly #guards: Guard[] = [];
	readonly #removed: ((urls: readonly string[]) => Promise<void>)[] = [];
	#closing = false;

	private constructor(
		{ config, metrics, clock, log }: Tools,
		fetcher: DocumentFetcher,
		copies: SomCopies,
		shared: SharedFetches | undefined,
	) {
		this.#config = config;
		this.#log = log;
		this.#clock = clock;
		this.#shared = shared;
		this.#fetcher = fetcher;
		this.#copies = copies;
		const ttl = Math.min(atHandTime, config.maxAge);
		this.#cache = new DocumentCache({ maxCharacters: maxCachedCharacters, ttl, now: () => clock.now() });
		const { delay, ownSites = [] } = config.fetching;
		const { inFlight, perCaller } = config;
		const perHost = (host: string) => (delay === 0 && ownSites.includes(host) ? ownWidth : 1);
		this.#queue = new FairQueue({ inFlight, perCaller, perHost });
		this.#count = metrics.counter('wayleave_documents_total', 'Requested pages by outcome');
		metrics.gauge('wayleave_fetches_busy', 'Pages being fetched', () => this.#queue.busy);
		metrics.gauge('wayleave_fetches_waiting', 'Pages waiting in the queue', () => this.#queue.waiting);
	}

	/** @throws CrawlError when the store cannot be opened */
	static async open(tools: Tools): Promise<Documents> {
		const { config, clock, db } = tools;
		const options: DocumentFetcherOptions = {
			economics: true,
			// Callers wait: a longer pause of a host is reported to them instead.
			maxPause: Math.min(30_000, config.timeLimit),
			...config.fetching,
			everyReading: true,
			store: config.store,
			concurrency: config.concurrency,
			clock,
		};
		const copies = await SomCopies.open(db);
		const shared = await SharedFetches.open(db, clock);
		if (tools.background !== undefined) shared?.tidy(tools.background);
		return new Documents(tools, await createDocumentFetcher(options), copies, shared);
	}

	/** Checks each page with a guard first, stored ones and redirect targets included. */
	guard(check: Guard): void {
		this.#guards.push(check);
	}

	/** Sets a listener for pages that are no longer stored. */
	onRemoved(tell: (urls: readonly string[]) => Promise<void>): void {
		this.#removed.push(tell);
	}

	/** Undefined if all guards allow the page at once: for a cached document, a promise each costs as much as the rest. */
	#ask(url: string): Promise<void> | undefined {
		let asked: Promise<void> | undefined;
		for (const check of this.#guards) asked = asked === undefined ? check(url) : asked.then(() => check(url));
		return asked;
	}

	/** Calls that a fetch is out for. */
	get busy(): number {
		return this.#queue.busy;
	}

	/**
	 * One page.
	 *
	 * @param url http or https
	 * @throws ServiceError `bad-request` for what is no such URL, `time-limit`, `shutting-down`
	 */
	async get(url: string, call: DocumentCall): Promise<Served> {
		const { freshnessPolicy = 'cache_first', lane, som = false } = call;
		const key = readUrl(url);
		const asked = this.#ask(key);
		if (asked !== undefined) await asked;
		const cached =
			freshnessPolicy === 'cache_first' ? (this.#atHand(key, som) ?? (await this.#look(key, som))) : undefined;
		if (this.#closing) throw new ServiceError('shutting-down');
		const pending: PendingCall = { lane, som, refresh: freshnessPolicy === 'force_refresh' };
		const served = cached ?? (await this.#join(key, pending, call));
		const { redirectedTo } = served.result;
		if (redirectedTo !== undefined) await this.#ask(redirectedTo);
		return this.#deliver(served, freshnessPolicy);
	}

	#deliver(served: Served, policy: FreshnessPolicy): Served {
		const { outcome, reason = outcome } = served.result;
		this.#count({ outcome, reason: reason.startsWith('http-') ? 'http' : reason });
		return asAskedFor({ ...served, result: resultOutside(served.result, this.#log) }, policy);
	}

	/**
	 * The result of `cached`, if that needs no promise: the guards allow the page and its document is in memory.
	 * Otherwise undefined.
	 *
	 * @throws ServiceError the refusal of a guard
	 */
	atHand(url: string): Served | undefined {
		const key = readUrl(url);
		const served = this.#allows(key) ? this.#atHand(key, false) : undefined;
		const redirectedTo = served?.result.redirectedTo;
		return redirectedTo === undefined || this.#allows(redirectedTo) ? served : undefined;
	}

	/** The result of `get` for a document in memory; undefined once nothing new begins. */
	deliver(served: Served): Served | undefined {
		return this.#closing ? undefined : this.#deliver(served, 'cache_first');
	}

	/** Whether all guards allow the page at once. @throws ServiceError */
	#allows(url: string): boolean {
		const asked = this.#ask(url);
		// The guards are asked again where there is time to wait.
		asked?.catch(() => {});
		return asked === undefined;
	}

	/** The stored document, without asking anybody. @throws ServiceError `bad-request` */
	async cached(url: string, som = false): Promise<Served | undefined> {
		const key = readUrl(url);
		const asked = this.#ask(key);
		if (asked !== undefined) await asked;
		const served = this.#atHand(key, som) ?? (await this.#look(key, som));
		if (served?.result.redirectedTo !== undefined) await this.#ask(served.result.redirectedTo);
		return served;
	}

	#atHand(url: string, som: boolean): Served | undefined {
		const result = som ? undefined : this.#cache.get(url);
		return result && { result };
	}

	async #look(url: string, som: boolean): Promise<Served | undefined> {
		const cached = this.#cache.get(url);
		const served = cached && (await this.#inForm(url, cached, som));
		if (served !== undefined) return served;
		// Another process may have stored a newer snapshot, in the form that this one lacks.
		const stored = await this.#lookInStore(url);
		return stored && this.#inForm(url, stored, som);
	}

	async #inForm(url: string, result: Result, som: boolean): Promise<Served | undefined> {
		if (!som) return { result };
		const copy = await this.#copies.find(url, result);
		return copy === undefined ? undefined : { result, som: copy };
	}

	/** Concurrent calls for the same page share one look-up. */
	#lookInStore(url: string): Promise<Result | undefined> {
		const other = this.#looking.get(url);
		if (other !== undefined) return other;
		const last = this.#cache.last(url);
		const looking = this.#fetcher.cached(url, this.#config.maxAge, last).finally(() => this.#looking.delete(url));
		this.#looking.set(url, looking);
		return looking.then((result) => {
			// A document fetched in the meantime is newer.
			if (!this.#inFlight.has(url)) this.#cache.put(url, result);
			return result;
		});
	}

	async #join(url: string, pending: PendingCall, call: DocumentCall): Promise<Served> {
		const { signal, cancels = false, timeLimit = this.#config.timeLimit } = call;
		let leave = (_: ServiceError): void => {};
		const left = new Promise<never>((_, reject) => {
			leave = reject;
		});
		const timer = setTimeout(() => leave(new ServiceError('time-limit', { url, retry_after: 5 })), timeLimit);
		const hangUp = () => leave(new ServiceError('shutting-down', { detail: 'the client disconnected' }));
		signal?.addEventListener('abort', hangUp, { once: true });
		if (signal?.aborted) hangUp();
		const flight = this.#inFlightFor(url, pending);
		try {
			const served = await flight.join(pending, left, () => cancels && signal?.aborted === true);
			// A permission for one use is for one caller: each of the others asks for its own.
			const isOnce = served.result.policy?.limits?.once === true;
			return isOnce && !flight.takeOnce() ? await this.#join(url, pending, call) : served;
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener('abort', hangUp);
			if (flight.idle) this.#forget(url, flight);
		}
	}

	#inFlightFor(url: string, pending: PendingCall): InFlightFetch {
		const known = this.#inFlight.get(url);
		if (known?.serves(pending)) return known;
		const flight = new InFlightFetch(this.#queue, new URL(url).hostname, (own) =>
			this.#fetch(url, own).finally(() => this.#forget(url, own)),
		);
		this.#inFlight.set(url, flight);
		return flight;
	}

	#forget(url: string, flight: InFlightFetch): void {
		this.#cache.forget(url);
		if (this.#inFlight.get(url) === flight) this.#inFlight.delete(url);
	}

	async #fetch(url: string, flight: InFlightFetch): Promise<Served> {
		const { refresh, som, signal } = flight;
		const find = () => this.#look(url, som);
		if (this.#shared === undefined) return (!refresh && som ? await find() : undefined) ?? this.#fetchHere(url, flight);
		return this.#shared.run(url, { refresh, signal, find, fetch: () => this.#fetchWhenFree(url, flight) });
	}

	/** Waits while another process requests something else of the same host, or has died with it. */
	async #fetchWhenFree(url: string, flight: InFlightFetch): Promise<Served> {
		const end = this.#clock.now() + hostWait;
		for (;;) {
			try {
				return await this.#fetchHere(url, flight);
			} catch (error) {
				const isBusy = error instanceof ServiceError && error.code === 'host-busy';
				if (!isBusy || flight.signal.aborted || this.#closing || this.#clock.now() >= end) throw error;
				await this.#clock.sleep(hostPause, flight.signal);
			}
		}
	}

	async #fetchHere(url: string, { refresh, som, signal }: InFlightFetch): Promise<Served> {
		let source: Source | undefined;
		const onSource = (given: Source) => {
			source = given;
		};
		try {
			const result = await this.#fetcher.fetch(url, {
				freshnessPolicy: refresh ? 'force_refresh' : 'cache_first',
				maxAge: this.#config.maxAge,
				signal,
				...(som && { whole: true, onSource }),
			});
			if (result.redirectedTo !== undefined) this.#cache.forget(result.redirectedTo);
			const text = result.document && source && somOf(source);
			if (text === undefined) return { result };
			await this.#copies.keep(url, result, text);
			return { result, som: text };
		} catch (error) {
			if (error instanceof CrawlError && error.code === 'store-in-use')
				throw new ServiceError('host-busy', { url, retry_after: 30 });
			throw error;
		}
	}

	/** Gets single files of sites, at the request rate of their pages. */
	get files(): Pick<DocumentFetcher, 'get' | 'setSitePace'> {
		return this.#fetcher;
	}

	/** Visited pages of a site, by address, after `after`. */
	pagesOf(site: SiteOf, after: string, limit: number): Promise<SitePage[]> {
		return this.#fetcher.pagesOf(site, after, limit);
	}

	/** Documents that are kept, in the order in which they were fetched, behind a place. */
	documentsSince(place: DocumentPlace, limit: number): Promise<KeptDocument[]> {
		return this.#fetcher.documentsSince(place, limit);
	}

	/** The stored history of a page. @throws ServiceError `bad-request`, and errors of guards */
	async find(url: string): Promise<KnownUrl | undefined> {
		const key = readUrl(url);
		await this.#ask(key);
		return this.#fetcher.find(key);
	}

	/** Removes what is kept of a site, or of one page of it; returns how many pages there were. */
	async remove(site: SiteOf, url?: string): Promise<number> {
		let removed = 0;
		for (;;) {
			const urls = await this.#fetcher.forgetPages(site, url, maxRemoved);
			await this.#copies.forget(urls);
			for (const page of urls) this.#cache.forget(page);
			for (const tell of this.#removed) await tell(urls);
			removed += urls.length;
			if (urls.length < maxRemoved) return removed;
		}
	}

	/** Nothing new begins. */
	stop(): void {
		this.#closing = true;
	}

	async close(): Promise<void> {
		this.stop();
		await this.#fetcher.close();
	}
}

const maxUrlLength = 2048;

const knownUrls = new KnownTexts<string>();

/** The URL as it is known, under which calls for the same page meet. @throws ServiceError `bad-request` */
export const readUrl = (text: string): string => knownUrls.get(text) ?? knownUrls.add(text, readNewUrl(text));

function readNewUrl(text: string): string {
	const url = parseUrl(text);
	const wrong = (message: string) =>
		new ServiceError('bad-request', { detail: `url: ${message}`, errors: [{ path: '/url', message }] });
	if (url === undefined) throw wrong('not an absolute URL');
	const fault = addressFault(text);
	if (fault !== undefined) throw wrong(fault);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong('only http and https URLs are fetched');
	if (url.username !== '' || url.password !== '') throw wrong('URLs with a user name or password are not fetched');
	if (text.length > maxUrlLength) throw wrong(`longer than ${maxUrlLength} characters`);
	return normaliseUrl(url.href) ?? url.href;
}
