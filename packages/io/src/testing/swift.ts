import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** Whether OpenStack Swift is installed, with all of its servers (Debian: swift-proxy, -object, -container, -account). */
export const hasSwift = ['proxy', 'object', 'container', 'account'].every(
	(name) => spawnSync('sh', ['-c', `command -v swift-${name}-server && command -v memcached`]).status === 0,
);

export interface SwiftServer {
	readonly endpoint: string;
	/** Credentials of the owner of the buckets, and of a user without rights on them. */
	readonly owner: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
	readonly stranger: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
	/** Makes a bucket of the owner. */
	createBucket(name: string): Promise<void>;
	/** Stops the door to the servers, or opens it again: the objects stay. */
	setDoor(open: boolean): Promise<void>;
	stop(): Promise<void>;
}

const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
const servers = ['account', 'container', 'object'] as const;

/** Where each server keeps what; `swift-ring-builder` takes three processes for each. */
const buildRings = `
import sys
from swift.common.ring import RingBuilder
folder, *pairs = sys.argv[1:]
for name, port in zip(pairs[::2], pairs[1::2]):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1,
        'replication_ip': '127.0.0.1', 'replication_port': int(port), 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(folder + '/' + name + '.ring.gz')
`;

/**
 * OpenStack Swift with its door for the protocol of S3, on one disk, in a temporary folder. Its ports are below those
 * that Linux gives to connections, one of which would keep a server from starting.
 */
export async function startSwift(port = 24080 + (process.pid % 500) * 8): Promise<SwiftServer> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-swift-'));
	mkdirSync(join(folder, 'devices/d1'), { recursive: true });
	const portOf = (name: string) => port + 1 + servers.indexOf(name as (typeof servers)[number]);
	const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
	const common = (at: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${at}
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
workers = 0
fallocate_reserve = 0
disable_fallocate = true
`;
	for (const name of servers) {
		write(
			`${name}.conf`,
			`${common(portOf(name))}[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
		);
	}
	const rings = spawnSync('/usr/bin/python3', [
		'-c',
		buildRings,
		folder,
		...servers.flatMap((name) => [name, String(portOf(name))]),
	]);
	if (rings.status !== 0) throw new Error(`the rings of Swift cannot be built: ${String(rings.stderr)}`);
	write('proxy.conf', `${common(port)}${proxy(port + 4)}`);
	const started: ChildProcess[] = [];
	const start = (command: string, args: readonly string[]): ChildProcess => {
		const child = spawn(command, args, { cwd: folder, stdio: process.env.DEBUG ? 'inherit' : 'ignore' });
		started.push(child);
		return child;
	};
	start('memcached', ['-l', '127.0.0.1', '-p', String(port + 4), ...(userInfo().uid === 0 ? ['-u', 'nobody'] : [])]);
	for (const name of servers) start(`swift-${name}-server`, [join(folder, `${name}.conf`)]);
	const openDoor = () => start('swift-proxy-server', [join(folder, 'proxy.conf')]);
	let door = openDoor();
	for (const at of [port, port + 4, ...servers.map(portOf)]) await listens(at);
	return {
		endpoint: `http://127.0.0.1:${port}`,
		owner: { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
		stranger: { AWS_ACCESS_KEY_ID: 'test:reader', AWS_SECRET_ACCESS_KEY: 'reading' },
		async createBucket(name) {
			const client = new S3Client({
				endpoint: `http://127.0.0.1:${port}`,
				region: 'us-east-1',
				forcePathStyle: true,
				credentials,
			});
			await client.send(new CreateBucketCommand({ Bucket: name }));
			client.destroy();
		},
		async setDoor(open) {
			door.kill('SIGKILL');
			if (!open) return;
			door = openDoor();
			await listens(port);
		},
		async stop() {
			for (const child of started) child.kill('SIGKILL');
			await sleep(200);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const proxy = (memcached: number): string => `[pipeline:main]
pipeline = catch_errors cache s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_reader = reading
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
`;

async function listens(port: number): Promise<void> {
	for (let tries = 0; tries < 1500; tries++) {
		const open = await new Promise<boolean>((resolve) => {
			const socket = connect(port, '127.0.0.1', () => resolve(true));
			socket.once('error', () => resolve(false));
			socket.once('connect', () => socket.destroy());
		});
		if (open) return;
		await sleep(100);
	}
	throw new Error(`Swift does not listen at ${port} after 150 seconds`);
}
