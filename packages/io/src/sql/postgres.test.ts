import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectForeignTablesTold } from '../testing/foreign-tables.ts';
import { startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { startPostgresProxy } from '../testing/postgres-proxy.ts';
import { isUnreachable } from './error.ts';
import { type Migration, migrate } from './migrate.ts';
import { databaseKind, type OpenOptions, openDatabase } from './open.ts';

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

let server: TestPostgres;
let url: string;
let opened: Kysely<Schema>[] = [];

beforeAll(async () => {
	server = await startPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
	url = await server.database();
});
afterEach(async () => {
	for (const db of opened) await db.destroy();
	opened = [];
});

function open(place = url, options: OpenOptions = {}): Kysely<Schema> {
	const db = openDatabase<Schema>(place, options);
	opened.push(db);
	return db;
}

const ask = (place: string) => sql`select 1`.execute(open(place));

describe('openDatabase', () => {
	it('keeps what was committed', async () => {
		await migrate(open(), [first]);
		await opened[0]!.insertInto('page').values({ url: 'a' }).execute();
		expect(await open().selectFrom('page').selectAll().execute()).toEqual([{ url: 'a' }]);
		expect(databaseKind(opened[0]!)).toBe('postgres');
	});

	it('a connection that breaks before its first statement is the trouble of whoever wanted it, and ends no process', async () => {
		const proxy = await startPostgresProxy(url);
		proxy.die(1, 'before', true);
		const error = await ask(proxy.url).catch((thrown: unknown) => thrown);
		expect(isUnreachable(error)).toBe(true);
		expect(proxy.deaths).toBeGreaterThan(0);
		await proxy.close();
	});

	it('bigint and numeric are numbers where a number holds them', async () => {
		const { rows } = await sql`select count(*), 9007199254740991 as most, 9007199254740993 as more, 1.5 as half,
			sum(x) as sum from (values (1::bigint), (2)) as t(x)`.execute(open());
		expect(rows).toEqual([{ count: 2, most: Number.MAX_SAFE_INTEGER, more: '9007199254740993', half: 1.5, sum: 3 }]);
	});

	it('a text with a zero byte is stored with a replacement', async () => {
		const { rows } = await sql`select ${'a\0b'}::text as text`.execute(open());
		expect(rows).toEqual([{ text: 'a\ufffdb' }]);
	});

	it('a connection prepares a statement once, and keeps its settings', async () => {
		const db = open(url, { connections: 1, settings: { jit: 'off' } });
		for (let time = 0; time < 3; time++)
			await db.selectFrom(sql<{ x: number }>`(select 1 as x)`.as('t')).selectAll().execute();
		const { rows } = await sql`select statement from pg_prepared_statements where statement like '%select 1%'
			and statement not like '%prepared%'`.execute(db);
		expect(rows.length).toBe(1);
		expect((await sql`show jit`.execute(db)).rows).toEqual([{ jit: 'off' }]);
	});

	it('sets what it counts on itself, whatever the role has: poolers refuse it as parameters of a connection', async () => {
		const admin = open();
		await sql`alter role wayleave set lock_timeout = 1`.execute(admin);
		await sql`alter role wayleave set default_transaction_isolation = 'serializable'`.execute(admin);
		const { rows } = await sql<{ name: string; setting: string; source: string }>`select name, setting, source
			from pg_settings where source in ('client', 'session') order by name`.execute(
			open(url, { idleInTransaction: 7 }),
		);
		await sql`alter role wayleave reset all`.execute(admin);
		const set = (name: string, setting: string) => ({ name, setting, source: 'session' });
		expect(rows.filter(({ name }) => !/^(?:application_name|client_encoding)$/.test(name))).toEqual([
			set('default_transaction_isolation', 'read committed'),
			set('idle_in_transaction_session_timeout', '7'),
			set('lock_timeout', '0'),
			set('statement_timeout', '60000'),
		]);
	});

	it('refuses an encoding that does not hold every text, which would show at the first page that needs it', async () => {
		const admin = open();
		await sql`create database latin encoding 'LATIN1' locale 'C' template template0`.execute(admin);
		await expect(ask(Object.assign(new URL(url), { pathname: '/latin' }).href)).rejects.toMatchObject({
			code: 'wrong-encoding',
			message: expect.stringContaining('LATIN1'),
		});
		await sql`drop database latin with (force)`.execute(admin);
	});

	it('a server that only reads is one to wait for, and the next statement has a new connection', async () => {
		const db = open(url, { connections: 1 });
		await migrate(db, [first]);
		const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid;
		const before = await pid();
		const error = await db
			.transaction()
			.execute(async (tx) => {
				await sql`set transaction read only`.execute(tx);
				await tx.insertInto('page').values({ url: 'a' }).execute();
			})
			.catch((thrown: unknown) => thrown);
		expect(isUnreachable(error)).toBe(true);
		expect(await pid()).not.toBe(before);
	});

	it('tells that a pooler knows no prepared statements', async () => {
		const db = open(url, { connections: 1 });
		const next = () => sql`select 1 as again`.execute(db);
		await next();
		await sql.raw('deallocate all').execute(db);
		await expect(next()).rejects.toMatchObject({ code: 'too-old', message: expect.stringContaining('PgBouncer') });
	});

	it('gives up a statement that takes too long', async () => {
		await expect(sql`select pg_sleep(5)`.execute(open(url, { statementTimeout: 50 }))).rejects.toMatchObject({
			code: '57014',
		});
	});

	it('names what keeps it from connecting', async () => {
		const at = new URL(url);
		const other = (changes: Partial<URL>) => Object.assign(new URL(url), changes).href;
		await expect(ask(other({ password: 'wrong' }))).rejects.toMatchObject({ code: 'wrong-password' });
		await expect(ask(other({ password: '' }))).rejects.toMatchObject({ code: 'wrong-password' });
		await expect(ask(other({ pathname: '/nowhere' }))).rejects.toMatchObject({ code: 'no-such-database' });
		await expect(ask(other({ port: '1' }))).rejects.toMatchObject({
			code: 'cannot-connect',
			message: expect.not.stringContaining('secret'),
		});
		await expect(ask(`${at.href}?sslmode=require`)).rejects.toMatchObject({
			code: 'cannot-connect',
			message: expect.stringContaining('SSL'),
		});
		expect(() => open('postgres://a b:c')).toThrow(expect.objectContaining({ code: 'unsupported-url' }));
	});

	it('says that the server has gone, and works when it is back', async () => {
		const db = open(url, { connections: 1 });
		await migrate(db, [first]);
		const running = db.transaction().execute(async (tx) => {
			await tx.insertInto('page').values({ url: 'lost' }).execute();
			await server.kill();
			await tx.insertInto('page').values({ url: 'too' }).execute();
		});
		const lost = await running.catch((error: unknown) => error);
		expect(lost).toMatchObject({ code: 'connection-lost' });
		expect(isUnreachable(lost)).toBe(true);
		await expect(db.selectFrom('page').selectAll().execute()).rejects.toMatchObject({ code: 'cannot-connect' });
		await server.restart();
		expect(await db.selectFrom('page').selectAll().execute()).toEqual([]);
	});
});

describe('migrate', () => {
	it('several at once: one takes the steps, the others wait and find them taken', async () => {
		const taken = await Promise.all([1, 2, 3, 4].map(() => migrate(open(), [first])));
		expect(taken.flat()).toEqual(['001-page']);
	});

	it('wants no right to create where there is nothing to do', async () => {
		const db = open();
		await migrate(db, [first]);
		await sql`create role clerk login password 'clerk'`.execute(db);
		await sql`revoke create on schema public from public`.execute(db);
		await sql`grant select on wayleave_migrations to clerk`.execute(db);
		const clerk = open(Object.assign(new URL(url), { username: 'clerk', password: 'clerk' }).href);
		expect(await migrate(clerk, [first])).toEqual([]);
	});

	it('leaves the database as it was when a step fails', async () => {
		const db = open();
		await expect(migrate(db, [first, broken])).rejects.toMatchObject({
			code: 'migration-failed',
			cause: { message: 'half way' },
		});
		expect(await migrate(db, [first])).toEqual(['001-page']);
	});

	it('says that the tables are those of something else, and what to do', async () => {
		await expectForeignTablesTold(open());
	});

	it('refuses a schema from the future by name', async () => {
		await migrate(open(), [first, { name: '002-next', up: async () => {} }]);
		await expect(migrate(open(), [first])).rejects.toMatchObject({
			code: 'newer-schema',
			message: expect.stringContaining('002-next'),
		});
	});
});
