import type { Migration } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from './dialect.ts';

export const changeMigration = (dialect: StoreDialect): Migration => ({
	name: '004-change',
	async up(db) {
		await db.schema
			.createTable('site')
			.addColumn('id', 'integer', (column) => dialect.numbered(column.primaryKey()))
			.addColumn('origin', dialect.key as RawBuilder<string>, (column) => column.notNull().unique())
			.addColumn('state', 'text', (column) => column.notNull())
			.addColumn('checked_at', 'bigint', (column) => column.notNull())
			.addColumn('cycle', 'integer', (column) => column.notNull())
			.addColumn('salt', 'text', (column) => column.notNull())
			.addColumn('settled_rev', 'bigint')
			.addColumn('site_rev', 'bigint')
			.addColumn('generated', 'text')
			.addColumn('coverage', 'text')
			.addColumn('etag', 'text')
			.addColumn('last_modified', 'text')
			.addColumn('fresh', 'smallint', (column) => column.notNull())
			.addColumn('stayed', 'smallint', (column) => column.notNull())
			.addColumn('trust', 'text', (column) => column.notNull())
			.addColumn('hints_right', 'integer', (column) => column.notNull())
			.addColumn('hints_wrong', 'integer', (column) => column.notNull())
			.execute();
		await db.schema
			.createTable('listed')
			.addColumn('site', 'integer', (column) => column.notNull())
			.addColumn('key', dialect.key as RawBuilder<string>, (column) => column.notNull())
			.addColumn('state', 'smallint', (column) => column.notNull())
			.addColumn('rev', 'bigint')
			.addColumn('listed_rev', 'bigint', (column) => column.notNull())
			.addColumn('digest', dialect.bytes as 'blob')
			.addPrimaryKeyConstraint('listed_key', ['site', 'key'])
			.execute();
		await sql`create index listed_due on listed (site) where state = 1`.execute(db);
		await db.schema
			.createTable('revisit')
			.addColumn('url', dialect.id, (column) => column.primaryKey())
			.addColumn('visits', 'double precision', (column) => column.notNull())
			.addColumn('changes', 'double precision', (column) => column.notNull())
			.addColumn('span', 'double precision', (column) => column.notNull())
			.addColumn('rate', 'double precision', (column) => column.notNull())
			.addColumn('checked_at', 'bigint', (column) => column.notNull())
			.addColumn('changed_at', 'bigint')
			.addColumn('next_at', 'bigint', (column) => column.notNull())
			.addColumn('hinted_at', 'bigint')
			.execute();
		await db.schema.alterTable('crawl_run').addColumn('next_at', 'bigint').execute();
	},
});
