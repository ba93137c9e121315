import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '@wayleave/io/hash';
import { type PageFile, pageFile, pageHeaders, pageProblem } from '@wayleave/io/listen';
import { present } from '@wayleave/protocols';
import { changesFeed } from '../inspect/changes-feed.ts';
import { StoreCounter, type StoreCounts } from '../inspect/count-store.ts';
import { searchDocuments } from '../inspect/search-documents.ts';
import type { Capture } from '../model/exchange.ts';
import { outcomes } from '../model/outcome.ts';
import type { UrlFilter } from '../store/roles/frontier.ts';
import type { StoreReader } from '../store/roles/reader.ts';
import type { CountedEnding, PageChangesPage, SearchPage, ShownCounts, SourcePage, UrlPage, ViewState } from './api.ts';
import { type ChangeKind, changeKinds, type Piece, readChanges } from './changes.ts';
import { readDocument } from './document.ts';
import { readHistory } from './history.ts';
import { readLeftOut } from './left-out.ts';
import type { LiveCrawl } from './live-crawl.ts';
import { readPageChanges } from './page-changes.ts';
import { endingOf, showUrl } from './show.ts';

export interface CrawlViewOptions {
	/** Opens the store, or returns it: called for each request. May reject while a new crawl has not made it yet. */
	readonly store: () => Promise<StoreReader>;
	/** Name of the store, without a password. */
	readonly storeName: string;
	/** Files of the page by name; the page is `crawl.html`. */
	readonly files: ReadonlyMap<string, PageFile>;
	/** Requests for data name it: `Authorization: Bearer KEY`. */
	readonly key: string;
	/** The crawl that this process runs. */
	readonly live?: LiveCrawl;
	/** Finds the response that a document was made from. */
	readonly readSource?: (capture: Capture, url: string) => Promise<SourcePage>;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** URLs and documents that one request examines: fewer beside a crawl, which shares the thread. */
const atRest = { urls: 20_000, documents: 200, counted: 20_000 };
const besideCrawl = { urls: 4000, documents: 50, counted: 4000 };

/** Entries of one response. */
const limit = 50;
/** Requests that wait for their turn: reads of the store happen one at a time. */
const maxWaiting = 32;
/** Milliseconds after which a complete count of a store in use is made again. */
const countLife = 60_000;
const maxQuery = 4096;

/**
 * Serves the page that shows a crawl or a store: its files, and `api/…` as JSON (`api.ts`). It only reads, examines a
 * bounded number of rows for each request, and needs the key for data. For a listener that checks `Host` and `Origin`.
 * Undefined for other paths.
 */
export function createCrawlView(options: CrawlViewOptions): (request: Request) => Promise<Response | undefined> {
	const { files, key } = options;
	const readings = new StoreReadings(options);
	const inTurn = oneAtATime(maxWaiting);
	const wanted = digest(key);
	return async ({ method, url, headers }) => {
		const { pathname, searchParams, search } = new URL(url);
		if (method !== 'GET' && method !== 'HEAD')
			return pageProblem(405, 'only GET and HEAD are allowed', {}, { allow: 'GET, HEAD' });
		const name = pathname.slice(1) || 'crawl.html';
		if (!name.startsWith('api/') && name !== feedName) return pageFile(files, name);
		const [, sent = ''] = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '') ?? [];
		// A feed reader knows an address and nothing else.
		const given = sent === '' && name === feedName ? (searchParams.get('key') ?? '') : sent;
		if (!timingSafeEqual(digest(given), wanted))
			return pageProblem(401, 'the key is missing or wrong: open the address that the command printed');
		if (search.length > maxQuery) return pageProblem(414, `the query is longer than ${maxQuery} characters`);
		try {
			if (name === feedName) return atomResponse(await inTurn(() => readings.feed()));
			const read = readings.find(name.slice('api/'.length));
			if (read === undefined) return pageProblem(404, 'the page does not exist');
			const value = await inTurn(() => read(searchParams));
			return Response.json(value, { headers: { ...pageHeaders } });
		} catch (error) {
			if (error instanceof WrongQuery) return pageProblem(400, error.message);
			if (error instanceof TooMany) return pageProblem(503, error.message, {}, { 'retry-after': '1' });
			return pageProblem(503, 'the store cannot be read right now: try again later');
		}
	};
}

