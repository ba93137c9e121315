import type { Kysely } from 'kysely';
import type { StoreDialect } from './dialect.ts';
import type { StoreSchema } from './tables.ts';

type Db = Kysely<StoreSchema>;

/** How a role of the store reads the database, in a crawl or beside one. */
export interface ReadAccess {
	readonly dialect: StoreDialect;
	/** The clock of this process. */
	readonly pace: () => number;
	/** For single statements. */
	read<Value>(work: (db: Db) => Promise<Value>): Promise<Value>;
}

export interface WriteAccess extends ReadAccess {
	/** For a transaction: all of it or nothing. */
	write<Value>(work: (tx: Db) => Promise<Value>): Promise<Value>;
}
