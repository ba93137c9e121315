import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	makeDatabase,
	makeServer,
	promote,
	removeServers,
	replicateSynchronously,
	startStandby,
	type TestServer,
	urlOfSeveral,
} from '../testing/postgres-replicas.ts';
import { isUnreachable } from './error.ts';
import { databaseName, openDatabase } from './open.ts';
import { readServers } from './postgres-servers.ts';

interface Schema {
	page: { url: string };
}

describe('a URL with several servers', () => {
	it('names each of them, and wants one that takes writes', () => {
		expect(readServers('postgres://u:p%40@h1:1,[::1]:2/db?sslmode=disable&target_session_attrs=primary')).toEqual({
			urls: ['postgres://u:p%40@h1:1/db?sslmode=disable', 'postgres://u:p%40@[::1]:2/db?sslmode=disable'],
			writable: true,
			prepared: undefined,
		});
		expect(readServers('postgres://h1,h2/db?target_session_attrs=any').writable).toBe(false);
		expect(readServers('postgres://h1,h2/db').writable).toBe(true);
		expect(readServers('postgres://h1/db?prepared=true')).toMatchObject({ writable: false, prepared: true });
		expect(databaseName('postgres://u:secret@h1:1,h2:2/db?password=x')).toBe('postgres://u@h1:1,h2:2/db');
	});

	it('says what is wrong with it', () => {
		expect(() => readServers('postgres://h1,h 2/db')).toThrow('not valid');
		expect(() => readServers('postgres://h1,h2/db?target_session_attrs=standby')).toThrow('read-write, primary or any');
		expect(() => readServers('postgres://h1/db?prepared=maybe')).toThrow('true or false');
	});
});

describe('two servers', () => {
	let primary: TestServer;
	let standby: TestServer;
	let name: string;
	let db: Kysely<Schema>;
	beforeAll(async () => {
		primary = await makeServer();
		await primary.start();
		name = await makeDatabase(primary);
		await primary.run('create table page (url text)', name);
		standby = await startStandby(primary);
		db = openDatabase<Schema>(urlOfSeveral([standby, primary], name), { connections: 1 });
	});
	afterAll(async () => {
		await db.destroy();
		await removeServers([primary, standby]);
	});

	const write = (url: string) => db.insertInto('page').values({ url }).execute();
	const pages = async (server: TestServer) =>
		(await server.run('select url from page order by url', name)).map(({ url }) => url);

	it('writes to the primary, whichever is named first', async () => {
		await write('a');
		expect(await pages(primary)).toEqual(['a']);
	});

	it('does not take a commit for done that no synchronous standby has confirmed', async () => {
		await replicateSynchronously(primary);
		await standby.run('select pg_wal_replay_pause()');
		await primary.run(`alter system set synchronous_commit = 'remote_apply'`);
		await primary.run('select pg_reload_conf()');
		const writing = write('b').catch((error: unknown) => error);
		const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
		await expect.poll(() => primary.run(cancel), { timeout: 20_000 }).toHaveLength(1);
		const error = await writing;
		expect(error).toMatchObject({ code: 'connection-lost', message: expect.stringContaining('without its standby') });
		expect(isUnreachable(error)).toBe(true);
		await primary.run('alter system reset all');
		await primary.run('select pg_reload_conf()');
		await standby.run('select pg_wal_replay_resume()');
	});

	it('leaves an old primary that is still alive when its standby is promoted', async () => {
		await promote(standby);
		const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
		const before = await pid();
		await expect.poll(() => pid().catch(() => before), { timeout: 20_000, interval: 200 }).not.toBe(before);
		await write('c');
		expect(await pages(standby)).toContain('c');
		expect(await pages(primary)).not.toContain('c');
	});

	it('waits while no server takes writes', async () => {
		await standby.stop('SIGKILL');
		await primary.run('alter system set default_transaction_read_only = on');
		await primary.run('select pg_reload_conf()');
		await write('d').catch(() => {});
		const error = await write('d').catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: 'cannot-connect', message: expect.stringContaining('takes writes') });
		expect(isUnreachable(error)).toBe(true);
	});
});
