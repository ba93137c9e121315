import { existsSync } from 'node:fs';
import { openDatabase } from '@wayleave/io';
import { type Kysely, sql } from 'kysely';
import { CrawlError } from '../errors.ts';
import type { Result } from '../result.ts';
import { openStore } from '../store/open.ts';
import { loadPolicyFile } from '../store/policy-file.ts';
import { type StoreSchema, storeComponent, storeMigrations } from '../store/schema.ts';
import { sqliteDialect } from '../store/sqlite.ts';
import type { PolicyFile } from '../store/types.ts';
import { type Pruned, type PruneOptions, pruneStore } from './prune.ts';
import { type StoredResultsOptions, storedResults } from './results.ts';
import { type StoreStatus, statusOf } from './status.ts';
import { storyOf, type UrlStory } from './story.ts';

/** A look into a store, also while a crawl works with it. */
export interface StoreView {
	status(): Promise<StoreStatus>;
	/** The story of a URL; undefined for one that was never seen. */
	explain(url: string): Promise<UrlStory | undefined>;
	/** What the store holds, a few results at a time. */
	results(options?: StoredResultsOptions): AsyncIterable<Result[]>;
	policyFile(url: string): Promise<PolicyFile | undefined>;
	/** @throws CrawlError `store-in-use` while a crawl works with it, where one store is for one process */
	prune(options: PruneOptions): Promise<Pruned>;
	close(): Promise<void>;
}

/**
 * Opens a store to look into it: `sqlite:FILE` or `postgres://…`. Nothing is made and nothing is locked.
 *
 * @throws CrawlError `store-unreadable` when there is none, or one of an older version
 */
export async function openStoreView(url: string): Promise<StoreView> {
	const file = /^sqlite:(.+)$/is.exec(url)?.[1]?.replace(/^\/\/(?=\/)/, '');
	// Opening would make an empty one.
	if (file !== undefined && !existsSync(file)) throw unreadable(url, new Error('there is no such file'));
	let db: Kysely<StoreSchema>;
	try {
		db = openDatabase<StoreSchema>(url);
	} catch (error) {
		throw unreadable(url, error);
	}
	try {
		await sql`select 1 from crawl_run limit 1`.execute(db);
		await refuseOlder(db);
	} catch (error) {
		await db.destroy();
		throw unreadable(url, error);
	}
	return {
		status: () => statusOf(db),
		explain: (address) => storyOf(db, address),
		results: (options) => storedResults(db, options),
		policyFile: (address) => loadPolicyFile(db, address),
		async prune(options) {
			// Whoever may crawl with it may change it.
			const store = await openStore(url);
			try {
				return await pruneStore(db, options);
			} finally {
				await store.close();
			}
		},
		close: () => db.destroy(),
	};
}

/** Only what writes to a store may bring it up to date. */
async function refuseOlder(db: Kysely<StoreSchema>): Promise<void> {
	const { rows } = await sql<{ name: string }>`
		select name from wayleave_migrations where component = ${storeComponent}`.execute(db);
	const done = new Set(rows.map(({ name }) => name));
	if (storeMigrations(sqliteDialect('')).some(({ name }) => !done.has(name)))
		throw new Error('not of this version, which brings it up to date when it crawls with it');
}

function unreadable(url: string, error: unknown): CrawlError {
	const place = url.replace(/\/\/[^@/]*@/, '//');
	return new CrawlError('store-unreadable', `${place} is no store of a crawl: ${(error as Error).message}`, {
		cause: error,
	});
}
