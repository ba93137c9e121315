import { type Kysely, sql } from 'kysely';
import { format, type SharingSchema } from './schema.ts';
import type { SpentTokens, StoredBucket } from './shared-limits.ts';

type Db = Kysely<SharingSchema>;

/** A running gateway. */
export interface Member {
	readonly id: string;
	/** Host and process, for people. */
	readonly name: string;
	readonly format: number;
}

export type ClientRow = Pick<
	SharingSchema['gateway_shared_client'],
	'client' | 'policy' | 'policy_at' | 'manifest' | 'last_page'
>;
export type GrantRow = Pick<
	SharingSchema['gateway_shared_grant'],
	'id' | 'client' | 'directive' | 'kind' | 'at' | 'spent' | 'until'
>;

/** One write to the rows of a site, or the state that one has left. */
export interface Write {
	readonly site: string;
	readonly revision: number;
	/** The clock of the database; milliseconds since 1970. */
	readonly now: number;
}

/** Rows written since a revision. */
export interface ReadRows {
	readonly revision: number;
	/** The clock of the database; milliseconds since 1970. */
	readonly now: number;
	/** Gateways that run, whatever their revision. */
	readonly members: readonly Member[];
	readonly limits: readonly StoredBucket[];
	readonly clients: readonly ClientRow[];
	readonly grants: readonly GrantRow[];
}

const clock = sql<number>`extract(epoch from clock_timestamp())::double precision * 1000`;
/** How long a client is kept after its last change; milliseconds. */
const keptClient = 7 * 86_400_000;
/** Rows of each kind in one read at the start. */
const maxRead = 100_000;

/** Makes the site known. */
export async function addSite(db: Db, site: string): Promise<void> {
	await db
		.insertInto('gateway_shared_site')
		.values({ site })
		.onConflict((conflict) => conflict.column('site').doNothing())
		.execute();
}

/** Begins a write: one at a time for each site, until the end of the transaction. */
export async function beginWrite(db: Db, site: string): Promise<Write> {
	const row = await db
		.updateTable('gateway_shared_site')
		.set((at) => ({ revision: at('revision', '+', 1) }))
		.where('site', '=', site)
		.returning(['revision', clock.as('now')])
		.executeTakeFirstOrThrow();
	return { site, revision: Number(row.revision), now: row.now };
}

/** Takes tokens from buckets; returns these. A debt is at most the size of the bucket. */
export async function spendTokens(db: Db, write: Write, taken: readonly SpentTokens[]): Promise<StoredBucket[]> {
	if (taken.length === 0) return [];
	const { site, revision, now } = write;
	const rows = taken.map(({ name, client, spent, rate: { burst, perMinute } }) => {
		// A new row is that of a full bucket.
		const tokens = Math.max(-burst, burst - spent);
		const until = now + ((burst - tokens) / perMinute) * 60_000;
		return { name, client, tokens, burst, per_minute: perMinute, until };
	});
	const column = columnsOf(rows);
	const filled = sql`least(excluded.burst, held.tokens + (excluded.at - held.at) / 60000 * excluded.per_minute)`;
	const left = sql`greatest(-excluded.burst, ${filled} - (excluded.burst - excluded.tokens))`;
	const stored = await sql<Omit<StoredBucket, 'age'>>`
		insert into gateway_shared_limit as held
			(site, format, name, client, tokens, burst, per_minute, at, until, revision)
		select ${site}::text, ${format}::int, name, client, tokens, burst, per_minute, ${now}::float8, until, ${revision}::bigint
		from unnest(${column('name')}::text[], ${column('client')}::text[], ${column('tokens')}::float8[],
			${column('burst')}::float8[], ${column('per_minute')}::float8[], ${column('until')}::float8[])
			as spent (name, client, tokens, burst, per_minute, until)
		on conflict (site, format, name, client) do update set
			tokens = ${left}, burst = excluded.burst, per_minute = excluded.per_minute, at = excluded.at,
			until = excluded.at + (excluded.burst - ${left}) / excluded.per_minute * 60000, revision = excluded.revision
		returning name, client, tokens`.execute(db);
	return stored.rows.map((row) => ({ ...row, age: 0 }));
}

/** What is known of clients: of each fact, the latest counts. */
export async function writeClients(db: Db, write: Write, rows: readonly ClientRow[]): Promise<void> {
	if (rows.length === 0) return;
	const { site, revision, now } = write;
	const column = columnsOf(rows);
	const isNewer = sql`coalesce(excluded.policy_at, 0) >= coalesce(known.policy_at, 0)`;
	await sql`
		insert into gateway_shared_client as known
			(site, format, client, policy, policy_at, manifest, last_page, until, revision)
		select ${site}::text, ${format}::int, client, policy, policy_at, manifest, last_page, ${now + keptClient}::float8,
			${revision}::bigint
		from unnest(${column('client')}::text[], ${column('policy')}::text[], ${column('policy_at')}::float8[],
			${column('manifest')}::int[], ${column('last_page')}::float8[])
			as changed (client, policy, policy_at, manifest, last_page)
		on conflict (site, format, client) do update set
			policy = case when ${isNewer} then excluded.policy else known.policy end,
			policy_at = case when ${isNewer} then excluded.policy_at else known.policy_at end,
			manifest = greatest(excluded.manifest, known.manifest),
			last_page = greatest(excluded.last_page, known.last_page),
			until = excluded.until, revision = excluded.revision`.execute(db);
}

