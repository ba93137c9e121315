import type { Content, PageContent } from '../roles/pages.ts';
import type { StoreDialect } from './dialect.ts';
import type { Db } from './tables.ts';

/** The documents of pages: in their rows, or as objects that the rows name. The only way to the content of a row. */
export interface DocumentBodies {
	/** Keeps a document. Returns the content for its row; null if nothing may be stored. */
	pack(snapshot: NonNullable<Content['snapshot']>): Promise<Uint8Array | null>;
	/** @throws CrawlError `store-failed` when the document is missing or damaged */
	unpack(content: Uint8Array): Promise<PageContent>;
	/** The same; undefined for a document that is missing. */
	unpackIfThere(content: Uint8Array): Promise<PageContent | undefined>;
	/** Removes documents that no row names any more. */
	discard(contents: readonly Uint8Array[]): Promise<void>;
}

/** How a role of the store reads the database, in a crawl or beside one. */
export interface ReadAccess {
	readonly dialect: StoreDialect;
	readonly bodies: DocumentBodies;
	/** The clock of this process. */
	readonly pace: () => number;
	/** For single statements. */
	read<Value>(work: (db: Db) => Promise<Value>): Promise<Value>;
}

export interface WriteAccess extends ReadAccess {
	/** For a transaction: all of it or nothing. */
	write<Value>(work: (tx: Db) => Promise<Value>): Promise<Value>;
}
