import { databaseKind, type Migration } from '@wayleave/io/sql';
import type { Generated } from 'kysely';
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
];
