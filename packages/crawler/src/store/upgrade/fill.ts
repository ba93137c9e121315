import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { addressHash } from '../schema/address-hashes.ts';
import { historyColumns, historyOf } from '../schema/history-columns.ts';
import type { Db } from '../schema/tables.ts';

/** Rows of a transaction: workers that write one of them wait for its end. */
export const batch = 2000;
/** Milliseconds before rows that a worker has locked are looked at again. */
const pause = 200;
/** Of the table: after so many, the versions of rows that were replaced make room for the next ones. */
const vacuums = 10;
const worthVacuum = 100_000;

interface Progress {
	readonly done: number;
	readonly all: number;
}

/**
 * Copies histories and signatures into the rows of URLs and pages, with the hashes of addresses. What a killed process
 * has done is not done again.
 */
export async function fill(db: Db, onProgress: (progress: Progress) => void): Promise<void> {
	const { rows } = await sql<{ last: number | null }>`select max(id) as last from url`.execute(db);
	const all = Number(rows[0]?.last ?? 0);
	const step = Math.max(worthVacuum, Math.ceil(all / vacuums));
	let filled = 0;
	let left: number[] = [];
	for (let after = 0; after < all; after += batch) {
		const { rows, complete } = await fillRange(db, after);
		filled += rows;
		if (!complete) left.push(after);
		onProgress({ done: Math.min(all, after + batch), all });
		if (filled >= step) {
			filled = 0;
			await vacuum(db);
		}
	}
	while (left.length > 0) {
		await sleep(pause);
		const again: number[] = [];
		for (const after of left) if (!(await fillRange(db, after)).complete) again.push(after);
		left = again;
	}
	await vacuum(db);
}

async function vacuum(db: Db): Promise<void> {
	for (const table of ['url', 'page']) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}

/** @returns how many rows of `url` were filled, and whether all of them are now: others are locked by a worker */
async function fillRange(db: Db, after: number): Promise<{ rows: number; complete: boolean }> {
	const within = (column: 'url.id' | 'page.url') =>
		sql`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${after + batch}`;
	const urls = sql`select url.id from url where ${within('url.id')} and url.hash is null`;
	const pages = sql`select page.url as id from page join likeness on likeness.url = page.url
		where ${within('page.url')} and page.b0 is null`;
	const rows = await db.transaction().execute(async (tx) => {
		// Locked by a statement of its own: what the next one reads of them in other tables is as new as they are. It waits for
		// no row, so that no worker can wait for it in a circle.
		const ids = await lockedOf(tx, sql`${urls} for update of url skip locked`);
		if (ids.length > 0)
			await sql`update url set hash = ${addressHash(sql`url.key`, sql`url.kind`)}, (${historyColumns}) = row(${historyOf})
				from url as own left join revisit on revisit.url = own.id
				where own.id = url.id and url.id = any(cast(${ids} as bigint[]))`.execute(tx);
		const signed = await lockedOf(tx, sql`${pages} for update of page skip locked`);
		if (signed.length > 0)
			await sql`update page set (b0, b1, b2, b3, twin, prose) = row(likeness.b0, likeness.b1, likeness.b2, likeness.b3,
				likeness.twin, likeness.prose) from likeness
				where likeness.url = page.url and page.url = any(cast(${signed} as bigint[]))`.execute(tx);
		return ids.length;
	});
	const missing = await sql`select 1 from (${urls}) as url union all select 1 from (${pages}) as page limit 1`.execute(
		db,
	);
	return { rows, complete: missing.rows.length === 0 };
}

async function lockedOf(tx: Db, query: ReturnType<typeof sql>): Promise<number[]> {
	return (await (query as ReturnType<typeof sql<{ id: number }>>).execute(tx)).rows.map(({ id }) => id);
}
