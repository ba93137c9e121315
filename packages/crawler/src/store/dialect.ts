import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from 'kysely';

/** What differs between the databases. Everything else of the store is SQL that all of them understand. */
export interface StoreDialect {
	readonly name: string;
	/** The column type for bytes. */
	readonly bytes: 'blob' | 'bytea';
	/** Makes a column number its rows. */
	numbered(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
	/** A table `row` with one column `value`: the elements of a JSON array, in order. Fields are read with `->>`. */
	rows(json: string): RawBuilder<unknown>;
	/** Keeps other processes from crawling with the same store where they could not share it. Returns its release. */
	// biome-ignore lint/suspicious/noExplicitAny: whatever the schema is
	exclude(db: Kysely<any>): Promise<() => Promise<void>>;
}
