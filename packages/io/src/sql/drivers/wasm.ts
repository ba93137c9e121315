import { createRequire } from 'node:module';
import type { SQLiteValue as Value, Database as WasmDatabase, Statement as WasmStatement } from 'node-sqlite3-wasm';
import type { Connection, Row, SqliteDriver, Statement } from './driver.ts';
import { bindable } from './parameters.ts';
import { returnsRows, withBuffers } from './rows.ts';

/**
 * SQLite without native code, which runs wherever Node does. It knows no locks of the operating system and no WAL: it is
 * for databases in memory, and for files that one process opens for one short job.
 */
export function loadWasmSqlite(): SqliteDriver {
	const { Database }: typeof import('node-sqlite3-wasm') = createRequire(import.meta.url)('node-sqlite3-wasm');
	return { name: 'wasm', hasTextSearch: true, open: (file) => naming(() => connect(new Database(file))) };
}

function connect(database: WasmDatabase): Connection {
	const statements = new Set<WasmStatement>();
	return {
		prepare(text) {
			return naming(() => {
				const statement = database.prepare(text);
				statements.add(statement);
				return statementOf(statement, returnsRows(database.all(`explain ${text}`) as Row[]));
			});
		},
		close() {
			// The file stays open, and locked, as long as one of them lives.
			for (const statement of statements) statement.finalize();
			database.close();
		},
	};
}

function statementOf(statement: WasmStatement, reader: boolean): Statement {
	const all = (parameters: readonly unknown[]) =>
		naming(() => (statement.all(values(parameters)) as Row[]).map(withBuffers));
	return {
		reader,
		busy: false,
		all,
		run: (parameters) => naming(() => statement.run(values(parameters))),
		iterate: (parameters) => all(parameters).values(),
	};
}

/** Text is handed over as a C string: what follows a NUL would be lost. */
function values(parameters: readonly unknown[]): Value[] {
	const bound = bindable<Value>(parameters);
	if (bound.some((value) => typeof value === 'string' && value.includes('\0')))
		throw new TypeError('this SQLite cannot store text with a NUL character');
	return bound;
}

function naming<Value>(work: () => Value): Value {
	try {
		return work();
	} catch (error) {
		const known = codes.find(([message]) => message.test((error as Error).message));
		throw known === undefined ? error : Object.assign(error as Error, { code: `SQLITE_${known[1]}` });
	}
}

/** Its errors have SQLite's message and no number. */
const codes: readonly (readonly [RegExp, string])[] = [
	[/^database (?:table )?is locked/, 'BUSY'],
	[/^attempt to write a readonly database/, 'READONLY'],
	[/^disk I\/O error/, 'IOERR'],
	[/^database disk image is malformed/, 'CORRUPT'],
	[/^database or disk is full/, 'FULL'],
	[/^unable to open database file|^Could not open the database/, 'CANTOPEN'],
	[/constraint failed/, 'CONSTRAINT'],
	[/^file is not a database/, 'NOTADB'],
];
