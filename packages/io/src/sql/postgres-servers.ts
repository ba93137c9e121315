import { parseUrl } from '@wayleave/protocols/url';
import { DatabaseError } from './error.ts';

/** The servers that a database URL names, and what it asks of them. */
export interface PostgresServers {
	/** One URL per server, in the order to try. */
	readonly urls: readonly string[];
	/** Whether only a server that takes writes will do. */
	readonly writable: boolean;
	/** Whether statements are prepared by name; undefined: where there is no pooler between. */
	readonly prepared: boolean | undefined;
}

/** Scheme, user and password, servers, the rest. */
const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/is;

/** Meaning of `target_session_attrs` (PostgreSQL documentation, 34.1.2): whether writes are needed. */
const sessions: Readonly<Record<string, boolean>> = { any: false, 'read-write': true, primary: true };

const preparing: Readonly<Record<string, boolean>> = { true: true, false: false };

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE` as libpq does: with several servers, only one that takes
 * writes is used, unless `target_session_attrs=any`. `prepared=true` or `false` says whether statements are prepared.
 *
 * @throws DatabaseError `unsupported-url`
 */
export function readServers(url: string): PostgresServers {
	const [, scheme = '', login = '', hosts = '', rest = ''] = parts.exec(url) ?? [];
	const each = hosts.split(',').map((host) => parseUrl(`${scheme}${login}${host}${rest}`));
	const servers = each.filter((parsed) => parsed !== undefined);
	const [first] = servers;
	if (first === undefined || servers.length < each.length)
		throw new DatabaseError('unsupported-url', 'the database URL is not valid');
	const session = first.searchParams.get('target_session_attrs') ?? (servers.length > 1 ? 'read-write' : 'any');
	const writable = sessions[session];
	if (writable === undefined)
		throw new DatabaseError(
			'unsupported-url',
			`target_session_attrs=${session} in the database URL is not supported: write read-write, primary or any`,
		);
	const named = first.searchParams.get('prepared');
	const prepared = named === null ? undefined : preparing[named];
	if (named !== null && prepared === undefined)
		throw new DatabaseError('unsupported-url', `prepared=${named} in the database URL: write true or false`);
	const own = ['target_session_attrs', 'prepared'].filter((key) => first.searchParams.has(key));
	if (servers.length === 1 && own.length === 0) return { urls: [url], writable, prepared };
	for (const { searchParams } of servers) for (const key of own) searchParams.delete(key);
	return { urls: servers.map(({ href }) => href), writable, prepared };
}

/** Whether a text is a database URL of PostgreSQL that can be read. */
export function isPostgresUrl(url: string): boolean {
	try {
		return readServers(url).urls.length > 0;
	} catch {
		return false;
	}
}

/** A database for people and logs: without password and parameters. */
export function postgresName(url: string): string | undefined {
	const [, scheme = '', login = '', hosts = '', rest = ''] = parts.exec(url) ?? [];
	const [first = '', ...others] = hosts.split(',');
	const parsed = parseUrl(`${scheme}${login}${first}${rest}`);
	if (parsed === undefined) return undefined;
	const { protocol, username, host, pathname } = parsed;
	return `${protocol}//${username === '' ? '' : `${username}@`}${[host, ...others].join(',')}${pathname}`;
}
