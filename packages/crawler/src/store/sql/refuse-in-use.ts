import { type RawBuilder, sql } from 'kysely';
import { CrawlError } from '../../base/errors.ts';
import { defaultLease, rowLease } from '../fleet/membership.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { hasTable } from '../schema/has-table.ts';
import type { Db } from '../schema/tables.ts';

/**
 * A worker that waits for its next cycle does not count.
 *
 * @param which rows of `crawl_worker`; by default those of active workers
 * @throws CrawlError `store-in-use` while workers are crawling with the store
 */
export async function refuseInUse(db: Db, dialect: StoreDialect, which?: RawBuilder<unknown>): Promise<void> {
	const who = await crawlingNow(db, dialect, which);
	if (who === undefined) return;
	const dead = `a killed process counts for ${defaultLease / 1000} more seconds`;
	throw new CrawlError('store-in-use', `${who} crawling with the store: prune it after the crawl ends (${dead})`);
}

/**
 * Tables that processes of an older version use are not changed under them. Steps that only add something are taken while
 * they crawl.
 *
 * @throws CrawlError `store-in-use`
 */
export async function refuseChange(db: Db, dialect: StoreDialect): Promise<void> {
	if (!dialect.shared || !(await hasTable(db, 'crawl_worker'))) return;
	const who = await crawlingNow(db, dialect);
	if (who === undefined) return;
	const message = `${who} crawling with the store in an older version, and this version changes tables that it uses: end the crawl (Ctrl-C) on all machines, then start this version`;
	throw new CrawlError('store-in-use', message);
}

async function crawlingNow(db: Db, dialect: StoreDialect, which?: RawBuilder<unknown>): Promise<string | undefined> {
	const lives = which ?? (await dialect.lives(rowLease(defaultLease)));
	const { rows } = await sql`select 1 from crawl_worker where run is not null and ${lives}`.execute(db);
	if (rows.length === 0) return undefined;
	return rows.length === 1 ? 'a process is' : `${rows.length} processes are`;
}
