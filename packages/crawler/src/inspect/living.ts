import { databaseKind } from '@wayleave/io';
import { type Kysely, sql } from 'kysely';
import { rowLease } from '../store/membership.ts';
import { postgresDialect } from '../store/postgres.ts';
import type { StoreSchema } from '../store/schema.ts';
import { defaultLease } from '../store/sql-store.ts';
import { isLocked } from '../store/sqlite.ts';

/** The workers that crawl with a store now. What one that was killed has left is taken back only by the next one. */
export async function livingWorkers(db: Kysely<StoreSchema>, url: string): Promise<ReadonlySet<number>> {
	const onFile = databaseKind(db) === 'sqlite';
	if (onFile && !(await isLocked(url))) return new Set();
	const { diesAt, now } = postgresDialect;
	const lives = onFile ? sql`true` : sql`${diesAt(rowLease(defaultLease))} >= ${now(Date.now())}`;
	const { rows } = await sql<{ id: number }>`select id from crawl_worker where ${lives}`.execute(db);
	return new Set(rows.map(({ id }) => Number(id)));
}

/** How it stands with a host, by the worker that it has: nobody visits it when that one has been killed. */
export function holding(holder: number | null, living: ReadonlySet<number>): { held: boolean; abandoned?: true } {
	const held = holder !== null && living.has(Number(holder));
	return { held, ...(holder !== null && !held && { abandoned: true }) };
}
