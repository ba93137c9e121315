import { compiledOnce } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import { CrawlError } from '../../base/errors.ts';
import type { Ending, Outcome, Reason } from '../../model/outcome.ts';
import type { History } from '../../model/revisit.ts';
import { supersedesCopy } from '../../response/classify.ts';
import { historyAssignments, historyValues } from '../changes/history-rows.ts';
import { markSuperseded } from '../pages/supersede.ts';
import type { Visit } from '../roles/commit.ts';
import type { Ended, EndWhere, FrontierUrl, KnownUrl, UrlKind } from '../roles/frontier.ts';
import type { KeptPage } from '../roles/pages.ts';
import { isAddress, knownTo } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { isKept } from '../schema/fragments.ts';
import type { Db } from '../schema/tables.ts';
import type { Ids } from './host-ids.ts';
import { type FrontierRow, lastOf, toFrontierUrl } from './rows.ts';

// The rows of `url`: what waits, and how what does not has ended.

const kindOf = (kind: UrlKind): 0 | 1 => (kind === 'page' ? 0 : 1);

/** The clock of a worker, for times that every other one is to read by its own. */
export interface OwnTime {
	readonly dialect: StoreDialect;
	/** Its present time. */
	readonly own: number;
}

/**
 * Whether the last try got 429 or 503: URLs that have not failed come first, since they show whether the whole host is
 * limited.
 */
const hasBeenLimited = sql`(url.attempts > 0 and coalesce(url.status, 0) in (429, 503))`;

interface DueUrls {
	readonly kind: UrlKind;
	readonly now: number;
	readonly limit: number;
	/** URL prefixes that sort last. */
	readonly last: readonly string[];
}

/** URLs of a host that are due, nearest to the seeds first and in the order found. */
export async function dueUrls(
	db: Db,
	host: number,
	{ kind, now, limit, last }: DueUrls,
	{ dialect, own }: OwnTime,
): Promise<FrontierUrl[]> {
	const select = async (which: RawBuilder<unknown>, most: number) => {
		const { rows } = await sql<FrontierRow>`
			select url.id, url.key, url.depth, url.dates, url.attempts, url.seed, found.key as found_on, found.kind as found_kind,
				page.etag, page.last_modified, page.body_hash, ${isKept} as kept
			from url left join page on page.url = url.id left join url as found on found.id = url.via
			where url.host = ${host} and url.kind = ${kindOf(kind)} and url.state = 0 and ${which}
				and (url.due = 0 or url.due <= ${dialect.now(own)} + ${Math.round(now - own)})
			order by url.depth, url.id limit ${most}`.execute(db);
		return rows.map((row) => toFrontierUrl(row, kind));
	};
	// Two statements: one that sorts by it would have to read every waiting row.
	const below = last.map((start) => sql`substr(url.key, 1, ${sql.lit(start.length)}) = ${start}`);
	const isLast = sql`(${sql.join([hasBeenLimited, ...below], sql` or `)})`;
	const first = await select(sql`not ${isLast}`, limit);
	return first.length < limit ? [...first, ...(await select(isLast, limit - first.length))] : first;
}

/** When the next URL of a host falls due. */
export async function nextDue(db: Db, host: number, { dialect, own }: OwnTime): Promise<number | undefined> {
	const { rows } = await sql<{ wait: number | null }>`
		select min(due) - ${dialect.now(own)} as wait from url where host = ${host} and state = 0`.execute(db);
	const wait = rows[0]?.wait;
	return wait == null ? undefined : own + wait;
}

/** How many URLs of a host wait. */
export async function countWaiting(db: Db, host: number): Promise<number> {
	const { rows } = await sql<{ count: number }>`
		select count(*) as count from url where host = ${host} and state = 0`.execute(db);
	return Number(rows[0]?.count ?? 0);
}

/** Whether anything waits anywhere. */
export async function isWaiting(db: Db): Promise<boolean> {
	const { rows } = await sql`select 1 from url where state = 0 limit 1`.execute(db);
	return rows.length > 0;
}

export async function findUrl(
	db: Db,
	url: string,
	kind: UrlKind,
	{ dialect, own }: OwnTime,
): Promise<KnownUrl | undefined> {
	const { rows } = await (kind === 'page' ? findPage : findSitemap)(db, { url, own }, dialect);
	const row = rows[0];
	if (row === undefined) return undefined;
	return {
		id: row.id,
		url,
		...(row.state === 0 && row.due > 0 && { due: own + row.wait }),
		...(row.state === 1 && row.outcome !== null && { outcome: row.outcome as Outcome }),
		...(row.state === 1 && row.reason !== null && { reason: row.reason as Reason }),
		...(row.state === 1 && row.redirect !== null && { redirectedTo: row.redirect }),
		...lastOf(row),
	};
}

const findOf = (kind: UrlKind) =>
	compiledOnce((db: Db, { url, own }: { url: string; own: number }, dialect: StoreDialect) =>
		db
			.selectFrom('url')
			.leftJoin('page', 'page.url', 'url.id')
			.select(['url.id', 'state', 'due', 'outcome', 'reason', 'redirect', 'etag', 'last_modified', 'body_hash'])
			.select(isKept.as('kept'))
			.select(sql<number>`due - ${dialect.now(own)}`.as('wait'))
			.where(isAddress(db, url, sql.lit(kindOf(kind))))
			.compile(),
	);

