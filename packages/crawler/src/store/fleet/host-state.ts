import { sql } from 'kysely';
import { steadyClock } from '../../base/clock.ts';
import { rfc3339, time } from '../../base/time.ts';
import type { HostState, WaitingHost } from '../roles/leases.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { isPutOffUntil } from '../schema/fragments.ts';
import type { Db } from '../schema/tables.ts';
import { defaultLease, rowLease } from './membership.ts';

/** The workers that use a store now. The hosts of one that was killed stay with it until the next worker comes. */
export async function activeWorkers(db: Db, dialect: StoreDialect): Promise<ReadonlySet<number>> {
	const lives = await dialect.lives(rowLease(defaultLease));
	const { rows } = await sql<{ id: number }>`select id from crawl_worker where ${lives}`.execute(db);
	return new Set(rows.map(({ id }) => Number(id)));
}

/** Whether the worker that has a host is active, or was killed. */
function holding(holder: number | null, active: ReadonlySet<number>): Pick<HostState, 'held' | 'abandoned'> {
	const held = holder !== null && active.has(Number(holder));
	return { held, ...(holder !== null && !held && { abandoned: true }) };
}

export async function hostState(db: Db, dialect: StoreDialect, name: string): Promise<HostState | undefined> {
	const row = await db
		.selectFrom('host')
		.select(['id', 'next_at', 'holder'])
		.where('name', '=', name)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { rows } = await sql<{ count: number }>`
		select count(*) as count from url where host = ${row.id} and state = 0`.execute(db);
	const waiting = Number(rows[0]?.count ?? 0);
	return { name, nextAt: time(row.next_at), ...holding(row.holder, await activeWorkers(db, dialect)), waiting };
}

/** The hosts with the most URLs that wait or were put off to a later run. */
export async function waitingHosts(db: Db, dialect: StoreDialect, limit: number): Promise<WaitingHost[]> {
	const active = await activeWorkers(db, dialect);
	// URLs put off to a later day do not belong to the next run.
	const isLater = isPutOffUntil(dialect.now(steadyClock.now()));
	const { rows } = await sql<{ name: string; next_at: number; holder: number | null; count: number; deferred: number }>`
		select host.name, host.next_at, host.holder,
			sum(case when url.state = 0 then 1 else 0 end) as count,
			sum(case when url.state = 1 then 1 else 0 end) as deferred
		from url join host on host.id = url.host where url.state = 0 or (url.outcome = 'deferred' and not (${isLater}))
		group by host.id, host.name, host.next_at, host.holder order by count(*) desc, host.name limit ${limit}`.execute(
		db,
	);
	return rows.map(({ name, next_at, holder, count, deferred }) => ({
		host: name,
		count: Number(count),
		deferred: Number(deferred),
		nextAt: rfc3339(Number(next_at)),
		...holding(holder, active),
	}));
}
