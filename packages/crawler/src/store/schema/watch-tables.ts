import type { Migration } from '@wayleave/io/sql';
import { type Generated, type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from './dialect.ts';

/** Tables for watched pages. Times are milliseconds since 1970. */
export interface WatchSchema {
	/** The last announced state of each page, by the number of its URL. `state` is an index into `watchedStates`. */
	watched: {
		url: number;
		version: number;
		state: number;
		digest: Uint8Array;
		seen: Uint8Array;
		meaning: Uint8Array | null;
		terms: number;
	};
	/** Terms as JSON, each once: most pages of a site have the same. */
	watched_terms: { id: Generated<number>; json: string };
	/** Texts of versions that are no longer in `page`. `content` is compressed JSON. */
	page_version: { url: number; version: number; fetched_at: number; content: Uint8Array };
	/** The log of changes. `diff` is compressed JSON; null where there is none, or where it may no longer be kept. */
	page_change: {
		id: Generated<number>;
		notice: string;
		url: number;
		version: number;
		kind: string;
		at: number;
		held: number;
		json: string;
		diff: Uint8Array | null;
	};
	receiver: {
		id: Generated<number>;
		address: string;
		stopped: Generated<number>;
		detail: string | null;
		due: Generated<number>;
		failures: Generated<number>;
	};
	/** The outbox: a change for a receiver. `state` is an index into `noticeStates`. */
	notice: {
		receiver: number;
		change: number;
		url: number;
		state: Generated<number>;
		attempts: Generated<number>;
		due: Generated<number>;
		status: number | null;
		detail: string | null;
		at: number | null;
	};
}

/** A store without these tables has watched nothing. */
export const watchMigration = (dialect: StoreDialect): Migration => ({
	name: '016-watch',
	async up(db) {
		const bytes = dialect.bytes as 'blob';
		const numbered = (name: string) =>
			db.schema.createTable(name).addColumn('id', 'integer', (column) => dialect.numbered(column.primaryKey()));
		await db.schema
			.createTable('watched')
			.addColumn('url', dialect.id, (column) => column.primaryKey())
			.addColumn('version', 'integer', (column) => column.notNull())
			.addColumn('state', 'smallint', (column) => column.notNull())
			.addColumn('digest', bytes, (column) => column.notNull())
			.addColumn('seen', bytes, (column) => column.notNull())
			.addColumn('meaning', bytes)
			.addColumn('terms', 'integer', (column) => column.notNull())
			.execute();
		await numbered('watched_terms')
			.addColumn('json', 'text', (column) => column.notNull().unique())
			.execute();
		await db.schema
			.createTable('page_version')
			.addColumn('url', dialect.id, (column) => column.notNull())
			.addColumn('version', 'integer', (column) => column.notNull())
			.addColumn('fetched_at', 'bigint', (column) => column.notNull())
			.addColumn('content', bytes, (column) => column.notNull())
			.addPrimaryKeyConstraint('page_version_key', ['url', 'version'])
			.execute();
		await numbered('page_change')
			.addColumn('notice', 'text', (column) => column.notNull().unique())
			.addColumn('url', dialect.id, (column) => column.notNull())
			.addColumn('version', 'integer', (column) => column.notNull())
			.addColumn('kind', 'text', (column) => column.notNull())
			.addColumn('at', 'bigint', (column) => column.notNull())
			.addColumn('held', 'smallint', (column) => column.notNull())
			.addColumn('json', 'text', (column) => column.notNull())
			.addColumn('diff', bytes)
			.execute();
		await sql`create index page_change_url on page_change (url, id)`.execute(db);
		await sql`create index page_change_held on page_change (id) where held = 1`.execute(db);
		await createOutbox(db.schema, dialect);
		await sql`create index notice_open on notice (receiver, change) where state <> 1`.execute(db);
		await sql`create index notice_url on notice (receiver, url, change) where state <> 1`.execute(db);
		await sql`create index notice_change on notice (change)`.execute(db);
	},
});

async function createOutbox(schema: Parameters<Migration['up']>[0]['schema'], dialect: StoreDialect): Promise<void> {
	await schema
		.createTable('receiver')
		.addColumn('id', 'integer', (column) => dialect.numbered(column.primaryKey()))
		.addColumn('address', dialect.key as RawBuilder<string>, (column) => column.notNull().unique())
		.addColumn('stopped', 'smallint', (column) => column.notNull().defaultTo(0))
		.addColumn('detail', 'text')
		.addColumn('due', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
		.execute();
	await schema
		.createTable('notice')
		.addColumn('receiver', 'integer', (column) => column.notNull())
		.addColumn('change', 'integer', (column) => column.notNull())
		.addColumn('url', dialect.id, (column) => column.notNull())
		.addColumn('state', 'smallint', (column) => column.notNull().defaultTo(0))
		.addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('due', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('status', 'integer')
		.addColumn('detail', 'text')
		.addColumn('at', 'bigint')
		.addPrimaryKeyConstraint('notice_key', ['receiver', 'change'])
		.execute();
}
