import { openDatabase } from '@wayleave/io/sql';
import type { Kysely } from 'kysely';

/**
 * Opens the database of what the service itself knows: keys, submissions, domains, reports.
 *
 * In PostgreSQL it is that of the crawler. Beside an SQLite file it is another file, `FILE-service`: two connections of
 * one process cannot write to one file, since the one that waits keeps the other from ending.
 *
 * @param store `sqlite:FILE`, `postgres://…` or `memory`
 * @throws DatabaseError
 */
export function openServiceDatabase(store: string): Kysely<unknown> {
	if (store === 'memory' || store === 'sqlite::memory:') return openDatabase('sqlite::memory:');
	return openDatabase(/^sqlite:/i.test(store) ? serviceStore(store) : store);
}

/** The SQLite file, or its URL, next to that of the crawler. */
export const serviceStore = (store: string): string => `${store}-service`;
