import { DatabaseError, openDatabase } from '@wayleave/io';
import { CrawlError } from '../errors.ts';
import type { StoreSchema } from './schema.ts';
import { SqlStore } from './sql-store.ts';
import { sqliteDialect } from './sqlite.ts';
import type { Store } from './types.ts';

/**
 * Opens a store: `sqlite:FILE`, or `memory` for one that lasts as long as the process. The file is made where there is
 * none. Close it at the end.
 *
 * @throws CrawlError `store-in-use` when another crawl works with it, `store-unreadable` when it is damaged or no store
 */
export async function openStore(url: string): Promise<Store> {
	const place = url === 'memory' ? 'sqlite::memory:' : url;
	const dialect = sqliteDialect(place);
	try {
		const db = openDatabase<StoreSchema>(place);
		try {
			return await SqlStore.open(db, dialect);
		} catch (error) {
			await db.destroy();
			throw error;
		}
	} catch (error) {
		if (error instanceof CrawlError) throw error;
		const code = error instanceof DatabaseError && error.code === 'locked' ? 'store-in-use' : 'store-unreadable';
		throw new CrawlError(code, `the store ${url} cannot be used: ${(error as Error).message}`, { cause: error });
	}
}
