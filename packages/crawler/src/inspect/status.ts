import { databaseKind } from '@wayleave/io';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { steadyClock } from '../clock.ts';
import { rfc3339 } from '../engine/requester.ts';
import { isPutOffUntil } from '../store/begin-run.ts';
import type { StoreDialect } from '../store/dialect.ts';
import type { StoreSchema } from '../store/schema.ts';
import { tallyStore } from '../store/tally.ts';
import type { Tally } from '../store/types.ts';
import { holding, livingWorkers } from './living.ts';

/** What a store holds. Times are RFC 3339, sizes bytes. */
export interface StoreStatus extends Tally {
	/** The last run; absent in a store that no crawl has used. */
	readonly run?: {
		readonly mode: string;
		readonly startedAt: string;
		readonly endedAt?: string;
		/** `open` while it goes on; `killed` when it did not come to an end: the next crawl goes on with it. */
		readonly state: 'complete' | 'interrupted' | 'open' | 'killed';
	};
	/** Pages that are known, whatever became of them. */
	readonly urls: number;
	readonly hosts: number;
	/** Those with most to do, of the hosts that have URLs waiting or put off to a later run. */
	readonly waiting: readonly {
		readonly host: string;
		readonly count: number;
		/** Those that a run has put off (`deferred`); the next one tries them again. */
		readonly deferred: number;
		/** No request before this moment. */
		readonly nextAt: string;
		/** Whether a crawl is visiting it. */
		readonly held: boolean;
		/** Whether a crawl that was killed visited it: the next one goes on with it. */
		readonly abandoned?: true;
	}[];
	readonly pages: { readonly documents: number; readonly bytes: number };
	readonly policyFiles: number;
	/** Of the database, with everything in it. */
	readonly bytes: number;
}

const mostHosts = 20;

export async function statusOf(db: Kysely<StoreSchema>, dialect: StoreDialect): Promise<StoreStatus> {
	const count = async (what: RawBuilder<unknown>) => {
		const { rows } = await sql<{ count: number }>`select count(*) as count from ${what}`.execute(db);
		return Number(rows[0]?.count ?? 0);
	};
	const living = await livingWorkers(db, dialect);
	const run = await lastRun(db, living);
	return {
		...(await tallyStore(db, { dialect, own: steadyClock.now() })),
		...(run && { run }),
		urls: await count(sql`url where kind = 0`),
		hosts: await count(sql`host`),
		waiting: await waitingHosts(db, living, dialect),
		pages: await documents(db),
		policyFiles: await count(sql`policy_file`),
		bytes: await databaseSize(db),
	};
}

async function lastRun(db: Kysely<StoreSchema>, living: ReadonlySet<number>): Promise<StoreStatus['run']> {
	const row = await db.selectFrom('crawl_run').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
	if (row === undefined) return undefined;
	const open = living.size > 0 ? 'open' : 'killed';
	return {
		mode: row.mode,
		startedAt: rfc3339(Number(row.started_at)),
		...(row.ended_at !== null && { endedAt: rfc3339(Number(row.ended_at)) }),
		state: row.complete === null ? open : Number(row.complete) === 1 ? 'complete' : 'interrupted',
	};
}

async function waitingHosts(
	db: Kysely<StoreSchema>,
	living: ReadonlySet<number>,
	dialect: StoreDialect,
): Promise<StoreStatus['waiting']> {
	// URLs put off to a later day do not belong to the next run.
	const isLater = isPutOffUntil(dialect.now(steadyClock.now()));
	const { rows } = await sql<{ name: string; next_at: number; holder: number | null; count: number; deferred: number }>`
		select host.name, host.next_at, host.holder,
			sum(case when url.state = 0 then 1 else 0 end) as count,
			sum(case when url.state = 1 then 1 else 0 end) as deferred
		from url join host on host.id = url.host where url.state = 0 or (url.outcome = 'deferred' and not (${isLater}))
		group by host.id, host.name, host.next_at, host.holder order by count(*) desc, host.name limit ${mostHosts}`.execute(
		db,
	);
	return rows.map(({ name, next_at, holder, count, deferred }) => ({
		host: name,
		count: Number(count),
		deferred: Number(deferred),
		nextAt: rfc3339(Number(next_at)),
		...holding(holder, living),
	}));
}

async function documents(db: Kysely<StoreSchema>): Promise<StoreStatus['pages']> {
	const { rows } = await sql<{ count: number; bytes: number | null }>`
		select count(*) as count, sum(length(content)) as bytes from page where content is not null`.execute(db);
	return { documents: Number(rows[0]?.count ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}

async function databaseSize(db: Kysely<StoreSchema>): Promise<number> {
	const size =
		databaseKind(db) === 'postgres'
			? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
			: sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
	return Number((await size.execute(db)).rows[0]?.bytes ?? 0);
}
