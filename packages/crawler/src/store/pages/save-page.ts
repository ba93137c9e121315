import { compiledOnce } from '@wayleave/io/sql';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { keptHash } from '../../model/body-hash.ts';
import type { Content } from '../roles/pages.ts';
import { isOneOf } from '../schema/addresses.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';
import { type MinHashColumns, minHashColumns, noMinHash, twinOf } from './near-duplicates.ts';
import { packDate } from './validator-row.ts';

/**
 * Deletes what the site no longer permits to keep; what detects a change stays.
 *
 * @returns what named the documents that are not in the database
 */
export async function revoke(tx: Db, urls: readonly string[]): Promise<Uint8Array[]> {
	if (urls.length === 0) return [];
	const these = sql`select id from url where ${isOneOf(tx, urls)}`;
	const references = await referencesOf(tx, these);
	await sql`update page set content = null, ${noMinHash}
		where (content is not null or b0 is not null) and url in (${these})`.execute(tx);
	await sql`delete from former_page where url in (${these})`.execute(tx);
	return references;
}

/** What names the documents of URLs that are not in the database. @param urls selects their numbers */
export async function referencesOf(tx: Db, urls: RawBuilder<unknown>): Promise<Uint8Array[]> {
	const { rows } = await sql<{ content: Uint8Array }>`
		select content from page where length(content) < 60 and url in (${urls})
		union all select content from former_page where length(content) < 60 and url in (${urls})`.execute(tx);
	return rows.map(({ content }) => content);
}

/** Keeps what is known of the content of a page. `packed` is null where nothing of it may be kept. */
export async function savePage(
	tx: Db,
	url: number,
	content: Content,
	packed: Uint8Array | null,
	at: number,
): Promise<void> {
	const { snapshot } = content;
	const signature = minHashColumns(content);
	if (snapshot === undefined) {
		const { etag, lastModified } = content;
		const changes = {
			...(etag && { etag }),
			...(lastModified && { last_modified: packDate(lastModified) }),
			...(signature && { ...signature, twin: twinOf(tx, signature.twin) }),
			checked_at: at,
			stands: 1,
		};
		await tx.updateTable('page').set(changes).where('url', '=', url).execute();
		return;
	}
	const row = {
		url,
		etag: content.etag ?? null,
		last_modified: content.lastModified === undefined ? null : packDate(content.lastModified),
		body_hash: content.bodyHash === undefined ? null : keptHash(content.bodyHash),
		fetched_at: snapshot.fetchedAt,
		checked_at: content.checkedAt ?? at,
		content: packed,
	};
	await (signature === undefined ? insertPage(tx, row) : insertSigned(tx, { ...row, ...signature }));
}

type PageRow = Omit<Selectable<StoreSchema['page']>, 'stands' | keyof MinHashColumns>;

/** A text that was not read again keeps its signature. */
const insertPage = compiledOnce((db: Db, values: PageRow) => upsert(db, pageColumns(values)));

const insertSigned = compiledOnce((db: Db, values: PageRow & MinHashColumns) => {
	const { b0, b1, b2, b3, prose, twin } = values;
	return upsert(db, { ...pageColumns(values), b0, b1, b2, b3, prose, twin: twinOf(db, twin) });
});

/** By name, since a statement is written once, with stand-ins for the values. */
const pageColumns = ({ url, etag, last_modified, body_hash, fetched_at, checked_at, content }: PageRow) => ({
	...{ url, etag, last_modified, body_hash, fetched_at, checked_at, content, stands: 1 },
});

type NewRow = Insertable<Omit<StoreSchema['page'], 'twin'>> & { readonly twin?: RawBuilder<number | null> };

const upsert = (db: Db, row: NewRow) => {
	const { url: _, ...changes } = row;
	return db
		.insertInto('page')
		.values(row)
		.onConflict((conflict) => conflict.column('url').doUpdateSet(changes))
		.compile();
};
