import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sourceProgram } from '../../../../../scripts/source-program.ts';
import { execute } from '../../testing/raw-sqlite.ts';
import { openDatabase } from '../open.ts';
import { driverOf } from './choose.ts';
import type { Connection, SqliteDriverName } from './driver.ts';
import { remedy } from './remedy.ts';

const loadable = (['node', 'better-sqlite3', 'wasm'] as const).filter(isLoadable);

function isLoadable(name: SqliteDriverName): boolean {
	try {
		driverOf(name);
		return true;
	} catch {
		return false;
	}
}

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-drivers-'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, { recursive: true });
});

describe.each(loadable)('the driver %s', (name) => {
	let connection: Connection;
	beforeEach(() => {
		connection = driverOf(name).open(':memory:', 0);
		execute(connection, 'create table t (id integer primary key, word text unique, number real, bytes blob)');
	});
	afterEach(() => connection.close());
	const insert = (values: readonly unknown[]) =>
		connection.prepare('insert into t (word, number, bytes) values (?, ?, ?)').run(values);

	it('returns what was stored: text, numbers, bytes as a Buffer, and null for a missing value', () => {
		expect(insert(['é', 1.5, Buffer.from([0, 255])])).toMatchObject({ changes: 1, lastInsertRowid: 1 });
		insert([undefined, 2 ** 40, null]);
		expect(connection.prepare('select * from t').all([])).toEqual([
			{ id: 1, word: 'é', number: 1.5, bytes: Buffer.from([0, 255]) },
			{ id: 2, word: null, number: 2 ** 40, bytes: null },
		]);
		const [row] = connection.prepare('select bytes from t where id = ?').all([1]);
		expect(Buffer.isBuffer(row?.bytes)).toBe(true);
	});

	it.each([[true], [{ word: 'x' }], [new Date(0)], [['x']]])('binds no %j', (value) => {
		expect(() => connection.prepare('select ?').all([value])).toThrow(TypeError);
	});

	it('knows which statements return rows', () => {
		const reader = (text: string) => connection.prepare(text).reader;
		expect(reader('select 1')).toBe(true);
		expect(reader('insert into t (word) values (1)')).toBe(false);
		expect(reader('insert into t (word) values (1) returning id')).toBe(true);
		expect(reader("update t set word = (select 'x')")).toBe(false);
		expect(reader('with a as (select 1) insert into t (number) select * from a')).toBe(false);
		expect(reader('pragma page_count')).toBe(true);
		expect(reader('begin')).toBe(false);
	});

	it('an error has the code of SQLite', () => {
		insert(['a', null, null]);
		const statement = connection.prepare('insert into t (word) values (?)');
		expect(() => statement.run(['a'])).toThrow(
			expect.objectContaining({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) }),
		);
		// And it can be used again.
		expect(statement.run(['b'])).toMatchObject({ changes: 1 });
		expect(() => statement.run(['b'])).toThrow(/UNIQUE/);
	});

	it('a statement that is being iterated over is busy, and runs again afterwards', () => {
		for (const word of ['a', 'b', 'c']) insert([word, null, null]);
		const statement = connection.prepare('select word from t order by id');
		const words: unknown[] = [];
		for (const { word } of statement.iterate([])) {
			words.push(word);
			if (words.length === 2) break;
		}
		expect(words).toEqual(['a', 'b']);
		expect(statement.busy).toBe(false);
		expect(statement.all([])).toHaveLength(3);
	});
});

const schema = (db: ReturnType<typeof openDatabase>) =>
	db.schema.createTable('page').addColumn('url', 'text').addColumn('body', 'blob').execute();

describe.each(loadable.flatMap((writer) => loadable.map((reader) => [writer, reader] as const)))(
	'a file that %s has written',
	(writer, reader) => {
		it(`is read and written by ${reader}`, async () => {
			const url = `sqlite:${join(folder, 'store.db')}`;
			const row = (text: string) => ({ url: text, body: Buffer.from(text) });
			const write = openBy<{ page: { url: string; body: Buffer } }>(writer, url);
			await schema(write as never);
			await write.insertInto('page').values(row('a')).execute();
			await write.destroy();
			const other = openBy<{ page: { url: string; body: Buffer } }>(reader, url);
			await other.transaction().execute((tx) => tx.insertInto('page').values(row('b')).execute());
			expect(await other.selectFrom('page').selectAll().execute()).toEqual([row('a'), row('b')]);
			await other.destroy();
		});
	},
);

