import { databaseKind, type Migration, statements } from '@wayleave/io/sql';
import type { Generated, Kysely } from 'kysely';
import { type CountRow, countColumns, countEntries, countIntegers, countKey, countLengths } from './counts.ts';
import type { Entry } from './entry.ts';

/** Column names are the members of `Entry` in snake case. */
type Columns = {
	[Name in keyof Entry as Snake<Name & string>]: Entry[Name];
};
type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
	? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
	: '';

/** A connection to the database of a ledger, or a transaction. */
export type LedgerDb = Kysely<LedgerSchema>;

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

/** The types of columns, in the order in which entries are written. */
const columnTypes = {
	at: 'bigint',
	client: 'text',
	agent: 'text',
	categories: 'text',
	purpose: 'text',
	outcome: 'text',
	evidence: 'text',
	address: 'text',
	method: 'text',
	path: 'text',
	action: 'text',
	would: 'text',
	reason: 'text',
	status: 'bigint',
	bytes: 'bigint',
	bytesSaved: 'bigint',
	tokensSaved: 'bigint',
	policy: 'text',
	inForce: 'text',
	ruleSource: 'text',
	ruleLine: 'bigint',
	ruleText: 'text',
	violation: 'bigint',
	excuse: 'text',
	early: 'bigint',
	asked: 'text',
	answer: 'text',
	revision: 'bigint',
} as const satisfies Record<keyof Entry, string>;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names of columns by the members of `Entry`, in the same order. */
export const entryColumns = Object.fromEntries(Object.keys(columnTypes).map((name) => [name, snake(name)])) as {
	[Name in keyof Entry]: Snake<Name>;
};

export const ledgerMigrations: readonly Migration[] = [
	{
		name: '001-ledger',
		async up(db) {
			const id = databaseKind(db) === 'postgres' ? 'bigserial primary key' : 'integer primary key autoincrement';
			const columns = Object.entries(columnTypes).map(([name, type]) => `${snake(name)} ${type}`);
			await statements(
				`create table gateway_request (id ${id}, ${columns.join()})`,
				'create index gateway_request_at on gateway_request (at)',
				'create index gateway_request_agent on gateway_request (agent, at)',
				'create table gateway_policy (version text not null, since bigint not null, robots text not null, robots2 text not null)',
			)(db);
		},
	},
	{
		name: '002-site',
		up: statements('create table gateway_site (origin text primary key, read_at bigint not null, own text not null)'),
	},
	{
		name: '003-counts',
		async up(db) {
			const columns = countColumns.map((name) => `${name} ${countIntegers.has(name) ? 'bigint' : 'text'} not null`);
			await statements(
				`create table gateway_count (${columns.join()}, constraint gateway_count_key primary key (${countKey.join()}))`,
			)(db);
			for (const length of countLengths) await countEntries(length).execute(db);
			await statements(
				`create table gateway_referral (at bigint not null, assistant text not null, path text not null,
					visits bigint not null, constraint gateway_referral_key primary key (at, assistant, path))`,
				'drop index gateway_request_agent',
				'create index gateway_request_agent on gateway_request (agent, outcome, at)',
				// Few requests break a rule or ask: lists of them need not read all others.
				'create index gateway_request_violation on gateway_request (at) where violation = 1',
				'create index gateway_request_asked on gateway_request (at) where asked is not null',
			)(db);
		},
	},
];
