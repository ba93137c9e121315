import { type Kysely, sql } from 'kysely';
import { steadyClock } from '../../base/clock.ts';
import { rfc3339 } from '../../base/time.ts';
import type { StoreStatus } from '../roles/reader.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { isPutOffUntil } from '../schema/fragments.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { holding } from './active-workers.ts';

export async function lastRun(db: Kysely<StoreSchema>, living: ReadonlySet<number>): Promise<StoreStatus['run']> {
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

export async function waitingHosts(
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
		group by host.id, host.name, host.next_at, host.holder order by count(*) desc, host.name limit ${maxHosts}`.execute(
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

const maxHosts = 20;
