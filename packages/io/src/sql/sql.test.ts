import { once } from 'node:events';
import {
	chmodSync,
	copyFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectForeignTablesTold } from '../testing/foreign-tables.ts';
import { execute, interceptConnections, openRaw } from '../testing/raw-sqlite.ts';
import { driverOf } from './drivers/choose.ts';
import type { SqliteDriverName } from './drivers/driver.ts';
import { fromSqliteStatement } from './error.ts';
import { type Migration, migrate, missingMigrations } from './migrate.ts';
import { databaseName, openDatabase } from './open.ts';

interface Schema {
	page: { url: string };
}

const first: Migration = {
	name: '001-page',
	up: (db) =>
		db.schema
			.createTable('page')
			.addColumn('url', 'text', (column) => column.primaryKey())
			.execute(),
};
const broken: Migration = {
	name: '002-broken',
	async up(db) {
		await db.schema.createTable('half').addColumn('x', 'text').execute();
		throw new Error('half way');
	},
};

/** Another process that is in the middle of the same steps. */
const holdingTheLock = `
	const { workerData, parentPort } = require('node:worker_threads');
	const { file, driver } = workerData;
	const db = driver === 'node'
		? new (process.getBuiltinModule('node:sqlite').DatabaseSync)(file)
		: new (require(driver))(file);
	db.exec('begin immediate');
	parentPort.postMessage('begun');
	db.exec('create table wayleave_migrations (component text, name text, applied_at text)');
	db.exec("insert into wayleave_migrations values ('main', '001-page', '')");
	setTimeout(() => { db.exec('commit'); db.close(); }, 100);
`;

let folder: string;
let file: string;
let opened: Kysely<Schema>[] = [];

function open(url = `sqlite:${file}`, options = {}): Kysely<Schema> {
	const db = openDatabase<Schema>(url, options);
	opened.push(db);
	return db;
}

function isUsable(name: SqliteDriverName): boolean {
	try {
		driverOf(name);
		return true;
	} catch {
		return false;
	}
}

/** All that is opened by a test is opened by this driver. */
function useDriver(name: SqliteDriverName): void {
	beforeEach(() => void vi.stubEnv('WAYLEAVE_SQLITE', name));
	afterEach(() => void vi.unstubAllEnvs());
}

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-sql-'));
	file = join(folder, 'store.db');
});

afterEach(async () => {
	for (const db of opened) await db.destroy();
	opened = [];
	rmSync(folder, { recursive: true });
});

/** Those that this Node can load. */
const drivers = (['node', 'better-sqlite3'] as const).filter((name) => isUsable(name));

