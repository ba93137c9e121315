import { type RawBuilder, sql } from 'kysely';

// PostgreSQL finds a row of `url` by 16 bytes: the first 4 of the SHA-256 of its host, and 12 of that of its address. An
// index on them is a third of one on addresses; the rows of a host lie together in it, and all of them can be found.

/** The bytes of a text: a plain cast would read backslashes as the beginning of escapes. */
const bytesOf = (text: string) => String.raw`cast(replace(${text}, '\', '\\') as bytea)`;

/** The first bytes for a host. An IPv6 address counts up to its first colon: some hosts may share these bytes anyway. */
const hostHash = (host: string) => `substr(sha256(${bytesOf(`split_part(${host}, ':', 1)`)}), 1, 4)`;

/** Text of the function of the database, which a released migration creates: `hostHash` may not change. */
export const addressFunction = `create function wayleave_address(key text, kind smallint) returns uuid
	language sql immutable parallel safe as $body$ select cast(encode(${hostHash("split_part($1, '/', 3)")}
		|| substr(sha256(${bytesOf("case when $2 = 0 then $1 else $1 || ' sitemap' end")}), 1, 12), 'hex') as uuid) $body$`;

/** The hash of an address, of which there may be a page and a sitemap. */
export const addressHash = (address: string | RawBuilder<unknown>, kind: RawBuilder<unknown>): RawBuilder<unknown> =>
	sql`wayleave_address(${address}, cast(${kind} as smallint))`;

/** Whether a row of `url` is of a host, or of one of the few that share its bytes. */
export function hostRange(host: string | RawBuilder<unknown>): RawBuilder<boolean> {
	const [before = '', after = ''] = hostHash('@').split('@');
	const hash = sql`encode(${sql.raw(before)}cast(${host} as text)${sql.raw(after)}, 'hex')`;
	const end = (digit: '0' | 'f') => sql`cast(${hash} || ${sql.lit(digit.repeat(24))} as uuid)`;
	return sql`url.hash between ${end('0')} and ${end('f')}`;
}
