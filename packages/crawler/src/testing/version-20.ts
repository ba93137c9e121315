import { sql } from 'kysely';
import { postgresDialect } from '../store/schema/postgres.ts';
import type { Db } from '../store/schema/tables.ts';

// Statements that a worker of the version before step 021 sends to PostgreSQL, in their order.

/** A page that it has read. */
export interface OldVisit {
	readonly id: number;
	readonly at: number;
	readonly visits: number;
	/** The signature of the text; null for one that may not be kept; undefined if the text is the same. */
	readonly signature?: readonly [number, number, number, number] | null;
	readonly twin?: string;
}

/** Adds links; the text is of `insertFound`. */
export const addFound = (db: Db, found: readonly { k: string; d: number; v?: number; h: number }[]) =>
	sql<{ id: number }>`
	insert into url (id, key, kind, host, state, depth, dates, seed, via, run, outcome, reason, detail, redirect, at)
	select row.id, row.value->>'k', cast(row.value->>'t' as integer), cast(row.value->>'h' as integer),
		cast(row.value->>'s' as integer), cast(row.value->>'d' as integer), cast(row.value->>'y' as integer),
		cast(row.value->>'e' as integer), cast(row.value->>'v' as bigint), cast(1 as integer),
		row.value->>'o', row.value->>'r', row.value->>'x', row.value->>'a',
		case when row.value->>'o' is not null then cast(1 as bigint) end
	from (
		with news as materialized (
			select given.value, given.at
			from json_array_elements(cast(${json(found)} as json)) with ordinality as given(value, at)
			left join lateral (
				select state, host, depth from url
				where key = given.value->>'k' and kind = cast(given.value->>'t' as smallint) limit 1
			) as known on true
			where known.state is null or given.value->>'s' = '0'
				and (known.host is null or known.state = 0 and cast(given.value->>'d' as integer) < known.depth)
			order by given.at
		), numbered as materialized (select nextval('url_id_seq') as id, value from news)
		select id, value from numbered order by value->>'k'
	) as row
	where true
	on conflict (key, kind) do update set
		state = 0, host = excluded.host, outcome = null, reason = null, detail = null, redirect = null, at = null,
		depth = case when excluded.depth < url.depth or excluded.seed = 1 then excluded.depth else url.depth end,
		dates = excluded.dates,
		seed = case when excluded.seed = 1 then 1 else url.seed end,
		via = case when url.state = 0 or excluded.via is null then url.via else excluded.via end
	where excluded.state = 0
		and (url.outcome = 'out-of-scope' and url.host is null or url.state = 0 and excluded.depth < url.depth)
	returning id`.execute(db);

const json = (found: readonly object[]) => JSON.stringify(found.map((row) => ({ t: 0, s: 0, y: 0, e: 0, ...row })));

async function saveSignature(tx: Db, { id, signature, twin }: OldVisit): Promise<void> {
	if (signature === undefined) return;
	if (signature === null) {
		await sql`delete from likeness where url = ${id}`.execute(tx);
		return;
	}
	const [b0, b1, b2, b3] = signature;
	await sql`insert into likeness (url, b0, b1, b2, b3, twin, prose) values (${id}, ${b0}, ${b1}, ${b2}, ${b3},
		(select id from url where key = ${twin ?? null} and kind = 0), ${null})
		on conflict (url) do update set b0 = excluded.b0, b1 = excluded.b1, b2 = excluded.b2, b3 = excluded.b3,
			twin = excluded.twin, prose = excluded.prose`.execute(tx);
}

/** Saves visits, in one transaction behind the row of the worker. */
export async function commitVisits(db: Db, worker: number, visits: readonly OldVisit[]): Promise<void> {
	await db.transaction().execute(async (tx) => {
		const { rows } = await sql`update crawl_worker set expires_at = ${postgresDialect.now(0)} + 16000,
			write_before = write, write = 1, commits = commits + 1 where id = ${worker} returning id`.execute(tx);
		if (rows.length === 0) throw new Error('the lease of this worker expired');
		await sql`update url set state = 1, outcome = 'fetched', at = cast(row.value->>'at' as bigint), attempts = 1
			from json_array_elements(cast(${JSON.stringify(visits)} as json)) as row(value)
			where url.id = cast(row.value->>'id' as bigint)`.execute(tx);
		for (const visit of visits) {
			await saveSignature(tx, visit);
			if (visit.signature !== undefined)
				await sql`insert into page (url, fetched_at, checked_at, content, stands)
					values (${visit.id}, ${visit.at}, ${visit.at}, null, 1) on conflict (url) do update set
					fetched_at = ${visit.at}, checked_at = ${visit.at}, content = null, stands = 1`.execute(tx);
			await sql`insert into revisit (url, visits, changes, span, rate, checked_at, changed_at, next_at, hinted_at)
				values (${visit.id}, ${visit.visits}, 0, 5, 0, ${visit.at}, null, ${visit.at + 1}, null)
				on conflict (url) do update set visits = excluded.visits, changes = excluded.changes, span = excluded.span,
					rate = excluded.rate, checked_at = excluded.checked_at, changed_at = excluded.changed_at,
					next_at = excluded.next_at, hinted_at = excluded.hinted_at`.execute(tx);
		}
	});
}

/** Its row, as it is written when it starts: it names no schema. */
export async function join(db: Db): Promise<number> {
	const { rows } = await sql<{ id: number }>`insert into crawl_worker (name, run, expires_at)
		values ('old 1', 1, ${postgresDialect.now(0)} + 16000) returning id`.execute(db);
	return rows[0]?.id ?? 0;
}

/** It removes its row when it ends. */
export const leave = (db: Db, worker: number) => sql`delete from crawl_worker where id = ${worker}`.execute(db);
