import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { makePrivateFile, makePrivateFolder } from '../files/private-files.ts';
import { closeAtExit } from './at-exit.ts';
import { anyDriver, fileDriver } from './drivers/choose.ts';
import { type Connection, pragma, type SqliteDriverName, type Statement } from './drivers/driver.ts';
import { DatabaseError, fromSqlite, fromSqliteStatement, wayOut } from './error.ts';

/** Statements that are kept prepared. */
const most = 500;

/** Kilobytes of a file that a process keeps for itself: what it changes. What it reads, it reads where it is mapped. */
const cache = 4_096;
/** Bytes of a file that are read where the system has them in memory, which it may take back at any time. */
const mapped = 268_435_456;

export interface SqliteOptions {
	/** How long a statement waits for another process's lock; milliseconds. */
	readonly busyTimeout: number;
	/** The file is opened for one short job: where no native SQLite can be loaded, it works without. */
	readonly brief?: boolean;
}

/** Opens a file, which is made where there is none; `:memory:` is one in memory. @throws DatabaseError */
export function openSqlite(file: string, { busyTimeout, brief = false }: SqliteOptions): SqliteDatabase {
	const driver = brief || file === ':memory:' ? anyDriver() : fileDriver();
	let connection: Connection | undefined;
	try {
		prepareFolder(file);
		if (driver.name === 'wasm') refuseUsedFile(file);
		// SQLite gives its logs the mode of the file.
		if (file !== ':memory:') makePrivateFile(file);
		connection = driver.open(file, busyTimeout);
		configure(connection, file, driver.name);
		return remembering(connection, file);
	} catch (error) {
		connection?.close();
		throw refused(error, file) ?? fromSqlite(error, file, 'cannot-open');
	}
}

/** Creates the folder of a file, for this user only. */
export function prepareFolder(file: string): void {
	if (file !== ':memory:') makePrivateFolder(dirname(resolve(file)));
}

/** SQLite says of all of them that it is unable to open the file. */
function refused(error: unknown, file: string): DatabaseError | undefined {
	if ((error as { code?: string }).code !== 'SQLITE_CANTOPEN') return undefined;
	const found = statSync(file, { throwIfNoEntry: false });
	if (found?.isDirectory()) return new DatabaseError('cannot-open', `${file} is a folder, not a file`);
	if (found === undefined && !may(constants.W_OK, dirname(resolve(file))))
		return new DatabaseError('cannot-open', `${file} cannot be created: this user cannot write to its folder`);
	if (found !== undefined && !may(constants.R_OK, file))
		return new DatabaseError('cannot-open', `${file} cannot be opened: this user cannot read it`);
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

/** Why no file can be opened, and what to do; undefined where a driver is found. */
export function sqliteProblem(): string | undefined {
	try {
		fileDriver();
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Kysely prepares every statement again, which takes longer than most of them take to run. */
function remembering(connection: Connection, file: string): SqliteDatabase {
	const prepared = new Map<string, NamedStatement>();
	const present = presence(file);
	const close = closeAtExit(() => connection.close());
	const prepare = (text: string) => {
		const statement = naming(file, () => connection.prepare(text));
		return text === 'rollback' ? oncePerTransaction(statement) : statement;
	};
	return {
		prepare(text): SqliteStatement {
			let statement = prepared.get(text);
			// A statement with an open iterator cannot be run a second time.
			if (statement === undefined || statement.busy) {
				statement = withNames(prepare(text), file, text === 'commit' ? present : undefined);
				if (prepared.size < most) prepared.set(text, statement);
			}
			return statement;
		},
		close() {
			prepared.clear();
			close();
		},
	};
}

/** A statement whose errors name the file. */
interface NamedStatement extends SqliteStatement {
	readonly busy: boolean;
}

/** An error such as a full disk has ended the transaction: that it cannot be ended twice must not hide the error. */
function oncePerTransaction(rollback: Statement): Statement {
	const run: Statement['run'] = (parameters) => {
		try {
			return rollback.run(parameters);
		} catch (error) {
			if (/no transaction is active/.test((error as Error).message)) return { changes: 0, lastInsertRowid: 0 };
			throw error;
		}
	};
	return { reader: false, busy: false, all: () => [], run, iterate: () => [].values() };
}

/** @param before what to check before each run */
function withNames(statement: Statement, file: string, before: () => void = () => {}): NamedStatement {
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
 * A file that is deleted or replaced while it is open is still written to, and those writes are lost: SQLite does not
 * check.
 */
function presence(file: string): () => void {
	if (file === ':memory:') return () => {};
	const opened = statSync(file);
	return () => {
		const now = statSync(file, { throwIfNoEntry: false });
		if (now?.ino === opened.ino && now.dev === opened.dev) return;
		const what = now === undefined ? 'deleted' : 'replaced by another file';
		throw new DatabaseError('file-gone', `${file} was ${what} while it was in use: changes since then are lost`);
	};
}

function naming<Value>(file: string, work: () => Value): Value {
	try {
		return work();
	} catch (error) {
		throw fromSqliteStatement(error, file);
	}
}

function configure(connection: Connection, file: string, driver: SqliteDriverName): void {
	if (driver === 'wasm') {
		// Without shared memory, a file that was left in WAL mode is read by one connection only.
		pragma(connection, 'locking_mode = EXCLUSIVE');
		pragma(connection, 'journal_mode = DELETE');
	} else pragma(connection, 'journal_mode = WAL');
	pragma(connection, 'synchronous = NORMAL');
	pragma(connection, 'foreign_keys = ON');
	if (file === ':memory:') return;
	// Deleted content that may not be kept must not remain in free pages of the file.
	pragma(connection, 'secure_delete = ON');
	refuseCutFile(connection, file);
	pragma(connection, `cache_size = -${cache}`);
	pragma(connection, `mmap_size = ${mapped}`);
}

/** The driver without native code sees no lock of other processes: where one has the file open, its log is there. */
function refuseUsedFile(file: string): void {
	if (existsSync(`${file}.lock`)) {
		const what = `${file} is in use by another command; if no other command is running, one was killed: delete the folder ${file}.lock`;
		throw new DatabaseError('locked', what);
	}
	if (!existsSync(`${file}-wal`)) return;
	throw new DatabaseError(
		'locked',
		`${file} is in use by another process, or a process that used it was killed: ${sqliteProblem()}`,
	);
}

/**
 * SQLite notices missing pages only when it comes to them, perhaps hours later. A file shorter than its header says,
 * with no log that could hold the rest, has been cut.
 */
function refuseCutFile(connection: Connection, file: string): void {
	const pages = pragma(connection, 'page_count') as number;
	const pageSize = pragma(connection, 'page_size') as number;
	const logged = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
	const { size } = statSync(file);
	if (logged === 0 && size < pages * pageSize) {
		throw new DatabaseError(
			'damaged',
			`${file} is truncated: ${size} of ${pages * pageSize} bytes are left: ${wayOut}`,
		);
	}
}
