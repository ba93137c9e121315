import { databaseKind } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import type { LedgerDb } from '../ledger/schema.ts';
import type { LedgerQuery } from './filter.ts';
import type { Period } from './period.ts';
import { type SliceOptions, slicesOf } from './slices.ts';

/** Groups, and different values in all groups, that one reading remembers. */
const maxGroups = 200_000;
const maxValues = 400_000;

/** How the rows of slices become one; columns that are not named are added up. */
export interface GroupColumns<Row> {
	readonly keys: readonly (keyof Row & string)[];
	/** The groups with the least of it leave, if there are more than are remembered. */
	readonly weight: keyof Row & string;
	readonly min?: readonly (keyof Row & string)[];
	readonly max?: readonly (keyof Row & string)[];
	/** A column that `differentOf` gives. */
	readonly different?: keyof Row & string;
}

/** How many different values a column has: SQLite lists those of a slice, so that those of two slices add up. */
export function differentOf(db: LedgerDb, column: string): RawBuilder<number> {
	const ref = sql.ref(column);
	return databaseKind(db) === 'postgres' ? sql`count(distinct ${ref})` : sql`json_group_array(distinct ${ref})`;
}

/** Order and limit of a list, for a database that sees all groups in one statement. */
export function largestOf(db: LedgerDb, order: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
	return databaseKind(db) === 'postgres' ? sql`order by ${order} limit ${limit}` : sql``;
}

/**
 * Reads a statement that groups requests, slice by slice, and adds up the rows of the same group. The figures are those
 * of one statement, up to `maxGroups` groups: of more, the smallest are left out.
 *
 * @param statement gives the rows of a slice
 */
export async function readGroups<Row extends object>(
	{ db, period, signal }: Omit<LedgerQuery, 'filter'>,
	columns: GroupColumns<Row>,
	statement: (slice: Period) => RawBuilder<Row>,
	only?: SliceOptions['only'],
): Promise<Row[]> {
	const groups = new Groups(columns);
	for await (const slice of slicesOf(db, period, { signal, only })) {
		const { rows } = await statement(slice).execute(db);
		for (const row of rows) groups.add(row as Values);
	}
	return groups.rows() as Row[];
}

type Values = Record<string, unknown>;

interface Group {
	readonly row: Values;
	/** PostgreSQL has counted them. */
	readonly different: Set<unknown> | undefined;
}

/** Rows by the values of their keys. */
class Groups {
	/** Names of any row. */
	readonly #columns: GroupColumns<never>;
	readonly #sums: string[] = [];
	#groups = new Map<string, Group>();
	/** Values in the sets of all groups. */
	#values = 0;

	constructor(columns: GroupColumns<never>) {
		this.#columns = columns;
	}

	add(row: Values): void {
		const { keys, different } = this.#columns;
		if (this.#groups.size === 0) this.#sums.push(...this.#sumsOf(row));
		const key = JSON.stringify(keys.map((name) => row[name]));
		const known = this.#groups.get(key);
		const values = different === undefined ? undefined : row[different];
		const group = known ?? { row, different: typeof values === 'string' ? new Set() : undefined };
		if (known === undefined) this.#groups.set(key, group);
		else this.#merge(known.row, row);
		if (typeof values === 'string') this.#addDifferent(group, JSON.parse(values));
		if (this.#groups.size > maxGroups) this.#drop();
	}

	rows(): Values[] {
		const { different } = this.#columns;
		return [...this.#groups.values()].map(({ row, different: values }) =>
			different === undefined || values === undefined ? row : { ...row, [different]: values.size },
		);
	}

	#sumsOf(row: Values): string[] {
		const { keys, min = [], max = [], different } = this.#columns;
		const others = new Set([...keys, ...min, ...max, different]);
		return Object.keys(row).filter((name) => !others.has(name));
	}

	#merge(into: Values, row: Values): void {
		const { min = [], max = [] } = this.#columns;
		for (const name of this.#sums) into[name] = Number(into[name]) + Number(row[name]);
		for (const name of min) into[name] = Math.min(Number(into[name]), Number(row[name]));
		for (const name of max) into[name] = Math.max(Number(into[name]), Number(row[name]));
	}

	#addDifferent({ different }: Group, values: readonly unknown[]): void {
		if (different === undefined) return;
		for (const value of values) {
			// As `count(distinct …)` does.
			if (value === null || different.has(value) || this.#values >= maxValues) continue;
			different.add(value);
			this.#values++;
		}
	}

	/** Keeps the larger half. */
	#drop(): void {
		const { weight } = this.#columns;
		const largest = [...this.#groups].sort(([, a], [, b]) => Number(b.row[weight]) - Number(a.row[weight]));
		this.#groups = new Map(largest.slice(0, maxGroups / 2));
		this.#values = 0;
		for (const { different } of this.#groups.values()) this.#values += different?.size ?? 0;
	}
}
