import { type Migration, statements } from '@wayleave/io/sql';

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
		up: statements(
			`create table api_key (id text primary key, name text not null, scopes text not null, rate integer, quota integer,
				created_at bigint not null, expires_at bigint, revoked_at bigint)`,
			'create table api_secret (hash text primary key, key text not null, created_at bigint not null, expires_at bigint)',
			'create index api_secret_key on api_secret (key)',
			`create table api_usage (key text not null, day text not null, documents integer not null,
				constraint api_usage_of_day primary key (key, day))`,
		),
	},
	{
		name: '002-rates',
		up: statements(
			'create table api_rate (key text primary key, tokens double precision not null, at bigint not null)',
		),
	},
];
