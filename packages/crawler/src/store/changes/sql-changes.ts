import { compiledOnce, withoutNulls } from '@wayleave/io/sql';
import { type Selectable, sql } from 'kysely';
import type { Outcome, Reason } from '../../model/outcome.ts';
import { afterCheck, type History } from '../../model/revisit.ts';
import type {
	ChangeHistory,
	ChangeReader,
	ChangeRecords,
	CheckResult,
	Former,
	Hint,
	ListedUpdate,
	ListedUrl,
	Outlook,
	SiteRecord,
} from '../roles/changes.ts';
import type { UrlKind } from '../roles/frontier.ts';
import type { ReadAccess, WriteAccess } from '../schema/access.ts';
import { isAddress } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { isKept } from '../schema/fragments.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';
import { changeHistory, listedUrl } from './change-history.ts';
import { historyAssignments, historyColumns, historyValues, toHistory } from './history-rows.ts';
import { digestBytes, fromSite, listedStates, toListed, toSite, unchangedRate } from './rows.ts';

/** The number of a listed state, in SQL. */
const numberOf = (state: ListedUrl['state']) => sql.lit(listedStates.indexOf(state));

export function changesReader(access: ReadAccess): ChangeReader {
	return { historyOf: (url) => access.read((db) => changeHistory(db, url)) };
}

/** When pages change, in an SQL database. */
export class SqlChanges implements ChangeRecords {
	readonly #access: WriteAccess;

	constructor(access: WriteAccess) {
		this.#access = access;
	}

	historyOf(url: string): Promise<ChangeHistory> {
		return changesReader(this.#access).historyOf(url);
	}

	async site(origin: string): Promise<SiteRecord | undefined> {
		const row = await this.#access.read((db) =>
			db.selectFrom('site').selectAll().where('origin', '=', origin).executeTakeFirst(),
		);
		return row && toSite(row);
	}

	async saveSite(site: SiteRecord): Promise<number> {
		const row = fromSite(site);
		if (site.id > 0) {
			// No upsert, which in PostgreSQL would use up a number each time.
			await this.#access.read((db) => db.updateTable('site').set(row).where('id', '=', site.id).execute());
			return site.id;
		}
		const { id } = await this.#access.read((db) =>
			db
				.insertInto('site')
				.values({ origin: site.origin, ...row })
				.onConflict((conflict) => conflict.column('origin').doUpdateSet(row))
				.returning('id')
				.executeTakeFirstOrThrow(),
		);
		return id;
	}

	async listed(site: number, after: string, limit: number): Promise<ListedUrl[]> {
		const rows = await this.#access.read((db) =>
			db
				.selectFrom('listed')
				.select(['key', 'state', 'rev', 'listed_rev', 'digest'])
				.where('site', '=', site)
				.where('key', '>', after)
				.orderBy('key')
				.limit(limit)
				.execute(),
		);
		return rows.map(toListed);
	}

	async saveListed(site: number, urls: readonly ListedUrl[]): Promise<void> {
		const rows = urls.map(({ key, state, rev, listedRev, digest }) => ({
			k: key,
			s: listedStates.indexOf(state),
			r: rev,
			l: listedRev,
			d: digest && Buffer.from(digestBytes(digest) ?? []).toString('hex'),
		}));
		await this.#access.write(async (tx) => {
			await sql`
				insert into listed (site, key, state, rev, listed_rev, digest)
				select cast(${site} as integer), row.value->>'k', cast(row.value->>'s' as smallint),
					cast(row.value->>'r' as bigint), cast(row.value->>'l' as bigint),
					${this.#access.dialect.fromHex(sql`row.value->>'d'`)}
				from ${this.#access.dialect.rows(this.#access.dialect.json(rows))}
				where true
				on conflict (site, key) do update set state = excluded.state, rev = excluded.rev,
					listed_rev = excluded.listed_rev, digest = excluded.digest`.execute(tx);
		});
	}

	async forgetListed(site: number): Promise<void> {
		await this.#access.read((db) => db.deleteFrom('listed').where('site', '=', site).execute());
	}

	async unsettled(site: number, origin: string): Promise<number> {
		// Unwanted URLs (out of scope, of a form that is never requested) need no revision.
		const query = (db: Db) => sql<{ count: number }>`
			select count(*) as count from listed
			join url on ${isAddress(db, sql`(cast(${origin} as text) || listed.key)`)}
			where listed.site = ${site} and listed.state = ${numberOf('due')}
				and (url.state = 0 or url.outcome not in ('refused', 'out-of-scope'))`;
		const { rows } = await this.#access.read((db) => query(db).execute(db));
		return Number(rows[0]?.count ?? 0);
	}

	async outlook(url: string, kind: UrlKind, site: number | undefined, key: string | undefined): Promise<Outlook> {
		const row = await this.#access.read((db) =>
			db
				.selectFrom('url')
				.leftJoin('page', 'page.url', 'url.id')
				.select(['outcome', 'reason', 'detail', 'redirect', 'body_hash', isKept.as('kept')])
				.select(historyColumns)
				.where(isAddress(db, url, sql.lit(kind === 'page' ? 0 : 1)))
				.executeTakeFirst(),
		);
		const listed =
			site === undefined || key === undefined ? undefined : await this.#access.read((db) => listedUrl(db, site, key));
		return {
			...(row && row.outcome !== null && { former: toFormer(row) }),
			kept: Number(row?.kept) === 1,
			...(row?.body_hash != null && { bodyHash: row.body_hash }),
			...(row?.recheck_at != null && { history: toHistory(row) }),
			...(listed && { listed }),
		};
	}

	async hint(hints: readonly Hint[]): Promise<void> {
		const rows = hints.map(({ url, modifiedAt }) => ({ k: url, a: modifiedAt }));
		await this.#access.write(async (tx) => {
			await sql`
				update url set hinted_at = hint.at
				from (select url.id, max(cast(row.value->>'a' as bigint)) as at
					from ${this.#access.dialect.rows(this.#access.dialect.json(rows))}
					join url on ${isAddress(tx, sql`row.value->>'k'`)} group by url.id) as hint
				where url.id = hint.id and url.recheck_at is not null
					and (url.hinted_at is null or url.hinted_at < hint.at)`.execute(tx);
		});
	}

	async urgencyOfLast(host: number, horizon: number, now: number, most: number): Promise<number> {
		const never = sql<{ count: number }>`
			select count(*) as count from url
			where url.host = ${host} and url.kind = 0 and url.state = 0 and url.recheck_at is null`;
		const { rows: first } = await this.#access.read((db) => never.execute(db));
		const left = most - Number(first[0]?.count ?? 0);
		if (left <= 0) return Number.POSITIVE_INFINITY;
		const due = sql<{ urgency: number }>`
			select coalesce(url.rate, ${sql.lit(unchangedRate)}) * (${now} - url.seen_at) as urgency from url
			where url.host = ${host} and url.kind = 0 and url.state = 0 and url.recheck_at <= ${horizon}
			order by 1 desc limit 1 offset ${left - 1}`;
		const { rows } = await this.#access.read((db) => due.execute(db));
		return Number(rows[0]?.urgency ?? Number.NEGATIVE_INFINITY);
	}
}

