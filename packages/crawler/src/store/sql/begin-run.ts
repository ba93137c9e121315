import { type RawBuilder, sql } from 'kysely';
import { CrawlError } from '../../base/errors.ts';
import type { RunMode } from '../../model/events.ts';
import type { WorkerTable } from '../fleet/workers.ts';
import { addFound } from '../frontier/add-found.ts';
import type { Elsewhere } from '../frontier/outbox.ts';
import { hasUnjudged, loadScopeExpansions, reconsiderScope } from '../frontier/scope-expansions.ts';
import type { UrlTools } from '../frontier/urls.ts';
import type { RunRequest, RunState } from '../roles/frontier.ts';
import { isAddress } from '../schema/addresses.ts';
import { isPutOffUntil } from '../schema/fragments.ts';
import type { Db } from '../schema/tables.ts';

/** The run to begin, and its relation to the last one. */
interface RunChoice {
	readonly run: number;
	readonly mode: RunMode;
}

/** `run`: the one that this worker was at before. */
interface Tools extends UrlTools {
	readonly workers: WorkerTable;
	readonly elsewhere?: Elsewhere | undefined;
	/** The time by the clock of this worker. */
	readonly own: number;
}

/**
 * A worker begins a run, or goes on with one, or joins one that others are at.
 *
 * @throws CrawlError `store-in-use` when others crawl in another scope, `cycle-over` when it is too early for the next run
 */
export async function beginRun(tx: Db, worker: number, request: RunRequest, tools: Tools): Promise<RunState> {
	const { dialect, ids, workers } = tools;
	await dialect.lockRuns(tx);
	await dialect.lookAtAll(tx);
	const last = await lastRun(tx);
	if (isTooEarly(last, request)) throw new CrawlError('cycle-over', 'another worker has already finished this cycle');
	const others = last?.complete === null ? await workers.others(tx) : 0;
	const sameScope = last === undefined || last.scope === request.scope;
	if (others > 0 && !sameScope) {
		const message =
			'other workers are crawling with this store in a different scope: pass the same URLs, scope, depth and URL rules (--include, --exclude, --ignore-params, --keep-params)';
		throw new CrawlError('store-in-use', message);
	}
	if (!sameScope || (await hasUnjudged(tx))) await reconsiderScope(tx, ids, request.reconsider);
	await queueSeeds(tx, request, tools, others);
	const { run, mode } = last !== undefined && others > 0 ? joinRun(last) : await chooseRun(tx, last, request, tools);
	await workers.joinRun(tx, worker, run);
	const positions = await tx.selectFrom('sink_position').selectAll().execute();
	return {
		run,
		mode,
		workers: others,
		...(last !== undefined && { scopeBefore: last.scope }),
		...(await countUrls(tx)),
		documents: await workers.brought(tx, run),
		scopeExpansions: await loadScopeExpansions(tx),
		positions: new Map(positions.map(({ name, position }) => [name, position])),
	};
}

/** Of those that wait for the same moment, one may be done with its run before another one begins. */
const isTooEarly = (last: LastRun | undefined, { every, refresh, at }: RunRequest): boolean =>
	every !== undefined && !refresh && last?.complete === 1 && last.started_at + every > at;

/** A worker has come to the end of its run; the last one says how the run has ended. */
export async function endRun(
	tx: Db,
	worker: number,
	{ complete, at }: { readonly complete: boolean; readonly at: number },
	{ dialect, workers, run }: Tools,
): Promise<void> {
	await dialect.lockRuns(tx);
	await workers.leaveRun(tx, worker, at);
	if ((await workers.others(tx)) > 0) return;
	const changes = { ended_at: at, complete: complete ? 1 : 0 };
	await tx.updateTable('crawl_run').set(changes).where('id', '=', run).execute();
}

/** Those of other workers that are at the same run stay what they are. */
async function queueSeeds(tx: Db, { seeds, at }: RunRequest, tools: Tools, others: number): Promise<void> {
	if (others === 0) await tx.updateTable('url').set({ seed: 0 }).where('seed', '=', sql.lit(1)).execute();
	await addFound(
		tx,
		seeds.map((url) => ({ url })),
		{ ...tools, at },
	);
	const keys = tools.dialect.rows(tools.dialect.json(seeds.map(({ url }) => ({ k: url }))));
	await sql`update url set seed = 1 from ${keys} where ${isAddress(tx, sql`row.value->>'k'`)}`.execute(tx);
}

