import { sql } from 'kysely';
import type { RunMode } from '../../model/events.ts';
import type { RunRecord } from '../roles/frontier.ts';
import type { Db } from '../schema/tables.ts';

export async function lastRun(db: Db): Promise<RunRecord | undefined> {
	const row = await db
		.selectFrom('crawl_run')
		.select(['mode', 'started_at', 'ended_at', 'complete'])
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	return {
		mode: row.mode as RunMode,
		startedAt: Number(row.started_at),
		...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
		...(row.complete !== null && { complete: Number(row.complete) === 1 }),
	};
}

export async function setNextRun(db: Db, at: number): Promise<void> {
	await sql`update crawl_run set next_at = ${at} where id = (select max(id) from crawl_run)`.execute(db);
}
