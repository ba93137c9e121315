import type { Migration } from '@wayleave/io/sql';

/** Times are milliseconds since 1970. */
export interface KeySchema {
	api_key: {
		id: string;
		name: string;
		/** Separated by spaces. */
		scopes: string;
		/** Requests per minute. */
		rate: number | null;
		/** Documents per day. */
		quota: number | null;
		created_at: number;
		expires_at: number | null;
		revoked_at: number | null;
	};
	/** A key has two secrets while one takes the place of the other. */
	api_secret: { hash: string; key: string; created_at: number; expires_at: number | null };
	api_usage: { key: string; day: string; documents: number };
	/** Requests that are left to a key with a rate. */
	api_rate: { key: string; tokens: number; at: number };
}

export const keyMigrations: readonly Migration[] = [
	{
		name: '001-keys',
		async up(db) {
			await db.schema
				.createTable('api_key')
				.addColumn('id', 'text', (column) => column.primaryKey())
				.addColumn('name', 'text', (column) => column.notNull())
				.addColumn('scopes', 'text', (column) => column.notNull())
				.addColumn('rate', 'integer')
				.addColumn('quota', 'integer')
				.addColumn('created_at', 'bigint', (column) => column.notNull())
				.addColumn('expires_at', 'bigint')
				.addColumn('revoked_at', 'bigint')
				.execute();
			await db.schema
				.createTable('api_secret')
				.addColumn('hash', 'text', (column) => column.primaryKey())
				.addColumn('key', 'text', (column) => column.notNull())
				.addColumn('created_at', 'bigint', (column) => column.notNull())
				.addColumn('expires_at', 'bigint')
				.execute();
			await db.schema.createIndex('api_secret_key').on('api_secret').column('key').execute();
			await db.schema
				.createTable('api_usage')
				.addColumn('key', 'text', (column) => column.notNull())
				.addColumn('day', 'text', (column) => column.notNull())
				.addColumn('documents', 'integer', (column) => column.notNull())
				.addPrimaryKeyConstraint('api_usage_of_day', ['key', 'day'])
				.execute();
		},
	},
	{
		name: '002-rates',
		async up(db) {
			await db.schema
				.createTable('api_rate')
				.addColumn('key', 'text', (column) => column.primaryKey())
				.addColumn('tokens', 'double precision', (column) => column.notNull())
				.addColumn('at', 'bigint', (column) => column.notNull())
				.execute();
		},
	},
];
