import { existsSync } from 'node:fs';
import { openDatabase } from '@wayleave/io';
import type { Kysely } from 'kysely';
import { normaliseRoute, normaliseUrl } from '../discover/normalise.ts';
import type { LearnedAddresses } from '../model/learned-addresses.ts';
import type { Result } from '../model/result.ts';
import { learnedAddresses } from '../store/frontier/learned-addresses.ts';
import { forget, remember } from '../store/pages/forgotten.ts';
import { storedResults } from '../store/pages/results.ts';
import { loadPolicyFile } from '../store/policies/policy-files.ts';
import type { ForgetTarget, Forgotten, Pruned, PruneOptions, StoredResultsOptions } from '../store/roles/pages.ts';
import type { PolicyFile } from '../store/roles/policies.ts';
import type { StoreStatus, UrlStory } from '../store/roles/reader.ts';
import { storeFile } from '../store/schema/sqlite.ts';
import type { StoreSchema } from '../store/schema/tables.ts';
import { dialectOf, openStore } from '../store/sql/open.ts';
import { refuseInUse, refuseOther, refuseUnused, unreadable } from '../store/sql/open-for-reading.ts';
import { pruneStore } from '../store/sql/prune.ts';
import { statusOf } from './status.ts';
import { storyOf } from './url-history.ts';

/** A look into a store, also while a crawl works with it. */
export interface StoreView {
	status(): Promise<StoreStatus>;
	/** The story of a URL; undefined for one that was never seen. */
	explain(url: string): Promise<UrlStory | undefined>;
	/** What the store holds, a few results at a time. */
	results(options?: StoredResultsOptions): AsyncIterable<Result[]>;
	/** Learned address patterns, and the aliases of pages. */
	learned(): Promise<LearnedAddresses>;
	policyFile(url: string): Promise<PolicyFile | undefined>;
	/** @throws CrawlError `store-in-use` while a crawl works with it */
	prune(options: PruneOptions): Promise<Pruned>;
	/**
	 * Removes the stored content of a URL or a host. No later crawl requests it, until this is undone.
	 *
	 * @throws CrawlError `store-in-use` while a crawl uses the store
	 */
	forget(target: ForgetTarget): Promise<Forgotten>;
	/** Undoes `forget`; returns whether there was something to undo. */
	remember(target: ForgetTarget): Promise<boolean>;
	close(): Promise<void>;
}

/**
 * Opens a store to look into it: `sqlite:FILE` or `postgres://…`. Nothing is made and nothing is locked.
 *
 * @throws CrawlError `store-unreadable` when there is none, or one of another version
 */
export async function openStoreView(url: string): Promise<StoreView> {
	const file = storeFile(url);
	// Opening would make an empty one.
	if (file !== undefined && !existsSync(file)) throw unreadable(url, new Error('the file does not exist'));
	const dialect = dialectOf(url);
	let db: Kysely<StoreSchema>;
	try {
		db = openDatabase<StoreSchema>(url);
	} catch (error) {
		throw unreadable(url, error);
	}
	try {
		await refuseUnused(db);
		await refuseOther(db, dialect);
	} catch (error) {
		await db.destroy();
		throw unreadable(url, error);
	}
	const changing = async <Value>(work: () => Promise<Value>, changes = true): Promise<Value> => {
		if (dialect.shared && changes) await refuseInUse(db, dialect);
		// Any user who may crawl with the store may change it.
		const store = await openStore(url);
		try {
			return await work();
		} finally {
			await store.close();
		}
	};
	return {
		status: () => statusOf(db, dialect),
		explain: async (address) =>
			(await storyOf(db, dialect, normaliseRoute(address) ?? address)) ??
			storyOf(db, dialect, normaliseUrl(address) ?? address),
		results: (options) => storedResults(db, options),
		learned: () => learnedAddresses(db),
		policyFile: (address) => loadPolicyFile(db, address),
		prune: (options) => changing(() => pruneStore(db, options), options.dryRun !== true),
		forget: (target) => changing(() => forget(db, asKept(target), Date.now())),
		remember: (target) => changing(() => remember(db, asKept(target))),
		close: () => db.destroy(),
	};
}

/** Under the address that the store has: a fragment that only names a place in the page is no part of it. */
const asKept = (target: ForgetTarget): ForgetTarget =>
	'url' in target ? { url: normaliseRoute(target.url) ?? target.url } : target;
