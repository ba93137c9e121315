import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { Db, StoreSchema } from '../schema/tables.ts';

/** Of the process that upgrades a store; any number that no other program uses for its locks. */
export const upgradeLock = 1_935_764_578;

/** Milliseconds that workers wait at most for a lock that this process waits for; less than `deadlock_timeout`. */
const maxLockWait = 400;
/** Between two tries. */
const pause = 2000;
/** SQLSTATEs `lock_not_available` and `deadlock_detected`. */
const busy = new Set(['55P03', '40P01']);

export const isBusy = (error: unknown): boolean => busy.has((error as { code?: string }).code ?? '');

/**
 * A transaction that changes tables while workers use them. Each of their transactions begins in `crawl_worker`: with that
 * locked first, no worker has a lock that this one then waits for, and the reverse.
 */
export const changeTables = <Value>(db: Db, work: (tx: Transaction<StoreSchema>) => Promise<Value>): Promise<Value> =>
	db.transaction().execute(async (tx) => {
		await sql`set local lock_timeout = ${sql.lit(maxLockWait)}`.execute(tx);
		await sql`lock table crawl_worker in exclusive mode`.execute(tx);
		return work(tx);
	});

/** The same, again and again while others use the tables for longer. */
export async function insistOnTables<Value>(
	db: Db,
	work: (tx: Transaction<StoreSchema>) => Promise<Value>,
	onWait: () => void,
): Promise<Value> {
	for (let tries = 1; ; tries++) {
		try {
			return await changeTables(db, work);
		} catch (error) {
			if (!isBusy(error)) throw error;
		}
		if (tries % triesToTell === 0) onWait();
		await sleep(pause);
	}
}

const triesToTell = 3;
