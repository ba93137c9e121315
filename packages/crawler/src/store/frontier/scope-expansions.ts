import { sql } from 'kysely';
import type { RunRequest } from '../roles/frontier.ts';
import type { Db } from '../schema/tables.ts';
import type { Ids } from './host-ids.ts';

// Redirected seeds make the scope wider while workers judge links by what it was. What they have judged so is looked at
// again, by themselves, or by others when they die before.

/** Scope expansions by redirects of seeds. */
export async function loadScopeExpansions(db: Db): Promise<string[]> {
	const rows = await db.selectFrom('widened').select('url').execute();
	return rows.map(({ url }) => url);
}

export async function saveScopeExpansions(tx: Db, urls: readonly string[]): Promise<void> {
	for (const url of urls)
		await tx
			.insertInto('widened')
			.values({ url })
			.onConflict((conflict) => conflict.doNothing())
			.execute();
}

/** Whether a worker may have died before it could look again at what was out of scope, which was wider by then. */
export async function hasUnjudged(db: Db): Promise<boolean> {
	const row = await db.selectFrom('widened').select('url').where('judged', '=', 0).limit(1).executeTakeFirst();
	return row !== undefined;
}

/** Re-evaluates URLs out of scope after redirects have widened it. */
export async function judgeAnew(tx: Db): Promise<void> {
	await tx.updateTable('widened').set({ judged: 0 }).where('judged', '=', 1).execute();
}

/**
 * Looks again at what was out of scope, in pieces, because the scope is another one now. That has no part in what a page
 * says of its links, nor in an address of which only the beginning is kept.
 */
export async function reconsiderScope(tx: Db, ids: Ids, reconsider: RunRequest['reconsider']): Promise<number> {
	// First, so that a caller that needs it once more waits until this one is done.
	await tx.updateTable('widened').set({ judged: 1 }).where('judged', '=', 0).execute();
	let count = 0;
	for (let after = 0; ; ) {
		const rows = await tx
			.selectFrom('url')
			.select(['id', 'key', 'depth', 'dates'])
			.where('outcome', '=', 'out-of-scope')
			.where(sql<boolean>`coalesce(reason, '') not in ('nofollow', 'url-too-long')
				and not (coalesce(reason, '') = 'alias' and status is not null)`)
			.where('id', '>', after)
			.orderBy('id')
			.limit(1000)
			.execute();
		for (const { id, key, depth, dates } of rows) {
			const inScope = reconsider({ url: key, depth: Number(depth), dates: Number(dates) });
			if (inScope === undefined) continue;
			count++;
			const host = await ids.host(tx, inScope.host);
			const changes = { state: 0 as const, host, outcome: null, reason: null, detail: null };
			await tx.updateTable('url').set(changes).where('id', '=', id).execute();
		}
		const last = rows.at(-1);
		if (last === undefined) return count;
		after = last.id;
	}
}
