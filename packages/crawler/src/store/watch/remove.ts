import { type RawBuilder, sql } from 'kysely';
import { isOneOf } from '../schema/addresses.ts';
import type { Db } from '../schema/tables.ts';
import { dropChanges } from './changes.ts';

/** Removes everything that a watch knows of pages. @param urls numbers, or what selects them */
export async function removeWatched(tx: Db, urls: readonly number[] | RawBuilder<unknown>): Promise<void> {
	if (Array.isArray(urls) && urls.length === 0) return;
	const these = Array.isArray(urls) ? sql.join(urls) : (urls as RawBuilder<unknown>);
	await sql`delete from notice where change in (select id from page_change where url in (${these}))`.execute(tx);
	for (const table of ['page_version', 'watched', 'page_change'])
		await sql`delete from ${sql.table(table)} where url in (${these})`.execute(tx);
}

/** Removes what the site no longer permits to keep: texts, and the differences that quote them. */
export async function revokeVersions(tx: Db, urls: readonly string[]): Promise<void> {
	const these = sql`select id from url where ${isOneOf(tx, urls)}`;
	await sql`delete from page_version where url in (${these})`.execute(tx);
	await sql`update page_change set diff = null where diff is not null and url in (${these})`.execute(tx);
}

/** Versions and notices that a prune removes. */
export interface PrunedWatch {
	readonly versions: number;
	readonly changes: number;
}

/**
 * Deletes earlier versions that were read before a moment, and changes of before, unless a receiver waits for them. The
 * last announced version stays, to be compared with the next one.
 */
export async function pruneWatch(tx: Db, before: number, dryRun: boolean): Promise<PrunedWatch> {
	const at = Math.round(before);
	const versions = sql`page_version where fetched_at < ${at} and not exists (
		select 1 from watched where watched.url = page_version.url and watched.version = page_version.version)`;
	const changes = sql`select id from page_change where at < ${at} and held = 0
		and not exists (select 1 from notice where notice.change = page_change.id and state <> 1)`;
	const { rows } = await sql<{
		versions: number;
		changes: number;
	}>`select (select count(*) from ${versions}) as versions,
		(select count(*) from (${changes}) as old) as changes`.execute(tx);
	if (!dryRun) {
		await sql`delete from ${versions}`.execute(tx);
		await dropChanges(tx, changes);
	}
	return { versions: Number(rows[0]?.versions ?? 0), changes: Number(rows[0]?.changes ?? 0) };
}