/** The path of the Atom feed of changes. */
const feedName = 'changes.atom';

const atomResponse = (feed: string): Response =>
	new Response(feed, { headers: { ...pageHeaders, 'content-type': 'application/atom+xml; charset=utf-8' } });

const digest = (text: string): Uint8Array => sha256(new TextEncoder().encode(text));

/** A mistake in the query of a request. */
class WrongQuery extends Error {}
class TooMany extends Error {}

/** Work that waits for the work before it, so that many open pages cost a crawl no more than one. */
function oneAtATime(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
	let last: Promise<unknown> = Promise.resolve();
	let waiting = 0;
	return async (work) => {
		if (waiting >= most) throw new TooMany('too many requests at once: try again');
		waiting++;
		const before = last;
		const own = before.then(work, work).finally(() => waiting--);
		last = own.catch(() => {});
		return own;
	};
}

type Reading = (query: URLSearchParams) => Promise<unknown>;

/** What `api/…` reads. */
class StoreReadings {
	readonly #options: CrawlViewOptions;
	readonly #now: () => number;
	#counter: { readonly counter: StoreCounter; last?: StoreCounts } | undefined;

	constructor(options: CrawlViewOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
	}

	find(name: string): Reading | undefined {
		const readings: Record<string, Reading> = {
			state: () => this.#state(),
			live: async () => this.#options.live?.state() ?? null,
			counts: (query) => this.#counts(query),
			urls: (query) => this.#urls(query),
			history: async (query) => readHistory(await this.#store(), textOf(query, 'url')),
			document: async (query) =>
				readDocument(await this.#store(), textOf(query, 'url'), this.#options.readSource !== undefined),
			source: (query) => this.#source(textOf(query, 'url')),
			changes: (query) => this.#changes(query),
			'page-changes': (query) => this.#pageChanges(query),
			search: (query) => this.#search(query),
			'left-out': async (query) => readLeftOut(await this.#store(), query.get('after') ?? ''),
		};
		return Object.hasOwn(readings, name) ? readings[name] : undefined;
	}

	/** The latest changes of a watched crawl (RFC 4287). */
	async feed(): Promise<string> {
		return changesFeed(await this.#store(), limit);
	}

	#store(): Promise<StoreReader> {
		return this.#options.store();
	}

	get #limits() {
		return this.#options.live === undefined ? atRest : besideCrawl;
	}

	get #piece(): Piece {
		return { rows: this.#limits.urls, limit };
	}

	async #state(): Promise<ViewState> {
		const { storeName, live } = this.#options;
		const state = { store: storeName, isLive: live !== undefined, now: this.#now() };
		try {
			return { ...state, ...(await this.#run()) };
		} catch (error) {
			// A new crawl makes its store when it begins.
			if (live === undefined) throw error;
			return { ...state, seeds: [] };
		}
	}

	async #run(): Promise<Pick<ViewState, 'run' | 'seeds'>> {
		const store = await this.#store();
		const run = await store.frontier.lastRun();
		if (run === undefined) return { seeds: [] };
		const { mode, startedAt, endedAt, complete } = run;
		const isOpen = complete === undefined && (await store.leases.activeWorkers()) > 0;
		const ended = complete === undefined ? 'killed' : complete ? 'complete' : 'interrupted';
		const seeds = (await store.frontier.list({ after: 0, rows: 1000, limit })).urls.filter(({ seed }) => seed);
		return {
			run: { mode, startedAt, ...(endedAt !== undefined && { endedAt }), state: isOpen ? 'open' : ended },
			seeds: seeds.map(showUrl),
		};
	}

	/** Counts a piece more. A complete count is kept for a minute, or until `again=1`. */
	async #counts(query: URLSearchParams): Promise<ShownCounts> {
		const { last } = this.#counter ?? {};
		const isOld = last?.isComplete === true && this.#now() - last.startedAt > countLife;
		if (this.#counter === undefined || isOld || (query.has('again') && last?.isComplete))
			this.#counter = { counter: new StoreCounter(await this.#store(), this.#limits.counted, this.#now) };
		const counter = this.#counter;
		const counts = counter.last?.isComplete ? counter.last : await counter.counter.step();
		counter.last = counts;
		return { ...counts, pages: counts.pages.map(withSentence), sitemaps: counts.sitemaps.map(withSentence) };
	}

	async #urls(query: URLSearchParams): Promise<UrlPage> {
		const { frontier } = await this.#store();
		const filter = filterOf(query);
		const after = numberOf(query, 'after');
		const { urls, next } = await frontier.list({ ...this.#piece, ...filter, after });
		return { urls: urls.map(showUrl), ...(next !== undefined && { next: String(next) }) };
	}

	async #changes(query: URLSearchParams): Promise<UrlPage> {
		const kind = query.get('kind') ?? 'changed';
		if (!changeKinds.includes(kind as ChangeKind))
			throw new WrongQuery(`kind: expected one of ${changeKinds.join(', ')}`);
		return readChanges(await this.#store(), kind as ChangeKind, query.get('after') ?? '', this.#piece);
	}

	async #pageChanges(query: URLSearchParams): Promise<PageChangesPage> {
		const url = query.get('url') ?? '';
		const after = numberOf(query, 'after');
		return readPageChanges(await this.#store(), { after, limit, ...(url !== '' && { url }) });
	}

	async #search(query: URLSearchParams): Promise<SearchPage> {
		const text = textOf(query, 'text');
		const after = numberOf(query, 'after');
		const found = await searchDocuments(await this.#store(), text, { after, rows: this.#limits.documents, limit });
		const { hits, examined, next } = found;
		return { hits, examined, ...(next !== undefined && { next: String(next) }) };
	}

	async #source(url: string): Promise<SourcePage> {
		const capture = (await (await this.#store()).pages.stored(url))?.capture;
		const { readSource } = this.#options;
		if (capture === undefined || readSource === undefined)
			return { reason: 'the store keeps documents, not their sources: crawl with --warc FILE.warc.gz to keep both' };
		return readSource(capture, url);
	}
}

function withSentence({ outcome, reason, count }: StoreCounts['pages'][number]): CountedEnding {
	return { ...endingOf(outcome, reason), count };
}

function textOf(query: URLSearchParams, name: string): string {
	const text = query.get(name)?.trim() ?? '';
	if (text === '') throw new WrongQuery(`${name}: missing`);
	return text;
}

function numberOf(query: URLSearchParams, name: string): number {
	const text = query.get(name) ?? '0';
	if (!/^\d{1,15}$/.test(text)) throw new WrongQuery(`${name}: expected a number`);
	return Number(text);
}

function filterOf(query: URLSearchParams): UrlFilter {
	const [outcome, reason, host, contains, kind] = ['outcome', 'reason', 'host', 'contains', 'kind'].map(
		(name) => query.get(name) || undefined,
	);
	const known = [...outcomes, 'waiting'] as const;
	if (outcome !== undefined && !known.includes(outcome as (typeof known)[number]))
		throw new WrongQuery(`outcome: expected one of ${known.join(', ')}`);
	if (kind !== undefined && kind !== 'page' && kind !== 'sitemap')
		throw new WrongQuery('kind: expected page or sitemap');
	return present({ outcome, reason, host, contains, kind }) as UrlFilter;
}
