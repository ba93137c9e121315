import { compiledOnce } from '@wayleave/io/sql';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { keptHash } from '../../model/body-hash.ts';
import type { Content } from '../roles/pages.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { saveMinHash } from './near-duplicates.ts';
import { packDate } from './validator-row.ts';

/**
 * Deletes what the site no longer permits to keep; what detects a change stays.
 *
 * @returns what named the documents that are not in the database
 */
export async function revoke(tx: Kysely<StoreSchema>, urls: readonly string[]): Promise<Uint8Array[]> {
	if (urls.length === 0) return [];
	const these = sql`select id from url where kind = 0 and key in (${sql.join(urls)})`;
	const references = await referencesOf(tx, these);
	await sql`update page set content = null where content is not null and url in (${these})`.execute(tx);
	for (const table of ['likeness', 'former_page'])
		await sql`delete from ${sql.table(table)} where url in (${these})`.execute(tx);
	return references;
}

/** What names the documents of URLs that are not in the database. @param urls selects their numbers */
export async function referencesOf(tx: Kysely<StoreSchema>, urls: RawBuilder<unknown>): Promise<Uint8Array[]> {
	const { rows } = await sql<{ content: Uint8Array }>`
		select content from page where length(content) < 60 and url in (${urls})
		union all select content from former_page where length(content) < 60 and url in (${urls})`.execute(tx);
	return rows.map(({ content }) => content);
}

/** Keeps what is known of the content of a page. `packed` is null where nothing of it may be kept. */
export async function savePage(
	tx: Kysely<StoreSchema>,
	url: number,
	content: Content,
	packed: Uint8Array | null,
	at: number,
): Promise<void> {
	await saveMinHash(tx, url, content);
	const { snapshot } = content;
	if (snapshot === undefined) {
		const { etag, lastModified } = content;
		const changes = {
			...(etag && { etag }),
			...(lastModified && { last_modified: packDate(lastModified) }),
			checked_at: at,
			stands: 1,
		};
		await tx.updateTable('page').set(changes).where('url', '=', url).execute();
		return;
	}
	await insertPage(tx, {
		url,
		etag: content.etag ?? null,
		last_modified: content.lastModified === undefined ? null : packDate(content.lastModified),
		body_hash: content.bodyHash === undefined ? null : keptHash(content.bodyHash),
		fetched_at: snapshot.fetchedAt,
		checked_at: content.checkedAt ?? at,
		content: packed,
	});
}

const insertPage = compiledOnce((db: Kysely<StoreSchema>, values: Omit<Selectable<StoreSchema['page']>, 'stands'>) => {
	const { url, etag, last_modified, body_hash, fetched_at, checked_at, content } = values;
	const row = { etag, last_modified, body_hash, fetched_at, checked_at, content, stands: 1 };
	return db
		.insertInto('page')
		.values({ url, ...row })
		.onConflict((conflict) => conflict.column('url').doUpdateSet(row))
		.compile();
});
