import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseError, isUnreachable } from './error.ts';
import { fromConnect, fromStatement } from './postgres-error.ts';
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
/** Milliseconds. A connection to a server that is there takes a few; the rest is for a pool that is busy. */
const connectTimeout = 30_000;

/**
 * A pool of connections for Kysely. The URL is read as `pg` reads it: `sslmode`, `sslrootcert`, `application_name` and
 * the like are parameters of it, and `PGPASSWORD` and its kin count where it leaves something out.
 *
 * Statements are prepared once per connection. `bigint` and `numeric` come as numbers, where a number holds them.
 *
 * @param name of the database in messages: no password
 */
export function postgresPool(url: string, name: string, options: PostgresOptions): PostgresPool {
	const pool = new pg.Pool({
		application_name: 'wayleave',
		connectionString: url,
		max: options.connections ?? 5,
		connectionTimeoutMillis: connectTimeout,
		keepAlive: true,
		types: { getTypeParser },
	});
	// The pool drops an idle connection that breaks; the next query reports the failure.
	pool.on('error', () => {});
	// One that breaks while in use must not end the process, not even before its first statement: the next fails.
	pool.on('connect', (client) => client.on('error', () => {}));
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
			const client = await connect(pool, name);
			const known = clients.get(client);
			if (known !== undefined) return known;
			await introduce(client, name, settings);
			const own = wrap(client, names, name);
			clients.set(client, own);
			return own;
		},
		end: () => pool.end(),
	};
}

async function connect(pool: pg.Pool, name: string): Promise<pg.PoolClient> {
	try {
		return await pool.connect();
	} catch (error) {
		throw fromConnect(error, name);
	}
}

/**
 * Once per connection: is the server new enough, and our settings. Not as parameters of the connection, which poolers
 * such as PgBouncer refuse.
 */
async function introduce(client: pg.PoolClient, name: string, settings: Readonly<Record<string, string>>) {
	try {
		const entries = Object.entries(settings);
		const sets = entries.map((_, at) => `, set_config($${2 * at + 1}, $${2 * at + 2}, false)`).join('');
		const text = `select current_setting('server_version_num')::int as number,
			current_setting('server_encoding') as encoding${sets}`;
		const { rows } = await client.query<{ number: number; encoding: string }>(text, entries.flat());
		const [{ number, encoding } = { number: 0, encoding: 'unknown' }] = rows;
		const version = Math.floor(number / 10_000);
		if (version < oldest)
			throw new DatabaseError('too-old', `${name} is PostgreSQL ${version}; version ${oldest} or newer is needed`);
		if (!encodings.includes(encoding))
			throw new DatabaseError(
				'wrong-encoding',
				`${name} is encoded in ${encoding}, which cannot store all characters: create the database with UTF8 (createdb -E UTF8 -T template0)`,
			);
	} catch (error) {
		client.release(true);
		throw error instanceof DatabaseError ? error : fromConnect(error, name);
	}
}

function wrap(client: pg.PoolClient, names: StatementNames, name: string): PostgresPoolClient {
	let lost = false;
	const query = async (text: string, parameters: readonly unknown[]) => {
		try {
			return await client.query({ ...names.of(text), text, values: parameters.map(storable) });
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
