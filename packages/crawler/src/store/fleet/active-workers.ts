import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from '../schema/dialect.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { defaultLease, rowLease } from './membership.ts';

/** The workers that crawl with a store now. What one that was killed has left is taken back only by the next one. */
export async function activeWorkers(db: Kysely<StoreSchema>, dialect: StoreDialect): Promise<ReadonlySet<number>> {
	const lives = await dialect.lives(rowLease(defaultLease));
	const { rows } = await sql<{ id: number }>`select id from crawl_worker where ${lives}`.execute(db);
	return new Set(rows.map(({ id }) => Number(id)));
}

/** How it stands with a host, by the worker that it has: nobody visits it when that one has been killed. */
export function holding(holder: number | null, living: ReadonlySet<number>): { held: boolean; abandoned?: true } {
	const held = holder !== null && living.has(Number(holder));
	return { held, ...(holder !== null && !held && { abandoned: true }) };
}
