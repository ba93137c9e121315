import { sql } from 'kysely';
import { addSignatureColumns, signatureIndexes } from '../schema/compact-rows.ts';
import { addHistoryColumns } from '../schema/history-columns.ts';
import { postgresDialect } from '../schema/postgres.ts';
import type { Db } from '../schema/tables.ts';
import { backwardTriggers, forwardTriggers } from './in-step.ts';

/** Those that a step changes, in the order in which it locks them. */
export const lockAll = sql`lock table url, page, revisit, likeness in access exclusive mode`;

const exists = async (db: Db, query: ReturnType<typeof sql>): Promise<boolean> =>
	(await query.execute(db)).rows.length > 0;

export const isExpanded = (db: Db): Promise<boolean> =>
	exists(db, sql`select 1 from pg_attribute where attrelid = to_regclass('url') and attname = 'hash'`);

/** Adds columns, and triggers that fill them in what workers of the version before write from now on. */
export async function expand(tx: Db): Promise<void> {
	await lockAll.execute(tx);
	if (await isExpanded(tx)) return;
	await sql`alter table url add column hash uuid`.execute(tx);
	await addHistoryColumns(tx);
	await addSignatureColumns(tx, postgresDialect);
	for (const text of forwardTriggers) await sql.raw(text).execute(tx);
}

/** Whether every row is filled: what this version writes gets into the tables of the version before from then on. */
export const isFilled = (db: Db): Promise<boolean> =>
	exists(db, sql`select 1 from pg_trigger where tgrelid = to_regclass('url') and tgname = 'url_to_revisit'`);

export async function connectBack(tx: Db): Promise<void> {
	await lockAll.execute(tx);
	if (await isFilled(tx)) return;
	for (const text of backwardTriggers) await sql.raw(text).execute(tx);
}

/** Its name until it is the only one. */
export const hashIndex = 'url_hash';

const isValid = (db: Db, name: string): Promise<boolean> =>
	exists(db, sql`select 1 from pg_index where indexrelid = to_regclass(${name}) and indisvalid`);

/** Whether workers of this version can use the tables: every row has its hash, and is found by it. */
export const isIndexed = (db: Db): Promise<boolean> =>
	exists(
		db,
		sql`select 1 from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
			where indrelid = to_regclass('url') and indisunique and indisvalid and attname = 'hash'`,
	);

/** Builds the indexes that are missing, while others read and write. A killed process leaves one that is not valid. */
export async function buildIndexes(db: Db, onBuild: (name: string) => void): Promise<void> {
	const all = [
		...Object.entries(signatureIndexes).map(([name, rows]) => ({
			name,
			text: `index concurrently ${name} on ${rows}`,
		})),
		{ name: hashIndex, text: `unique index concurrently ${hashIndex} on url (hash) include (host, depth)` },
	];
	for (const { name, text } of all) {
		if (await isValid(db, name)) continue;
		onBuild(name);
		await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db);
		await sql.raw(`create ${text}`).execute(db);
	}
}
