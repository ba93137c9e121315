import { existsSync } from 'node:fs';
import { DatabaseError, databaseName, missingMigrations, openDatabase } from '@wayleave/io/sql';
import { steadyClock } from '../../base/clock.ts';
import { CrawlError } from '../../base/errors.ts';
import { changesReader } from '../changes/sql-changes.ts';
import { countOut, type Neighbours } from '../frontier/outbox.ts';
import type { StoreReader } from '../roles/reader.ts';
import type { Store } from '../roles/store.ts';
import type { ReadAccess } from '../schema/access.ts';
import { readByAddress } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { hasTable } from '../schema/has-table.ts';
import { compactStep, storeComponent, storeMigrations } from '../schema/migrations.ts';
import { storeFile } from '../schema/sqlite.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';
import { isIndexed } from '../upgrade/expand.ts';
import { documentsForReading } from './documents-place.ts';
import { type GroupMember, type MemberRecord, memberRecord, refuseMember } from './group-member.ts';
import { dialectOf, openSqlStore } from './open.ts';
import { refuseInUse } from './refuse-in-use.ts';
import { frontierReader } from './sql-frontier.ts';
import { leasesReader } from './sql-leases.ts';
import { pagesReader } from './sql-pages.ts';
import { policyReader } from './sql-policies.ts';
import { watchReader } from './sql-watch.ts';

/**
 * Opens a store for reading, also while a crawl uses it: `sqlite:FILE` or `postgres://…`. Creates, locks and migrates
 * nothing; only `prune`, `forget` and `remember` open the store as a crawl does.
 *
 * @throws CrawlError `store-unreadable` if there is no store, or one of another version
 */
export async function openSqlStoreForReading(url: string, neighbours?: Neighbours): Promise<SqlStoreReader> {
	const dialect = dialectOf(url);
	const db = await openExisting(url, dialect, neighbours !== undefined);
	const documents = documentsForReading(db);
	const { bodies } = documents;
	const access: ReadAccess = { dialect, bodies, pace: () => steadyClock.now(), read: (work) => work(db) };
	const changing = async <Value>(work: (store: Store) => Promise<Value>, refuses = true): Promise<Value> => {
		// Before the store is opened, which would migrate it while others use it.
		if (dialect.shared && refuses) await refuseInUse(db, dialect);
		const store = await openSqlStore(url, { ...(neighbours && { neighbours }) });
		try {
			return await work(store);
		} finally {
			await store.close();
		}
	};
	return {
		frontier: frontierReader(access),
		pages: pagesReader(access),
		policies: policyReader(access),
		changes: changesReader(access),
		leases: leasesReader(access),
		watch: watchReader(access),
		prune: (options) => changing((store) => store.prune(options), options.dryRun !== true),
		forget: (target) => changing((store) => store.forget(target)),
		remember: (target) => changing((store) => store.remember(target)),
		retryNotices: () => changing(async (store) => (await store.retryNotices?.()) ?? 0),
		async close() {
			documents.close();
			await db.destroy();
		},
		member: { record: () => memberRecordIn(db), outgoing: () => countOut(db) },
	};
}

/** A reader that tells what its database is among others. */
export interface SqlStoreReader extends StoreReader {
	readonly member: Pick<GroupMember, 'record' | 'outgoing'>;
}

async function memberRecordIn(db: Db): Promise<MemberRecord | undefined> {
	return (await hasTable(db, 'crawl_group')) ? memberRecord(db) : undefined;
}

async function openExisting(url: string, dialect: StoreDialect, isMember: boolean): Promise<Db> {
	const file = storeFile(url);
	// Opening would create an empty one.
	if (file !== undefined && !existsSync(file)) throw unreadable(url, new Error('the file does not exist'));
	let db: Db | undefined;
	try {
		db = openDatabase<StoreSchema>(url);
		await refuseUnused(db);
		await refuseOther(db, dialect);
		if (dialect.shared && !(await isIndexed(db))) readByAddress(db);
		if (!isMember && (await hasTable(db, 'crawl_group'))) await refuseMember(db);
		return db;
	} catch (error) {
		await db?.destroy();
		if (error instanceof CrawlError) throw new CrawlError(error.code, `${databaseName(url)}: ${error.message}`);
		throw unreadable(url, error);
	}
}

async function refuseUnused(db: Db): Promise<void> {
	const tables = await db.introspection.getTables();
	if (!tables.some(({ name }) => name === 'crawl_run')) throw new Error('it contains no crawl');
}

/** In a newer version the same columns may mean something else; only a crawl may upgrade an older one. */
async function refuseOther(db: Db, dialect: StoreDialect): Promise<void> {
	const all = await missingMigrations(db, storeMigrations(dialect), { component: storeComponent });
	const missing = all.filter((name) => !notLookedAt.has(name));
	if (missing.length > 0)
		throw new DatabaseError(
			'older-schema',
			'it was made by an older version of Wayleave: the next crawl with it upgrades it',
		);
}

/** Migration steps that are not needed to inspect a store. */
const notLookedAt: ReadonlySet<string> = new Set([
	'012-learned',
	'013-forgotten',
	'014-page-names',
	'015-former-pages',
	'016-watch',
	'017-commits',
	'018-document-place',
	'019-outputs',
	'020-groups',
	// Views read like the tables of before.
	compactStep,
	'022-worker-schema',
]);

function unreadable(url: string, error: unknown): CrawlError {
	const what = error instanceof DatabaseError ? 'cannot be read' : 'is not a crawl store';
	return new CrawlError('store-unreadable', `${databaseName(url)} ${what}: ${(error as Error).message}`, {
		cause: error,
	});
}
