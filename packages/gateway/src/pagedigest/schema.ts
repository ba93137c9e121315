import type { Migration } from '@wayleave/io/sql';
import type { Generated } from 'kysely';

/** The durable state of revisions (pagedigest §4.1.1), for any number of sites. */
export interface RevisionSchema {
	digest_site: {
		origin: string;
		site_rev: number;
		floor: number;
		coverage: string | null;
		/** Counts the writes of several gateways. */
		version: Generated<number>;
	};
	/** One row for each URL that was ever listed: it stays when the URL goes. */
	digest_page: {
		origin: string;
		key: string;
		rev: number;
		fingerprint: string;
		digest: string | null;
		listed: number;
		/** 1: the site itself names it, by a link, its sitemap or the policy file. */
		named: Generated<number>;
		/** Several gateways: the write that changed the row, and when one of them saw the page last. */
		version: Generated<number>;
		seen_at: Generated<number | null>;
	};
}

export const revisionMigrations: readonly Migration[] = [
	{
		name: '001-revisions',
		async up(db) {
			await db.schema
				.createTable('digest_site')
				.addColumn('origin', 'text', (column) => column.primaryKey())
				.addColumn('site_rev', 'bigint', (column) => column.notNull())
				.addColumn('floor', 'bigint', (column) => column.notNull())
				.addColumn('coverage', 'text')
				.execute();
			await db.schema
				.createTable('digest_page')
				.addColumn('origin', 'text', (column) => column.notNull())
				.addColumn('key', 'text', (column) => column.notNull())
				.addColumn('rev', 'bigint', (column) => column.notNull())
				.addColumn('fingerprint', 'text', (column) => column.notNull())
				.addColumn('digest', 'text')
				.addColumn('listed', 'integer', (column) => column.notNull())
				.addPrimaryKeyConstraint('digest_page_key', ['origin', 'key'])
				.execute();
		},
	},
	{
		// Visitors could have invented earlier entries: they count once the site names them.
		name: '002-named',
		async up(db) {
			await db.schema
				.alterTable('digest_page')
				.addColumn('named', 'integer', (column) => column.notNull().defaultTo(0))
				.execute();
		},
	},
	{
		name: '003-shared',
		async up(db) {
			for (const table of ['digest_site', 'digest_page'])
				await db.schema
					.alterTable(table)
					.addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
					.execute();
			await db.schema.alterTable('digest_page').addColumn('seen_at', 'bigint').execute();
			await db.schema.createIndex('digest_page_version').on('digest_page').columns(['origin', 'version']).execute();
		},
	},
];