/** The values of one column of rows, as one parameter: to build a statement of thousands of them costs more than to run it. */
function columnsOf<Row extends object>(rows: readonly Row[]) {
	return (name: keyof Row) => sql`${rows.map((row) => row[name])}`;
}

/** Answers to asks: each takes the place of the one before for the same client and directive. */
export async function writeGrants(db: Db, write: Write, grants: readonly GrantRow[]): Promise<void> {
	const { site, revision } = write;
	for (const row of grants) {
		const values = { ...row, site, format, revision };
		await db
			.insertInto('gateway_shared_grant')
			.values(values)
			.onConflict((conflict) => conflict.columns(['site', 'format', 'client', 'directive']).doUpdateSet(values))
			.execute();
	}
}

/** Spends a permission for one use, or gives it back; returns whether it was there. */
export async function markGrant(db: Db, { site, revision }: Write, id: string, spent: 0 | 1): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('gateway_shared_grant')
		.set({ spent, revision })
		.where('site', '=', site)
		.where('format', '=', format)
		.where('id', '=', id)
		.where('kind', '=', 'once')
		.where('spent', '=', spent === 1 ? 0 : 1)
		.executeTakeFirst();
	return numUpdatedRows === 1n;
}

/** The revision of a site, and the clock of the database. */
export async function readRevision(db: Db, site: string): Promise<Write> {
	const found = db
		.selectFrom('gateway_shared_site')
		.select(['revision', clock.as('now')])
		.where('site', '=', site);
	const { revision, now } = await found.executeTakeFirstOrThrow();
	return { site, revision: Number(revision), now };
}

/**
 * Rows of this format that others wrote after a revision, at most `maxRead` of each kind: the latest.
 *
 * @param until the last revision
 */
export async function readRows(
	db: Db,
	{ site, revision, now }: Write,
	since: number,
	until = revision,
): Promise<ReadRows> {
	const range = sql`site = ${site} and format = ${format} and revision > ${since}::bigint
		and revision <= ${until}::bigint and until > ${now}::float8 order by revision desc limit ${maxRead}`;
	const limits = await sql<StoredBucket>`select name, client, tokens, ${now}::float8 - at as age
		from gateway_shared_limit where ${range}`.execute(db);
	const clients = await sql<ClientRow>`select client, policy, policy_at, manifest, last_page
		from gateway_shared_client where ${range}`.execute(db);
	const grants = await sql<GrantRow>`select id, client, directive, kind, at, spent, until
		from gateway_shared_grant where ${range}`.execute(db);
	const members = await readMembers(db, site, now);
	return { revision, now, members, limits: limits.rows, clients: clients.rows, grants: grants.rows };
}

/** Milliseconds after which a gateway that says nothing is not counted. */
const memberTtl = 10_000;

/** Says that a gateway runs. */
export async function renewMember(db: Db, site: string, { id, name, format: its }: Member): Promise<void> {
	await sql`
		insert into gateway_shared_member (site, id, name, format, seen_at)
		values (${site}, ${id}, ${name}, ${its}, ${clock})
		on conflict (site, id) do update set seen_at = excluded.seen_at`.execute(db);
}

/** The gateways of a site that run. */
export async function readMembers(db: Db, site: string, now: number): Promise<Member[]> {
	const members = db.selectFrom('gateway_shared_member').select(['id', 'name', 'format']).where('site', '=', site);
	return await members.where('seen_at', '>', now - memberTtl).execute();
}

/** A gateway ends. */
export async function removeMember(db: Db, site: string, id: string): Promise<void> {
	await db.deleteFrom('gateway_shared_member').where('site', '=', site).where('id', '=', id).execute();
}

/** Deletes rows that say nothing any more: full buckets, permissions that ended, gateways that stopped. */
export async function pruneRows(db: Db, site: string): Promise<void> {
	for (const table of ['gateway_shared_limit', 'gateway_shared_client', 'gateway_shared_grant'] as const)
		await db.deleteFrom(table).where('site', '=', site).where('until', '<', clock).execute();
	const old = sql<number>`${clock} - 3600000`;
	await db.deleteFrom('gateway_shared_member').where('site', '=', site).where('seen_at', '<', old).execute();
}
