import type { Migration } from '@wayleave/io/sql';

/** Times are milliseconds since 1970. */
export interface SiteSchema {
	/** A registered domain. Each registrant has a row and a token of their own. */
	service_site: {
		domain: string;
		/** Id of the caller. */
		owner: string;
		/** The token that was issued last. */
		token: string;
		/** The token that was found last. */
		proven_token: string | null;
		method: 'dns' | 'file' | null;
		registered_at: number;
		/** When it was proven last; null while it never was. */
		verified_at: number | null;
		/** Since when it counts as no longer proven. */
		lapsed_at: number | null;
		checked_at: number | null;
		next_check: number | null;
		/** Checks in a row that found no proof. */
		misses: number;
		/** JSON: the last check. */
		last_check: string | null;
		/** JSON. */
		preferences: string;
	};
}

export const siteMigrations: readonly Migration[] = [
	{
		name: '001-sites',
		async up(db) {
			await db.schema
				.createTable('service_site')
				.addColumn('domain', 'text', (column) => column.notNull())
				.addColumn('owner', 'text', (column) => column.notNull())
				.addColumn('token', 'text', (column) => column.notNull())
				.addColumn('proven_token', 'text')
				.addColumn('method', 'text')
				.addColumn('registered_at', 'bigint', (column) => column.notNull())
				.addColumn('verified_at', 'bigint')
				.addColumn('lapsed_at', 'bigint')
				.addColumn('checked_at', 'bigint')
				.addColumn('next_check', 'bigint')
				.addColumn('misses', 'integer', (column) => column.notNull())
				.addColumn('last_check', 'text')
				.addColumn('preferences', 'text', (column) => column.notNull())
				.addPrimaryKeyConstraint('service_site_of_owner', ['domain', 'owner'])
				.execute();
			await db.schema.createIndex('service_site_due').on('service_site').column('next_check').execute();
			await db.schema.createIndex('service_site_owner').on('service_site').column('owner').execute();
		},
	},
];