describe.each(drivers)('openDatabase by %s', (driver) => {
	useDriver(driver);

	it('keeps what was committed', async () => {
		await migrate(open(), [first]);
		await opened[0]!.insertInto('page').values({ url: 'a' }).execute();
		await opened.pop()!.destroy();
		expect(await open().selectFrom('page').selectAll().execute()).toEqual([{ url: 'a' }]);
	});

	it('sets WAL, synchronous NORMAL and foreign keys', async () => {
		const db = open();
		const value = async (name: string) =>
			Object.values((await sql.raw(`pragma ${name}`).execute(db)).rows[0] as object)[0];
		expect(await value('journal_mode')).toBe('wal');
		expect(await value('synchronous')).toBe(1);
		expect(await value('foreign_keys')).toBe(1);
		expect(await value('busy_timeout')).toBe(5000);
	});

	it('deleted content does not remain in the file', async () => {
		const db = open();
		await migrate(db, [first]);
		const long = (letter: string) => letter.repeat(20_000);
		for (const letter of ['a', 'b'])
			await db
				.insertInto('page')
				.values({ url: long(letter) })
				.execute();
		await db.deleteFrom('page').where('url', '=', long('a')).execute();
		await opened.pop()!.destroy();
		const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
		const left = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('');
		expect(left).toContain('bbbbbbbbbbbbbbbb');
		expect(left).not.toContain('aaaaaaaaaaaaaaaa');
	});

	it('makes the folder of the file, and reads sqlite:///FILE', async () => {
		open(`sqlite://${join(folder, 'a/b/store.db')}`);
		expect(statSync(join(folder, 'a/b/store.db')).isFile()).toBe(true);
	});

	it('opens a database in memory', async () => {
		expect(await migrate(open('sqlite::memory:'), [first])).toEqual(['001-page']);
	});

	it('a statement is prepared once', async () => {
		let prepared = 0;
		const restore = interceptConnections((connection) => ({
			prepare(text) {
				prepared++;
				return connection.prepare(text);
			},
			close: () => connection.close(),
		}));
		const db = open();
		restore();
		await migrate(db, [first]);
		const before = prepared;
		for (const url of ['a', 'b', 'c']) await db.insertInto('page').values({ url }).execute();
		const all = db.selectFrom('page').selectAll();
		expect((await all.execute()).length).toBe(3);
		expect((await all.execute()).length).toBe(3);
		expect(prepared - before).toBe(2);
	});

	it.each([
		['./store.db', /write sqlite:FILE/],
		['sqlite:', /has no file name/],
		['mysql://x', /write sqlite:FILE/],
	])('refuses %s and says what is supported', (url, message) => {
		expect(() => open(url)).toThrow(
			expect.objectContaining({ code: 'unsupported-url', message: expect.stringMatching(message) }),
		);
	});

	it.each([
		['postgres://me:secret@db.internal:5433/x?sslmode=require', 'postgres://me@db.internal:5433/x'],
		['postgres://db.internal/x?user=me&password=secret', 'postgres://db.internal/x'],
		['postgres://me:secret/more@db.internal/x', 'postgres:…'],
		['postgres:/me:secret@db.internal/x', 'postgres:…'],
		['sqlite:./a@b.db', 'sqlite:./a@b.db'],
		['store.db', 'store.db'],
	])('%s is named without password and parameters', (url, name) => {
		expect(databaseName(url)).toBe(name);
		expect(name).not.toContain('secret');
	});

	it('names a file that is no database', () => {
		writeFileSync(file, 'This is a letter to my aunt. '.repeat(100));
		expect(() => open()).toThrow(expect.objectContaining({ code: 'not-a-database' }));
	});

	it('names a folder that is no file', () => {
		expect(() => open(`sqlite:${folder}`)).toThrow(
			expect.objectContaining({ code: 'cannot-open', message: `${folder} is a folder, not a file` }),
		);
	});

	// To root nothing is forbidden, and nothing is to be seen.
	const asRoot = process.getuid?.() === 0;
	const named = asRoot ? 'opens whatever root asks for' : 'says what this user may not do';
	it(named, () => {
		const closed = mkdtempSync(join(tmpdir(), 'wayleave-closed-'));
		writeFileSync(join(closed, 'secret.db'), '', { mode: 0o200 });
		chmodSync(closed, 0o500);
		if (asRoot) {
			expect(() => open(`sqlite:${closed}/new.db`)).not.toThrow();
			return;
		}
		const told = (message: string) => expect.objectContaining({ code: 'cannot-open', message });
		expect(() => open(`sqlite:${closed}/secret.db`)).toThrow(
			told(`${closed}/secret.db cannot be opened: this user cannot read it`),
		);
		expect(() => open(`sqlite:${closed}/new.db`)).toThrow(
			told(`${closed}/new.db cannot be created: this user cannot write to its folder`),
		);
	});

	it('a file cut short is named when it is opened, not hours later', async () => {
		await migrate(open(), [first]);
		const rows = Array.from({ length: 500 }, (_, index) => ({ url: `${index}`.padEnd(400, 'x') }));
		await opened[0]!.insertInto('page').values(rows).execute();
		await opened.pop()!.destroy();
		truncateSync(file, Math.floor(statSync(file).size / 2));
		expect(() => open()).toThrow(
			expect.objectContaining({ code: 'damaged', message: expect.stringContaining('restore a backup') }),
		);
	});

	it('a log cut at any byte costs the commits in its tail and nothing else', async () => {
		await migrate(open(), [first]);
		for (const url of ['a', 'b', 'c']) await opened[0]!.insertInto('page').values({ url }).execute();
		const log = readFileSync(`${file}-wal`);
		const main = readFileSync(file);
		for (const share of [0.3, 0.6, 0.95]) {
			const copy = join(folder, `copy-${share}.db`);
			writeFileSync(copy, main);
			writeFileSync(`${copy}-wal`, log.subarray(0, Math.floor(log.length * share)));
			const tables = await sql<{ name: string }>`select name from sqlite_master where name = 'page'`.execute(
				open(`sqlite:${copy}`),
			);
			const urls = tables.rows.length === 0 ? [] : await opened.at(-1)!.selectFrom('page').select('url').execute();
			expect(['a', 'b', 'c'].slice(0, urls.length)).toEqual(urls.map(({ url }) => url));
		}
	});

	it('a full disk is named, also where it has ended a transaction', async () => {
		const db = open();
		await migrate(db, [first]);
		await sql.raw('pragma max_page_count = 12').execute(db);
		const rows = Array.from({ length: 100 }, (_, index) => ({ url: `${index}`.padEnd(4000, 'x') }));
		const full = { code: 'full', message: expect.stringContaining(`${file} cannot grow`) };
		const insert = (tx: Kysely<Schema>) => tx.insertInto('page').values(rows).execute();
		await expect(insert(db)).rejects.toMatchObject(full);
		await expect(db.transaction().execute(insert)).rejects.toMatchObject(full);
		expect(await db.selectFrom('page').selectAll().execute()).toEqual([]);
	});

	it.each([['deleted'], ['replaced']])(
		'a file that was %s while it was open is noticed at the next commit',
		async (what) => {
			const db = open();
			await migrate(db, [first]);
			const add = (url: string) => db.transaction().execute((tx) => tx.insertInto('page').values({ url }).execute());
			await add('a');
			copyFileSync(file, `${file}.copy`);
			if (what === 'deleted') rmSync(file);
			else renameSync(`${file}.copy`, file);
			const told = { code: 'file-gone', message: expect.stringContaining(`${file} was ${what}`) };
			await expect(add('b')).rejects.toMatchObject(told);
		},
	);

	it('a database that may not be written says so', async () => {
		const db = open();
		await migrate(db, [first]);
		await sql.raw('pragma query_only = on').execute(db);
		await expect(db.insertInto('page').values({ url: 'a' }).execute()).rejects.toMatchObject({
			code: 'cannot-write',
			message: expect.stringContaining(file),
		});
	});

	it('says that another process holds the database', async () => {
		await open().destroy();
		opened.pop();
		const other = openRaw(file);
		execute(other, 'pragma locking_mode = EXCLUSIVE', 'begin exclusive');
		expect(() => open(undefined, { busyTimeout: 10 })).toThrow(expect.objectContaining({ code: 'locked' }));
		other.close();
	});
});

