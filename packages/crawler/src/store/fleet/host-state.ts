import { type Kysely, sql } from 'kysely';
import { time } from '../../base/time.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { activeWorkers, holding } from './active-workers.ts';

export async function hostOf(db: Kysely<StoreSchema>, dialect: StoreDialect, id: number) {
	const row = await db.selectFrom('host').select(['name', 'next_at', 'holder']).where('id', '=', id).executeTakeFirst();
	if (row === undefined) return undefined;
	const { rows } = await sql<{ count: number }>`
		select count(*) as count from url where host = ${id} and state = 0`.execute(db);
	const waiting = Number(rows[0]?.count ?? 0);
	return {
		name: row.name,
		nextAt: time(row.next_at),
		...holding(row.holder, await activeWorkers(db, dialect)),
		waiting,
	};
}
