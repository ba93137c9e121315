import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import { systemClock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { rfc3339 } from '../base/time.ts';
import type { DocumentFetcherOptions, DocumentRequest } from '../config/options.ts';
import { readSettings, requireChunkBudget } from '../config/settings.ts';
import { normaliseUrl } from '../discover/normalise.ts';
import type { Scope } from '../discover/scope.ts';
import { findCached } from '../fetch/cached.ts';
import type { CrawlContext } from '../fetch/crawl-context.ts';
import { lastContent } from '../fetch/last-content.ts';
import { UrlClaims } from '../fetch/url-claims.ts';
import { visitPage } from '../fetch/visit-page.ts';
import type { Visited } from '../fetch/visited.ts';
import { chunkerFor } from '../model/chunks.ts';
import { lacksFields } from '../model/fields.ts';
import type { Result } from '../model/result.ts';
import type { HostSlot } from '../politeness/host-slot.ts';
import type { ReadPage } from '../read/read-page.ts';
import type { Frontier, FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import type { Pages } from '../store/roles/pages.ts';
import type { Store } from '../store/roles/store.ts';
import { createCrawlContext, noop } from './create-crawl-context.ts';
import { FileClient } from './file-client.ts';
import { storeOf } from './open-run.ts';
import type { PoliteClient } from './polite-client.ts';

/** Fetches single pages and files (`get`), many at a time, with one request rate per host. */
export interface DocumentFetcher extends Pick<PoliteClient, 'get' | 'setSitePace'> {
	/**
	 * One page on the terms of its site. `cache_first` gives the stored snapshot without a request where there is one
	 * (`cache.status` is `hit`); `force_refresh` asks the server whether it has changed.
	 *
	 * @throws CrawlError `bad-seed` when it is no http(s) address, `store-in-use` when another process is crawling the
	 * host, `store-failed`; the result reports what the site does
	 */
	fetch(url: string, request?: DocumentRequest): Promise<Result>;
	/**
	 * The stored snapshot; nothing is asked.
	 *
	 * @param known an earlier one of the same URL: returned itself if the store still has the same
	 */
	cached(url: string, maxAge?: number, known?: Result): Promise<Result | undefined>;
	/** Up to `limit` pages of a site that were visited, in the order of their addresses, from behind `after` on. */
	pagesOf: Pages['pagesOf'];
	/** Up to `limit` kept documents that were fetched after a place in that order, oldest first. */
	documentsSince: Pages['documentsSince'];
	/** The record of a page. */
	find(url: string): ReturnType<Frontier['find']>;
	/** Removes what is kept of up to `limit` pages of a site, or of one of them; returns their addresses. */
	forgetPages: Pages['forgetPages'];
	/** Ends what is in flight. */
	close(): Promise<void>;
}

/**
 * Opens what single pages are fetched with: one store, one clock for each host, one set of connections for all of them.
 *
 * ```ts
 * const fetcher = await createDocumentFetcher({ store: 'sqlite:./pages.db' });
 * const { document } = await fetcher.fetch('https://example.com/');
 * await fetcher.close();
 * ```
 *
 * @throws CrawlError when an option is wrong or the store cannot be opened
 */
export async function createDocumentFetcher(options: DocumentFetcherOptions = {}): Promise<DocumentFetcher> {
	return documentFetcherWith(undefined, options);
}

/** The same with another reader of pages in the place of our own threads. */
export async function documentFetcherWith(
	read: ReadPage | undefined,
	options: DocumentFetcherOptions = {},
): Promise<DocumentFetcher> {
	const given = readSettings(options);
	const render = { ...given.render, hash: options.hash };
	const settings = { ...given, render, retries: 0, brief: options.store === undefined };
	const clock = options.clock ?? systemClock;
	const store = await storeOf({ options, emit: noop });
	const closeStore = async () => {
		if (typeof options.store !== 'object') await store.close();
	};
	try {
		await store.leases.recover(clock.now());
		const seeds = (options.privateHosts ?? []).map((host) => `http://${host}/`);
		const context = { options, settings, store, read, scope: everywhere, seeds, emit: noop };
		const own = createCrawlContext({
			...context,
			freshnessPolicy: 'cache_first',
			onRelease: () => {},
			refreshScope: async () => {},
		});
		const stop = () => own.scheduler.stop();
		options.signal?.addEventListener('abort', stop, { once: true });
		if (options.signal?.aborted) stop();
		const out = new Set<Promise<unknown>>();
		const files = new FileClient(own.context, options.delay);
		return {
			get: (url, redirects, more) => files.get(url, redirects, more),
			setSitePace: (url, pace) => files.setSitePace(url, pace),
			async fetch(url, request = {}) {
				const budget = requireChunkBudget(request.chunks);
				const work = fetchOne(normalised(url), request, own.context);
				out.add(work);
				try {
					const result = await work;
					return (await chunkerFor(budget))(result);
				} finally {
					out.delete(work);
				}
			},
			cached: (url, maxAge, known) => findCached(store, normalised(url), clock.now(), maxAge, known),
			pagesOf: (site, after, limit) => store.pages.pagesOf(site, after, limit),
			documentsSince: (place, limit) => store.pages.documentsSince(place, limit),
			find: (url) => store.frontier.find(normalised(url)),
			forgetPages: (site, url, limit) => store.pages.forgetPages(site, url && normalised(url), limit),
			async close() {
				options.signal?.removeEventListener('abort', stop);
				await own.close();
				// Results so far are still written.
				await Promise.allSettled(out);
				await closeStore();
			},
		};
	} catch (error) {
		await closeStore();
		throw error;
	}
}

/** A page that the user has named may lead wherever it does. */
const everywhere: Scope = { check: () => undefined, widen: () => false, version: 0, key: '' };

function normalised(url: string): string {
	const asked = normaliseUrl(url);
	if (asked === undefined) throw new CrawlError('bad-seed', `${url} is not an http(s) URL`);
	return asked;
}

async function fetchOne(url: string, request: DocumentRequest, shared: CrawlContext): Promise<Result> {
	const { freshnessPolicy = 'cache_first', maxAge, whole = false } = request;
	const { store, clock, hosts } = shared;
	const cached = freshnessPolicy === 'cache_first' && !whole && (await findCached(store, url, clock.now(), maxAge));
	if (cached && !needsReading(cached, shared)) return cached;
	const slot = await hosts.hold(new URL(url).hostname);
	if (slot === undefined) throw inUse();
	try {
		return await visit(url, slot, contextFor(freshnessPolicy, request, shared));
	} finally {
		await hosts.release(slot);
	}
}

/** A stored copy that was read for another schema, or for none. */
function needsReading({ page, representation }: Result, { settings }: CrawlContext): boolean {
	const kind = representation?.kind ?? 'html';
	return kind === 'html' && lacksFields(page, settings.fields?.digest);
}

const inUse = () => new CrawlError('store-in-use', 'another crawl is using this host');

/** The context of one call. */
function contextFor(
	freshnessPolicy: FreshnessPolicy,
	{ whole = false, onSource, signal }: DocumentRequest,
	shared: CrawlContext,
): CrawlContext {
	return {
		...shared,
		send: signal === undefined ? shared.send : endedBy(signal, shared.send),
		settings: { ...shared.settings, reuse: freshnessPolicy === 'cache_first' && !whole },
		freshnessPolicy,
		conditional: !whole,
		single: true,
		// Several calls may come to the same page: each wants it.
		claims: new UrlClaims(() => {}),
		onSource: onSource ?? shared.onSource,
	};
}

const endedBy =
	(signal: AbortSignal, send: CrawlContext['send']): CrawlContext['send'] =>
	(slot, url, options = {}) => {
		const { signal: other } = options;
		return send(slot, url, { ...options, signal: other === undefined ? signal : AbortSignal.any([other, signal]) });
	};

async function visit(url: string, slot: HostSlot, context: CrawlContext): Promise<Result> {
	const { store, clock, pace } = context;
	const last = await lastContent(url, context);
	const from: FrontierUrl = {
		id: 0,
		url,
		kind: 'page',
		depth: 0,
		dates: 0,
		attempts: 0,
		seed: true,
		...(last && { last }),
	};
	const visited = await visitPage(from, slot, context);
	const now = clock.now();
	if (visited === 'held') throw inUse();
	if (typeof visited === 'string') return { url, outcome: 'failed', reason: 'aborted', depth: 0, at: rfc3339(now) };
	await keep(store, from, visited);
	const result = lastOf(url, visited);
	const wait = slot.readyAt - pace.now();
	if (result.outcome !== 'deferred' || wait <= 0) return result;
	return { ...result, retryAt: rfc3339(now + wait) };
}

async function keep(store: Store, { url, depth, dates }: FrontierUrl, { visit }: Visited): Promise<void> {
	const { ending, content, at, status, redirectedTo, target } = visit;
	if (ending === undefined) return;
	const own: NewUrl = { url, kind: 'page', host: new URL(url).hostname, depth, dates };
	const facts = { at, ...(status !== undefined && { status }) };
	const kept = content && { content };
	if (target !== undefined) await store.pages.keep({ ...target, ...facts, ...kept });
	await store.pages.keep({
		url: own,
		ending,
		...facts,
		...(redirectedTo && { redirectedTo }),
		...(target ? {} : kept),
	});
}

/** The result at the end of the redirects, under the requested URL. */
function lastOf(asked: string, { results }: Visited): Result {
	const [first] = results;
	const last = results.at(-1);
	if (last === undefined) throw new Error(`the visit of ${asked} has no result`);
	return {
		...last,
		url: asked,
		...(first?.redirectedTo !== undefined && { redirectedTo: first.redirectedTo }),
	};
}