type FormerRow = Pick<Selectable<StoreSchema['url']>, 'outcome' | 'reason' | 'detail' | 'redirect'>;

function toFormer({ outcome, reason, detail, redirect }: FormerRow): Former {
	return {
		outcome: outcome as Outcome,
		...(reason !== null && { reason: reason as Reason }),
		...withoutNulls({ detail, redirectedTo: redirect }),
	};
}

/** In the transaction of the visits: the revisions that now count as fetched. */
export async function saveRevisions(tx: Db, dialect: StoreDialect, updates: readonly ListedUpdate[]): Promise<void> {
	if (updates.length === 0) return;
	const rows = updates.map(({ site, key, state, rev }) => ({
		i: site,
		k: key,
		s: listedStates.indexOf(state),
		r: rev,
	}));
	await updateListed(tx, { json: dialect.json(rows) }, dialect);
}

const updateListed = compiledOnce((db: Db, { json }: { json: string }, dialect: StoreDialect) =>
	sql`update listed set state = cast(row.value->>'s' as smallint), rev = cast(row.value->>'r' as bigint)
		from ${dialect.rows(json)}
		where listed.site = cast(row.value->>'i' as integer) and listed.key = row.value->>'k'`.compile(db),
);

/** A check of a page, by the number of its URL. */
export interface Checked {
	readonly id: number;
	readonly at: number;
	readonly check: CheckResult;
}

/** The histories of pages as checks leave them, by the numbers of their URLs. */
export async function historiesAfter(tx: Db, checks: readonly Checked[]): Promise<ReadonlyMap<number, History>> {
	if (checks.length === 0) return new Map();
	const ids = checks.map(({ id }) => id);
	const known = await tx
		.selectFrom('url')
		.select(['id', ...historyColumns])
		.where('id', 'in', ids)
		.where('recheck_at', 'is not', null)
		.execute();
	const histories = new Map(known.map((row) => [row.id, toHistory(row)]));
	for (const { id, at, check } of checks)
		histories.set(id, afterCheck(histories.get(id), at, check.changed, check.rules));
	return histories;
}

/** In the transaction of the visits: checks of pages that redirects have led to. */
export async function saveChecks(tx: Db, checks: readonly Checked[], dialect: StoreDialect): Promise<void> {
	if (checks.length === 0) return;
	const rows = [...(await historiesAfter(tx, checks))].map(([id, history]) => ({ i: id, ...historyValues(history) }));
	await updateHistories(tx, { json: dialect.json(rows) }, dialect);
}

const updateHistories = compiledOnce((db: Db, { json }: { json: string }, dialect: StoreDialect) =>
	sql`update url set ${historyAssignments} from ${dialect.rows(json)}
		where url.id = cast(row.value->>'i' as bigint)`.compile(db),
);
