import type { Migration } from '@wayleave/io';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Ending } from '../outcome.ts';
import { hostFailures, mayPass } from '../visit/classify.ts';
import type { StoreSchema } from './schema.ts';

/** Whether the document of a page is the last that is known of it: until the page is found gone, closed or another. */
export const standingMigration: Migration = {
	name: '008-standing',
	async up(db) {
		await db.schema
			.alterTable('page')
			.addColumn('stands', 'smallint', (column) => column.notNull().defaultTo(1))
			.execute();
		await sql`update page set stands = 0 where url in (select id from url
			where outcome is not null and outcome not in ('fetched', 'unchanged'))`.execute(db);
	},
};

/** An address that leads on to another page has no document of its own any more. */
export const redirectedMigration: Migration = {
	name: '011-redirected',
	async up(db) {
		await sql`update page set stands = 0 where url in (select id from url where redirect is not null)`.execute(db);
	},
};

/** Whether nothing was learned of the page: it could not be asked, or gave no answer of its own. */
export const isPutOff = (ending: Ending): boolean =>
	ending.outcome === 'deferred' ||
	mayPass(ending) ||
	(ending.outcome === 'failed' && ending.reason !== undefined && hostFailures.has(ending.reason));

/**
 * Whether after such an ending the document of before is no longer what the page says, or no longer ours to give.
 *
 * @param redirectedTo where the address has led instead, whether or not anything could be had there
 */
export const makesFall = (ending: Ending, redirectedTo?: string): boolean =>
	redirectedTo !== undefined ||
	ending.reason === 'redirected' ||
	(ending.outcome !== 'fetched' && ending.outcome !== 'unchanged' && !isPutOff(ending));

/** @param urls numbers, or what selects them */
export async function letFall(tx: Kysely<StoreSchema>, urls: readonly number[] | RawBuilder<unknown>): Promise<void> {
	if (Array.isArray(urls) && urls.length === 0) return;
	const these = Array.isArray(urls) ? sql.join(urls) : (urls as RawBuilder<unknown>);
	await sql`update page set stands = 0 where url in (${these}) and stands = 1`.execute(tx);
}