async function countUrls(tx: Db): Promise<Pick<RunState, 'pending' | 'known'>> {
	const { rows } = await sql<{ pending: number; known: number }>`select
		(select count(*) from url where state = 0) as pending,
		(select count(*) from url) as known`.execute(tx);
	return { pending: Number(rows[0]?.pending ?? 0), known: Number(rows[0]?.known ?? 0) };
}

/**
 * Goes on where there is something to go on with: an interrupted run, or URLs that wait because a limit was reached or
 * a seed is new. Otherwise everything that was visited is due again.
 */
async function chooseRun(
	db: Db,
	last: LastRun | undefined,
	request: RunRequest,
	{ dialect, own }: Tools,
): Promise<RunChoice> {
	const { shared } = dialect;
	const isLeft = request.refresh ? sql`1 = 0` : isPutOffUntil(dialect.now(own));
	const waiting = await hasWaiting(db);
	if (last === undefined) return startRun(db, request, 'new');
	if (isRefresh(last, waiting, request, shared)) {
		await requeueVisited(db, isLeft);
		const { lasting = [] } = request;
		// That they have been written stays known.
		const begunAnew = db.updateTable('sink_position').set({ position: '' });
		await (lasting.length === 0 ? begunAnew : begunAnew.where('name', 'not in', lasting)).execute();
		return startRun(db, request, 'refresh');
	}
	await requeueDeferred(db, isLeft, last.complete === 1);
	if (last.complete === 1) return startRun(db, request, 'resume');
	const changes = { scope: request.scope, ended_at: null, complete: null };
	await db.updateTable('crawl_run').set(changes).where('id', '=', last.id).execute();
	return joinRun(last);
}

/** Whether nothing is left of the last run. */
function isRefresh(last: LastRun, waiting: boolean, request: RunRequest, shared: boolean): boolean {
	const { refresh, waitsElsewhere = false, following } = request;
	if (refresh) return true;
	if (following !== undefined) return following === 'refresh' && last.complete === 1;
	// Of many workers the one that would have said so may have died last.
	const ended = last.complete === 1 || (shared && last.complete === null);
	return ended && !waiting && !waitsElsewhere;
}

/** Takes part in a run that others are at. */
function joinRun({ id, mode }: { readonly id: number; readonly mode: string }): RunChoice {
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

type LastRun = NonNullable<Awaited<ReturnType<typeof lastRun>>>;

function lastRun(db: Db) {
	return db.selectFrom('crawl_run').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** Whether an earlier run has left URLs for this one: they wait, or were put off because a limit was reached. */
export async function hasWaiting(db: Db): Promise<boolean> {
	const { rows } = await sql<{ waiting: number }>`select case when exists (select 1 from url where state = 0)
		or exists (select 1 from url where outcome = 'deferred' and reason = 'max-pages' and state = 1) then 1 else 0 end
		as waiting`.execute(db);
	return rows[0]?.waiting === 1;
}

/**
 * But for what the run before has given with the document of an earlier one: its turn is the next refresh.
 *
 * @param complete whether it has come to its end, and with that given those too that it had not visited
 */
async function requeueDeferred(db: Db, isLeft: RawBuilder<unknown>, complete: boolean): Promise<void> {
	const given = sql`${complete ? sql`` : sql`attempts > 0 and`} coalesce(reason, '') <> 'max-pages' and exists
		(select 1 from page where page.url = url.id and content is not null and stands = 1)`;
	await sql`update url set state = 0, attempts = 0, due = 0, outcome = null, reason = null, detail = null, evidence = null
		where outcome = 'deferred' and host is not null and not (${given}) and not (${isLeft})`.execute(db);
	await sql`update url set due = 0 where state = 0 and due <> 0`.execute(db);
}

/**
 * A row without a host was never meant to be visited. A refresh requests the page of an alias, not the alias. While a
 * URL waits, it keeps the outcome of its last visit, which remains if nothing is requested.
 */
async function requeueVisited(db: Db, isLeft: RawBuilder<unknown>): Promise<void> {
	await sql`update url set state = 0, attempts = 0, due = 0 where state = 1 and host is not null
		and not (outcome = 'out-of-scope' and reason = 'alias') and not (${isLeft})`.execute(db);
}
