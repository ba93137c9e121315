import { sql } from 'kysely';
import type { PageContent } from '../roles/pages.ts';
import {
	type StoredText,
	type VersionText,
	type WatchedPage,
	type WatchRecord,
	watchedStates,
} from '../roles/watch.ts';
import type { DocumentBodies } from '../schema/access.ts';
import { isAddress } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import { packText, unpackText } from './pack.ts';

/** Whether a run of before has ended; of many workers the one that would have said so may have died. */
export async function hasBaseline(db: Db, run: number, shared: boolean): Promise<boolean> {
	const before = db.selectFrom('crawl_run').select('id').where('id', '<', run);
	const row = await (shared ? before : before.where('complete', '=', 1)).limit(1).executeTakeFirst();
	return row !== undefined;
}

interface Row {
	key: string;
	kept: number;
	version: number | null;
	state: number | null;
	digest: Uint8Array | null;
	seen: Uint8Array | null;
	meaning: Uint8Array | null;
	terms: string | null;
}

/** The records of pages that the store knows. */
export async function watchRecords(db: Db, urls: readonly string[], dialect: StoreDialect): Promise<WatchRecord[]> {
	if (urls.length === 0) return [];
	const keys = dialect.rows(dialect.json(urls.map((k) => ({ k }))));
	const { rows } = await sql<Row>`
		select url.key, case when page.content is not null and page.stands = 1 then 1 else 0 end as kept,
			watched.version, watched.state, watched.digest, watched.seen, watched.meaning, watched_terms.json as terms
		from ${keys} join url on ${isAddress(db, sql`row.value->>'k'`)}
			left join page on page.url = url.id left join watched on watched.url = url.id
			left join watched_terms on watched_terms.id = watched.terms`.execute(db);
	return rows.map(toRecord);
}

function toRecord({ key: url, kept, version, state, digest, seen, meaning, terms }: Row): WatchRecord {
	const record = { url, kept: kept === 1 };
	if (version === null || digest === null || seen === null) return record;
	const watched: WatchedPage = {
		url,
		version,
		state: watchedStates[state ?? 0] ?? 'present',
		digest,
		seen,
		...(meaning !== null && { meaning }),
		terms: terms ?? '',
	};
	return { ...record, watched };
}

/** The current document of a page. @param termsOf the terms that it was read under, as JSON */
export async function storedText(
	db: Db,
	url: string,
	bodies: DocumentBodies,
	termsOf: (content: PageContent) => string,
): Promise<StoredText | undefined> {
	const [row] = await contentsOf(db, url, 'page');
	if (row === undefined) return undefined;
	// A document that is missing is fetched again, and then compared with nothing.
	const content = await bodies.unpackIfThere(row.content);
	if (content === undefined) return undefined;
	return { ...textOf(content), fetchedAt: Number(row.fetched_at), terms: termsOf(content) };
}

/** Texts that may be that of an announced version. */
export async function versionTexts(
	db: Db,
	url: string,
	version: number,
	bodies: DocumentBodies,
): Promise<VersionText[]> {
	const { rows } = await sql<{ fetched_at: number; content: Uint8Array }>`
		select page_version.fetched_at, page_version.content from page_version join url on url.id = page_version.url
		where ${isAddress(db, url)} and page_version.version = ${version}`.execute(db);
	const announced = rows.map(({ fetched_at, content }) => ({
		version,
		fetchedAt: Number(fetched_at),
		...unpackText(content),
	}));
	if (announced.length > 0) return announced;
	const documents = [...(await contentsOf(db, url, 'page')), ...(await contentsOf(db, url, 'former_page'))];
	const texts = documents.map(async (row): Promise<VersionText[]> => {
		const content = await bodies.unpackIfThere(row.content);
		return content === undefined ? [] : [{ version, fetchedAt: Number(row.fetched_at), ...textOf(content) }];
	});
	return (await Promise.all(texts)).flat();
}

