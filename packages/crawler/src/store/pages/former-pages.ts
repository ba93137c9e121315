import { compiledOnce } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { keptHash } from '../../model/body-hash.ts';
import type { DocumentVersion, NumberedDocument, ReplacedDocument, ReplacedRequest } from '../roles/pages.ts';
import type { DocumentBodies } from '../schema/access.ts';
import { isAddress } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { hasTable } from '../schema/has-table.ts';
import type { Db } from '../schema/tables.ts';
import { mapAtOnce } from './document-bodies.ts';

/** A page whose document is about to be replaced. Times are milliseconds since 1970. */
export interface Replacement {
	/** The number of its URL. */
	readonly id: number;
	/** When the new document was fetched: the same one may be saved again. */
	readonly fetchedAt: number;
	/** SHA-256 of the new body: the same content may be fetched again. */
	readonly bodyHash: Uint8Array | undefined;
	readonly at: number;
}

/** Keeps the present documents of pages, before new ones replace them; one statement for all of them. */
export async function keepFormer(tx: Db, pages: readonly Replacement[], dialect: StoreDialect): Promise<void> {
	if (pages.length === 0) return;
	// No statement of PostgreSQL may write a row twice.
	const rows = new Map(
		pages.map(({ id, fetchedAt, at, bodyHash }) => [
			id,
			{ i: id, f: Math.round(fetchedAt), a: Math.round(at), h: bodyHash && hexOf(keptHash(bodyHash)) },
		]),
	);
	await insertFormer(tx, { json: dialect.json([...rows.values()]) }, dialect);
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

// `where true` keeps SQLite from reading `on conflict` as the condition of a join.
const insertFormer = compiledOnce((db: Db, { json }: { json: string }, dialect: StoreDialect) =>
	sql`insert into former_page (url, fetched_at, replaced_at, content)
		select page.url, page.fetched_at, cast(row.value->>'a' as bigint), page.content
		from ${dialect.rows(json)} join page on page.url = cast(row.value->>'i' as bigint)
			and page.content is not null and page.fetched_at <> cast(row.value->>'f' as bigint)
			and (page.body_hash is null or substr(page.body_hash, 1, 16) is distinct from ${dialect.fromHex(sql`row.value->>'h'`)}) where true
		on conflict (url) do update set fetched_at = excluded.fetched_at, replaced_at = excluded.replaced_at,
			content = excluded.content`.compile(db),
);

/** Deletes former versions of pages that the site no longer permits to store. */
export async function dropFormer(tx: Db, ids: readonly number[]): Promise<void> {
	if (ids.length > 0) await tx.deleteFrom('former_page').where('url', 'in', ids).execute();
}

/** The document of a page and the one before it, the newer one first. */
export async function versionsOf(db: Db, url: string, bodies: DocumentBodies): Promise<DocumentVersion[]> {
	const of = (table: 'page' | 'former_page') => sql<{ fetched_at: number; content: Uint8Array }>`
		select ${sql.table(table)}.fetched_at, content from url join ${sql.table(table)} on ${sql.table(table)}.url = url.id
		where ${isAddress(db, url)} and content is not null`;
	const current = (await of('page').execute(db)).rows;
	const former = (await hasTable(db, 'former_page')) ? (await of('former_page').execute(db)).rows : [];
	return mapAtOnce([...current, ...former], async ({ fetched_at, content }) => ({
		fetchedAt: Number(fetched_at),
		...(await bodies.unpack(content)),
	}));
}

/** Documents in the order in which their URLs were found. */
export async function documentsAfter(
	db: Db,
	after: number,
	limit: number,
	bodies: DocumentBodies,
): Promise<NumberedDocument[]> {
	const { rows } = await sql<{ id: number; key: string; content: Uint8Array }>`
		select url.id, url.key, page.content from page join url on url.id = page.url
		where page.url > ${after} and page.content is not null and page.stands = 1 and url.kind = 0
		order by page.url limit ${limit}`.execute(db);
	return mapAtOnce(rows, async ({ id, key, content }) => {
		const { document } = await bodies.unpack(content);
		return { id: Number(id), url: key, document };
	});
}

/** Pages whose document was replaced, the latest first. */
export async function replacedPages(db: Db, { since, after, limit }: ReplacedRequest): Promise<ReplacedDocument[]> {
	if (!(await hasTable(db, 'former_page'))) return [];
	const behind =
		after === undefined
			? sql``
			: sql`and (replaced_at < ${after.replacedAt} or (replaced_at = ${after.replacedAt} and former_page.url < ${after.id}))`;
	const { rows } = await sql<{ id: number; key: string; replaced_at: number; fetched_at: number }>`
		select url.id, url.key, former_page.replaced_at, former_page.fetched_at
		from former_page join url on url.id = former_page.url
		where replaced_at >= ${Math.round(since)} ${behind}
		order by replaced_at desc, former_page.url desc limit ${limit}`.execute(db);
	return rows.map(({ id, key, replaced_at, fetched_at }) => ({
		id: Number(id),
		url: key,
		replacedAt: Number(replaced_at),
		formerlyAt: Number(fetched_at),
	}));
}
