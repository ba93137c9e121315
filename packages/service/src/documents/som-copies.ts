import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Result, Source } from '@wayleave/crawler';
import { decodeHtml, parseSom, toSom } from '@wayleave/extract';
import { sha256 } from '@wayleave/io/hash';
import { databaseKind, type Migration, migrate, statements } from '@wayleave/io/sql';
import type { Kysely } from 'kysely';

interface SomSchema {
	/** Beside the document of the same snapshot. */
	service_som: { url: string; fetched_at: string; body: Uint8Array };
}

const migrations = (bytes: 'blob' | 'bytea'): Migration[] => [
	{
		name: '001-som',
		up: statements(`create table service_som (url text primary key, fetched_at text not null, body ${bytes} not null)`),
	},
];

/** The SOM document of what was fetched, as JSON; undefined where the page makes none. */
export function somOf(source: Source): string | undefined {
	if (source.kind === 'html') {
		const { text } = decodeHtml(source.body, source.contentType);
		return JSON.stringify(toSom(text, source.url, { sha256 }).som);
	}
	if (source.kind !== 'som') return undefined;
	const { value } = parseSom(new TextDecoder().decode(source.body));
	return value && JSON.stringify(value);
}

/** The SOM documents that were asked for, each as long as the snapshot beside it stands. */
export class SomCopies {
	readonly #db: Kysely<SomSchema>;

	private constructor(db: Kysely<SomSchema>) {
		this.#db = db;
	}

	static async open(db: Kysely<unknown>): Promise<SomCopies> {
		const bytes = databaseKind(db) === 'postgres' ? 'bytea' : 'blob';
		await migrate(db, migrations(bytes), { component: 'service-som' });
		return new SomCopies(db as Kysely<SomSchema>);
	}

	/** The copy that goes with a document. */
	async find(url: string, { document }: Result): Promise<string | undefined> {
		const fetchedAt = document?.source.fetched_at;
		if (fetchedAt === undefined) return undefined;
		const row = await this.#db
			.selectFrom('service_som')
			.select('body')
			.where('url', '=', url)
			.where('fetched_at', '=', fetchedAt)
			.executeTakeFirst();
		return row && inflateRawSync(row.body).toString('utf8');
	}

	/** Nothing is kept where the site lets nothing be kept. */
	async keep(url: string, { document, reason }: Result, som: string): Promise<void> {
		const fetchedAt = document?.source.fetched_at;
		if (fetchedAt === undefined || reason === 'store-no' || reason === 'store-session-only') return;
		const row = { fetched_at: fetchedAt, body: deflateRawSync(som) };
		await this.#db
			.insertInto('service_som')
			.values({ url, ...row })
			.onConflict((conflict) => conflict.column('url').doUpdateSet(row))
			.execute();
	}

	async forget(urls: readonly string[]): Promise<void> {
		if (urls.length > 0) await this.#db.deleteFrom('service_som').where('url', 'in', urls).execute();
	}
}
