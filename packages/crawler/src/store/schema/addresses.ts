import { databaseKind } from '@wayleave/io/sql';
import { type Kysely, type OnConflictBuilder, type RawBuilder, sql } from 'kysely';
import { addressHash, hostRange } from './address-hashes.ts';
import type { StoreSchema } from './tables.ts';

// How rows of `url` are found by address. SQLite has an index on addresses, PostgreSQL one on hashes of them.

type Db = Pick<Kysely<unknown>, 'getExecutor'>;

/** Databases of PostgreSQL whose rows have no hashes yet, by their adapters, which transactions share. */
const withoutHashes = new WeakSet<object>();

/** For a database that is only read, and was made before there were hashes. */
export const readByAddress = (db: Db): void => {
	withoutHashes.add(db.getExecutor().adapter);
};

/** Whether the index has no addresses: what begins alike is then found by its host. */
export const byHash = (db: Db): boolean =>
	databaseKind(db) === 'postgres' && !withoutHashes.has(db.getExecutor().adapter);

const page = sql.lit(0);

/** Whether a row of `url` is that of an address, given as text or as an expression. @param kind by default a page */
export function isAddress(
	db: Db,
	address: string | RawBuilder<unknown>,
	kind: RawBuilder<unknown> = page,
): RawBuilder<boolean> {
	// PostgreSQL compares the address too, after the index has found its hash.
	return byHash(db)
		? sql`url.hash = ${addressHash(address, kind)} and url.key = ${address}`
		: sql`url.key = ${address} and url.kind = ${kind}`;
}

/** Whether a row of `url` is that of one of these pages. */
export function isOneOf(db: Db, addresses: readonly string[]): RawBuilder<boolean> {
	const them = sql<boolean>`url.kind = 0 and url.key in (${sql.join(addresses)})`;
	if (!byHash(db)) return them;
	return sql`url.hash in (${sql.join(addresses.map((address) => addressHash(address, page)))}) and ${them}`;
}

/** Narrows a search for rows of `url` by address to those of a host, where the database has no order of addresses. */
export const isOfHost = (db: Db, host: string | RawBuilder<unknown>): RawBuilder<boolean> =>
	byHash(db) ? hostRange(host) : sql`1 = 1`;

/** Whether a row of `url` is of one of these hosts. @param hosts selects their `id` and `name` */
export const isOfHosts = (db: Db, hosts: RawBuilder<unknown>): RawBuilder<boolean> =>
	byHash(db)
		? sql`url.id in (select url.id from (${hosts}) as one join url on url.host = one.id and ${hostRange(sql`one.name`)})`
		: sql`url.host in (select id from (${hosts}) as some)`;

/** The order of a search for addresses, to go on behind the last one that it found. */
export const placeOf = (db: Db) =>
	byHash(db)
		? { column: sql`url.hash`, first: '00000000-0000-0000-0000-000000000000', type: sql`uuid` }
		: { column: sql`url.key`, first: '', type: sql`text` };

// The constraint that an insert of a known address violates. Statements name it, since during an upgrade it is still the index
// on addresses: workers of both versions have to wait for each other in the same index.
const known = 'url_known';

/** After `on conflict`. */
export const knownAddress = (db: Db): RawBuilder<unknown> =>
	databaseKind(db) === 'postgres' ? sql`on constraint ${sql.ref(known)}` : sql`(key, kind)`;

/** The same for a statement that Kysely builds. */
export const knownTo = (db: Db, conflict: OnConflictBuilder<StoreSchema, 'url'>) =>
	databaseKind(db) === 'postgres' ? conflict.constraint(known) : conflict.columns(['key', 'kind']);
