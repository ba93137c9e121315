import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseError, isUnreachable } from './error.ts';
import { PostgresCluster } from './postgres-cluster.ts';
import { fromConnect, fromStatement, notConfirmed } from './postgres-error.ts';
import type { PostgresServers } from './postgres-servers.ts';
import { StatementNames } from './statement-names.ts';

export interface PostgresOptions {
	/** Connections at a time. Default 5. */
	readonly connections?: number;
	/** Milliseconds after which the server gives up a statement; 0 for never. Default 60,000. */
	readonly statementTimeout?: number;
	/**
	 * Milliseconds after which the server ends a transaction whose process does nothing, and gives back its locks: it may
	 * have been stopped, or its machine be gone. Default 30,000.
	 */
	readonly idleInTransaction?: number;
	/** Settings of PostgreSQL for each connection, such as `{ jit: 'off' }`. */
	readonly settings?: Readonly<Record<string, string>>;
}

/** The oldest version that is supported; `SKIP LOCKED` and upserts are older, but its makers support none before. */
const oldest = 13;
/** Settings that we rely on, whatever the role or the database has: rows are locked for a moment only. */
const usual = { lock_timeout: '0', default_transaction_isolation: 'read committed' };
/** Those that hold every text. PostgreSQL looks into none that is in SQL_ASCII. */
const encodings = ['UTF8', 'SQL_ASCII'];
/**
 * A pool of connections for Kysely. Parameters of the URL are those of `pg`: `sslmode`, `sslrootcert`,
 * `application_name` and the like; `PGPASSWORD` and similar variables fill in what the URL omits.
 *
 * Statements are prepared once per connection. Behind a pooler they are not, since the next transaction may have another
 * connection to the server; settings then belong to transactions. `bigint` and `numeric` come as numbers, where a
 * number holds them.
 *
 * @param name of the database in messages: no password
 */
export function postgresPool(servers: PostgresServers, name: string, options: PostgresOptions): PostgresPool {
	const config = { application_name: 'wayleave', keepAlive: true, types: { getTypeParser } };
	const cluster = new PostgresCluster(servers, name, { ...config, max: options.connections ?? 5 });
	const names = new StatementNames();
	const settings = {
		statement_timeout: String(options.statementTimeout ?? 60_000),
		idle_in_transaction_session_timeout: String(options.idleInTransaction ?? 30_000),
		...usual,
		...options.settings,
	};
	const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
	return {
		async connect() {
			const client = await cluster.connect(({ version, encoding }) => refuseUnsuitable(version, encoding, name));
			const known = clients.get(client);
			if (known !== undefined) return known;
			const pooled = cluster.isPooled(client);
			try {
				if (!pooled) await apply(client, settings);
			} catch (error) {
				client.release(true);
				throw fromConnect(error, name);
			}
			const prepared = servers.prepared ?? !pooled;
			const own = wrap(client, { name, ...(prepared && { names }), ...(pooled && { begin: beginWith(settings) }) });
			clients.set(client, own);
			return own;
		},
		end: () => cluster.end(),
	};
}

/** @throws DatabaseError `too-old`, `wrong-encoding` */
function refuseUnsuitable(version: number, encoding: string, name: string): void {
	if (version < oldest)
		throw new DatabaseError('too-old', `${name} is PostgreSQL ${version}; version ${oldest} or newer is needed`);
	if (!encodings.includes(encoding))
		throw new DatabaseError(
			'wrong-encoding',
			`${name} is encoded in ${encoding}, which cannot store all characters: create the database with UTF8 (createdb -E UTF8 -T template0)`,
		);
}

/** Once per connection. Not as parameters of the connection, which poolers such as PgBouncer refuse. */
async function apply(client: pg.PoolClient, settings: Readonly<Record<string, string>>): Promise<void> {
	const entries = Object.entries(settings);
	const sets = entries.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`).join(', ');
	await client.query(`select ${sets}`, entries.flat());
}

/** Begins a transaction with settings of its own, in one message. */
function beginWith(settings: Readonly<Record<string, string>>): string {
	const sets = Object.entries(settings).map(([key, value]) => `set local ${key} = ${pg.escapeLiteral(value)}`);
	return ['begin', ...sets].join('; ');
}

interface Wrapping {
	/** Of the database. */
	readonly name: string;
	/** Where statements are prepared. */
	readonly names?: StatementNames;
	/** In the place of `begin`. */
	readonly begin?: string;
}

function wrap(client: pg.PoolClient, { name, names, begin }: Wrapping): PostgresPoolClient {
	let lost = false;
	let unconfirmed = false;
	// A commit that no standby has confirmed counts as done for the server, with a warning.
	client.on('notice', ({ routine }) => {
		unconfirmed ||= routine === 'SyncRepWaitForLSN';
	});
	const query = async (text: string, parameters: readonly unknown[]) => {
		unconfirmed = false;
		try {
			const isBegin = begin !== undefined && text === 'begin';
			const statement = isBegin ? { text: begin } : { ...names?.of(text), text, values: parameters.map(storable) };
			const result = await client.query(statement);
			if (unconfirmed) throw notConfirmed(name);
			return result;
		} catch (error) {
			const ours = fromStatement(error, name);
			lost ||= isUnreachable(ours);
			throw ours;
		}
	};
	return {
		query: query as unknown as PostgresPoolClient['query'],
		release: (error?: boolean) => client.release(error || lost),
	} as PostgresPoolClient;
}

/** PostgreSQL has no text with a zero byte; the replacement character says that something was there. */
function storable(parameter: unknown): unknown {
	return typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
}

const { INT8, NUMERIC } = pg.types.builtins;

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
	if (format !== 'binary' && (oid === INT8 || oid === NUMERIC)) return toNumber;
	return pg.types.getTypeParser(oid as Parameters<typeof pg.types.getTypeParser>[0], format as 'text');
}

/** A whole number that a number cannot hold exactly stays a text. */
function toNumber(text: string): number | string {
	const number = Number(text);
	return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
}
