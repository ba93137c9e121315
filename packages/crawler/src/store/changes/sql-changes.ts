import { type Kysely, sql } from 'kysely';
import type { Outcome, Reason } from '../../model/outcome.ts';
import { afterLook } from '../../model/revisit.ts';
import type {
	ChangeStore,
	Former,
	Hint,
	ListedUpdate,
	ListedUrl,
	Look,
	Outlook,
	SiteRecord,
} from '../roles/changes.ts';
import type { UrlKind } from '../roles/frontier.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { isKept } from '../schema/fragments.ts';
import type { StoreSchema } from '../schema/tables.ts';
import {
	digestBytes,
	fromHistory,
	fromSite,
	listedStates,
	type RevisitRow,
	toHistory,
	toListed,
	toSite,
} from './rows.ts';

type Db = Kysely<StoreSchema>;
type Access = <Value>(work: (db: Db) => Promise<Value>) => Promise<Value>;

/** How the database is come to. */
export interface Accesses {
	/** For single statements. */
	readonly read: Access;
	/** For a transaction: all of it or nothing. */
	readonly write: Access;
}

/** The number of a listed state, in SQL. */
const numberOf = (state: ListedUrl['state']) => sql.lit(listedStates.indexOf(state));

/** What has changed, in an SQL database. */
export class SqlChangeStore implements ChangeStore {
	readonly #dialect: StoreDialect;
	readonly #read: Access;
	readonly #write: Access;

	constructor(dialect: StoreDialect, { read, write }: Accesses) {
		this.#dialect = dialect;
		this.#read = read;
		this.#write = write;
	}

	async site(origin: string): Promise<SiteRecord | undefined> {
		const row = await this.#read((db) =>
			db.selectFrom('site').selectAll().where('origin', '=', origin).executeTakeFirst(),
		);
		return row && toSite(row);
	}

	async saveSite(site: SiteRecord): Promise<number> {
		const row = fromSite(site);
		if (site.id > 0) {
			// No upsert, which in PostgreSQL would use up a number each time.
			await this.#read((db) => db.updateTable('site').set(row).where('id', '=', site.id).execute());
			return site.id;
		}
		const { id } = await this.#read((db) =>
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
		const rows = await this.#read((db) =>
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
			d: digest && Buffer.from(digestBytes(digest)!).toString('hex'),
		}));
		await this.#write(async (tx) => {
			await sql`
				insert into listed (site, key, state, rev, listed_rev, digest)
				select cast(${site} as integer), row.value->>'k', cast(row.value->>'s' as smallint),
					cast(row.value->>'r' as bigint), cast(row.value->>'l' as bigint),
					${this.#dialect.fromHex(sql`row.value->>'d'`)}
				from ${this.#dialect.rows(JSON.stringify(rows))}
				where true
				on conflict (site, key) do update set state = excluded.state, rev = excluded.rev,
					listed_rev = excluded.listed_rev, digest = excluded.digest`.execute(tx);
		});
	}

	async forgetListed(site: number): Promise<void> {
		await this.#read((db) => db.deleteFrom('listed').where('site', '=', site).execute());
	}

	async unsettled(site: number, origin: string): Promise<number> {
		// What was not found to be wanted (out of scope, of a form that we never request) settles itself.
		const query = sql<{ count: number }>`
			select count(*) as count from listed
			join url on url.key = ${origin} || listed.key and url.kind = 0
			where listed.site = ${site} and listed.state = ${numberOf('due')}
				and (url.state = 0 or url.outcome not in ('refused', 'out-of-scope'))`;
		const { rows } = await this.#read((db) => query.execute(db));
		return Number(rows[0]!.count);
	}

	async outlook(url: string, kind: UrlKind, site: number | undefined, key: string | undefined): Promise<Outlook> {
		const row = await this.#read((db) =>
			db
				.selectFrom('url')
				.leftJoin('page', 'page.url', 'url.id')
				.leftJoin('revisit', 'revisit.url', 'url.id')
				.select(['outcome', 'reason', 'detail', 'redirect', 'body_hash', isKept.as('kept')])
				.select(['visits', 'changes', 'span', 'rate', 'revisit.checked_at', 'changed_at', 'next_at', 'hinted_at'])
				.where('key', '=', url)
				.where('kind', '=', kind === 'page' ? 0 : 1)
				.executeTakeFirst(),
		);
		const listed = site === undefined || key === undefined ? undefined : await this.#listedUrl(site, key);
		return {
			...(row && row.outcome !== null && { former: toFormer(row) }),
			kept: Number(row?.kept) === 1,
			...(row?.body_hash != null && { bodyHash: row.body_hash }),
			...(row?.visits != null && { history: toHistory(row as unknown as RevisitRow) }),
			...(listed && { listed }),
		};
	}

	async #listedUrl(site: number, key: string): Promise<ListedUrl | undefined> {
		const row = await this.#read((db) =>
			db
				.selectFrom('listed')
				.select(['key', 'state', 'rev', 'listed_rev', 'digest'])
				.where('site', '=', site)
				.where('key', '=', key)
				.executeTakeFirst(),
		);
		return row && toListed(row);
	}

	async hint(hints: readonly Hint[]): Promise<void> {
		const rows = hints.map(({ url, modifiedAt }) => ({ k: url, a: modifiedAt }));
		await this.#write(async (tx) => {
			await sql`
				update revisit set hinted_at = hint.at
				from (select url.id, max(cast(row.value->>'a' as bigint)) as at
					from ${this.#dialect.rows(JSON.stringify(rows))}
					join url on url.key = row.value->>'k' and url.kind = 0 group by url.id) as hint
				where revisit.url = hint.id and (revisit.hinted_at is null or revisit.hinted_at < hint.at)`.execute(tx);
		});
	}

	async urgencyOfLast(host: number, horizon: number, now: number, most: number): Promise<number> {
		const never = sql<{ count: number }>`
			select count(*) as count from url
			left join revisit on revisit.url = url.id
			where url.host = ${host} and url.kind = 0 and url.state = 0 and revisit.url is null`;
		const { rows: first } = await this.#read((db) => never.execute(db));
		const left = most - Number(first[0]!.count);
		if (left <= 0) return Number.POSITIVE_INFINITY;
		const due = sql<{ urgency: number }>`
			select revisit.rate * (${now} - revisit.checked_at) as urgency
			from url join revisit on revisit.url = url.id
			where url.host = ${host} and url.kind = 0 and url.state = 0 and revisit.next_at <= ${horizon}
			order by 1 desc limit 1 offset ${left - 1}`;
		const { rows } = await this.#read((db) => due.execute(db));
		return Number(rows[0]?.urgency ?? Number.NEGATIVE_INFINITY);
	}

	async lastRun(): Promise<{ startedAt: number; complete: boolean } | undefined> {
		const run = await this.#read((db) =>
			db.selectFrom('crawl_run').select(['started_at', 'complete']).orderBy('id', 'desc').limit(1).executeTakeFirst(),
		);
		return run && { startedAt: run.started_at, complete: run.complete === 1 };
	}

	async setNextRun(at: number): Promise<void> {
		const query = sql`update crawl_run set next_at = ${at} where id = (select max(id) from crawl_run)`;
		await this.#read((db) => query.execute(db));
	}
}

