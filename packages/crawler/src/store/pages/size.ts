import { databaseKind } from '@wayleave/io/sql';
import { sql } from 'kysely';
import type { StoreSize } from '../roles/pages.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';

export async function storeSize(db: Db, dialect: StoreDialect): Promise<StoreSize> {
	const total =
		databaseKind(db) === 'postgres'
			? sql`select pg_database_size(current_database())`
			: sql`select page_count * page_size from pragma_page_count(), pragma_page_size()`;
	const { rows } = await sql<{ count: number; bytes: number | null; total: number }>`
		select count(*) as count, sum(${dialect.documentBytes(sql`content`)}) as bytes, (${total}) as total
		from page where content is not null`.execute(db);
	const [row] = rows;
	return { documents: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0), total: Number(row?.total ?? 0) };
}
