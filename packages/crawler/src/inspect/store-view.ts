import { normaliseRoute, normaliseUrl } from '../discover/normalise.ts';
import type { LearnedAddresses } from '../model/learned-addresses.ts';
import type { Result } from '../model/result.ts';
import { openStoreForReading } from '../store/groups/open-for-reading.ts';
import type { ForgetTarget, StoredResultsOptions } from '../store/roles/pages.ts';
import type { PolicyFile } from '../store/roles/policies.ts';
import type { StoreReader, StoreStatus, UrlHistory } from '../store/roles/reader.ts';
import type { ChangesRequest, LoggedChange, NoticeCount } from '../store/roles/watch.ts';
import { changesFeed } from './changes-feed.ts';
import { type PageVersions, versionsOf } from './page-versions.ts';
import { statusOf } from './status.ts';
import { historyOf } from './url-history.ts';

/** Shows the content of a store, also while a crawl uses it; closing the view closes the store. */
export interface StoreView extends Pick<StoreReader, 'prune' | 'forget' | 'remember' | 'close'> {
	status(): Promise<StoreStatus>;
	/** Everything that the store knows of a URL; undefined if it was never seen. */
	explain(url: string): Promise<UrlHistory | undefined>;
	/** All stored results, a few at a time; documents whose permission was for one use included. */
	results(options?: StoredResultsOptions): AsyncIterable<Result[]>;
	/** Learned address patterns, and the aliases of pages. */
	learned(): Promise<LearnedAddresses>;
	policyFile(url: string): Promise<PolicyFile | undefined>;
	/** The versions of a page, the latest first; undefined if it was never seen. */
	versions(url: string): Promise<PageVersions | undefined>;
	/** Changes that a watched crawl found, the latest first, with the state of their notices. */
	changes(request: ChangesRequest): Promise<LoggedChange[]>;
	/** Notices by receiver. */
	notices(): Promise<NoticeCount[]>;
	/** Lets the next crawl send rejected notices again; returns how many. */
	retryNotices(): Promise<number>;
	/** Up to `limit` changes as an Atom feed (RFC 4287). */
	feed(limit: number): Promise<string>;
}

/**
 * Opens a store to inspect it: `sqlite:FILE` or `postgres://…`. Creates and locks nothing.
 *
 * @throws CrawlError `store-unreadable` if there is no store, or one of another version
 */
export async function openStoreView(url: string): Promise<StoreView> {
	return storeView(await openStoreForReading(url));
}

/** Inspects any store that can be read, one of your own included. */
export function storeView(store: StoreReader): StoreView {
	return {
		status: () => statusOf(store),
		explain: async (address) =>
			(await historyOf(store, normaliseRoute(address) ?? address)) ??
			historyOf(store, normaliseUrl(address) ?? address),
		results: (options) => store.pages.results({ spent: true, ...options }),
		learned: () => store.frontier.learnedAddresses(),
		policyFile: (address) => store.policies.policyFile(address),
		async versions(address) {
			for (const url of new Set([normaliseRoute(address) ?? address, normaliseUrl(address) ?? address])) {
				const found = await versionsOf(store, url);
				if (found.versions.length > 0 || found.withheld !== undefined) return found;
				const known = await store.frontier.historyOf(url);
				const other = known?.aliasOf ?? known?.redirectedTo;
				if (other !== undefined) return versionsOf(store, other);
				if (known !== undefined) return found;
			}
			return undefined;
		},
		changes: async (request) => (await store.watch?.log(request)) ?? [],
		notices: async () => (await store.watch?.counts()) ?? [],
		retryNotices: async () => (await store.retryNotices?.()) ?? 0,
		feed: (limit) => changesFeed(store, limit),
		prune: (options) => store.prune(options),
		forget: (target) => store.forget(asStored(target)),
		remember: (target) => store.remember(asStored(target)),
		close: () => store.close(),
	};
}

/** The store has URLs without fragments, except for those that name a route. */
const asStored = (target: ForgetTarget): ForgetTarget =>
	'url' in target ? { url: normaliseRoute(target.url) ?? target.url } : target;
