import { withoutNulls } from '@wayleave/io/sql';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { PageChange, PageChangeKind } from '../../model/page-change.ts';
import {
	type ChangesRequest,
	type LoggedChange,
	type LoggedNotice,
	type NewChange,
	noticeStates,
	type WatchUpdate,
} from '../roles/watch.ts';
import { isAddress } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';
import { packChange, unpackChange } from './pack.ts';
import { savePages, saveVersions } from './pages.ts';

/** Changes of a page that stay in the log beside those to its stored versions: of its terms, and that it was gone. */
const furtherChanges = 10;

/** Writes what a commit says about watched pages. */
export async function saveWatch(tx: Db, update: WatchUpdate, dialect: StoreDialect): Promise<void> {
	await saveVersions(tx, update.versions);
	await savePages(tx, update.pages, dialect);
	for (const change of update.changes) await logChange(tx, change, update);
}

async function logChange(tx: Db, { id, at, held, version, change }: NewChange, update: WatchUpdate): Promise<void> {
	const { json, diff } = packChange(change);
	const { rows } = await sql<{ id: number; url: number }>`
		insert into page_change (notice, url, version, kind, at, held, json, diff)
		select ${id}, url.id, cast(${version} as integer), ${change.kind}, cast(${Math.round(at)} as bigint),
			cast(${held ? 1 : 0} as smallint), ${json}, ${diff}
		from url where ${isAddress(tx, change.url)}
		returning id, url`.execute(tx);
	const [row] = rows;
	if (row === undefined) return;
	if (!held) await addNotices(tx, row.id, row.url, update.receivers);
	await dropOld(tx, row.url, version, update.history);
}

async function addNotices(tx: Db, change: number, url: number, receivers: readonly number[]): Promise<void> {
	if (receivers.length === 0) return;
	await sql`insert into notice (receiver, change, url)
		select id, cast(${change} as integer), cast(${url} as bigint) from receiver
		where stopped = 0 and id in (${sql.join(receivers)})`.execute(tx);
}

/** The versions and changes of a page are bounded; notices that wait are not lost. */
async function dropOld(tx: Db, url: number, version: number, history: number): Promise<void> {
	await sql`delete from page_version where url = ${url} and version < ${version - history}`.execute(tx);
	const old = sql`select id from page_change where url = ${url} and held = 0 and id <= (
			select id from page_change where url = ${url} order by id desc limit 1 offset ${history + furtherChanges})
		and not exists (select 1 from notice where notice.change = page_change.id and state <> 1)`;
	await dropChanges(tx, old);
}

/** @param which numbers, or what selects them */
export async function dropChanges(tx: Db, which: RawBuilder<unknown>): Promise<number> {
	const { rows } = await sql<{ id: number }>`${which}`.execute(tx);
	const ids = rows.map(({ id }) => id);
	for (let at = 0; at < ids.length; at += 500) {
		const some = ids.slice(at, at + 500);
		await tx.deleteFrom('notice').where('change', 'in', some).execute();
		await tx.deleteFrom('page_change').where('id', 'in', some).execute();
	}
	return ids.length;
}

interface Row extends Pick<Selectable<StoreSchema['page_change']>, 'id' | 'notice' | 'at' | 'held' | 'json' | 'diff'> {
	key: string;
	kind: PageChangeKind;
}

const columns = sql`page_change.id, page_change.notice, url.key, page_change.kind, page_change.at, page_change.held,
	page_change.json, page_change.diff`;

const toChange = ({ id, notice, key, kind, at, held, json, diff }: Row): LoggedChange => ({
	id: notice,
	number: Number(id),
	at: Number(at),
	kind,
	url: key,
	held: held === 1,
	change: unpackChange(json, diff),
	notices: [],
});

/** The log, the latest change first. */
export async function readLog(db: Db, { before, limit, url }: ChangesRequest): Promise<LoggedChange[]> {
	const behind = before === undefined ? sql`` : sql`and page_change.id < ${before}`;
	const one = url === undefined ? sql`` : sql`and ${isAddress(db, url)}`;
	const { rows } = await sql<Row>`select ${columns} from page_change join url on url.id = page_change.url
		where 1 = 1 ${behind} ${one} order by page_change.id desc limit ${limit}`.execute(db);
	if (rows.length === 0) return [];
	const notices = await noticesOf(
		db,
		rows.map(({ id }) => id),
	);
	return rows.map((row) => ({ ...toChange(row), notices: notices.get(Number(row.id)) ?? [] }));
}

async function noticesOf(db: Db, changes: readonly number[]): Promise<Map<number, LoggedNotice[]>> {
	const rows = await db
		.selectFrom('notice')
		.innerJoin('receiver', 'receiver.id', 'notice.receiver')
		.select(['notice.change', 'receiver.address', 'notice.state', 'notice.attempts', 'notice.status', 'notice.detail'])
		.select('notice.at')
		.where('notice.change', 'in', [...changes])
		.orderBy('notice.receiver')
		.execute();
	const found = new Map<number, LoggedNotice[]>();
	for (const { change, address, state, attempts, status, detail, at } of rows) {
		const notice: LoggedNotice = {
			receiver: address,
			state: noticeStates[state] ?? 'waiting',
			attempts,
			...withoutNulls({ status, detail }),
			...(at !== null && { at: Number(at) }),
		};
		found.set(Number(change), [...(found.get(Number(change)) ?? []), notice]);
	}
	return found;
}

/** Changes that wait for the end of the run: first moves, which decide about the others. */
export async function heldChanges(db: Db, limit: number): Promise<LoggedChange[]> {
	const { rows } = await sql<Row>`select ${columns} from page_change join url on url.id = page_change.url
		where page_change.held = 1 order by case page_change.kind when 'moved' then 0 else 1 end, page_change.id
		limit ${limit}`.execute(db);
	return rows.map(toChange);
}

/** A held change is announced as `change`; that a page was added at the place to which another has moved is not. */
export async function releaseChange(
	tx: Db,
	number: number,
	change: PageChange,
	receivers: readonly number[],
): Promise<void> {
	const { json, diff } = packChange(change);
	const { rows } = await sql<{ url: number }>`update page_change set held = 0, kind = ${change.kind}, json = ${json},
		diff = ${diff} where id = ${number} and held = 1 returning url`.execute(tx);
	const [row] = rows;
	if (row === undefined) return;
	await addNotices(tx, number, row.url, receivers);
	if (change.kind !== 'moved' || change.movedTo === undefined) return;
	const arrived = sql`select page_change.id from page_change join url on url.id = page_change.url
		where page_change.held = 1 and page_change.kind = 'added' and ${isAddress(tx, change.movedTo)}`;
	await dropChanges(tx, arrived);
}
