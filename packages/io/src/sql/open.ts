import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { DatabaseError, fromSqlite } from './error.ts';

export interface OpenOptions {
	/** How long a statement waits for another process's lock; milliseconds. Default 5000. */
	readonly busyTimeout?: number;
}

/**
 * Opens a database, which is made where there is none: `sqlite:FILE` (its folder is made too) or `sqlite::memory:`.
 * Durable against a crash of the process at any moment; the last commits before a power cut may be lost, never torn
 * (WAL, `synchronous = NORMAL`). Call `destroy()` on it at the end.
 *
 * @throws DatabaseError `unsupported-url`, `cannot-open`, `not-a-database`, `damaged` or `locked`
 */
export function openDatabase<Schema>(url: string, options: OpenOptions = {}): Kysely<Schema> {
	const file = sqliteFile(url);
	let database: Sqlite.Database | undefined;
	try {
		if (file !== ':memory:') mkdirSync(dirname(resolve(file)), { recursive: true });
		database = new Sqlite(file, { timeout: options.busyTimeout ?? 5000 });
		prepare(database, file);
	} catch (error) {
		database?.close();
		throw fromSqlite(error, file, 'cannot-open');
	}
	const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
	// Kysely closes at `destroy()` only what it has used.
	void db.connection().execute(async () => {});
	return db;
}

function sqliteFile(url: string): string {
	const [, scheme, rest = ''] = /^([a-z][a-z0-9+]+):(.*)$/is.exec(url) ?? [];
	switch (scheme?.toLowerCase()) {
		case 'sqlite': {
			// sqlite:///var/x.db is written for sqlite:/var/x.db
			const file = rest.replace(/^\/\/(?=\/)/, '');
			if (file === '') throw new DatabaseError('unsupported-url', `${url} names no file; write sqlite:FILE`);
			return file;
		}
		case 'postgres':
		case 'postgresql':
			throw new DatabaseError('unsupported-url', 'PostgreSQL is not supported yet; use sqlite:FILE');
		default:
			throw new DatabaseError('unsupported-url', `${url} is no database URL; write sqlite:FILE`);
	}
}

function prepare(database: Sqlite.Database, file: string): void {
	database.pragma('journal_mode = WAL');
	database.pragma('synchronous = NORMAL');
	database.pragma('foreign_keys = ON');
	if (file !== ':memory:') refuseCutFile(database, file);
}

/**
 * SQLite notices missing pages only when it comes to them, perhaps hours later. A file shorter than its header says,
 * with no log that could hold the rest, has been cut.
 */
function refuseCutFile(database: Sqlite.Database, file: string): void {
	const pages = database.pragma('page_count', { simple: true }) as number;
	const pageSize = database.pragma('page_size', { simple: true }) as number;
	const logged = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
	const { size } = statSync(file);
	if (logged === 0 && size < pages * pageSize) {
		throw new DatabaseError('damaged', `${file} has been cut: ${size} of ${pages * pageSize} bytes are there`);
	}
}
