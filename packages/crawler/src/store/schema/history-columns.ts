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

export const historyNames = Object.keys(columns);

export const historyColumns = sql.raw(historyNames.join(', '));

/** The same of a row of the table `revisit`, which stores of earlier versions have. */
export const historyIn = (row: string) => `nullif(${row}.visits, 0), nullif(${row}.changes, 0), nullif(${row}.span, 0),
	nullif(${row}.rate, 0), ${row}.checked_at, ${row}.changed_at, ${row}.next_at, ${row}.hinted_at`;

export const historyOf = sql.raw(historyIn('revisit'));

/** For an update that forgets when a page was checked. */
export const noHistory = sql.raw(historyNames.map((name) => `${name} = null`).join(', '));

// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
export async function addHistoryColumns(db: Kysely<any>): Promise<void> {
	for (const [name, type] of Object.entries(columns))
		await sql.raw(`alter table url add column ${name} ${type}`).execute(db);
}

// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
export async function addHistories(db: Kysely<any>, tell: (progress: string) => void): Promise<void> {
	await addHistoryColumns(db);
	const { rows } = await sql<{ last: number | null }>`select max(id) as last from url`.execute(db);
	const last = rows[0]?.last ?? 0;
	for (let after = 0; after < last; after += piece) {
		if (last > piece) tell(`${Math.floor((100 * after) / last)} % of ${last.toLocaleString('en')} URLs`);
		await sql`update url set (${historyColumns}) = (${historyOf}) from revisit
			where revisit.url = url.id and revisit.url > ${after} and revisit.url <= ${after + piece}`.execute(db);
	}
}

/** URLs of a statement: about a second. */
const piece = 200_000;
