import { Kysely, PostgresAdapter, PostgresDialect, SqliteDialect } from 'kysely';
import { DatabaseError } from './error.ts';
import type { PostgresOptions } from './postgres.ts';
import { postgresName, readServers } from './postgres-servers.ts';
import { openSqlite } from './sqlite.ts';

export interface OpenOptions extends PostgresOptions {
	/** SQLite: how long a statement waits for another process's lock; milliseconds. Default 5000. */
	readonly busyTimeout?: number;
	/**
	 * SQLite: the file is opened for one short job, by one process. Where no native SQLite can be loaded, it works
	 * without.
	 */
	readonly brief?: boolean;
}

/**
 * Opens a database: `sqlite:FILE` (made with its folder where there is none), `sqlite::memory:`, or
 * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, which must exist. Of several servers (`HOST:PORT,HOST:PORT`) the one
 * that takes writes is used. Call `destroy()` on it at the end.
 *
 * An SQLite file is durable against a crash of the process at any moment; the last commits before a power cut may be
 * lost, never torn (WAL, `synchronous = NORMAL`). When the file is deleted or replaced, the next commit fails (`file-gone`). A PostgreSQL server is asked only by the first statement, which fails
 * with a DatabaseError when it cannot be reached (`cannot-connect`, `wrong-password`, `no-such-database`, `too-old`,
 * `wrong-encoding`); a later one when the server goes away or takes no writes (`connection-lost`).
 *
 * @throws DatabaseError `unsupported-url`, `no-sqlite`, `cannot-open`, `not-a-database`, `damaged` or `locked`
 */
export function openDatabase<Schema>(url: string, options: OpenOptions = {}): Kysely<Schema> {
	const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+]+):(.*)$/is.exec(url) ?? [];
	switch (scheme.toLowerCase()) {
		case 'sqlite':
			return sqliteDatabase(url, rest, options);
		case 'postgres':
		case 'postgresql':
			return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: postgresLater(url, options) }) });
		default:
			throw new DatabaseError(
				'unsupported-url',
				`${databaseName(url)} is not a database URL; write sqlite:FILE or postgres://…`,
			);
	}
}

/** A pool of connections, made by the first statement: who keeps to SQLite loads no client of PostgreSQL. */
function postgresLater(url: string, options: OpenOptions) {
	const servers = readServers(url);
	const name = databaseName(url);
	return async () => (await import('./postgres.ts')).postgresPool(servers, name, options);
}

/** A database for people and logs: without password, and without parameters, one of which may be the password. */
export function databaseName(url: string): string {
	if (/^sqlite:/i.test(url) || !/[@?]/.test(url)) return url;
	return (url.includes('://') ? postgresName(url) : undefined) ?? `${url.split(':', 1)[0]}:…`;
}

/** The kind of database, for SQL that has to differ. */
export function databaseKind(db: Pick<Kysely<unknown>, 'getExecutor'>): 'sqlite' | 'postgres' {
	return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

function sqliteDatabase<Schema>(
	url: string,
	rest: string,
	{ busyTimeout = 5000, brief = false }: OpenOptions,
): Kysely<Schema> {
	// sqlite:///var/x.db is written for sqlite:/var/x.db
	const file = rest.replace(/^\/\/(?=\/)/, '');
	if (file === '') throw new DatabaseError('unsupported-url', `${url} has no file name; write sqlite:FILE`);
	const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: openSqlite(file, { busyTimeout, brief }) }) });
	// Kysely closes at `destroy()` only what it has used.
	void db.connection().execute(async () => {});
	return db;
}
