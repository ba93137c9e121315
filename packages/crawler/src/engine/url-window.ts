import type { CrawlContext } from '../fetch/crawl-context.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';

/** URLs of one host in memory; all others are in the store. */
const windowSize = 40;
/** Pages between two sitemaps, so that neither has to wait for the other to end. */
const pagesPerSitemap = 4;
const sitemapsPerWindow = windowSize / pagesPerSitemap;

/** Stage 1: the next few URLs of a host, nearest to the seeds first and in the order found. */
export class UrlWindow {
	/** Whether the store may have URLs that are not here. */
	more = true;
	/** Whether some were skipped because another visit has them. */
	skipped = false;
	readonly #host: number;
	readonly #context: CrawlContext;
	readonly #flying: ReadonlyMap<number, unknown>;
	readonly #last: () => readonly string[];
	#urls: FrontierUrl[] = [];
	/** While what waits is being ended, and how often it has been. */
	#ending: Promise<unknown> | undefined;
	#endings = 0;

	/**
	 * @param flying by number, the URLs that this worker is visiting
	 * @param last URL prefixes that now sort behind all others
	 */
	constructor(
		host: number,
		context: CrawlContext,
		flying: ReadonlyMap<number, unknown>,
		last: () => readonly string[] = () => [],
	) {
		this.#last = last;
		this.#host = host;
		this.#context = context;
		this.#flying = flying;
	}

	/** Nothing is given out while what waits is ended otherwise, and nothing afterwards that was read before. */
	async whileEnding<Value>(work: () => Promise<Value>): Promise<Value> {
		const ending = work();
		const settled = ending.catch(() => {});
		this.#ending = settled;
		try {
			return await ending;
		} finally {
			if (this.#ending === settled) this.#ending = undefined;
			this.#endings++;
			this.#urls = [];
			this.more = true;
		}
	}

	/** Queries the store again for the next URLs. */
	reorder(): void {
		this.#urls = [];
		this.more = true;
	}

	/** The caller has claimed what it is given. */
	async next(): Promise<FrontierUrl | undefined> {
		for (;;) {
			while (this.#ending !== undefined) await this.#ending;
			for (let next = this.#urls.shift(); next !== undefined; next = this.#urls.shift()) {
				const key = keyOf(next);
				if (this.#context.claims.hasEnded(key)) continue;
				if (this.#context.claims.take(key)) return next;
				this.skipped = true;
			}
			if (!this.more) return undefined;
			await this.#refill();
			if (this.#urls.length === 0 && this.#ending === undefined) return undefined;
		}
	}

	async #refill(): Promise<void> {
		const { store, pace } = this.#context;
		this.more = false;
		this.skipped = false;
		// Those in flight still wait in the store and come first there. Any of them may end while the store is asked, which
		// may tell of it as it was before: what counts is what was in flight when it was asked.
		const flying = new Set(this.#flying.keys());
		const endings = this.#endings;
		const pages = await store.frontier.pending(this.#host, 'page', pace.now(), windowSize + flying.size, this.#last());
		const sitemaps = await store.frontier.pending(this.#host, 'sitemap', pace.now(), sitemapsPerWindow + flying.size);
		if (this.#endings !== endings) return;
		if (pages.length === windowSize + flying.size || sitemaps.length === sitemapsPerWindow + flying.size)
			this.more = true;
		const free = (url: FrontierUrl) => !flying.has(url.id);
		// Changes that a sitemap reports must be known before a page is skipped.
		const first = this.#context.changes?.wantsHints ? sitemaps.filter(free) : [];
		this.#urls = first.length > 0 ? first : interleave(pages.filter(free), sitemaps.filter(free));
		if (first.length > 0) this.more = true;
	}
}

/** A page and a sitemap at one address are two visits. */
export const keyOf = ({ kind, url }: FrontierUrl): string => (kind === 'page' ? url : `sitemap ${url}`);

/** One page first: there is something to show before the first sitemap is read. */
function interleave(pages: readonly FrontierUrl[], sitemaps: readonly FrontierUrl[]): FrontierUrl[] {
	const window: FrontierUrl[] = [...pages.slice(0, 1)];
	for (let at = 1, sitemap = 0; at < pages.length || sitemap < sitemaps.length; at += pagesPerSitemap, sitemap++)
		window.push(...sitemaps.slice(sitemap, sitemap + 1), ...pages.slice(at, at + pagesPerSitemap));
	return window;
}
