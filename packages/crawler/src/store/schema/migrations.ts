import type { Migration } from '@wayleave/io/sql';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { changeMigration } from './change-migration.ts';
import { compactRows } from './compact-rows.ts';
import type { StoreDialect } from './dialect.ts';
import { outputsMigration } from './output-migration.ts';
import {
	currentPagesMigration,
	documentPlaceMigration,
	forgottenMigration,
	formerPagesMigration,
	learnedMigration,
	minHashMigration,
	pageNamesMigration,
	redirectedMigration,
} from './page-migrations.ts';
import { watchMigration } from './watch-tables.ts';

/** The steps that lead to the schema. @param tell how far one is that takes long */
export function storeMigrations(dialect: StoreDialect, tell: (progress: string) => void = () => {}): Migration[] {
	return [
		{
			name: '001-frontier',
			async up(db) {
				const numbered = (name: string, type: 'integer' | 'bigint' = 'integer') =>
					db.schema.createTable(name).addColumn('id', type, (column) => dialect.numbered(column.primaryKey()));
				await numbered('crawl_run')
					.addColumn('mode', 'text', (column) => column.notNull())
					.addColumn('scope', 'text', (column) => column.notNull())
					.addColumn('started_at', 'bigint', (column) => column.notNull())
					.addColumn('ended_at', 'bigint')
					.addColumn('complete', 'smallint')
					.execute();
				await numbered('host')
					.addColumn('name', 'text', (column) => column.notNull().unique())
					.addColumn('next_at', 'bigint', (column) => column.notNull().defaultTo(0))
					.addColumn('https', 'smallint', (column) => column.notNull().defaultTo(0))
					.addColumn('held', 'smallint', (column) => column.notNull().defaultTo(0))
					.execute();
				await numbered('url', dialect.id)
					.addColumn('key', dialect.key as RawBuilder<string>, (column) => column.notNull())
					.addColumn('kind', 'smallint', (column) => column.notNull())
					.addColumn('host', 'integer')
					.addColumn('state', 'smallint', (column) => column.notNull())
					.addColumn('depth', 'integer', (column) => column.notNull())
					.addColumn('dates', 'integer', (column) => column.notNull())
					.addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
					.addColumn('due', 'bigint', (column) => column.notNull().defaultTo(0))
					.addColumn('seed', 'smallint', (column) => column.notNull().defaultTo(0))
					.addColumn('via', dialect.id)
					.addColumn('run', 'integer', (column) => column.notNull())
					.addColumn('outcome', 'text')
					.addColumn('reason', 'text')
					.addColumn('detail', 'text')
					.addColumn('evidence', 'integer')
					.addColumn('status', 'integer')
					.addColumn('redirect', 'text')
					.addColumn('at', 'bigint')
					.addUniqueConstraint('url_key', ['key', 'kind'])
					.execute();
				// Breadth first within a host: nearest to the seeds, then in the order found. Ended rows cost nothing here.
				await sql`create index url_waiting on url (host, kind, depth, id) where state = 0`.execute(db);
				await sql`create index url_deferred on url (id) where outcome = 'deferred'`.execute(db);
				await sql`create index url_seed on url (id) where seed = 1`.execute(db);
				await db.schema
					.createTable('page')
					.addColumn('url', dialect.id, (column) => column.primaryKey())
					.addColumn('etag', 'text')
					.addColumn('last_modified', 'text')
					.addColumn('body_hash', dialect.bytes as 'blob')
					.addColumn('fetched_at', 'bigint', (column) => column.notNull())
					.addColumn('checked_at', 'bigint', (column) => column.notNull())
					.addColumn('content', dialect.bytes as 'blob')
					.execute();
				await numbered('evidence')
					.addColumn('json', 'text', (column) => column.notNull().unique())
					.execute();
				await db.schema
					.createTable('policy_file')
					.addColumn('url', 'text', (column) => column.primaryKey())
					.addColumn('final_url', 'text')
					.addColumn('fetched_at', 'bigint', (column) => column.notNull())
					.addColumn('expires_at', 'bigint', (column) => column.notNull())
					.addColumn('unreachable_since', 'bigint')
					.addColumn('status', 'integer', (column) => column.notNull())
					.addColumn('body', dialect.bytes as 'blob')
					.addColumn('etag', 'text')
					.addColumn('last_modified', 'text')
					.addColumn('content_type', 'text')
					.execute();
				await db.schema
					.createTable('sink_position')
					.addColumn('name', 'text', (column) => column.primaryKey())
					.addColumn('position', 'text', (column) => column.notNull())
					.execute();
				await db.schema
					.createTable('widened')
					.addColumn('url', 'text', (column) => column.primaryKey())
					.execute();
			},
		},
		{
			name: '002-ask-answers',
			async up(db) {
				await db.schema
					.createTable('ask_answer')
					.addColumn('origin', 'text', (column) => column.notNull())
					.addColumn('identity', 'text', (column) => column.notNull())
					.addColumn('directive', 'text', (column) => column.notNull())
					.addColumn('answer', 'text', (column) => column.notNull())
					.addColumn('source', 'text', (column) => column.notNull())
					.addColumn('asked_at', 'bigint', (column) => column.notNull())
					.addColumn('expires_at', 'bigint', (column) => column.notNull())
					.addPrimaryKeyConstraint('ask_answer_key', ['origin', 'identity', 'directive'])
					.execute();
			},
		},
		{ name: '003-workers', up: (db) => addWorkers(db, dialect) },
		changeMigration(dialect),
		minHashMigration(dialect),
		{
			name: '006-writes',
			async up(db) {
				await db.schema.alterTable('crawl_worker').addColumn('write', 'bigint').execute();
				await db.schema.alterTable('crawl_worker').addColumn('write_before', 'bigint').execute();
			},
		},
		{ name: '007-known', up: (db) => dialect.coverKnown(db) },
		currentPagesMigration,
		{ name: '009-outages', up: (db) => db.schema.alterTable('policy_file').addColumn('outage', 'text').execute() },
		{
			name: '010-judged',
			up: (db) =>
				db.schema
					.alterTable('widened')
					.addColumn('judged', 'smallint', (column) => column.notNull().defaultTo(0))
					.execute(),
		},
		redirectedMigration,
		learnedMigration(dialect),
		forgottenMigration(dialect),
		pageNamesMigration,
		formerPagesMigration(dialect),
		watchMigration(dialect),
		{
			name: '017-commits',
			addsOnly: true,
			up: (db) =>
				db.schema
					.alterTable('crawl_worker')
					.addColumn('commits', 'bigint', (column) => column.notNull().defaultTo(0))
					.execute(),
		},
		documentPlaceMigration,
		outputsMigration(dialect),
		{ name: '020-groups', addsOnly: true, up: (db) => addGroups(db, dialect) },
		{ name: compactStep, up: (db) => compactRows(db, dialect, tell) },
		{ name: '022-worker-schema', addsOnly: true, up: (db) => addWorkerSchema(db, dialect) },
	];
}

