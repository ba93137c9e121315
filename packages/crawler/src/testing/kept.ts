import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { openRaw } from '../../../io/src/testing/raw-sqlite.ts';

type Row = Readonly<Record<string, unknown>>;

/** What the files of a folder say, with what is compressed in the rows of databases. */
export function everythingIn(folder: string): string {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = files.map(({ parentPath, name }) => join(parentPath, name));
	const texts = paths.map((path) => readFileSync(path, 'latin1'));
	return [...texts, ...paths.filter((path) => path.endsWith('.db')).flatMap(rowsOf)].join('\n');
}

function rowsOf(path: string): string[] {
	const db = openRaw(path);
	try {
		const tables = db.prepare("select name from sqlite_master where type = 'table'").all([]);
		return tables.flatMap(({ name }) => textsOf(db.prepare(`select * from "${name}"`).all([])));
	} finally {
		db.close();
	}
}

/** What the rows of a PostgreSQL database say. */
export async function everythingInDatabase(url: string): Promise<string> {
	const db = openDatabase(url);
	try {
		const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
			where schemaname = 'public'`.execute(db);
		const texts: string[] = [];
		for (const { name } of rows)
			texts.push(...textsOf((await sql<Row>`select * from ${sql.table(name)}`.execute(db)).rows));
		return texts.join('\n');
	} finally {
		await db.destroy();
	}
}

const textsOf = (rows: readonly Row[]): string[] =>
	rows.flatMap((row) => Object.values(row).map((value) => (Buffer.isBuffer(value) ? inflate(value) : `${value}`)));

function inflate(bytes: Buffer): string {
	try {
		return inflateRawSync(bytes).toString();
	} catch {
		return bytes.toString('latin1');
	}
}