interface FormerRow {
	outcome: string | null;
	reason: string | null;
	detail: string | null;
	redirect: string | null;
}

function toFormer({ outcome, reason, detail, redirect }: FormerRow): Former {
	return {
		outcome: outcome as Outcome,
		...(reason !== null && { reason: reason as Reason }),
		...(detail !== null && { detail }),
		...(redirect !== null && { redirectedTo: redirect }),
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
	await sql`
		update listed set state = cast(row.value->>'s' as smallint), rev = cast(row.value->>'r' as bigint)
		from ${dialect.rows(JSON.stringify(rows))}
		where listed.site = cast(row.value->>'i' as integer) and listed.key = row.value->>'k'`.execute(tx);
}

/** In the transaction of the visits: what they add to the histories of the pages. */
export async function saveLooks(tx: Db, looks: readonly { id: number; at: number; look: Look }[]): Promise<void> {
	if (looks.length === 0) return;
	const ids = looks.map(({ id }) => id);
	const known = await tx.selectFrom('revisit').selectAll().where('url', 'in', ids).execute();
	const before = new Map(known.map((row) => [row.url, toHistory(row)]));
	for (const { id, at, look } of looks) before.set(id, afterLook(before.get(id), at, look.changed, look.rules));
	const rows = [...before].map(([url, history]) => fromHistory(url, history));
	await tx
		.insertInto('revisit')
		.values(rows)
		.onConflict((conflict) =>
			conflict.column('url').doUpdateSet(({ ref }) => ({
				visits: ref('excluded.visits'),
				changes: ref('excluded.changes'),
				span: ref('excluded.span'),
				rate: ref('excluded.rate'),
				checked_at: ref('excluded.checked_at'),
				changed_at: ref('excluded.changed_at'),
				next_at: ref('excluded.next_at'),
				hinted_at: ref('excluded.hinted_at'),
			})),
		)
		.execute();
}
