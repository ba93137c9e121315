import { databaseKind } from '@wayleave/io';
import { type Kysely, sql } from 'kysely';
import type { StoreStatus } from '../roles/reader.ts';
import type { StoreSchema } from '../schema/tables.ts';

export async function documents(db: Kysely<StoreSchema>): Promise<StoreStatus['pages']> {
	const { rows } = await sql<{ count: number; bytes: number | null }>`
		select count(*) as count, sum(length(content)) as bytes from page where content is not null`.execute(db);
	return { documents: Number(rows[0]?.count ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}

export async function databaseSize(db: Kysely<StoreSchema>): Promise<number> {
	const size =
		databaseKind(db) === 'postgres'
			? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
			: sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
	return Number((await size.execute(db)).rows[0]?.bytes ?? 0);
}
