/** The differences between SQLite libraries. Their errors have SQLite's own code, such as `SQLITE_FULL`. */
export interface SqliteDriver {
	readonly name: SqliteDriverName;
	/** Whether its SQLite was built with full-text search (FTS5). */
	readonly hasTextSearch: boolean;
	/** Opens a file, which is made where it is missing; `:memory:` is a database in memory. */
	open(file: string, busyTimeout: number): Connection;
}

export type SqliteDriverName = 'node' | 'better-sqlite3' | 'wasm';

export interface Connection {
	prepare(text: string): Statement;
	/** Ends all its statements. */
	close(): void;
}

export type Row = Record<string, unknown>;

export interface Statement {
	/** Whether it returns rows. */
	readonly reader: boolean;
	/** An iteration over it has not ended: it cannot run a second time. */
	readonly busy: boolean;
	/** Bytes are returned as Buffers. */
	all(parameters: readonly unknown[]): Row[];
	run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
	iterate(parameters: readonly unknown[]): IterableIterator<Row>;
}

/** The value that a pragma returns; undefined where it returns none. */
export function pragma(connection: Connection, text: string): unknown {
	const statement = connection.prepare(`pragma ${text}`);
	if (statement.reader) return Object.values(statement.all([])[0] ?? {})[0];
	statement.run([]);
	return undefined;
}
