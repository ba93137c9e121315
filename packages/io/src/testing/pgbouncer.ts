import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './postgres.ts';

export interface PgBouncer {
	/** The database behind the pooler. */
	readonly url: string;
	close(): Promise<void>;
}

const program = '/usr/sbin/pgbouncer';

export const hasPgBouncer: boolean = existsSync(program);

/**
 * A pooler in transaction mode: each transaction of a client may have another connection to the server.
 *
 * @param url of the database itself
 * @param connections to the server, at most
 */
export async function startPgBouncer(url: string, connections: number): Promise<PgBouncer> {
	const { hostname, port: server, username, password, pathname } = new URL(url);
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-pgbouncer-'));
	const port = await freePort();
	const settings = [
		'[databases]',
		`* = host=${hostname} port=${server} user=${username} password=${password}`,
		'[pgbouncer]',
		'listen_addr = 127.0.0.1',
		`listen_port = ${port}`,
		'unix_socket_dir =',
		'auth_type = any',
		'pool_mode = transaction',
		`default_pool_size = ${connections}`,
		'server_login_retry = 0.1',
	];
	writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'));
	chmodSync(folder, 0o755);
	const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...notRoot() });
	while (!(await accepts(port))) {
		if (child.exitCode !== null) throw new Error('PgBouncer does not start');
		await sleep(20);
	}
	return {
		url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
		async close() {
			const closed = once(child, 'exit');
			child.kill('SIGKILL');
			await closed;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** PgBouncer refuses to run as root. */
function notRoot(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}

function accepts(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		const end = (open: boolean) => {
			socket.destroy();
			resolve(open);
		};
		socket.once('connect', () => end(true)).once('error', () => end(false));
	});
}
