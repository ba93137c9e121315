export type DatabaseErrorCode =
	| 'unsupported-url'
	| 'cannot-open'
	| 'not-a-database'
	| 'damaged'
	| 'locked'
	| 'cannot-connect'
	| 'connection-lost'
	| 'wrong-password'
	| 'no-such-database'
	| 'too-old'
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

/** An error of SQLite as ours, where it says something about the whole database. */
export function fromSqlite(error: unknown, name: string, otherwise: 'cannot-open' | 'migration-failed'): DatabaseError {
	if (error instanceof DatabaseError) return error;
	const { code = '', message } = error as { code?: string; message: string };
	const options = { cause: error };
	if (code === 'SQLITE_NOTADB')
		return new DatabaseError('not-a-database', `${name} is not an SQLite database`, options);
	if (code.startsWith('SQLITE_CORRUPT')) return new DatabaseError('damaged', `${name} is damaged: ${message}`, options);
	if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
		return new DatabaseError('locked', `${name} is in use by another process that holds it locked`, options);
	}
	const what = otherwise === 'cannot-open' ? 'cannot be opened' : 'could not be brought to the current schema';
	return new DatabaseError(otherwise, `${name} ${what}: ${message}`, options);
}