// The index of addresses is used only if the kind is written in the statement.
const findPage = findOf('page');
const findSitemap = findOf('sitemap');

/** For writing rows of URLs. */
export interface UrlTools {
	readonly dialect: StoreDialect;
	readonly ids: Ids;
	/** The run in which it happens; 0 for none. */
	readonly run: number;
}

/**
 * Saves how visits have ended, or when they are tried again.
 *
 * @param histories of pages that were checked, by the numbers of their URLs
 */
export async function saveEndings(
	tx: Db,
	visits: readonly Visit[],
	histories: ReadonlyMap<number, History>,
	{ dialect, ids, run, own }: UrlTools & OwnTime,
): Promise<void> {
	if (visits.length === 0) return;
	const rows = [];
	for (const { id, ending, evidence, status, redirectedTo, at, attempts, due } of visits) {
		const history = histories.get(id);
		rows.push({
			i: id,
			s: ending === undefined ? 0 : 1,
			o: ending?.outcome,
			r: ending?.reason,
			x: ending?.detail,
			e: evidence && (await ids.evidence(tx, evidence)),
			c: status,
			t: redirectedTo ?? ending?.aliasOf,
			a: at,
			n: attempts,
			w: due === undefined ? undefined : Math.round(due - own),
			...(history && historyValues(history)),
		});
	}
	await updateEnded(tx, { own, run, json: dialect.json(rows) }, dialect);
	await markSuperseded(
		tx,
		visits.flatMap(({ id, ending, redirectedTo }) =>
			ending !== undefined && supersedesCopy(ending, redirectedTo) ? id : [],
		),
	);
}

const updateEnded = compiledOnce(
	(db: Db, { own, run, json }: { own: number; run: number; json: string }, dialect: StoreDialect) =>
		sql`update url set state = cast(row.value->>'s' as integer), outcome = row.value->>'o', reason = row.value->>'r',
			detail = row.value->>'x', evidence = cast(row.value->>'e' as integer),
			status = cast(row.value->>'c' as integer), redirect = row.value->>'t', at = cast(row.value->>'a' as bigint),
			attempts = cast(row.value->>'n' as integer), due = coalesce(${dialect.now(own)} + cast(row.value->>'w' as bigint), 0), run = ${run},
			${historyAssignments}
		from ${dialect.rows(json)}
		where url.id = cast(row.value->>'i' as bigint)`.compile(db),
);

/**
 * Ends a URL that need not be in the frontier: the end of redirects, a page fetched by itself.
 *
 * @param via the row of the page that led to it
 * @returns its row
 */
export async function saveEnded(
	tx: Db,
	{ url: { url: key, host, depth, dates }, ending, at, status, redirectedTo, due }: KeptPage,
	{ dialect, own, ids, run, via }: UrlTools & OwnTime & { readonly via?: number },
): Promise<number> {
	const { outcome, reason = null, detail = null } = ending;
	const ended = {
		state: 1 as const,
		attempts: 1,
		outcome,
		reason,
		detail,
		due: due === undefined ? sql<number>`0` : sql<number>`${dialect.now(own)} + ${Math.round(due - own)}`,
		status: status ?? null,
		redirect: redirectedTo ?? null,
		at,
		run,
		// One that was out of scope has had none.
		host: await ids.host(tx, host),
	};
	const row = await tx
		.insertInto('url')
		.values({ key, kind: 0, depth, dates, via: via ?? null, ...ended })
		.onConflict((conflict) => knownTo(tx, conflict).doUpdateSet(ended).where('url.key', '=', key))
		.returning('id')
		.executeTakeFirst();
	if (row === undefined) throw sameHash(key);
	if (supersedesCopy(ending, redirectedTo)) await markSuperseded(tx, [row.id]);
	return row.id;
}

/** Does not happen by chance: see decision 0027. */
const sameHash = (url: string): CrawlError =>
	new CrawlError(
		'store-failed',
		`${url} has the hash of another URL in this store: crawl its site with a store of its own`,
	);

/** Ends all that wait, or those of a host or of one origin of it, in one step. */
export async function endWaiting(
	tx: Db,
	ending: Ending,
	{ at, run, where }: { readonly at: number; readonly run: number; readonly where: EndWhere | undefined },
): Promise<Ended> {
	const { outcome, reason = null, detail = null } = ending;
	const { host, origin, except = [] } = where ?? {};
	// An origin is the beginning of its URLs: from `http://h/` up to before `http://h0`.
	const inOrigin = sql`and key >= ${`${origin}/`} and key < ${`${origin}0`}`;
	const waiting = sql`state = 0 ${host === undefined ? sql`` : sql`and host = ${host}`}
		${origin === undefined ? sql`` : inOrigin}
		${except.length === 0 ? sql`` : sql`and id not in (${sql.join(except)})`}`;
	if (supersedesCopy(ending)) await markSuperseded(tx, sql`select id from url where ${waiting}`);
	// Another worker may end the same at the same time: what counts is what a statement has ended itself.
	const end = async (kind: UrlKind) => {
		const { numAffectedRows } = await sql`
			update url set state = 1, attempts = 0, outcome = ${outcome}, reason = ${reason}, detail = ${detail}, evidence = null, due = 0,
				at = ${at}, run = ${run} where ${waiting} and kind = ${sql.lit(kindOf(kind))}`.execute(tx);
		return Number(numAffectedRows ?? 0);
	};
	const pages = await end('page');
	return { pages, urls: pages + (await end('sitemap')) };
}
