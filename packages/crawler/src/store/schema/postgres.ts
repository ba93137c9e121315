import { sql } from 'kysely';
import { addressHash } from './address-hashes.ts';
import { compactUrls } from './compact-urls.ts';
import type { StoreDialect } from './dialect.ts';

/**
 * Every statement of a visit looks up a few rows by an index. The planner is not to think otherwise because a table was
 * small, or not yet analysed, when it made its plan; and no such statement is worth compiling.
 */
export const postgresSettings = {
	enable_seqscan: 'off',
	enable_hashjoin: 'off',
	enable_mergejoin: 'off',
	jit: 'off',
};

/** SQLSTATEs `deadlock_detected` and `serialization_failure`. */
const conflicts = new Set(['40P01', '40001']);

/**
 * Milliseconds since 1970 now, not at the start of the transaction. Rounded down, as `Date.now()` is: a plain cast
 * rounds up half of the time, which ended a pause 1 ms early.
 */
const serverTime = sql<number>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`;

/**
 * While the server was away, no worker could renew its lease. A worker that was connected before gives the others more
 * time than that; this is for one that has just connected.
 */
const diesAt = (lease: number) => sql<number>`greatest(expires_at,
	cast(extract(epoch from pg_postmaster_start_time()) * 1000 as bigint) + ${sql.lit(lease)})`;

const givenHash = addressHash(sql`given.value->>'k'`, sql`given.value->>'t'`);

/** The only place with SQL that PostgreSQL alone understands, with what it is made of. */
export const postgresDialect: StoreDialect = {
	name: 'postgres',
	shared: true,
	bytes: 'bytea',
	id: 'bigint',
	// Also what makes `key >= 'http://h/' and key < 'http://h0'` mean what it says.
	key: sql`text collate "C"`,
	numbered: (column) => column.generatedByDefaultAsIdentity(),
	json: (values) => storable(JSON.stringify(values)),
	rows: (json) => sql`json_array_elements(cast(${json} as json)) as row(value)`,
	// Known URLs are left out beforehand: an upsert would lock each of them, and use up a number. The index has all that is
	// asked for, so that their rows are not read, but for those that are found nearer to the seeds. What is left is put in in
	// one order by all workers, so that they do not wait for each other in a circle, but numbered as it was found.
	foundRows: (json) => sql`(
		with news as materialized (
			select given.value, given.at
			from json_array_elements(cast(${json} as json)) with ordinality as given(value, at)
			left join lateral (
				select host, depth from url where hash = ${givenHash} limit 1
			) as known on true
			where known.depth is null or given.value->>'s' = '0'
				and (known.host is null or cast(given.value->>'d' as integer) < known.depth
					and (select state from url where hash = ${givenHash}) = 0)
			order by given.at
		), numbered as materialized (select nextval('url_id_seq') as id, value from news)
		select id, value from numbered order by value->>'k'
	) as row`,
	// Only the length of a document in the row is looked at: its bytes are in another table, and compressed.
	documentBytes: (content) => sql`case when length(${content}) < 60 and get_byte(${content}, 0) = 255
		then cast(convert_from(substr(${content}, 34), 'LATIN1') as bigint) else length(${content}) end`,
	fromHex: (digits) => sql`decode(${digits}, 'hex')`,
	now: () => serverTime,
	skipLocked: sql`for update skip locked`,
	diesAt,
	lives: async (lease) => sql`${diesAt(lease)} >= ${serverTime}`,
	askedUntil: (_, silence) => sql`expires_at - ${sql.lit(silence)}`,
	position: sql`left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, pg_current_wal_lsn() - '0/0' as position,
		case when current_setting('synchronous_standby_names') <> ''
			and current_setting('synchronous_commit') not in ('off', 'local') then 1 else 0 end as synchronous`,
	isConflict: (error) => conflicts.has((error as { code?: string }).code ?? ''),
	async lookAtAll(tx) {
		await sql`set local statement_timeout = 0`.execute(tx);
		for (const name of Object.keys(postgresSettings)) {
			if (name !== 'jit') await sql`select set_config(${name}, 'on', true)`.execute(tx);
		}
	},
	async lockRuns(tx) {
		await sql`lock table crawl_run in share row exclusive mode`.execute(tx);
	},
	async tune(db) {
		// Room on each page for the next version of a row: updates that touch no index then cost none.
		await sql`alter table host set (fillfactor = 70)`.execute(db);
		await sql`alter table crawl_worker set (fillfactor = 50)`.execute(db);
		// A fifth of a billion rows is too many to wait for.
		await sql`alter table url set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`.execute(
			db,
		);
	},
	async coverKnown(db) {
		await sql`create unique index url_known on url (key, kind) include (state, host, depth)`.execute(db);
		await sql`alter table url drop constraint url_key`.execute(db);
	},
	compactUrls,
	async nameKnown(db) {
		await sql`alter table url add constraint url_known unique using index url_known`.execute(db);
	},
	exclude: async () => () => {},
};

/** JSON can name a character that text in PostgreSQL cannot hold: zero, and half of a pair of surrogates. */
function storable(json: string): string {
	if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json;
	return json.replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, (found) => (found === '\\\\' ? found : '\ufffd'));
}
