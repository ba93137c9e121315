import { existsSync } from 'node:fs';
import { DatabaseError, databaseName, missingMigrations, openDatabase } from '@wayleave/io';
import { type Kysely, sql } from 'kysely';
import { normaliseUrl } from '../discover/normalise.ts';
import { CrawlError } from '../errors.ts';
import type { Result } from '../result.ts';
import type { StoreDialect } from '../store/dialect.ts';
import { type ForgetTarget, type Forgotten, forget, remember } from '../store/forgotten.ts';
import { rowLease } from '../store/membership.ts';
import { dialectOf, openStore } from '../store/open.ts';
import { loadPolicyFile } from '../store/policy-file.ts';
import { type StoreSchema, storeComponent, storeMigrations } from '../store/schema.ts';
import { defaultLease } from '../store/sql-store.ts';
import { storeFile } from '../store/sqlite.ts';
import type { PolicyFile } from '../store/types.ts';
import { type LearnedAddresses, learnedAddresses } from './learned.ts';
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
		explain: (address) => storyOf(db, dialect, normaliseUrl(address) ?? address),
		results: (options) => storedResults(db, options),
		learned: () => learnedAddresses(db),
		policyFile: (address) => loadPolicyFile(db, address),
		prune: (options) => changing(() => pruneStore(db, options), options.dryRun !== true),
		forget: (target) => changing(() => forget(db, target, Date.now())),
		remember: (target) => changing(() => remember(db, target)),
		close: () => db.destroy(),
	};
}

/** Migration steps that are not needed to inspect a store. */
const notLookedAt: ReadonlySet<string> = new Set(['012-learned', '013-forgotten']);

async function refuseUnused(db: Kysely<StoreSchema>): Promise<void> {
	const tables = await db.introspection.getTables();
	if (!tables.some(({ name }) => name === 'crawl_run')) throw new Error('it contains no crawl');
}

/** A newer one may mean other things by the same columns; only what writes to an older one may bring it up to date. */
async function refuseOther(db: Kysely<StoreSchema>, dialect: StoreDialect): Promise<void> {
	const all = await missingMigrations(db, storeMigrations(dialect), { component: storeComponent });
	const missing = all.filter((name) => !notLookedAt.has(name));
	if (missing.length > 0)
		throw new DatabaseError(
			'older-schema',
			'it was made by an older version of Wayleave: the next crawl with it upgrades it',
		);
}

/** Where one store is for one process, opening it refuses already. One that waits for its next cycle is in no way. */
async function refuseInUse(db: Kysely<StoreSchema>, dialect: StoreDialect): Promise<void> {
	const lives = await dialect.lives(rowLease(defaultLease));
	const { rows } = await sql`select 1 from crawl_worker where run is not null and ${lives}`.execute(db);
	if (rows.length === 0) return;
	const who = rows.length === 1 ? 'a process is' : `${rows.length} processes are`;
	const dead = `a killed process counts for ${defaultLease / 1000} more seconds`;
	throw new CrawlError('store-in-use', `${who} crawling with the store: prune it after the crawl ends (${dead})`);
}

function unreadable(url: string, error: unknown): CrawlError {
	const what = error instanceof DatabaseError ? 'cannot be read' : 'is not a crawl store';
	return new CrawlError('store-unreadable', `${databaseName(url)} ${what}: ${(error as Error).message}`, {
		cause: error,
	});
}
