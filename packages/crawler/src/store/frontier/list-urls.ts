import { withoutNulls } from '@wayleave/io/sql';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { time } from '../../base/time.ts';
import type { Outcome, Reason } from '../../model/outcome.ts';
import type {
	TimeSlices,
	UrlCount,
	UrlCounts,
	UrlFilter,
	UrlKind,
	UrlList,
	UrlListRequest,
	UrlSummary,
} from '../roles/frontier.ts';
import { byHash, isAddress, isOfHost, isOfHosts } from '../schema/addresses.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';

// Lists and counts for people who look at a store. Each statement examines a given number of rows, however large the store is.

interface SummaryRow
	extends Pick<Selectable<StoreSchema['url']>, 'id' | 'key' | 'kind' | 'state' | 'seed' | 'depth' | 'status' | 'at'> {
	outcome: Outcome | null;
	reason: Reason | null;
}

const kindOf = (kind: number): UrlKind => (Number(kind) === 0 ? 'page' : 'sitemap');

/** The rows behind a number, in a subquery whose limit comes before all conditions. */
const windowOf = (after: number, rows: number) =>
	sql`(select * from url where id > ${after} order by id limit ${rows}) as url`;

/** The number of the last row of a window; undefined if the store ends in it. */
async function endOf(db: Db, after: number, rows: number): Promise<number | undefined> {
	const { rows: found } = await sql<{ id: number }>`
		select id from url where id > ${after} order by id limit 1 offset ${rows - 1}`.execute(db);
	return found[0] && Number(found[0].id);
}

const columns = sql`url.id, url.key, url.kind, url.state, url.seed, url.depth, url.outcome, url.reason, url.status, url.at`;

export async function listUrls(db: Db, { after, rows, limit, ...filter }: UrlListRequest): Promise<UrlList> {
	const { rows: found } = await sql<SummaryRow>`select ${columns} from ${windowOf(after, rows)}
		where ${sql.join(conditionsOf(filter), sql` and `)} order by url.id limit ${limit}`.execute(db);
	const next = found.length === limit ? Number(found.at(-1)?.id) : await endOf(db, after, rows);
	return { urls: found.map(toSummary), ...(next !== undefined && { next }) };
}

function conditionsOf({ kind, outcome, reason, host, contains, since, isNew }: UrlFilter): RawBuilder<unknown>[] {
	return [
		sql`1 = 1`,
		...(kind === undefined ? [] : [sql`url.kind = ${kind === 'page' ? 0 : 1}`]),
		...(outcome === undefined
			? []
			: [outcome === 'waiting' ? sql`url.state = 0` : sql`url.state = 1 and url.outcome = ${outcome}`]),
		...(reason === undefined ? [] : [sql`url.state = 1 and url.reason = ${reason}`]),
		...(host === undefined ? [] : [isNamed(host)]),
		...(contains === undefined ? [] : [sql`lower(url.key) like ${`%${likeText(contains.toLowerCase())}%`} escape '!'`]),
		...(since === undefined ? [] : [sql`url.at >= ${Math.round(since)}`]),
		...(isNew ? [sql`exists (select 1 from revisit where revisit.url = url.id and revisit.visits = 0)`] : []),
	];
}

/** A URL that was never to be visited has no host in its row. */
function isNamed(host: string): RawBuilder<unknown> {
	const name = likeText(host);
	const patterns = ['/', ':'].map((end) => sql`url.key like ${`http%://${name}${end}%`} escape '!'`);
	return sql`(url.host = (select id from host where name = ${host})
		or (url.host is null and (${sql.join(patterns, sql` or `)})))`;
}

/** Text without the characters that mean something to LIKE. */
const likeText = (text: string): string => text.replace(/[%_!]/g, '!$&');

export async function urlsStartingWith(db: Db, prefix: string, limit: number): Promise<UrlSummary[]> {
	const exact = sql<SummaryRow>`select ${columns} from url where ${isAddress(db, prefix)} limit 1`;
	// Sorted before all others, and found at once.
	const { rows: first } = await exact.execute(db);
	if (first.length >= limit) return first.map(toSummary);
	// The last character that UTF-8 and the keys of the index sort behind all others.
	const { rows } = await sql<SummaryRow>`select ${columns} from url
		where ${isOfHostOf(db, prefix)} and key >= ${prefix} and key < ${`${prefix}\u{10FFFD}`}
		order by key, kind limit ${limit}`.execute(db);
	return rows.map(toSummary);
}

/** Hosts that are looked through for a beginning that ends within their name. */
const maxHosts = 20;

/** Whether a URL may be of the host in the beginning of an address. */
function isOfHostOf(db: Db, prefix: string): RawBuilder<boolean> {
	if (!byHash(db)) return sql`1 = 1`;
	const [, host = '', end] = /^[a-z]+:\/\/(\[[^\]]*\]|[^/:?#]*)(.?)/.exec(prefix) ?? [];
	if (end) return isOfHost(db, host);
	const hosts = sql`select id, name from host where name like ${`${likeText(host)}%`} escape '!' order by name limit ${sql.lit(maxHosts)}`;
	return isOfHosts(db, hosts);
}

function toSummary({ id, key, kind, state, seed, depth, outcome, reason, status, at }: SummaryRow): UrlSummary {
	const hasEnded = Number(state) === 1;
	return {
		id: Number(id),
		url: key,
		kind: kindOf(kind),
		seed: Number(seed) === 1,
		depth: Number(depth),
		...(hasEnded && withoutNulls({ outcome, reason })),
		...(status !== null && { status: Number(status) }),
		...(at !== null && { at: time(at) }),
	};
}

interface CountRow {
	kind: number;
	outcome: Outcome | null;
	reason: Reason | null;
	host: string | null;
	count: number;
}

export async function countUrlsAfter(
	db: Db,
	after: number,
	rows: number,
	{ since, step }: TimeSlices,
): Promise<UrlCounts> {
	const part = windowOf(after, rows);
	const { rows: counts } = await sql<CountRow>`
		select url.kind, case when url.state = 1 then url.outcome end as outcome,
			case when url.state = 1 then url.reason end as reason, host.name as host, count(*) as count
		from ${part} left join host on host.id = url.host group by 1, 2, 3, 4`.execute(db);
	const { rows: slices } = await sql<{ slice: number; count: number }>`
		select cast((url.at - cast(${Math.round(since)} as bigint)) / cast(${Math.round(step)} as bigint) as bigint) as slice,
			count(*) as count from ${part}
		where url.kind = 0 and url.attempts > 0 and url.at >= ${Math.round(since)} group by 1`.execute(db);
	const next = await endOf(db, after, rows);
	return {
		counts: counts.map(toCount),
		slices: slices.map(({ slice, count }) => ({ slice: Number(slice), count: Number(count) })),
		...(next !== undefined && { next }),
	};
}

function toCount({ kind, outcome, reason, host, count }: CountRow): UrlCount {
	return withoutNulls({ kind: kindOf(kind), outcome, reason, host, count: Number(count) });
}
