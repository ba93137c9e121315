import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { databaseKind } from './open.ts';

/**
 * A statement whose text is written once for each kind of database: to build and to compile it takes Kysely longer than
 * SQLite takes to run it.
 *
 * ```ts
 * const rename = compiledOnce((db: Kysely<Schema>, { id, name }: { id: number; name: string }) =>
 *   db.updateTable('host').set({ name }).where('id', '=', id).compile(),
 * );
 * await rename(db, { id: 7, name: 'example.com' });
 * ```
 *
 * @param build gets stand-ins for the values: it may use them as parameters only, and the text may not depend on them.
 * `tools` come as they are, and are the same for all databases of one kind.
 */
export function compiledOnce<Schema, Values extends object, Row, Tools = void>(
	build: (db: Kysely<Schema>, values: Values, tools: Tools) => CompiledQuery<Row>,
): (db: Kysely<Schema>, values: Values, tools: Tools) => Promise<QueryResult<Row>> {
	const known = new Map<string, CompiledQuery<Row>>();
	return (db, values, tools) => {
		const kind = databaseKind(db);
		let query = known.get(kind);
		if (query === undefined) {
			query = build(db, standIns as Values, tools);
			known.set(kind, query);
		}
		const parameters = query.parameters.map((one) =>
			one instanceof StandIn ? (values as Readonly<Record<string, unknown>>)[one.name] : one,
		);
		return db.executeQuery({ ...query, parameters });
	};
}

/** In the place of a value that is not known yet. */
class StandIn {
	readonly name: string;

	constructor(name: string) {
		this.name = name;
	}

	/** Whatever looks into the value would write into the text what is true of one call only. */
	[Symbol.toPrimitive](): never {
		throw new Error(`the text of a statement cannot depend on ${this.name}`);
	}
}

const standIns = new Proxy({}, { get: (_, name) => new StandIn(String(name)) });
