import { databaseKind, type Migration } from '@wayleave/io/sql';
import { type CreateTableBuilder, type Generated, sql } from 'kysely';
import { type CountRow, countColumns, countEntries, countIntegers, countKey, countLengths } from './counts.ts';
import type { Entry } from './entry.ts';

/** Column names are the members of `Entry` in snake case. */
type Columns = {
	[Name in keyof Entry as Snake<Name & string>]: Entry[Name];
};
type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
	? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
	: '';

export interface LedgerSchema {
	gateway_request: Columns & { id: Generated<number> };
	/** Each time that a version of the policy came into force. */
	gateway_policy: { version: string; since: number; robots: string; robots2: string };
	/** The site's own files when its robots.txt was last read successfully; `own` is JSON. */
	gateway_site: { origin: string; read_at: number; own: string };
	/** Counts of `gateway_request` by hour and by day, written together with it. */
	gateway_count: CountRow;
	/** People who came from assistants: by day, page and assistant. */
	gateway_referral: { at: number; assistant: string; path: string; visits: number };
}

/** Order in which entries are written. */
export const entryColumns = {
	at: 'at',
	client: 'client',
	agent: 'agent',
	categories: 'categories',
	purpose: 'purpose',
	outcome: 'outcome',
	evidence: 'evidence',
	address: 'address',
	method: 'method',
	path: 'path',
	action: 'action',
	would: 'would',
	reason: 'reason',
	status: 'status',
	bytes: 'bytes',
	bytesSaved: 'bytes_saved',
	tokensSaved: 'tokens_saved',
	policy: 'policy',
	inForce: 'in_force',
	ruleSource: 'rule_source',
	ruleLine: 'rule_line',
	ruleText: 'rule_text',
	violation: 'violation',
	excuse: 'excuse',
	early: 'early',
	asked: 'asked',
	answer: 'answer',
	revision: 'revision',
} as const satisfies Record<keyof Entry, keyof LedgerSchema['gateway_request']>;

const integers: ReadonlySet<keyof Entry> = new Set([
	'at',
	'status',
	'bytes',
	'bytesSaved',
	'tokensSaved',
	'ruleLine',
	'violation',
	'early',
	'revision',
]);

export const ledgerMigrations: readonly Migration[] = [
	{
		name: '001-ledger',
		async up(db) {
			const requests = db.schema.createTable('gateway_request');
			let table =
				databaseKind(db) === 'postgres'
					? requests.addColumn('id', 'bigserial', (column) => column.primaryKey())
					: requests.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement());
			for (const [name, column] of Object.entries(entryColumns)) {
				table = table.addColumn(column, integers.has(name as keyof Entry) ? 'bigint' : 'text');
			}
			await table.execute();
			await db.schema.createIndex('gateway_request_at').on('gateway_request').column('at').execute();
			await db.schema.createIndex('gateway_request_agent').on('gateway_request').columns(['agent', 'at']).execute();
			await db.schema
				.createTable('gateway_policy')
				.addColumn('version', 'text', (column) => column.notNull())
				.addColumn('since', 'bigint', (column) => column.notNull())
				.addColumn('robots', 'text', (column) => column.notNull())
				.addColumn('robots2', 'text', (column) => column.notNull())
				.execute();
		},
	},
	{
		name: '002-site',
		async up(db) {
			await db.schema
				.createTable('gateway_site')
				.addColumn('origin', 'text', (column) => column.primaryKey())
				.addColumn('read_at', 'bigint', (column) => column.notNull())
				.addColumn('own', 'text', (column) => column.notNull())
				.execute();
		},
	},
	{
		name: '003-counts',
		async up(db) {
			let counts: CreateTableBuilder<'gateway_count', string> = db.schema.createTable('gateway_count');
			for (const name of countColumns)
				counts = counts.addColumn(name, countIntegers.has(name) ? 'bigint' : 'text', (column) => column.notNull());
			await counts.addPrimaryKeyConstraint('gateway_count_key', [...countKey]).execute();
			for (const length of countLengths) await countEntries(length).execute(db);
			await db.schema
				.createTable('gateway_referral')
				.addColumn('at', 'bigint', (column) => column.notNull())
				.addColumn('assistant', 'text', (column) => column.notNull())
				.addColumn('path', 'text', (column) => column.notNull())
				.addColumn('visits', 'bigint', (column) => column.notNull())
				.addPrimaryKeyConstraint('gateway_referral_key', ['at', 'assistant', 'path'])
				.execute();
			await db.schema.dropIndex('gateway_request_agent').execute();
			await sql`create index gateway_request_agent on gateway_request (agent, outcome, at)`.execute(db);
			// Few requests break a rule or ask: lists of them need not read all others.
			await sql`create index gateway_request_violation on gateway_request (at) where violation = 1`.execute(db);
			await sql`create index gateway_request_asked on gateway_request (at) where asked is not null`.execute(db);
		},
	},
];
