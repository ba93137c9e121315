import { withoutNulls } from '@wayleave/io/sql';
import type { Evidence } from '@wayleave/protocols';
import { sql } from 'kysely';
import type { PauseTally, SitemapTally } from '../../model/events.ts';
import type { Outcome, Reason } from '../../model/outcome.ts';
import { tallyDuplicates } from '../pages/near-duplicates.ts';
import type { Tally, TallyRow } from '../roles/tally.ts';
import { isPutOffUntil } from '../schema/fragments.ts';
import type { Db } from '../schema/tables.ts';
import { learnedHosts } from './learned-addresses.ts';
import type { OwnTime } from './urls.ts';

interface GroupRow {
	outcome: Outcome;
	reason: Reason | null;
	json: string | null;
	count: number;
	first: number;
	last: number;
}

type CauseRow = Omit<GroupRow, 'json' | 'last'> & { detail: string };

/** Hosts whose learned patterns are reported. */
const maxHosts = 20;

/** There may be as many as URLs, where each has its own. */
const maxCauses = 200;

/** Counts everything known. */
export async function tallyStore(db: Db, tools: OwnTime): Promise<Tally> {
	const { rows: groups } = await sql<GroupRow>`
		select url.outcome, url.reason, evidence.json, count(*) as count, min(url.id) as first, max(url.id) as last
		from url left join evidence on evidence.id = url.evidence
		where url.state = 1 and url.kind = 0
		group by url.outcome, url.reason, evidence.json
		order by count(*) desc, min(url.id)`.execute(db);
	const { rows: causes } = await sql<CauseRow>`
		select outcome, reason, detail, count(*) as count, min(id) as first
		from url where state = 1 and kind = 0 and outcome in ('failed', 'deferred') and detail is not null
		group by outcome, reason, detail order by count(*) desc, min(id) limit ${maxCauses}`.execute(db);
	const names = await namesOf(db, [
		...groups.flatMap(({ first, last }) => [first, last]),
		...causes.map(({ first }) => first),
	]);
	// One that is not there was only looked for, one that is forbidden was never had, one that was put off comes later, and
	// where one has moved to counts for itself.
	const { rows: sitemaps } = await sql<{ good: number; count: number; first: number }>`
		select case when outcome in ('fetched', 'unchanged') then 1 else 0 end as good, count(*) as count, min(id) as first
		from url where kind = 1 and state = 1 and outcome in ('fetched', 'unchanged', 'failed')
			and coalesce(reason, '') <> 'redirected' group by 1`.execute(db);
	const read = sitemaps.find(({ good }) => Number(good) === 1);
	const failed = sitemaps.find(({ good }) => Number(good) === 0);
	const example = failed && (await sitemapExample(db, failed.first));
	const { rows: pending } = await sql<{ count: number }>`select count(*) as count from url where state = 0`.execute(db);
	const { rows: seeds } = await sql<{ key: string; outcome: Outcome | null; reason: Reason | null }>`
		select key, outcome, reason from url where seed = 1 and kind = 0 order by id limit 1000`.execute(db);
	return {
		pending: Number(pending[0]?.count ?? 0),
		rows: groups.map((group) => toRow(group, names)),
		causes: causes.map(({ outcome, reason, detail, count, first }) =>
			withoutNulls({ outcome, reason, detail, count: Number(count), example: names.get(first) ?? '' }),
		),
		seeds: seeds.map(({ key, outcome, reason }) => withoutNulls({ url: key, outcome, reason })),
		sitemaps: { read: Number(read?.count ?? 0), failed: Number(failed?.count ?? 0), ...(example && { example }) },
		duplicates: await tallyDuplicates(db),
		learned: (await learnedHosts(db)).slice(0, maxHosts),
		paused: await tallyPauses(db, tools),
	};
}

/** Hosts and URLs put off because servers asked for it. */
async function tallyPauses(db: Db, { dialect, own }: OwnTime): Promise<PauseTally> {
	const now = dialect.now(own);
	const { rows: hosts } = await sql<{ name: string; wait: number }>`
		select name, next_at - ${now} as wait from host where next_at > ${now} + delay + ${usualWait} and exists (
			select 1 from url where url.host = host.id and state = 1 and outcome = 'deferred' and reason = 'rate-limited')
		order by next_at desc limit 10`.execute(db);
	const { rows } = await sql<{ count: number; wait: number | null; first: number }>`
		select count(*) as count, min(due) - ${now} as wait, min(id) as first from url where ${isPutOffUntil(now)}`.execute(
		db,
	);
	const urls = rows[0];
	const example = urls?.wait == null ? undefined : (await namesOf(db, [urls.first])).get(urls.first);
	return {
		hosts: hosts.map(({ name, wait }) => ({ host: name, until: own + Number(wait) })),
		...(urls?.wait != null &&
			example !== undefined && { urls: { count: Number(urls.count), until: own + Number(urls.wait), example } }),
	};
}

/** Milliseconds beyond the delay of a host that do not count as a pause. */
const usualWait = 1000;

function toRow({ outcome, reason, json, count, first, last }: GroupRow, names: ReadonlyMap<number, string>): TallyRow {
	return {
		outcome,
		...(reason !== null && { reason }),
		...(json !== null && { evidence: JSON.parse(json) as Evidence[] }),
		count: Number(count),
		examples: [...new Set([first, last])].flatMap((id) => names.get(id) ?? []),
	};
}

async function sitemapExample(db: Db, id: number): Promise<SitemapTally['example']> {
	const row = await db.selectFrom('url').select(['key', 'reason']).where('id', '=', id).executeTakeFirst();
	return row?.reason == null ? undefined : { url: row.key, reason: row.reason as Reason };
}

async function namesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
	const names = new Map<number, string>();
	for (let at = 0; at < ids.length; at += 500) {
		const rows = await db
			.selectFrom('url')
			.select(['id', 'key'])
			.where('id', 'in', ids.slice(at, at + 500))
			.execute();
		for (const { id, key } of rows) names.set(id, key);
	}
	return names;
}
