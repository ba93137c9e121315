import { type DocumentPlace, isSpent, type KeptDocument, withoutPageAnchors } from '@wayleave/crawler';
import { databaseKind, migrate } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';

/** A page that has the words. */
export interface Hit {
	readonly url: string;
	readonly title: string;
	/** A piece of the text around the words, which stand between `**`. */
	readonly excerpt: string;
}

/** Reads documents for the index. */
export type DocumentSource = (place: DocumentPlace, limit: number) => Promise<KeptDocument[]>;

interface ListedRow {
	readonly url: string;
	readonly place: string | number;
}

interface SearchSchema {
	search_place: { id: number; fetched_at: number; page: number };
}

const piece = 200;
/** Of one document; the rest is not searched. */
const maxTextLength = 500_000;

/**
 * Full text over the documents of a store, in the same database. It is brought up to date before each search, by what
 * has been fetched since; there is nothing to run beside it.
 */
export class SearchIndex {
	readonly #db: Kysely<SearchSchema>;
	readonly #source: DocumentSource;
	readonly #postgres: boolean;
	#syncing: Promise<void> | undefined;

	private constructor(db: Kysely<unknown>, source: DocumentSource) {
		this.#db = db as Kysely<SearchSchema>;
		this.#source = source;
		this.#postgres = databaseKind(db) === 'postgres';
	}

	static async open(db: Kysely<unknown>, source: DocumentSource): Promise<SearchIndex> {
		const index = new SearchIndex(db, source);
		const words = index.#postgres
			? sql`create table search_document (url text primary key, title text not null, body text not null,
				words tsvector generated always as (
					setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', body)) stored)`
			: sql`create virtual table search_document using fts5(url unindexed, title, body, tokenize = 'unicode61 remove_diacritics 2')`;
		const steps = [
			{
				name: '001-search',
				async up(tx: Kysely<unknown>) {
					await words.execute(tx);
					if (index.#postgres) await sql`create index search_words on search_document using gin (words)`.execute(tx);
					await sql`create table search_place (id integer primary key, fetched_at bigint not null, page bigint not null)`.execute(
						tx,
					);
				},
			},
		];
		await migrate(db, steps, { component: 'search' });
		return index;
	}

	/** Pages with all the words, the best first. @param host only pages of this host. @param limit pages at most */
	async search(query: string, { host, limit }: { host?: string | undefined; limit: number }): Promise<Hit[]> {
		await this.#bringUpToDate();
		const words = query.match(/[\p{L}\p{N}\p{M}_]+/gu)?.slice(0, 32) ?? [];
		if (words.length === 0) return [];
		const { rows } = await (this.#postgres ? this.#inPostgres(words, host, limit) : this.#inSqlite(words, host, limit));
		return rows;
	}

	/**
	 * Addresses of all pages, one page of the list at a time.
	 *
	 * @param after `next` of the previous page; undefined for the first
	 * @throws RangeError for a cursor that no page has returned
	 */
	async list(after: string | undefined, limit: number): Promise<{ readonly urls: string[]; readonly next?: string }> {
		await this.#bringUpToDate();
		if (!this.#postgres && !/^\d{0,15}$/.test(after ?? '')) throw new RangeError('the list has no such place');
		// FTS5 finds a row only by its number, PostgreSQL by its key.
		const { rows } = await (this.#postgres
			? sql<ListedRow>`select url, url as place from search_document where url > ${after ?? ''} order by url limit ${limit}`
			: sql<ListedRow>`select url, rowid as place from search_document where rowid > ${Number(after ?? 0)} order by rowid limit ${limit}`
		).execute(this.#db);
		const urls = rows.map(({ url }) => url);
		const last = rows.at(-1);
		return rows.length < limit || last === undefined ? { urls } : { urls, next: String(last.place) };
	}

	#bringUpToDate(): Promise<void> {
		this.#syncing ??= this.#sync().finally(() => {
			this.#syncing = undefined;
		});
		return this.#syncing;
	}

	/** Pages that are no longer kept. */
	async forget(urls: readonly string[]): Promise<void> {
		if (urls.length > 0) await sql`delete from search_document where url in (${sql.join(urls)})`.execute(this.#db);
	}

	#inSqlite(words: readonly string[], host: string | undefined, limit: number) {
		const query = words.map((word) => `"${word}"`).join(' ');
		return sql<Hit>`select url, title, snippet(search_document, 2, '**', '**', '…', 24) as excerpt
			from search_document where search_document match ${query} ${ofHost(host)}
			order by bm25(search_document, 0, 8, 1) limit ${limit}`.execute(this.#db);
	}

	#inPostgres(words: readonly string[], host: string | undefined, limit: number) {
		const query = words.map((word) => `'${word}'`).join(' & ');
		const options = 'StartSel=**, StopSel=**, MaxWords=24, MinWords=12';
		return sql<Hit>`select url, title, ts_headline('simple', body, query, ${options}) as excerpt
			from search_document, to_tsquery('simple', ${query}) as query where words @@ query ${ofHost(host)}
			order by ts_rank(words, query) desc, url limit ${limit}`.execute(this.#db);
	}

	/** Takes in what has been fetched since, a piece at a time; a piece and its place are written together. */
	async #sync(): Promise<void> {
		for (;;) {
			const last = await this.#db.selectFrom('search_place').selectAll().executeTakeFirst();
			const place = { fetchedAt: Number(last?.fetched_at ?? -1), id: Number(last?.page ?? -1) };
			const documents = await this.#source(place, piece);
			const end = documents.at(-1)?.place;
			if (end === undefined) return;
			await this.#db.transaction().execute(async (tx) => {
				await sql`delete from search_document where url in (${sql.join(documents.map(({ url }) => url))})`.execute(tx);
				for (const { url, document, policy } of documents) {
					// A permission for one use was for the visit that asked.
					if (isSpent(policy)) continue;
					const title = document.identity.title ?? '';
					const body = withoutPageAnchors(document.content.markdown.slice(0, maxTextLength)).replaceAll('\0', '');
					await sql`insert into search_document (url, title, body) values (${url}, ${title}, ${body})`.execute(tx);
				}
				const row = { id: 1, fetched_at: end.fetchedAt, page: end.id };
				await tx
					.insertInto('search_place')
					.values(row)
					.onConflict((conflict) => conflict.column('id').doUpdateSet(row))
					.execute();
			});
			if (documents.length < piece) return;
		}
	}
}

/** The host name of the address; a port belongs to the host here. */
function ofHost(host: string | undefined) {
	if (host === undefined) return sql``;
	const own = host.replaceAll('!', '!!').replaceAll('_', '!_').replaceAll('%', '!%');
	return sql`and (url like ${`%://${own}/%`} escape '!' or url like ${`%://${own}:%`} escape '!')`;
}