export const textOf = ({ document }: PageContent): Pick<VersionText, 'title' | 'markdown'> => ({
	title: document.identity?.title ?? '',
	markdown: document.content?.markdown ?? '',
});

async function contentsOf(db: Db, url: string, table: 'page' | 'former_page') {
	const { rows } = await sql<{ fetched_at: number; content: Uint8Array }>`
		select kept.fetched_at, kept.content from url join ${sql.table(table)} as kept on kept.url = url.id
		where ${isAddress(db, url)} and kept.content is not null`.execute(db);
	return rows;
}

/** Earlier versions of a page, the latest first. */
export async function earlierVersions(db: Db, url: string): Promise<VersionText[]> {
	const { rows } = await sql<{ version: number; fetched_at: number; content: Uint8Array }>`
		select page_version.version, page_version.fetched_at, page_version.content
		from page_version join url on url.id = page_version.url
		where ${isAddress(db, url)} order by page_version.version desc`.execute(db);
	return rows.map(({ version, fetched_at, content }) => ({
		version,
		fetchedAt: Number(fetched_at),
		...unpackText(content),
	}));
}

export async function currentVersion(db: Db, url: string): Promise<number | undefined> {
	const row = await db
		.selectFrom('watched')
		.innerJoin('url', 'url.id', 'watched.url')
		.select('watched.version')
		.where(isAddress(db, url))
		.executeTakeFirst();
	return row?.version;
}

/** Saves the announced states of pages; one statement for all of them. */
export async function savePages(tx: Db, pages: readonly WatchedPage[], dialect: StoreDialect): Promise<void> {
	if (pages.length === 0) return;
	const terms = await saveTerms(
		tx,
		pages.map((page) => page.terms),
	);
	// No statement of PostgreSQL may write a row twice.
	const rows = new Map(
		pages.map(({ url, version, state, digest, seen, meaning, terms: json }) => [
			url,
			{
				...{ k: url, v: version, s: watchedStates.indexOf(state), d: hexOf(digest), n: hexOf(seen) },
				...{ m: meaning && hexOf(meaning), t: terms.get(json) },
			},
		]),
	);
	const json = dialect.json([...rows.values()]);
	const bytes = (name: string) => dialect.fromHex(sql`row.value->>${sql.lit(name)}`);
	const number = (name: string) => sql`cast(row.value->>${sql.lit(name)} as integer)`;
	await sql`insert into watched (url, version, state, digest, seen, meaning, terms)
		select url.id, ${number('v')}, ${number('s')}, ${bytes('d')}, ${bytes('n')}, ${bytes('m')}, ${number('t')}
		from ${dialect.rows(json)} join url on ${isAddress(tx, sql`row.value->>'k'`)} where true
		on conflict (url) do update set version = excluded.version, state = excluded.state, digest = excluded.digest,
			seen = excluded.seen, meaning = excluded.meaning, terms = excluded.terms`.execute(tx);
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The numbers of terms. */
async function saveTerms(tx: Db, all: readonly string[]): Promise<Map<string, number>> {
	const numbers = new Map<string, number>();
	for (const json of new Set(all)) {
		const find = () => tx.selectFrom('watched_terms').select('id').where('json', '=', json).executeTakeFirst();
		let row = await find();
		if (row === undefined) {
			await tx
				.insertInto('watched_terms')
				.values({ json })
				.onConflict((conflict) => conflict.doNothing())
				.execute();
			row = await find();
		}
		if (row !== undefined) numbers.set(json, row.id);
	}
	return numbers;
}

export async function saveVersions(
	tx: Db,
	versions: readonly (VersionText & { readonly url: string })[],
): Promise<void> {
	for (const { url, version, fetchedAt, ...text } of versions)
		await sql`insert into page_version (url, version, fetched_at, content)
			select id, cast(${version} as integer), cast(${Math.round(fetchedAt)} as bigint), ${packText(text)}
			from url where ${isAddress(tx, url)}
			on conflict (url, version) do nothing`.execute(tx);
}