describe.each(drivers)('migrate by %s', (driver) => {
	useDriver(driver);

	it('takes each step once', async () => {
		const db = open();
		expect(await migrate(db, [first])).toEqual(['001-page']);
		expect(await migrate(db, [first])).toEqual([]);
	});

	it('two at once: one takes the step, the other waits and finds it taken', async () => {
		await open().destroy();
		const other = new Worker(holdingTheLock, {
			eval: true,
			workerData: {
				file,
				driver: driver === 'node' ? driver : createRequire(import.meta.url).resolve('better-sqlite3'),
			},
		});
		await once(other, 'message');
		expect(await migrate(open(), [first])).toEqual([]);
		await once(other, 'exit');
	});

	it('leaves the database as it was when a step fails', async () => {
		const db = open();
		await expect(migrate(db, [first, broken])).rejects.toMatchObject({
			code: 'migration-failed',
			cause: { message: 'half way' },
		});
		const { rows } = await sql`select name from sqlite_master where type = 'table'`.execute(db);
		expect(rows).toEqual([]);
		expect(await migrate(db, [first])).toEqual(['001-page']);
	});

	it('says that the tables are those of something else, and what to do', async () => {
		await expectForeignTablesTold(open());
	});

	it('refuses a schema from the future by name', async () => {
		const next: Migration = { name: '002-next', up: async () => {} };
		await migrate(open(), [first, next]);
		const failure = migrate(open(), [first]);
		await expect(failure).rejects.toMatchObject({ code: 'newer-schema', message: expect.stringContaining('002-next') });
	});

	it('tells what is missing, and changes nothing', async () => {
		const next: Migration = { name: '002-next', up: async () => {} };
		const db = open();
		await migrate(db, [first]);
		expect(await missingMigrations(db, [first, next])).toEqual(['002-next']);
		expect(await missingMigrations(db, [first])).toEqual([]);
		await expect(missingMigrations(db, [next])).rejects.toMatchObject({ code: 'newer-schema' });
	});

	it('keeps the steps of several components apart', async () => {
		const db = open();
		const other: Migration = { name: '001-ranges', up: async () => {} };
		await migrate(db, [first], { component: 'crawler' });
		expect(await migrate(db, [other], { component: 'ranges' })).toEqual(['001-ranges']);
	});

	it('waits for a writer, then says that it is locked', async () => {
		const db = open(undefined, { busyTimeout: 10 });
		const other = openRaw(file);
		execute(other, 'begin immediate');
		await expect(migrate(db, [first])).rejects.toMatchObject({ code: 'locked' });
		other.close();
	});
});

// No right to write keeps root out of a folder, as whom tests may run.
it('a file that is closed, in a folder that cannot be written, cannot even be read: what to do is said', () => {
	const sqlite = Object.assign(new Error('attempt to write a readonly database'), {
		code: 'SQLITE_READONLY_DIRECTORY',
	});
	expect(fromSqliteStatement(sqlite, '/backup/x.db')).toMatchObject({
		code: 'cannot-write',
		message: expect.stringMatching(/^\/backup\/x\.db is in a read-only folder, .*: copy it to a writable folder/),
	});
});
