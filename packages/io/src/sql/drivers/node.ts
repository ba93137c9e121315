import type { Connection, Row, SqliteDriver, Statement } from './driver.ts';
import { bindable } from './parameters.ts';
import { returnsRows, withBuffers } from './rows.ts';

type Value = number | string | bigint | Uint8Array | null;

/** The part of `node:sqlite` that is used: the types of the oldest supported Node do not have it. */
interface NodeSqlite {
	readonly DatabaseSync: new (file: string) => NodeDatabase;
}

interface NodeDatabase {
	prepare(text: string): NodeStatement;
	exec(text: string): void;
	close(): void;
}

interface NodeStatement {
	all(...parameters: Value[]): Row[];
	run(...parameters: Value[]): { changes: number; lastInsertRowid: number };
	iterate(...parameters: Value[]): IterableIterator<Row>;
	/** Since Node 22.16. */
	columns?(): readonly unknown[];
}

/** @throws where this Node has no `node:sqlite` */
export function loadNodeSqlite(): SqliteDriver {
	const sqlite = withoutExperimentalWarning(() => process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined);
	if (sqlite === undefined) throw new Error('this Node has no node:sqlite');
	return {
		name: 'node',
		hasTextSearch: hasTextSearch(sqlite),
		open: (file, busyTimeout) => naming(() => connect(new sqlite.DatabaseSync(file), busyTimeout)),
	};
}

/**
 * Node warns of `node:sqlite` when the module is loaded, which happens within this call. What Wayleave uses of it is
 * covered by its tests; all other warnings are shown as ever.
 */
function withoutExperimentalWarning<Value>(load: () => Value): Value {
	const { emitWarning } = process;
	const quiet = (...warning: Parameters<typeof emitWarning>) => {
		if (!/^SQLite is an experimental feature/.test(String(warning[0]))) emitWarning.apply(process, warning);
	};
	process.emitWarning = quiet as typeof emitWarning;
	try {
		return load();
	} finally {
		process.emitWarning = emitWarning;
	}
}

function hasTextSearch({ DatabaseSync }: NodeSqlite): boolean {
	const database = new DatabaseSync(':memory:');
	const [row] = database.prepare("select sqlite_compileoption_used('ENABLE_FTS5') as used").all();
	database.close();
	return row?.used === 1;
}

function connect(database: NodeDatabase, busyTimeout: number): Connection {
	// The option of the constructor came with Node 22.16.
	database.exec(`pragma busy_timeout = ${busyTimeout}`);
	return {
		prepare: (text) => naming(() => new NodeSqliteStatement(database, text)),
		close: () => database.close(),
	};
}

class NodeSqliteStatement implements Statement {
	readonly reader: boolean;
	busy = false;
	readonly #statement: NodeStatement;

	constructor(database: NodeDatabase, text: string) {
		this.#statement = database.prepare(text);
		const columns = this.#statement.columns?.();
		this.reader = columns ? columns.length > 0 : returnsRows(database.prepare(`explain ${text}`).all());
	}

	all(parameters: readonly unknown[]): Row[] {
		const rows = naming(() => this.#statement.all(...bindable<Value>(parameters)));
		for (const row of rows) withBuffers(row);
		return rows;
	}

	run(parameters: readonly unknown[]) {
		return naming(() => this.#statement.run(...bindable<Value>(parameters)));
	}

	*iterate(parameters: readonly unknown[]) {
		this.busy = true;
		try {
			for (const row of this.#statement.iterate(...bindable<Value>(parameters))) yield withBuffers(row);
		} catch (error) {
			throw withCode(error);
		} finally {
			this.busy = false;
		}
	}
}

function naming<Value>(work: () => Value): Value {
	try {
		return work();
	} catch (error) {
		throw withCode(error);
	}
}

/** Node gives SQLite's number (https://sqlite.org/rescode.html); other drivers its name. */
function withCode(error: unknown): unknown {
	const { errcode } = error as { errcode?: number };
	if (errcode === undefined) return error;
	const name = wholeNames[errcode] ?? names[errcode & 0xff];
	return name === undefined ? error : Object.assign(error as Error, { code: `SQLITE_${name}` });
}

const wholeNames: Readonly<Record<number, string>> = { 1544: 'READONLY_DIRECTORY' };
const names: Readonly<Record<number, string>> = {
	1: 'ERROR',
	5: 'BUSY',
	6: 'LOCKED',
	8: 'READONLY',
	10: 'IOERR',
	11: 'CORRUPT',
	13: 'FULL',
	14: 'CANTOPEN',
	19: 'CONSTRAINT',
	26: 'NOTADB',
};
