import { type Kysely, sql } from 'kysely';
import type { RunMode } from '../events.ts';
import type { StoreSchema } from './schema.ts';
import type { RunRequest } from './types.ts';

type Db = Kysely<StoreSchema>;

/** Which run this is, and how it relates to the last one. */
export interface RunChoice {
	readonly run: number;
	readonly mode: RunMode;
}

/**
 * Goes on where there is something to go on with: an interrupted run, or URLs that wait because a limit was reached or
 * a seed is new. Otherwise everything that was visited is due again.
 */
export async function chooseRun(db: Db, request: RunRequest, shared: boolean): Promise<RunChoice> {
	const last = await lastRun(db);
	const waiting = await hasWaiting(db);
	// Of many workers the one that would have said so may have died last.
	const ended = last?.complete === 1 || (shared && last?.complete === null && !waiting);
	if (last === undefined) return startRun(db, request, 'new');
	if (request.refresh || (ended && !waiting)) {
		await requeueVisited(db);
		const { lasting = [] } = request;
		const begunAnew = db.deleteFrom('sink_position');
		await (lasting.length === 0 ? begunAnew : begunAnew.where('name', 'not in', lasting)).execute();
		return startRun(db, request, 'refresh');
	}
	await requeueDeferred(db, last.complete === 1);
	if (last.complete === 1) return startRun(db, request, 'resume');
	const changes = { scope: request.scope, ended_at: null, complete: null };
	await db.updateTable('crawl_run').set(changes).where('id', '=', last.id).execute();
	return joinRun(last);
}

/** Takes part in a run that others are at. */
export function joinRun({ id, mode }: { readonly id: number; readonly mode: string }): RunChoice {
	return { run: id, mode: mode === 'refresh' ? 'refresh' : 'resume' };
}

async function startRun(db: Db, { scope, at }: RunRequest, mode: RunMode): Promise<RunChoice> {
	const { id } = await db
		.insertInto('crawl_run')
		.values({ mode, scope, started_at: at, ended_at: null, complete: null })
		.returning('id')
		.executeTakeFirstOrThrow();
	return { run: id, mode };
}

export function lastRun(db: Db) {
	return db.selectFrom('crawl_run').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** Whether an earlier run has left URLs for this one. */
async function hasWaiting(db: Db): Promise<boolean> {
	const { rows } = await sql<{ waiting: number }>`select case when exists (select 1 from url where state = 0)
		or exists (select 1 from url where outcome = 'deferred' and reason = 'max-pages' and state = 1) then 1 else 0 end
		as waiting`.execute(db);
	return rows[0]!.waiting === 1;
}

/**
 * But for what the run before has given with the document of an earlier one: its turn is the next refresh.
 *
 * @param complete whether it has come to its end, and with that given those too that it had not visited
 */
async function requeueDeferred(db: Db, complete: boolean): Promise<void> {
	const given = sql`${complete ? sql`` : sql`attempts > 0 and`} coalesce(reason, '') <> 'max-pages' and exists
		(select 1 from page where page.url = url.id and content is not null and stands = 1)`;
	await sql`update url set state = 0, attempts = 0, due = 0, outcome = null, reason = null, detail = null, evidence = null
		where outcome = 'deferred' and host is not null and not (${given})`.execute(db);
	await sql`update url set due = 0 where state = 0 and due <> 0`.execute(db);
}

/**
 * A row without a host was never meant to be visited. While a URL waits, its outcome is that of the visit before: where
 * nothing is to be asked, it stands.
 */
async function requeueVisited(db: Db): Promise<void> {
	await sql`update url set state = 0, attempts = 0, due = 0 where state = 1 and host is not null`.execute(db);
}

/**
 * Looks again at what was out of scope, in pieces, because the scope is another one now. That has no part in what a page
 * says of its links, nor in an address of which only the beginning is kept.
 */
export async function reconsiderScope(
	db: Db,
	reconsider: RunRequest['reconsider'],
	hostId: (name: string) => Promise<number>,
): Promise<number> {
	let count = 0;
	for (let after = 0; ; ) {
		const rows = await db
			.selectFrom('url')
			.select(['id', 'key', 'depth', 'dates'])
			.where('outcome', '=', 'out-of-scope')
			.where(sql<boolean>`coalesce(reason, '') not in ('nofollow', 'url-too-long')`)
			.where('id', '>', after)
			.orderBy('id')
			.limit(1000)
			.execute();
		for (const { id, key, depth, dates } of rows) {
			const inScope = reconsider({ url: key, depth: Number(depth), dates: Number(dates) });
			if (inScope === undefined) continue;
			count++;
			const changes = {
				state: 0 as const,
				host: await hostId(inScope.host),
				outcome: null,
				reason: null,
				detail: null,
			};
			await db.updateTable('url').set(changes).where('id', '=', id).execute();
		}
		const last = rows.at(-1);
		if (last === undefined) break;
		after = last.id;
	}
	await db.updateTable('widened').set({ judged: 1 }).where('judged', '=', 0).execute();
	return count;
}

/** Whether a worker may have died before it could look again at what was out of scope, which was wider by then. */
export async function hasUnjudged(db: Db): Promise<boolean> {
	const row = await db.selectFrom('widened').select('url').where('judged', '=', 0).limit(1).executeTakeFirst();
	return row !== undefined;
}