/** Opens a file as a program does whose only driver this is. */
function openBy<Schema>(name: SqliteDriverName, url: string) {
	vi.stubEnv('WAYLEAVE_SQLITE', name);
	return openDatabase<Schema>(url, { brief: true });
}

it('without a native driver, a file that somebody has open is not touched', async () => {
	writeFileSync(join(folder, 'store.db-wal'), '');
	expect(() => openBy('wasm', `sqlite:${join(folder, 'store.db')}`)).toThrow(
		expect.objectContaining({ code: 'locked', message: expect.stringContaining('store.db is in use') }),
	);
});

it('without a native driver, what a killed command has left is named', async () => {
	mkdirSync(join(folder, 'store.db.lock'));
	expect(() => openBy('wasm', `sqlite:${join(folder, 'store.db')}`)).toThrow(
		expect.objectContaining({ code: 'locked', message: expect.stringContaining('delete the folder') }),
	);
});

it('without a native driver, text that would be cut is refused', async () => {
	const db = openBy<{ t: { a: string } }>('wasm', 'sqlite::memory:');
	await db.schema.createTable('t').addColumn('a', 'text').execute();
	await expect(db.insertInto('t').values({ a: 'x\0y' }).execute()).rejects.toThrow(/NUL/);
	await db.destroy();
});

describe('U2-08: advice if SQLite cannot be loaded', () => {
	it.each([
		[
			'Could not locate the bindings file. Tried:\n → /a\n → /b',
			undefined,
			'npm rebuild better-sqlite3`',
			'not compiled',
		],
		[
			"Cannot find module 'better-sqlite3'\nRequire stack:\n- /x",
			'MODULE_NOT_FOUND',
			'npm install better-sqlite3',
			'not inst',
		],
		['was compiled against … NODE_MODULE_VERSION 115. This', 'ERR_DLOPEN_FAILED', 'npm rebuild', 'version of Node'],
		["Module did not self-register: '/x.node'", 'ERR_DLOPEN_FAILED', 'npm rebuild', 'another version of Node'],
		["libc.so.6: version `GLIBC_2.38' not found", 'ERR_DLOPEN_FAILED', '--build-from-source', 'C library'],
		['Error loading shared library ld-linux-x86-64.so.2', 'ERR_DLOPEN_FAILED', '--build-from-source', 'C library'],
		['/x.node: invalid ELF header', 'ERR_DLOPEN_FAILED', '--build-from-source', 'for another system'],
		['something else\nin two lines', undefined, 'npm rebuild better-sqlite3', 'something else'],
	])('%s', (message, code, command, why) => {
		const text = remedy(Object.assign(new Error(message), { code }), '20.19.0');
		expect(text).toMatch(/^SQLite cannot be loaded: run `npm /);
		expect(text).toContain(command);
		expect(text).toContain('use Node 22.13 or newer, or use --store postgres://');
		expect(text).toContain(why);
		expect(text).not.toContain('\n');
	});

	it('on a Node that has SQLite, a newer one is no advice', () => {
		expect(remedy(new Error('x'), '24.1.0')).not.toContain('use Node');
		expect(remedy(new Error('x'), '22.12.0')).toContain('use Node 22.13');
		expect(remedy(new Error('x'), '23.3.0')).toContain('use Node 22.13');
	});

	it.each([
		['nonsense', /WAYLEAVE_SQLITE=nonsense: expected one of node, better-sqlite3, wasm/],
		['wasm', /WAYLEAVE_SQLITE=wasm supports only in-memory databases/],
	])('WAYLEAVE_SQLITE=%s says what is wrong with it', (name, message) => {
		vi.stubEnv('WAYLEAVE_SQLITE', name);
		expect(() => openDatabase(`sqlite:${join(folder, 'store.db')}`)).toThrow(
			expect.objectContaining({ code: 'no-sqlite', message: expect.stringMatching(message) }),
		);
	});
});

it('opening a file warns of nothing, and other warnings are shown', () => {
	const child = sourceProgram('packages/io/src/testing/io-child.ts');
	const program = `
		process.emitWarning('one before');
		const db = openDatabase('sqlite::memory:');
		process.emitWarning('a feature of mine', 'ExperimentalWarning');
		process.emitWarning('one after');
		await db.destroy();`;
	const { stderr, status } = spawnSync(process.execPath, [child, program], { encoding: 'utf8' });
	expect(stderr).not.toContain('SQLite');
	for (const text of ['Warning: one before', 'ExperimentalWarning: a feature of mine', 'Warning: one after'])
		expect(stderr).toContain(text);
	expect(status).toBe(0);
});
