import type { Kysely, RawBuilder } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: whatever the schema is
type Db = Kysely<any>;

/** Differences between the databases. The rest of the store is SQL that all of them understand. */
export interface StoreDialect {
	readonly name: string;
	/** Whether several processes may crawl with one store at a time. */
	readonly shared: boolean;
	/** The column type for bytes. */
	readonly bytes: 'blob' | 'bytea';
	/** The column type for the numbers of URLs, of which there may be more than four bytes can count. */
	readonly id: 'integer' | 'bigint';
	/** The column type for text that is compared byte by byte. */
	readonly key: string;
	/** Makes a column the primary key, which numbers the rows. */
	readonly numbered: string;
	/** The JSON of values, without what the database cannot hold. */
	json(values: readonly unknown[]): string;
	/** A table `row` with one column `value`: the elements of an array by `json`, in order. Fields are read with `->>`. */
	rows(json: string): RawBuilder<unknown>;
	/** The same for URLs that were found, with the number of each that is to be new as `id`; known ones may be missing. */
	foundRows(json: string): RawBuilder<unknown>;
	/** The time that all processes agree on, for one whose own clock says `own`; milliseconds since 1970. */
	now(own: number): RawBuilder<number>;
	/** After a `select` that picks rows for itself: leaves out those that another process is picking. */
	readonly skipLocked: RawBuilder<unknown>;
	/** From when on a worker that does not renew its lease is taken for dead. */
	diesAt(lease: number): RawBuilder<number>;
	/** Whether the worker of a row of `crawl_worker` is alive, for one who only looks. */
	lives(lease: number): Promise<RawBuilder<boolean>>;
	/** Until when a worker that is dead may have asked for something, who asks for nothing in the last part of its lease. */
	askedUntil(own: number, silence: number): RawBuilder<number>;
	/** Columns of `DatabasePosition`; undefined for a database that has one copy. */
	readonly position: RawBuilder<unknown> | undefined;
	/** Whether a transaction was undone only because another one was in its way. */
	isConflict(error: unknown): boolean;
	/** Before statements that look at whole tables: they may take long, and other plans are good for them. */
	lookAtAll(tx: Db): Promise<void>;
	/** One process at a time begins or ends a run; until the end of the transaction. */
	lockRuns(tx: Db): Promise<void>;
	/** At the end of the steps that make the tables. */
	tune(db: Db): Promise<void>;
	/** Lets the index on addresses tell of a URL whether it is known, and how it stands, without its row. */
	coverKnown(db: Db): Promise<void>;
	/** Gives each row of `url` the history of its checks from `revisit`, and makes rows and indexes as small as they get. */
	compactUrls(db: Db, tell: (progress: string) => void): Promise<void>;
	/** Makes the index on addresses a constraint, which statements name. */
	nameKnown(db: Db): Promise<void>;
	/** How many bytes a document takes, from the content of its row: the document, or a reference with its size. */
	documentBytes(content: RawBuilder<unknown>): RawBuilder<number>;
	/** Bytes from their hexadecimal digits; null from null. */
	fromHex(digits: RawBuilder<unknown>): RawBuilder<unknown>;
	/** Keeps other processes from crawling with the same store where they could not share it. Returns its release. */
	exclude(db: Db): Promise<() => void>;
}
