import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import type { Connection, Row, SqliteDriver } from './driver.ts';

/** @throws where it is not installed, was not compiled, or was compiled for another Node */
export function loadBetterSqlite3(): SqliteDriver {
	const Database: typeof Sqlite = createRequire(import.meta.url)('better-sqlite3');
	// Its binary is loaded by the first database.
	new Database(':memory:').close();
	return {
		name: 'better-sqlite3',
		hasTextSearch: true,
		open(file, timeout): Connection {
			const database = new Database(file, { timeout });
			return {
				prepare: (text) => database.prepare<unknown[], Row>(text),
				close: () => void database.close(),
			};
		},
	};
}
