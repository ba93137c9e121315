import { type Kysely, sql } from 'kysely';

// The history of the checks of a page, in its row of `url`. A zero is kept as null, which takes no bytes in PostgreSQL: most
// pages were never seen to change.

const columns = {
	visits: 'double precision',
	changes: 'double precision',
	span: 'double precision',
	rate: 'double precision',
	seen_at: 'bigint',
	changed_at: 'bigint',
	recheck_at: 'bigint',
	hinted_at: 'bigint',
} as const;

export const historyColumns = sql.raw(Object.keys(columns).join(', '));

/** The same of a row of the table `revisit`, which stores of earlier versions have. */
export const historyOf = sql.raw(
	`nullif(revisit.visits, 0), nullif(revisit.changes, 0), nullif(revisit.span, 0), nullif(revisit.rate, 0),
	revisit.checked_at, revisit.changed_at, revisit.next_at, revisit.hinted_at`,
);

/** For an update that forgets when a page was checked. */
export const noHistory = sql.raw(
	Object.keys(columns)
		.map((name) => `${name} = null`)
		.join(', '),
);

// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
export async function addHistories(db: Kysely<any>): Promise<void> {
	for (const [name, type] of Object.entries(columns))
		await sql.raw(`alter table url add column ${name} ${type}`).execute(db);
	await sql`update url set (${historyColumns}) = (${historyOf}) from revisit where revisit.url = url.id`.execute(db);
}