/** PostgreSQL takes it while workers of the version before crawl, if there is one: see `store/upgrade`. */
export const compactStep = '021-compact-rows';

/** The number of the last step that changes what workers of versions before it use. */
export const workerSchema = 21;

/** Which workers a step has to wait for, and a name for what an upsert of a URL may meet, whichever index that is. */
// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
async function addWorkerSchema(db: Kysely<any>, dialect: StoreDialect): Promise<void> {
	await db.schema
		.alterTable('crawl_worker')
		.addColumn('schema', 'smallint', (column) => column.notNull().defaultTo(0))
		.execute();
	await dialect.nameKnown(db);
}

/** Hosts are held by workers, of which there may be many; those that wait are found without looking at the others. */
// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
async function addWorkers(db: Kysely<any>, dialect: StoreDialect): Promise<void> {
	await db.schema
		.createTable('crawl_worker')
		.addColumn('id', 'integer', (column) => dialect.numbered(column.primaryKey()))
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('run', 'integer')
		.addColumn('expires_at', 'bigint', (column) => column.notNull())
		.addColumn('wants', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('documents', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('reserved', 'integer', (column) => column.notNull().defaultTo(0))
		.execute();
	const column = (table: string) => db.schema.alterTable(table);
	await column('crawl_run')
		.addColumn('documents', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
	await sql`update crawl_run set documents = (select count(*) from url where run = crawl_run.id and kind = 0
		and outcome in ('fetched', 'unchanged') and (reason is null or reason <> 'redirected'))`.execute(db);
	await column('host').addColumn('holder', 'integer').execute();
	await column('host').addColumn('ready_at', 'bigint').execute();
	await column('host')
		.addColumn('delay', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
	await column('host').dropColumn('held').execute();
	// Hosts without URLs to visit lose it after the next check.
	await sql`update host set ready_at = next_at`.execute(db);
	await sql`create index host_ready on host (ready_at, id) where ready_at is not null`.execute(db);
	await sql`create index host_holder on host (holder) where holder is not null`.execute(db);
	await dialect.tune(db);
}

/** Several databases share a crawl: each has the URLs of its hosts, and hands over those of the others. */
// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
async function addGroups(db: Kysely<any>, dialect: StoreDialect): Promise<void> {
	await db.schema
		.createTable('outbox')
		.addColumn('id', dialect.id, (column) => dialect.numbered(column.primaryKey()))
		.addColumn('target', 'text', (column) => column.notNull())
		.addColumn('urls', 'integer', (column) => column.notNull())
		.addColumn('json', 'text', (column) => column.notNull())
		.addColumn('taken_until', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
	await db.schema
		.createTable('crawl_group')
		.addColumn('one', 'smallint', (column) => column.primaryKey().defaultTo(1))
		.addColumn('id', 'text', (column) => column.notNull())
		.addColumn('members', 'text', (column) => column.notNull())
		.addColumn('received', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
}

/** The owner of the tables, in a database that other parts may share. */
export const storeComponent = 'crawler';
