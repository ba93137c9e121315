import { createRequire } from 'node:module';
import type { SQLiteValue as Value, Database as WasmDatabase, Statement as WasmStatement } from 'node-sqlite3-wasm';
import { withPrivateUmask } from '../../files/private-files.ts';
import type { Connection, Row, SqliteDriver, Statement } from './driver.ts';
import { bindable } from './parameters.ts';
import { returnsRows, withBuffers } from './rows.ts';

/**
 * SQLite without native code, which runs wherever Node does. It knows no locks of the operating system and no WAL: it is
 * for databases in memory, and for files that one process opens for one short job.
 */
export function loadWasmSqlite(): SqliteDriver {
	const { Database }: typeof import('node-sqlite3-wasm') = createRequire(import.meta.url)('node-sqlite3-wasm');
	const open = (file: string) => naming(() => connect(withPrivateUmask(() => new Database(file))));
	return { name: 'wasm', hasTextSearch: true, open };
}

function connect(database: WasmDatabase): Connection {
	const statements = new Set<WasmSqliteStatement>();
	return {
		prepare(text) {
			const statement = new WasmSqliteStatement(database, text);
			statements.add(statement);
			return statement;
		},
		close() {
			// The file stays open, and locked, as long as one of them lives.
			for (const statement of statements) statement.finalize();
			database.close();
		},
	};
}

class WasmSqliteStatement implements Statement {
	readonly reader: boolean;
	readonly busy = false;
	readonly #database: WasmDatabase;
	readonly #text: string;
	#prepared: WasmStatement | undefined;

	constructor(database: WasmDatabase, text: string) {
		this.#database = database;
		this.#text = text;
		this.#prepared = naming(() => database.prepare(text));
		this.reader = returnsRows(naming(() => database.all(`explain ${text}`)) as Row[]);
	}

	all(parameters: readonly unknown[]): Row[] {
		return this.#use((statement) => statement.all(values(parameters)) as Row[]).map(withBuffers);
	}

	run(parameters: readonly unknown[]) {
		return this.#use((statement) => statement.run(values(parameters)));
	}

	iterate(parameters: readonly unknown[]) {
		return this.all(parameters).values();
	}

	finalize(): void {
		try {
			this.#prepared?.finalize();
		} catch {
			// It says again what was wrong when it ran last, and is gone all the same.
		}
		this.#prepared = undefined;
	}

	/** One that has failed would fail once more, with the error of before: the next use prepares another one. */
	#use<Result>(work: (statement: WasmStatement) => Result): Result {
		return naming(() => {
			this.#prepared ??= this.#database.prepare(this.#text);
			try {
				const prepared = this.#prepared;
				// The driver creates its journal with the umask, not with the mode of the database.
				return withPrivateUmask(() => work(prepared));
			} catch (error) {
				this.finalize();
				throw error;
			}
		});
	}
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
