import { sql } from 'kysely';
import type { NewUrl } from '../roles/frontier.ts';
import type { Db } from '../schema/tables.ts';

/** The database that has the URLs of a host, if it is not this one. */
export type Elsewhere = (host: string) => string | undefined;

/** The other databases of a crawl. */
export interface Neighbours {
	readonly elsewhere: Elsewhere;
	/** Their ids. */
	readonly ids: () => readonly string[];
}

/** For another database of the crawl: URLs found here, and redirected seeds that widen the scope. */
export interface Handover {
	readonly found: readonly NewUrl[];
	readonly scopeExpansions?: readonly string[];
}

/** A row of the outbox. */
export interface Outgoing {
	readonly id: number;
	/** Id of the database. */
	readonly target: string;
	readonly handover: Handover;
}

/** Milliseconds for which no other process delivers what one has taken; delivering twice changes nothing. */
const takenFor = 10_000;

/** Puts what belongs to other databases into the outbox, in the transaction of the page; returns the rest. */
export async function putElsewhere<Found extends { readonly url: NewUrl }>(
	tx: Db,
	found: readonly Found[],
	elsewhere: Elsewhere,
): Promise<Found[]> {
	const own: Found[] = [];
	const others = new Map<string, NewUrl[]>();
	for (const each of found) {
		const target = elsewhere(each.url.host);
		if (target === undefined) own.push(each);
		else others.set(target, [...(others.get(target) ?? []), each.url]);
	}
	for (const [target, urls] of others) await putOut(tx, target, { found: urls });
	return own;
}

export async function putOut(tx: Db, target: string, handover: Handover): Promise<void> {
	const json = JSON.stringify(handover);
	await tx.insertInto('outbox').values({ target, json, urls: handover.found.length }).execute();
}

/** Takes rows to deliver, those that were put out first. @param except ids of databases that cannot be reached */
export async function takeOut(db: Db, except: readonly string[], limit: number, now: unknown): Promise<Outgoing[]> {
	const others = except.length === 0 ? sql`` : sql`and target not in (${sql.join(except)})`;
	const { rows } = await sql<{ id: number; target: string; json: string }>`
		with chosen as (
			select id from outbox where taken_until <= ${now} ${others} order by id limit ${limit} for update skip locked
		)
		update outbox set taken_until = ${now} + ${sql.lit(takenFor)} from chosen where outbox.id = chosen.id
		returning outbox.id, target, json`.execute(db);
	return rows
		.map(({ id, target, json }) => ({ id, target, handover: JSON.parse(json) as Handover }))
		.sort((a, b) => a.id - b.id);
}

export async function dropOut(db: Db, ids: readonly number[]): Promise<void> {
	if (ids.length > 0) await db.deleteFrom('outbox').where('id', 'in', ids).execute();
}

/** How many URLs wait for other databases, by their ids. */
export async function countOut(db: Db): Promise<ReadonlyMap<string, number>> {
	const { rows } = await sql<{ target: string; urls: number }>`
		select target, sum(urls) as urls from outbox group by target`.execute(db);
	return new Map(rows.map(({ target, urls }) => [target, Number(urls)]));
}
