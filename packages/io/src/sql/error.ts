import { explainSystemError } from '../messages/system-errors.ts';

export type DatabaseErrorCode =
	| 'unsupported-url'
	| 'no-sqlite'
	| 'cannot-open'
	| 'not-a-database'
	| 'full'
	| 'cannot-write'
	| 'file-gone'
	| 'damaged'
	| 'locked'
	| 'cannot-connect'
	| 'connection-lost'
	| 'wrong-password'
	| 'no-such-database'
	| 'too-old'
	| 'wrong-encoding'
	| 'older-schema'
	| 'newer-schema'
	| 'migration-failed';

/** A database that cannot be used. The message names the database and, where there is one, the way out. */
export class DatabaseError extends Error {
	readonly code: DatabaseErrorCode;

	constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'DatabaseError';
		this.code = code;
	}
}

/** Whether a server could not be reached: the same again, a little later, may well work. */
export function isUnreachable(error: unknown): boolean {
	return error instanceof DatabaseError && (error.code === 'connection-lost' || error.code === 'cannot-connect');
}

/** An error of SQLite when a file is opened or brought to the current schema. */
export function fromSqlite(error: unknown, name: string, otherwise: 'cannot-open' | 'migration-failed'): DatabaseError {
	const known = fromSqliteStatement(error, name);
	if (known instanceof DatabaseError) return known;
	const what = otherwise === 'cannot-open' ? 'cannot be opened' : 'could not be migrated to the current schema';
	return new DatabaseError(
		otherwise,
		`${name} ${what}: ${explainSystemError(error, 'write') ?? (error as Error).message}`,
		{ cause: error },
	);
}

/** An error of a statement: ours where it says something about the whole file, otherwise as it came. */
export function fromSqliteStatement(error: unknown, name: string): unknown {
	const { code = '', message = '' } = error as { code?: string; message?: string };
	const [, kind = ''] = /^SQLITE_([A-Z]+)/.exec(code) ?? [];
	const [ours, what] = special[code] ?? wholeFile[kind] ?? [];
	if (ours === undefined) return error;
	const said = message === '' ? '' : ` (${message})`;
	return new DatabaseError(ours, `${name} ${what}${said}${ours === 'damaged' ? `: ${wayOut}` : ''}`, { cause: error });
}

/** By the whole code of SQLite, where more can be said. */
const special: Readonly<Record<string, readonly [DatabaseErrorCode, string]>> = {
	SQLITE_READONLY_DIRECTORY: [
		'cannot-write',
		'is in a read-only folder, and SQLite needs to write beside it even to read: copy it to a writable folder',
	],
};

/** Advice for a damaged file. */
export const wayOut = 'restore a backup, or move the file away with its -wal and -shm files to start a new one';

/** By the first word of a code of SQLite. */
const wholeFile: Readonly<Record<string, readonly [DatabaseErrorCode, string]>> = {
	NOTADB: ['not-a-database', 'is not an SQLite database'],
	CORRUPT: ['damaged', 'is damaged'],
	BUSY: ['locked', 'is locked by another process'],
	LOCKED: ['locked', 'is locked by another process'],
	FULL: ['full', 'cannot grow because the disk is full: free some space and try again'],
	READONLY: ['cannot-write', 'cannot be written'],
	// SQLite also reports this if a file next to the database does not fit on the disk.
	IOERR: ['cannot-write', 'cannot be read or written: the disk is full or failing'],
	CANTOPEN: ['cannot-open', 'cannot be opened: it must be a file in a writable folder'],
};
