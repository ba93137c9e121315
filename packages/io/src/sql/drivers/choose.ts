import { DatabaseError } from '../error.ts';
import { loadBetterSqlite3 } from './better-sqlite3.ts';
import type { SqliteDriver, SqliteDriverName } from './driver.ts';
import { loadNodeSqlite } from './node.ts';
import { remedy } from './remedy.ts';
import { loadWasmSqlite } from './wasm.ts';

const loaders: Readonly<Record<SqliteDriverName, () => SqliteDriver>> = {
	node: loadNodeSqlite,
	'better-sqlite3': loadBetterSqlite3,
	wasm: loadWasmSqlite,
};
const names = Object.keys(loaders) as SqliteDriverName[];

/** A driver, or why it cannot be loaded. What is found is remembered: loading a binary in vain takes time. */
function load(name: SqliteDriverName): SqliteDriver | Error {
	let found = loaded.get(name);
	if (found === undefined) {
		found = tryTo(loaders[name]);
		loaded.set(name, found);
	}
	return found;
}

const loaded = new Map<SqliteDriverName, SqliteDriver | Error>();

function tryTo<Value>(work: () => Value): Value | Error {
	try {
		return work();
	} catch (error) {
		return error as Error;
	}
}

/**
 * The driver for SQLite files: the one of Node (22.13 and newer), else better-sqlite3. The first builds of `node:sqlite`
 * have no full-text search, which `serve` needs: better-sqlite3 goes before them. `WAYLEAVE_SQLITE` names one driver,
 * and then no other is tried.
 *
 * @throws DatabaseError `no-sqlite` where none can be loaded: the message says what to do
 */
export function fileDriver(): SqliteDriver {
	const { WAYLEAVE_SQLITE: named } = process.env;
	if (named) return namedDriver(named);
	const own = load('node');
	if (!(own instanceof Error) && own.hasTextSearch) return own;
	const installed = load('better-sqlite3');
	if (!(installed instanceof Error)) return installed;
	if (!(own instanceof Error)) return own;
	throw new DatabaseError('no-sqlite', remedy(installed));
}

function namedDriver(name: string): SqliteDriver {
	const known = names.find((each) => each === name);
	const driver = known === undefined ? new Error(`expected one of ${names.join(', ')}`) : load(known);
	if (driver instanceof Error) {
		const text =
			known === 'better-sqlite3'
				? `${remedy(driver)}; WAYLEAVE_SQLITE=${name} lets no other driver be tried`
				: `SQLite cannot be loaded: WAYLEAVE_SQLITE=${name}: ${driver.message}`;
		throw new DatabaseError('no-sqlite', text);
	}
	if (driver.name === 'wasm')
		throw new DatabaseError(
			'no-sqlite',
			'SQLite cannot be loaded: WAYLEAVE_SQLITE=wasm supports only in-memory databases',
		);
	return driver;
}

/** The driver for what lasts no longer than the process, which needs no native code. @throws DatabaseError */
export function anyDriver(): SqliteDriver {
	try {
		return fileDriver();
	} catch (error) {
		const driver = load('wasm');
		if (driver instanceof Error) throw error;
		return driver;
	}
}

/** @throws DatabaseError `no-sqlite` */
export function driverOf(name: SqliteDriverName): SqliteDriver {
	const driver = load(name);
	if (driver instanceof Error) throw new DatabaseError('no-sqlite', `SQLite cannot be loaded: ${driver.message}`);
	return driver;
}
