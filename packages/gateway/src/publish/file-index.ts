import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Migration, migrate, statements } from '@wayleave/io/sql';
import type { Kysely } from 'kysely';
import type { WrittenFiles } from './own-files.ts';

/** The entry of a file, from its last reading. */
export interface IndexedFile {
	readonly file: string;
	/** Of the file as it lies in the folder. */
	readonly size: number;
	readonly mtime: number;
	/** Milliseconds since 1970: a file that changed at about this time is read again. */
	readonly checked: number;
	/** Of the bytes without tags of ours. */
	readonly hash: string;
	/** Of the bytes that are served. */
	readonly digest: string;
	/** The rules by which it was read, and tags added. */
	readonly recipe: string;
	readonly dress: string;
	readonly fingerprint: string;
	readonly title: string;
	readonly description: string | null;
	readonly withdrawn: number;
	/** Of page and representation; null if there is none. */
	readonly html_tokens: number | null;
	readonly som_tokens: number | null;
}

/** Texts made of a page, kept so that a rebuilt folder gets them back without reading its pages. */
export interface Bodies {
	readonly som: string | undefined;
	readonly markdown: string | undefined;
}

export interface IndexSchema {
	publish_file: IndexedFile & { readonly origin: string };
	publish_body: { origin: string; file: string; som: Uint8Array | null; markdown: Uint8Array | null };
	/** Every file that we wrote as a whole, and what was in it: others are not ours. */
	publish_written: { origin: string; file: string; hash: string };
}

const migrations: readonly Migration[] = [
	{
		name: '001-files',
		up: statements(
			`create table publish_file (origin text not null, file text not null, size bigint not null, mtime real not null,
				checked bigint not null, hash text not null, digest text not null, recipe text not null, dress text not null,
				fingerprint text not null, title text not null, description text, withdrawn integer not null,
				constraint publish_file_key primary key (origin, file))`,
			`create table publish_body (origin text not null, file text not null, som blob, markdown blob,
				constraint publish_body_key primary key (origin, file))`,
			`create table publish_written (origin text not null, file text not null, hash text not null,
				constraint publish_written_key primary key (origin, file))`,
		),
	},
	{
		name: '002-tokens',
		up: statements(
			'alter table publish_file add column html_tokens integer',
			'alter table publish_file add column som_tokens integer',
		),
	},
];

const batch = 500;

/** The files of one site, from earlier runs. */
export class FileIndex implements WrittenFiles {
	/** By file. */
	readonly known: ReadonlyMap<string, IndexedFile>;
	/** Hash by file. */
	readonly written: Map<string, string>;
	readonly #db: Kysely<IndexSchema>;
	readonly #origin: string;
	readonly #rows = new Map<string, IndexedFile>();
	readonly #bodies = new Map<string, Bodies>();
	/** As it is stored. */
	#stored: ReadonlyMap<string, string>;
	readonly #elsewhere: ReadonlySet<string>;

	private constructor(
		db: Kysely<IndexSchema>,
		origin: string,
		known: ReadonlyMap<string, IndexedFile>,
		written: ReadonlyMap<string, string>,
		elsewhere: ReadonlySet<string>,
	) {
		this.#db = db;
		this.#origin = origin;
		this.known = known;
		this.#stored = written;
		this.written = new Map(written);
		this.#elsewhere = elsewhere;
	}

	static async open(db: Kysely<IndexSchema>, origin: string): Promise<FileIndex> {
		await migrate(db, migrations, { component: 'publish' });
		const files = await db.selectFrom('publish_file').selectAll().where('origin', '=', origin).execute();
		const written = await db.selectFrom('publish_written').selectAll().execute();
		const here = written.filter((row) => row.origin === origin);
		return new FileIndex(
			db,
			origin,
			new Map(files.map(({ origin: _, ...row }) => [row.file, row])),
			new Map(here.map(({ file, hash }) => [file, hash])),
			new Set(written.filter((row) => row.origin !== origin).map(({ file, hash }) => `${hash} ${file}`)),
		);
	}

	wroteElsewhere(file: string, hash: string): boolean {
		return this.#elsewhere.has(`${hash} ${file}`);
	}

	async bodiesOf(file: string): Promise<Bodies> {
		const row = await this.#db
			.selectFrom('publish_body')
			.selectAll()
			.where('origin', '=', this.#origin)
			.where('file', '=', file)
			.executeTakeFirst();
		return { som: unpack(row?.som), markdown: unpack(row?.markdown) };
	}

	/** Remembers a file; written to the database by `save`, or now and then where bodies pile up. */
	async keep(row: IndexedFile, bodies?: Bodies): Promise<void> {
		this.#rows.set(row.file, row);
		if (bodies !== undefined) this.#bodies.set(row.file, bodies);
		if (this.#bodies.size >= batch) await this.#flush();
	}

	/** Writes what is new, and forgets files that are no longer there. */
	async save(present: ReadonlySet<string>): Promise<void> {
		await this.#flush();
		const gone = [...this.known.keys()].filter((file) => !present.has(file));
		await this.#remove('publish_file', gone);
		await this.#remove('publish_body', gone);
		await this.saveWritten();
	}

	/** Remembers what was written as a whole. */
	async saveWritten(): Promise<void> {
		const changed = [...this.written].filter(([file, hash]) => this.#stored.get(file) !== hash);
		const rows = changed.map(([file, hash]) => ({ origin: this.#origin, file, hash }));
		await this.#db.transaction().execute(async (db) => {
			for (const part of parts(rows)) await db.replaceInto('publish_written').values(part).execute();
		});
		const removed = [...this.#stored.keys()].filter((file) => !this.written.has(file));
		await this.#remove('publish_written', removed);
		this.#stored = new Map(this.written);
	}

	async #flush(): Promise<void> {
		const rows = [...this.#rows.values()].map((row) => ({ ...row, origin: this.#origin }));
		const bodies = [...this.#bodies].map(([file, { som, markdown }]) => ({
			origin: this.#origin,
			file,
			som: pack(som),
			markdown: pack(markdown),
		}));
		this.#rows.clear();
		this.#bodies.clear();
		await this.#db.transaction().execute(async (db) => {
			for (const part of parts(bodies)) await db.replaceInto('publish_body').values(part).execute();
			for (const part of parts(rows)) await db.replaceInto('publish_file').values(part).execute();
		});
	}

	async #remove(table: 'publish_file' | 'publish_body' | 'publish_written', files: string[]): Promise<void> {
		for (const part of parts(files)) {
			await this.#db.deleteFrom(table).where('origin', '=', this.#origin).where('file', 'in', part).execute();
		}
	}
}

function* parts<Value>(values: readonly Value[]): Generator<Value[]> {
	for (let at = 0; at < values.length; at += batch) yield values.slice(at, at + batch);
}

function pack(text: string | undefined): Uint8Array | null {
	return text === undefined ? null : deflateRawSync(text, { level: 1 });
}

function unpack(bytes: Uint8Array | null | undefined): string | undefined {
	return bytes === null || bytes === undefined ? undefined : inflateRawSync(bytes).toString('utf8');
}
