import { databaseKind } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { listedStates } from '../changes/rows.ts';
import type { Pruned, PruneOptions } from '../roles/pages.ts';
import { isAddress } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { noHistory } from '../schema/history-columns.ts';
import type { Db } from '../schema/tables.ts';
import { pruneWatch, removeWatched } from '../watch/remove.ts';

/**
 * Deletes what is no longer needed, and frees the space. Not while a crawl is using the store. Of a document that goes,
 * the URL stays, and the next crawl fetches the page as a whole.
 */
export async function pruneStore(db: Db, dialect: StoreDialect, options: PruneOptions): Promise<Pruned> {
	const { before = 0, gone = false, dryRun = false } = options;
	const isGone = sql`select id from url where kind = 0 and state = 1 and outcome = 'gone' and seed = 0`;
	const doomed = sql`checked_at < ${Math.round(before)} ${gone ? sql`or url in (${isGone})` : sql``}`;
	const pruned = await db.transaction().execute(async (tx) => {
		const { rows } = await sql<{ count: number; bytes: number | null; gone: number }>`
			select count(content) as count, sum(${dialect.documentBytes(sql`content`)}) as bytes,
				(select count(*) from (${isGone}) as goners) as gone
			from page where ${doomed}`.execute(tx);
		const [found] = rows;
		const watched = await pruneWatch(tx, before, dryRun);
		if (!dryRun) {
			// Without a document nothing is unchanged: the next crawl has to look.
			await sql`update url set ${noHistory} where recheck_at is not null
				and id in (select url from page where ${doomed})`.execute(tx);
			await sql`update listed set state = ${sql.lit(listedStates.indexOf('due'))} where exists (
				select 1 from page join url on url.id = page.url join site on site.id = listed.site
				where page.url in (select url from page where ${doomed})
					and ${isAddress(tx, sql`(site.origin || listed.key)`)})`.execute(tx);
			await sql`delete from former_page where url in (select url from page where ${doomed})`.execute(tx);
			await sql`delete from page where ${doomed}`.execute(tx);
			// Their links stay known, without a page that they were found on.
			if (gone) {
				await removeWatched(tx, isGone);
				await sql`update url set via = null where via in (${isGone})`.execute(tx);
				await sql`delete from page_name where url in (${isGone})`.execute(tx);
				await sql`delete from url where id in (${isGone})`.execute(tx);
			}
		}
		return {
			documents: Number(found?.count ?? 0),
			bytes: Number(found?.bytes ?? 0),
			gone: gone ? Number(found?.gone ?? 0) : 0,
			...watched,
		};
	});
	if (!dryRun && databaseKind(db) === 'sqlite') await sql`vacuum`.execute(db);
	if (!dryRun && databaseKind(db) === 'postgres')
		for (const table of ['page', 'url']) await sql`vacuum ${sql.table(table)}`.execute(db);
	return pruned;
}
