import type { ObjectInfo, ObjectStore } from '@wayleave/io/objects';
import { sql } from 'kysely';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import { documentsPrefix, hashOfKey } from './document-bodies.ts';

/** Objects that are compared with the rows at a time. */
const batch = 500;

export interface Collected {
	readonly objects: number;
	readonly bytes: number;
}

/**
 * Deletes objects that no row names. An object is written before the row that names it, so that one that is younger than
 * `grace` may be about to be named, and stays.
 *
 * @param grace milliseconds
 */
export async function collectObjects(
	db: Db,
	dialect: StoreDialect,
	objects: ObjectStore,
	{ grace, now, dryRun }: { readonly grace: number; readonly now: number; readonly dryRun: boolean },
): Promise<Collected> {
	return db.connection().execute(async (connection) => {
		await listNamed(connection, dialect);
		try {
			const collected = { objects: 0, bytes: 0 };
			for await (const some of batches(objects.list(documentsPrefix))) {
				const old = some.filter(({ modifiedAt }) => modifiedAt + grace <= now);
				const unnamed = await withoutNamed(connection, old);
				if (!dryRun) await objects.delete(unnamed.map(({ key }) => key));
				for (const { size } of unnamed) {
					collected.objects++;
					collected.bytes += size;
				}
			}
			return collected;
		} finally {
			await sql`drop table named_document`.execute(connection);
		}
	});
}

/** The hashes that rows name, in a table of this connection: the database sorts them, however many there are. */
async function listNamed(db: Db, { bytes }: StoreDialect): Promise<void> {
	await sql`create temporary table named_document (hash ${sql.raw(bytes)} primary key)`.execute(db);
	for (const table of ['page', 'former_page'])
		await sql`insert into named_document select substr(content, 2, 32) from ${sql.table(table)}
			where content is not null and length(content) < 60 on conflict do nothing`.execute(db);
}

async function withoutNamed(db: Db, some: readonly ObjectInfo[]): Promise<ObjectInfo[]> {
	const hashes = some.flatMap(({ key }) => hashOfKey(key) ?? []);
	if (hashes.length === 0) return [];
	const { rows } = await sql<{ hash: Uint8Array }>`
		select hash from named_document where hash in (${sql.join(hashes)})`.execute(db);
	const named = new Set(rows.map(({ hash }) => Buffer.from(hash).toString('hex')));
	return some.filter(({ key }) => {
		const hash = hashOfKey(key);
		return hash !== undefined && !named.has(hash.toString('hex'));
	});
}

async function* batches(all: AsyncIterable<ObjectInfo>): AsyncGenerator<ObjectInfo[]> {
	let some: ObjectInfo[] = [];
	for await (const one of all) {
		some.push(one);
		if (some.length < batch) continue;
		yield some;
		some = [];
	}
	if (some.length > 0) yield some;
}
