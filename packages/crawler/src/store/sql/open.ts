import { DatabaseError, openDatabase } from '@wayleave/io/sql';
import { CrawlError } from '../../base/errors.ts';
import { defaultLease } from '../fleet/membership.ts';
import type { Store, StoreOptions } from '../roles/store.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { postgresDialect, postgresSettings } from '../schema/postgres.ts';
import { sqliteDialect } from '../schema/sqlite.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';
import { upgradeStore } from '../upgrade/upgrade.ts';
import { refuseChange } from './refuse-in-use.ts';
import type { SessionOptions } from './session.ts';
import { SqlStore } from './sql-store.ts';

/** Connections of one worker: a commit, a few look-ups, the lease. */
const connections = 4;

/** The databases that the text of a store names: several are separated by commas. */
export const placesOf = (store: string): string[] => store.split(/,(?=postgres(?:ql)?:\/\/)/i);

/** The SQL dialect of a database URL. */
export const dialectOf = (place: string): StoreDialect =>
	/^postgres(?:ql)?:/i.test(place) ? postgresDialect : sqliteDialect(place);

/**
 * Opens a store: `sqlite:FILE` (made where there is none), `postgres://USER:PASSWORD@HOST/DATABASE` for any number of
 * processes, or `memory` for one that lasts as long as the process. Close it at the end.
 *
 * @throws CrawlError `store-in-use` when another crawl works with the file, `store-unreadable` when it is damaged or no
 * store, or the server cannot be used
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
	return openSqlStore(url, options);
}

/** The same, for one of several databases of a crawl. */
export async function openSqlStore(url: string, options: SessionOptions): Promise<SqlStore> {
	if (placesOf(url).length > 1)
		throw new CrawlError('store-unreadable', 'only a crawl can use several databases at once');
	const place = url === 'memory' ? 'sqlite::memory:' : url;
	const dialect = dialectOf(place);
	try {
		// A worker that is suspended in a transaction keeps its rows locked at most until its lease ends.
		const idleInTransaction = Math.round((options.lease ?? defaultLease) * (3 / 4));
		const isUpgrading =
			dialect.shared &&
			(await upgradeStore(place, {
				beforeChange: (tx) => refuseChange(tx as Db, dialect),
				onUpgrade: (detail) => options.onTrouble?.({ state: 'upgrade', detail }),
			}));
		const settings = dialect.shared ? { settings: postgresSettings, idleInTransaction } : {};
		const db = openDatabase<StoreSchema>(place, { connections, ...settings });
		try {
			return await SqlStore.open(db, dialect, { ...options, isUpgrading });
		} catch (error) {
			await db.destroy();
			throw error;
		}
	} catch (error) {
		if (error instanceof CrawlError) throw error;
		const { message } = error as Error;
		const kind = error instanceof DatabaseError ? error.code : undefined;
		const code = kind === 'locked' ? 'store-in-use' : 'store-unreadable';
		// Nothing is wrong with the store itself.
		throw new CrawlError(code, kind === 'no-sqlite' ? message : `the store cannot be opened: ${message}`, {
			cause: error,
		});
	}
}
