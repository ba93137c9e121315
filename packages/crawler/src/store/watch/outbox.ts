import { sql } from 'kysely';
import {
	type ClaimedNotice,
	type NoticeCount,
	type NoticeOutcome,
	noticeStates,
	type ReceiverRecord,
} from '../roles/watch.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import { unpackChange } from './pack.ts';

/** The clock by which notices are due: that of the server, or of the only process. */
interface Time {
	readonly dialect: StoreDialect;
	readonly now: number;
}

/** The receivers with these addresses, made where there are none. */
export async function openReceivers(
	tx: Db,
	addresses: readonly string[],
	{ dialect, now }: Time,
): Promise<ReceiverRecord[]> {
	for (const address of addresses)
		await tx
			.insertInto('receiver')
			.values({ address })
			.onConflict((conflict) => conflict.doNothing())
			.execute();
	// No other process sends notices of this store: those of the one before are due again.
	if (!dialect.shared) {
		await sql`update notice set due = 0 where state = 0 and due <> 0`.execute(tx);
		await sql`update receiver set due = 0, failures = 0 where due <> 0`.execute(tx);
	}
	const { rows } = await sql<{
		id: number;
		address: string;
		stopped: number;
		detail: string | null;
		wait: number;
		failures: number;
	}>`
		select id, address, stopped, detail, due - ${dialect.now(now)} as wait, failures from receiver
		where address in (${sql.join(addresses)})`.execute(tx);
	return rows.map(({ id, address, stopped, detail, wait, failures }) => ({
		id: Number(id),
		address,
		state: stopped === 1 ? 'stopped' : 'open',
		...(detail !== null && { detail }),
		wait: Math.max(0, Number(wait)),
		failures,
	}));
}

/** Nothing waits in front of it for the same page. */
const isFirst = sql`not exists (select 1 from notice as earlier where earlier.receiver = notice.receiver
	and earlier.url = notice.url and earlier.change < notice.change and earlier.state <> 1)`;

/** Takes notices for sending. */
export async function claimNotices(
	tx: Db,
	{ receiver, limit, lease }: { readonly receiver: number; readonly limit: number; readonly lease: number },
	{ dialect, now }: Time,
): Promise<ClaimedNotice[]> {
	const { rows: picked } = await sql<{ change: number }>`select notice.change from notice
		where notice.receiver = ${receiver} and notice.state = 0 and notice.due <= ${dialect.now(now)} and ${isFirst}
		order by notice.change limit ${limit} ${dialect.skipLocked}`.execute(tx);
	if (picked.length === 0) return [];
	const changes = sql.join(picked.map(({ change }) => change));
	await sql`update notice set due = ${dialect.now(now)} + ${lease}, attempts = attempts + 1
		where receiver = ${receiver} and change in (${changes})`.execute(tx);
	const { rows } = await sql<{ id: number; notice: string; json: string; diff: Uint8Array | null; attempts: number }>`
		select page_change.id, page_change.notice, page_change.json, page_change.diff, notice.attempts
		from page_change join notice on notice.change = page_change.id
		where notice.receiver = ${receiver} and page_change.id in (${changes}) order by page_change.id`.execute(tx);
	return rows.map(({ id, notice, json, diff, attempts }) => ({
		change: Number(id),
		id: notice,
		attempts,
		content: unpackChange(json, diff),
	}));
}

export async function saveOutcome(
	tx: Db,
	{ receiver, change, state, wait = 0, status, detail, at }: NoticeOutcome,
	{ dialect, now }: Time,
): Promise<void> {
	await sql`update notice set state = ${noticeStates.indexOf(state)}, due = ${dialect.now(now)} + ${Math.round(wait)},
		status = ${status ?? null}, detail = ${detail ?? null}, at = ${Math.round(at)}
		where receiver = ${receiver} and change = ${change} and state <> 1`.execute(tx);
}

export async function nextNotice(db: Db, receiver: number, { dialect, now }: Time): Promise<number | undefined> {
	const { rows } = await sql<{ wait: number | null }>`select min(notice.due) - ${dialect.now(now)} as wait from notice
		where notice.receiver = ${receiver} and notice.state = 0 and ${isFirst}`.execute(db);
	const wait = rows[0]?.wait;
	return wait == null ? undefined : Math.max(0, Number(wait));
}

export async function saveReceiver(
	tx: Db,
	{ id, state, detail, wait, failures }: ReceiverRecord,
	{ dialect, now }: Time,
): Promise<void> {
	await sql`update receiver set stopped = ${state === 'stopped' ? 1 : 0}, detail = ${detail ?? null},
		due = ${dialect.now(now)} + ${Math.round(wait)}, failures = ${failures} where id = ${id}`.execute(tx);
}

/** Notices of each receiver, by their state. */
export async function countNotices(db: Db): Promise<NoticeCount[]> {
	const { rows } = await sql<{
		address: string;
		stopped: number;
		detail: string | null;
		waiting: number;
		delivered: number;
		kept: number;
	}>`
		select receiver.address, receiver.stopped, receiver.detail,
			sum(case notice.state when 0 then 1 else 0 end) as waiting,
			sum(case notice.state when 1 then 1 else 0 end) as delivered,
			sum(case notice.state when 2 then 1 else 0 end) as kept
		from receiver left join notice on notice.receiver = receiver.id
		group by receiver.id, receiver.address, receiver.stopped, receiver.detail order by receiver.id`.execute(db);
	return rows.map(({ address, stopped, detail, waiting, delivered, kept }) => ({
		receiver: address,
		state: stopped === 1 ? 'stopped' : 'open',
		...(detail !== null && { detail }),
		waiting: Number(waiting ?? 0),
		delivered: Number(delivered ?? 0),
		kept: Number(kept ?? 0),
	}));
}

/** Lets kept notices be sent again, and stopped receivers be tried; returns how many notices. */
export async function retryNotices(db: Db): Promise<number> {
	return db.transaction().execute(async (tx) => {
		await sql`update receiver set stopped = 0, detail = null, due = 0, failures = 0`.execute(tx);
		await sql`update notice set due = 0 where state = 0`.execute(tx);
		const { numAffectedRows } = await sql`update notice set state = 0, attempts = 0, due = 0 where state = 2`.execute(
			tx,
		);
		return Number(numAffectedRows ?? 0);
	});
}
