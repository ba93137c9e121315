import type { Migration } from '@wayleave/io/sql';
import { sql } from 'kysely';
import type { StoreDialect } from './dialect.ts';

/** Rolling files, and the segments that they are made of. */
export const outputsMigration = (dialect: StoreDialect): Migration => ({
	name: '019-outputs',
	async up(db) {
		await db.schema
			.createTable('output_file')
			.addColumn('id', 'integer', (column) => dialect.numbered(column.primaryKey()))
			.addColumn('sink', 'text', (column) => column.notNull())
			.addColumn('run', 'integer', (column) => column.notNull())
			.addColumn('worker', 'integer')
			.execute();
		await sql`create index output_file_open on output_file (sink) where worker is not null`.execute(db);
		await db.schema
			.createTable('output_segment')
			.addColumn('id', dialect.id, (column) => dialect.numbered(column.primaryKey()))
			.addColumn('sink', 'text', (column) => column.notNull())
			.addColumn('run', 'integer', (column) => column.notNull())
			.addColumn('object', 'text', (column) => column.notNull())
			.addColumn('bytes', 'bigint', (column) => column.notNull())
			.addColumn('file', 'integer')
			.execute();
	},
});
