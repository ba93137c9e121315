import type { Kysely } from 'kysely';

/** Whether a store that is only read has a table: one of an earlier version may lack it. */
export async function hasTable(db: Pick<Kysely<unknown>, 'introspection'>, table: string): Promise<boolean> {
	return (await db.introspection.getTables()).some(({ name }) => name === table);
}
