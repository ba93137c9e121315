import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** @param urls numbers, or what selects them */
export async function markSuperseded(tx: Db, urls: readonly number[] | RawBuilder<unknown>): Promise<void> {
	if (Array.isArray(urls) && urls.length === 0) return;
	const these = Array.isArray(urls) ? sql.join(urls) : (urls as RawBuilder<unknown>);
	await sql`update page set stands = 0 where url in (${these}) and stands = 1`.execute(tx);
}
