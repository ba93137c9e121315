import { sql } from 'kysely';
import { defaultLease, rowLease } from '../fleet/membership.ts';
import { revisitView, signatureView } from '../schema/compact-rows.ts';
import { compactStep, storeComponent, workerSchema } from '../schema/migrations.ts';
import { postgresDialect } from '../schema/postgres.ts';
import type { Db } from '../schema/tables.ts';
import { hashIndex, lockAll } from './expand.ts';
import { hashTrigger, stepFunctions } from './in-step.ts';
import { changeTables, isBusy, upgradeLock } from './short-locks.ts';

export const isDone = async (db: Db): Promise<boolean> => {
	const { rows } = await sql`select 1 from wayleave_migrations
		where component = ${storeComponent} and name = ${compactStep}`.execute(db);
	return rows.length > 0;
};

/** Workers of the version before that may crawl, or that wait for their next cycle. */
async function isUsedByOlder(db: Db): Promise<boolean> {
	const lives = await postgresDialect.lives(rowLease(defaultLease));
	const { rows } = await sql`select 1 from crawl_worker where schema < ${workerSchema} and ${lives} limit 1`.execute(
		db,
	);
	return rows.length > 0;
}

/**
 * Removes the triggers, indexes and tables that only workers of the version before use, when no such worker is left.
 *
 * @returns whether it is done; otherwise to be tried again later
 */
export async function contract(db: Db): Promise<boolean> {
	if (await isUsedByOlder(db)) return false;
	try {
		return await changeTables(db, async (tx) => {
			const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${upgradeLock}) as taken`.execute(
				tx,
			);
			if (rows[0]?.taken !== true) return false;
			if (await isDone(tx)) return true;
			if (await isUsedByOlder(tx)) return false;
			await lockAll.execute(tx);
			await replace(tx);
			await tx
				.insertInto('wayleave_migrations' as never)
				.values({ component: storeComponent, name: compactStep, applied_at: new Date().toISOString() } as never)
				.execute();
			return true;
		});
	} catch (error) {
		if (isBusy(error)) return false;
		throw error;
	}
}

/** All at once: a worker sees either the tables of both versions or those of this one. */
async function replace(tx: Db): Promise<void> {
	for (const name of stepFunctions) await sql`drop function ${sql.ref(name)}() cascade`.execute(tx);
	for (const text of hashTrigger) await sql.raw(text).execute(tx);
	await sql`alter table url drop constraint url_known`.execute(tx);
	await sql`alter table url add constraint url_known unique using index ${sql.ref(hashIndex)}`.execute(tx);
	for (const [name, view] of [
		['revisit', revisitView],
		['likeness', signatureView],
	] as const) {
		const rights = await rightsOn(tx, name);
		await sql`drop table ${sql.table(name)}`.execute(tx);
		await sql.raw(view).execute(tx);
		for (const right of rights) await sql.raw(right).execute(tx);
	}
}

/** A role that may read the table, such as that of a dashboard, may read the view. */
async function rightsOn(tx: Db, name: string): Promise<string[]> {
	const { rows } = await sql<{ text: string }>`select format('grant %s on %I to %s', privilege_type, relname,
			case grantee when 0 then 'public' else cast(cast(grantee as regrole) as text) end) as text
		from pg_class, aclexplode(relacl) where pg_class.oid = to_regclass(${name}) and grantee <> relowner`.execute(tx);
	return rows.map(({ text }) => text);
}
