import { existsSync } from 'node:fs';
import { DatabaseError, databaseName, sqliteProblem } from '@wayleave/io/sql';
import { present } from '@wayleave/protocols';
import { openServiceDatabase, serviceStore } from '@wayleave/service/database';
import { type ApiKey, isScope, KeyStore, type Scope, scopeNames, usualScopes } from '@wayleave/service/keys';
import { filesOfStore, storeUrl } from '../../shared/options/store.ts';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { CreateFlags, RotateFlags, StoreFlags } from './flags.ts';

async function withKeys(
	{ store }: StoreFlags,
	terminal: Terminal,
	work: (store: KeyStore) => Promise<number>,
	makes = false,
): Promise<number> {
	if (store === 'memory')
		throw new UsageError('--store memory does not outlive this command: name the store of the service');
	const url = storeUrl(store, terminal.cwd);
	// Only `create` makes a file: a mistyped name must not leave one behind.
	const db = openKeys(makes || !isMissing(store, terminal.cwd) ? url : 'memory');
	try {
		return await work(await KeyStore.open(db));
	} finally {
		await db.destroy();
	}
}

/** If no SQLite driver can be loaded, the file cannot be checked. */
function isMissing(store: string, cwd: string): boolean {
	const [file] = filesOfStore(store, cwd);
	return file !== undefined && sqliteProblem() === undefined && !existsSync(serviceStore(file));
}

function openKeys(url: string) {
	try {
		return openServiceDatabase(url);
	} catch (error) {
		if (error instanceof DatabaseError && error.code === 'unsupported-url') throw new UsageError(error.message);
		throw error;
	}
}

export function create(flags: CreateFlags, terminal: Terminal): Promise<number> {
	const { name, rate, quota, expires } = flags;
	const work = async (store: KeyStore) => {
		const { key, token } = await store.create(
			present({ name, scopes: (flags.scope ?? usualScopes).map(readScope), rate, quota, expiresAt: expires }),
		);
		return tell(key, token, flags, terminal);
	};
	return withKeys(flags, terminal, work, true);
}

export function rotate(id: string, flags: RotateFlags, terminal: Terminal): Promise<number> {
	return withKeys(flags, terminal, async (store) => {
		const token = await store.rotate(id, flags.grace * hour);
		const found = token === undefined ? undefined : await store.find(id);
		if (token === undefined || found === undefined) return unknown(id, flags, terminal);
		return tell(found.key, token, flags, terminal);
	});
}

const hour = 60 * 60 * 1000;

/** The token alone goes to stdout, so that it can be piped to where it belongs. */
function tell(key: ApiKey, token: string, { json }: StoreFlags, terminal: Terminal): number {
	if (json) terminal.out(`${JSON.stringify({ ...key, token })}\n`);
	else {
		terminal.out(`${token}\n`);
		terminal.note(`this is the token of ${key.id} (${key.name}); it is not stored and cannot be shown again\n`);
	}
	return exitCodes.ok;
}

export function revoke(id: string, flags: StoreFlags, terminal: Terminal): Promise<number> {
	return withKeys(flags, terminal, async (store) => {
		if (!(await store.revoke(id))) return unknown(id, flags, terminal);
		if (flags.json) terminal.out(`${JSON.stringify({ id, revoked: true })}\n`);
		terminal.note(`${id} is revoked\n`);
		return exitCodes.ok;
	});
}

function unknown(id: string, flags: StoreFlags, terminal: Terminal): number {
	const message = `no active key ${id}: see wayleave keys list`;
	return tellFailure(terminal, flags, { code: 'key-unknown', message });
}

export function show(flags: StoreFlags, terminal: Terminal): Promise<number> {
	return withKeys(flags, terminal, async (store) => {
		const keys = await store.list();
		for (const key of keys) terminal.out(`${flags.json ? JSON.stringify(key) : describe(key)}\n`);
		if (keys.length === 0 && !flags.json)
			terminal.note(`no keys in ${databaseName(flags.store)} yet: wayleave keys create --name NAME\n`);
		return exitCodes.ok;
	});
}

function describe({ id, name, scopes, rate, quota, expiresAt, revokedAt }: ApiKey): string {
	const limits = [
		scopes.join(','),
		...(rate === undefined ? [] : [`${rate}/minute`]),
		...(quota === undefined ? [] : [`${quota}/day`]),
		...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString().slice(0, 10)}`]),
		...(revokedAt === undefined ? [] : ['revoked']),
	];
	return `${id}  ${name}  ${limits.join('  ')}`;
}

function readScope(text: string): Scope {
	if (!isScope(text)) throw new UsageError(`--scope ${text}: expected one of ${scopeNames.join(', ')}`);
	return text;
}
