import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from './dialect.ts';

// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
type Db = Kysely<any>;

/**
 * The history of a page and its signature get into its rows of `url` and `page`, each of which saves a row and a key. Views
 * have the names of their tables, for all that only reads them: it also reads stores that have the tables.
 */
export async function compactRows(db: Db, dialect: StoreDialect, tell: (progress: string) => void): Promise<void> {
	await dialect.lookAtAll(db);
	await dialect.compactUrls(db, tell);
	await sql`drop table revisit`.execute(db);
	await sql.raw(revisitView).execute(db);
	await addSignatureColumns(db, dialect);
	await sql`update page set b0 = likeness.b0, b1 = likeness.b1, b2 = likeness.b2, b3 = likeness.b3,
		prose = likeness.prose, twin = likeness.twin from likeness where likeness.url = page.url`.execute(db);
	await sql`drop table likeness`.execute(db);
	for (const [name, rows] of Object.entries(signatureIndexes))
		await sql.raw(`create index ${name} on ${rows}`).execute(db);
	await sql.raw(signatureView).execute(db);
}

export async function addSignatureColumns(db: Db, { id }: Pick<StoreDialect, 'id'>): Promise<void> {
	for (const name of ['b0', 'b1', 'b2', 'b3', 'prose'])
		await db.schema.alterTable('page').addColumn(name, 'integer').execute();
	await db.schema.alterTable('page').addColumn('twin', id).execute();
}

export const signatureIndexes = {
	page_b0: 'page (b0) where b0 is not null and twin is null',
	page_b1: 'page (b1) where b0 is not null and twin is null',
	page_twin: 'page (twin) where twin is not null',
};

export const revisitView = `create view revisit as select id as url, coalesce(visits, 0) as visits,
	coalesce(changes, 0) as changes, coalesce(span, 0) as span, coalesce(rate, 0) as rate, seen_at as checked_at, changed_at,
	recheck_at as next_at, hinted_at from url where recheck_at is not null`;

export const signatureView =
	'create view likeness as select url, b0, b1, b2, b3, twin, prose from page where b0 is not null';
