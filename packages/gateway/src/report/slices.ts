import { setImmediate } from 'node:timers/promises';
import { databaseKind } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import type { LedgerDb } from '../ledger/schema.ts';
import type { Period } from './period.ts';

/** Requests that one statement reads from SQLite, at most: the gateway serves no one while it runs. */
export const maxSliceRows = 2000;

export interface SliceOptions {
	/** Ends the reading between two slices. */
	readonly signal?: AbortSignal | undefined;
	/** The condition of a partial index: only these requests are counted and read. */
	readonly only?: RawBuilder<unknown> | undefined;
	/** The latest slice first. */
	readonly isBackward?: boolean;
}

/**
 * Cuts a period into slices of at most `maxSliceRows` requests, with a turn of the event loop before each: SQLite runs
 * statements on the event loop. PostgreSQL does not, and gets the whole period as one slice.
 */
export async function* slicesOf(db: LedgerDb, period: Period, options: SliceOptions = {}): AsyncGenerator<Period> {
	const { signal } = options;
	signal?.throwIfAborted();
	if (databaseKind(db) === 'postgres') {
		yield period;
		return;
	}
	for (let rest = period; rest.since < rest.until; ) {
		await nextTurn(db);
		signal?.throwIfAborted();
		const slice = options.isBackward ? await lastSliceOf(db, rest, options) : await firstSliceOf(db, rest, options);
		yield slice;
		rest = options.isBackward ? { since: rest.since, until: slice.since } : { since: slice.until, until: rest.until };
	}
}

/** The last turn of the event loop that a reading of each database waits for. */
const turns = new WeakMap<object, Promise<void>>();

/** Waits for a turn of the event loop in which no other reading runs a slice. */
function nextTurn(db: LedgerDb): Promise<void> {
	const turn = (turns.get(db) ?? Promise.resolve()).then(() => setImmediate());
	turns.set(db, turn);
	return turn;
}

async function firstSliceOf(db: LedgerDb, { since, until }: Period, { only }: SliceOptions): Promise<Period> {
	const at = await timeAfterRows(db, { since, until }, sql`at`, only);
	// Requests of the same millisecond stay together.
	return { since, until: at === undefined ? until : Math.max(at, since + 1) };
}

async function lastSliceOf(db: LedgerDb, { since, until }: Period, { only }: SliceOptions): Promise<Period> {
	const at = await timeAfterRows(db, { since, until }, sql`at desc`, only);
	return { since: at === undefined ? since : Math.min(at + 1, until - 1), until };
}

/** The time of the first request beyond a slice; it reads the index alone. */
async function timeAfterRows(
	db: LedgerDb,
	{ since, until }: Period,
	order: RawBuilder<unknown>,
	only: RawBuilder<unknown> = sql`1 = 1`,
): Promise<number | undefined> {
	const { rows } = await sql<{ at: number }>`
		select at from gateway_request where at >= ${since} and at < ${until} and ${only}
		order by ${order} limit 1 offset ${sql.lit(maxSliceRows)}`.execute(db);
	return rows[0]?.at;
}
