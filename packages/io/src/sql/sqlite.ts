import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { DatabaseError, fromSqlite, fromSqliteStatement, wayOut } from './error.ts';

/** Statements that are kept prepared. */
const most = 500;

/** Kilobytes of a file that a process keeps for itself: what it changes. What it reads, it reads where it is mapped. */
const cache = 4_096;
/** Bytes of a file that are read where the system has them in memory, which it may take back at any time. */
const mapped = 268_435_456;

/** Opens a file, which is made where there is none; `:memory:` is one in memory. @throws DatabaseError */
export function openSqlite(file: string, busyTimeout: number): SqliteDatabase {
	let database: Sqlite.Database | undefined;
	try {
		if (file !== ':memory:') mkdirSync(dirname(resolve(file)), { recursive: true });
		database = new Sqlite(file, { timeout: busyTimeout });
		configure(database, file);
		return remembering(database, file);
	} catch (error) {
		database?.close();
		throw refused(error, file) ?? fromSqlite(error, file, 'cannot-open');
	}
}

/** SQLite says of all of them that it is unable to open the file. */
function refused(error: unknown, file: string): DatabaseError | undefined {
	if ((error as { code?: string }).code !== 'SQLITE_CANTOPEN') return undefined;
	const found = statSync(file, { throwIfNoEntry: false });
	if (found?.isDirectory()) return new DatabaseError('cannot-open', `${file} is a folder, and a file is wanted`);
	if (found === undefined && !may(constants.W_OK, dirname(resolve(file))))
		return new DatabaseError('cannot-open', `${file} cannot be made: this user may not write to its folder`);
	if (found !== undefined && !may(constants.R_OK, file))
		return new DatabaseError('cannot-open', `${file} cannot be opened: this user may not read it`);
	return undefined;
}

function may(mode: number, path: string): boolean {
	try {
		accessSync(path, mode);
		return true;
	} catch {
		return false;
	}
}

/** Kysely has every statement prepared anew, which takes longer than most of them take to run. */
function remembering(database: Sqlite.Database, file: string): SqliteDatabase {
	const prepared = new Map<string, NamedStatement>();
	const present = presence(file);
	return {
		prepare(text): SqliteStatement {
			// An error such as a full disk has ended the transaction: that it cannot be ended twice must not hide the error.
			if (text === 'rollback' && !database.inTransaction) return nothing;
			let statement = prepared.get(text);
			// One that somebody is still iterating over cannot be run a second time.
			if (statement === undefined || statement.busy) {
				statement = withNames(
					naming(file, () => database.prepare<unknown[]>(text)),
					file,
					text === 'commit' ? present : undefined,
				);
				if (prepared.size < most) prepared.set(text, statement);
			}
			return statement;
		},
		close() {
			prepared.clear();
			database.close();
		},
	};
}

const nothing: SqliteStatement = {
	reader: false,
	all: () => [],
	run: () => ({ changes: 0, lastInsertRowid: 0 }),
	iterate: () => [].values(),
};

/** A statement whose errors name the file. */
interface NamedStatement extends SqliteStatement {
	readonly busy: boolean;
}

/** @param before what to check before each run */
function withNames(
	statement: Sqlite.Statement<unknown[]>,
	file: string,
	before: () => void = () => {},
): NamedStatement {
	return {
		reader: statement.reader,
		get busy() {
			return statement.busy;
		},
		all: (parameters) => naming(file, () => statement.all(parameters)),
		run: (parameters) =>
			naming(file, () => {
				before();
				return statement.run(parameters);
			}),
		*iterate(parameters) {
			try {
				yield* statement.iterate(parameters);
			} catch (error) {
				throw fromSqliteStatement(error, file);
			}
		},
	};
}

/**
 * A file that is deleted or replaced while it is open is written to all the same, and nobody ever reads that: SQLite does
 * not look.
 */
function presence(file: string): () => void {
	if (file === ':memory:') return () => {};
	const opened = statSync(file);
	return () => {
		const now = statSync(file, { throwIfNoEntry: false });
		if (now?.ino === opened.ino && now.dev === opened.dev) return;
		const what = now === undefined ? 'deleted' : 'replaced by another file';
		throw new DatabaseError('file-gone', `${file} was ${what} while it was in use: what was written since is lost`);
	};
}

function naming<Value>(file: string, work: () => Value): Value {
	try {
		return work();
	} catch (error) {
		throw fromSqliteStatement(error, file);
	}
}

function configure(database: Sqlite.Database, file: string): void {
	database.pragma('journal_mode = WAL');
	database.pragma('synchronous = NORMAL');
	database.pragma('foreign_keys = ON');
	if (file === ':memory:') return;
	// What is deleted because nobody may keep it must not lie in the free places of the file.
	database.pragma('secure_delete = ON');
	refuseCutFile(database, file);
	database.pragma(`cache_size = -${cache}`);
	database.pragma(`mmap_size = ${mapped}`);
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
		throw new DatabaseError(
			'damaged',
			`${file} has been cut: ${size} of ${pages * pageSize} bytes are there: ${wayOut}`,
		);
	}
}
