import type { Migration } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from './dialect.ts';

/** URLs and hosts that the crawler never requests until the removal is undone. */
export const forgottenMigration = (dialect: StoreDialect): Migration => ({
	name: '013-forgotten',
	up: (db) =>
		db.schema
			.createTable('forgotten')
			.addColumn('name', dialect.key as RawBuilder<string>, (column) => column.primaryKey())
			.addColumn('at', 'bigint', (column) => column.notNull())
			.execute(),
});

/** Learned address patterns of hosts. A store without these tables has learned nothing. */
export function learnedMigration(dialect: StoreDialect): Migration {
	return {
		name: '012-learned',
		async up(db) {
			await db.schema
				.createTable('learned')
				.addColumn('host', 'integer', (column) => column.primaryKey())
				.addColumn('json', 'text', (column) => column.notNull())
				.execute();
			await db.schema
				.createTable('page_name')
				.addColumn('name', dialect.key as RawBuilder<string>, (column) => column.primaryKey())
				.addColumn('url', dialect.id, (column) => column.notNull())
				.execute();
			await db.schema.alterTable('likeness').addColumn('prose', 'integer').execute();
			await sql`create index url_alias on url (redirect) where reason = 'alias'`.execute(db);
		},
	};
}

/** Whether the document of a page is the last that is known of it: until the page is found gone, closed or another. */
export const currentPagesMigration: Migration = {
	name: '008-standing',
	async up(db) {
		await db.schema
			.alterTable('page')
			.addColumn('stands', 'smallint', (column) => column.notNull().defaultTo(1))
			.execute();
		await sql`update page set stands = 0 where url in (select id from url
			where outcome is not null and outcome not in ('fetched', 'unchanged'))`.execute(db);
	},
};

/** An address that leads on to another page has no document of its own any more. */
export const redirectedMigration: Migration = {
	name: '011-redirected',
	async up(db) {
		await sql`update page set stands = 0 where url in (select id from url where redirect is not null)`.execute(db);
	},
};

/**
 * The MinHash signatures of pages. Those without a `twin` are originals, found by their first two numbers: near
 * duplicates have one of them in common.
 */
export function minHashMigration(dialect: StoreDialect): Migration {
	return {
		name: '005-likeness',
		async up(db) {
			const number = (name: string) => [name, 'integer'] as const;
			await db.schema
				.createTable('likeness')
				.addColumn('url', dialect.id, (column) => column.primaryKey())
				.addColumn(...number('b0'), (column) => column.notNull())
				.addColumn(...number('b1'), (column) => column.notNull())
				.addColumn(...number('b2'), (column) => column.notNull())
				.addColumn(...number('b3'), (column) => column.notNull())
				.addColumn('twin', dialect.id)
				.execute();
			for (const name of ['b0', 'b1'])
				await sql`create index ${sql.raw(`likeness_${name}`)} on likeness (${sql.raw(name)}) where twin is null`.execute(
					db,
				);
			await sql`create index likeness_twin on likeness (twin) where twin is not null`.execute(db);
		},
	};
}

/** The document before the current one of a page, to compare the two. A store without the table has none. */
export const formerPagesMigration = (dialect: StoreDialect): Migration => ({
	name: '015-former-pages',
	async up(db) {
		await db.schema
			.createTable('former_page')
			.addColumn('url', dialect.id, (column) => column.primaryKey())
			.addColumn('fetched_at', 'bigint', (column) => column.notNull())
			.addColumn('replaced_at', 'bigint', (column) => column.notNull())
			.addColumn('content', dialect.bytes as 'blob', (column) => column.notNull())
			.execute();
		await sql`create index former_page_at on former_page (replaced_at, url)`.execute(db);
	},
});

/** The place of documents outside of the database. A store without the table has all of them. */
export const documentPlaceMigration: Migration = {
	name: '018-document-place',
	up: (db) =>
		db.schema
			.createTable('document_place')
			.addColumn('id', 'integer', (column) => column.primaryKey())
			.addColumn('store', 'text', (column) => column.notNull())
			.addColumn('place', 'text', (column) => column.notNull())
			.execute(),
};

/** Finds the names of a page that is removed, without going through those of all others. */
export const pageNamesMigration: Migration = {
	name: '014-page-names',
	up: (db) => sql`create index page_name_url on page_name (url)`.execute(db).then(() => {}),
};
