import { DatabaseError, databaseName, missingMigrations } from '@wayleave/io';
import { type Kysely, sql } from 'kysely';
import { CrawlError } from '../../base/errors.ts';
import { defaultLease, rowLease } from '../fleet/membership.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { storeComponent, storeMigrations } from '../schema/migrations.ts';
import type { StoreSchema } from '../schema/tables.ts';

export async function refuseUnused(db: Kysely<StoreSchema>): Promise<void> {
	const tables = await db.introspection.getTables();
	if (!tables.some(({ name }) => name === 'crawl_run')) throw new Error('it contains no crawl');
}

/** A newer one may mean other things by the same columns; only what writes to an older one may bring it up to date. */
export async function refuseOther(db: Kysely<StoreSchema>, dialect: StoreDialect): Promise<void> {
	const all = await missingMigrations(db, storeMigrations(dialect), { component: storeComponent });
	const missing = all.filter((name) => !notLookedAt.has(name));
	if (missing.length > 0)
		throw new DatabaseError(
			'older-schema',
			'it was made by an older version of Wayleave: the next crawl with it upgrades it',
		);
}

/** Where one store is for one process, opening it refuses already. One that waits for its next cycle is in no way. */
export async function refuseInUse(db: Kysely<StoreSchema>, dialect: StoreDialect): Promise<void> {
	const lives = await dialect.lives(rowLease(defaultLease));
	const { rows } = await sql`select 1 from crawl_worker where run is not null and ${lives}`.execute(db);
	if (rows.length === 0) return;
	const who = rows.length === 1 ? 'a process is' : `${rows.length} processes are`;
	const dead = `a killed process counts for ${defaultLease / 1000} more seconds`;
	throw new CrawlError('store-in-use', `${who} crawling with the store: prune it after the crawl ends (${dead})`);
}

export function unreadable(url: string, error: unknown): CrawlError {
	const what = error instanceof DatabaseError ? 'cannot be read' : 'is not a crawl store';
	return new CrawlError('store-unreadable', `${databaseName(url)} ${what}: ${(error as Error).message}`, {
		cause: error,
	});
}

/** Migration steps that are not needed to inspect a store. */
const notLookedAt: ReadonlySet<string> = new Set(['012-learned', '013-forgotten', '014-page-names']);
