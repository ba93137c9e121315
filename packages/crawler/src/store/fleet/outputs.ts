import { sql } from 'kysely';
import type { OutputFile, Segment } from '../roles/outputs.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';

/** Segments that are looked at for one file. */
const maxSegments = 100_000;

export async function saveSegments(tx: Db, segments: readonly Segment[], run: number): Promise<void> {
	if (segments.length === 0) return;
	await tx
		.insertInto('output_segment')
		.values(segments.map(({ sink, object, bytes }) => ({ sink, run, object, bytes, file: null })))
		.execute();
}

/** See `Outputs.claim`. */
export async function claimFile(
	tx: Db,
	worker: number,
	{ sink, size, rest }: { readonly sink: string; readonly size: number; readonly rest: boolean },
	dialect: StoreDialect,
): Promise<OutputFile | undefined> {
	// The rows of workers that died are removed by the others.
	const { rows: left } = await sql<{ id: number; run: number }>`select id, run from output_file
		where sink = ${sink} and worker is not null and not exists (
			select 1 from crawl_worker where crawl_worker.id = output_file.worker)
		order by id limit 1 ${dialect.skipLocked}`.execute(tx);
	const [abandoned] = left;
	if (abandoned !== undefined) {
		await tx.updateTable('output_file').set({ worker }).where('id', '=', abandoned.id).execute();
		const segments = await tx
			.selectFrom('output_segment')
			.select(['sink', 'object', 'bytes'])
			.where('file', '=', abandoned.id)
			.orderBy('id')
			.execute();
		return { ...abandoned, segments: segments.map(toSegment) };
	}
	return newFile(tx, worker, { sink, size, rest }, dialect);
}

async function newFile(
	tx: Db,
	worker: number,
	{ sink, size, rest }: { readonly sink: string; readonly size: number; readonly rest: boolean },
	dialect: StoreDialect,
): Promise<OutputFile | undefined> {
	const { rows } = await sql<{ id: number; run: number; object: string; bytes: number }>`
		select id, run, object, bytes from output_segment where sink = ${sink} and file is null
		order by id limit ${maxSegments} ${dialect.skipLocked}`.execute(tx);
	const run = rows[0]?.run;
	if (run === undefined) return undefined;
	const taken: typeof rows = [];
	let bytes = 0;
	for (const row of rows) {
		// The results of an earlier run have files of their own.
		if (row.run !== run || bytes >= size) break;
		taken.push(row);
		bytes += Number(row.bytes);
	}
	if (bytes < size && !rest && taken.length === rows.length && rows.length < maxSegments) return undefined;
	const { id } = await tx
		.insertInto('output_file')
		.values({ sink, run, worker })
		.returning('id')
		.executeTakeFirstOrThrow();
	const last = taken.at(-1)?.id ?? 0;
	const ids = taken.map((row) => Number(row.id));
	for (let at = 0; at < ids.length; at += 500)
		await tx
			.updateTable('output_segment')
			.set({ file: id })
			.where('id', 'in', ids.slice(at, at + 500))
			.where('id', '<=', last)
			.execute();
	return { id, run, segments: taken.map((row) => toSegment({ sink, ...row })) };
}

const toSegment = ({ sink, object, bytes }: Segment): Segment => ({ sink, object, bytes: Number(bytes) });

/** A worker that took too long may come second: then there is nothing left to do. */
export async function finishFile(tx: Db, { id }: OutputFile): Promise<void> {
	await tx.updateTable('output_file').set({ worker: null }).where('id', '=', id).execute();
	await tx.deleteFrom('output_segment').where('file', '=', id).execute();
}

export async function countUnfinished(db: Db, sink: string): Promise<number> {
	const { rows } = await sql<{ count: number }>`select count(*) as count from output_file
		where sink = ${sink} and worker is not null`.execute(db);
	return Number(rows[0]?.count ?? 0);
}

export async function neededObjects(db: Db, sink: string): Promise<ReadonlySet<string>> {
	const rows = await db.selectFrom('output_segment').select('object').where('sink', '=', sink).execute();
	return new Set(rows.map(({ object }) => object));
}

export async function sinksOfRun(db: Db, run: number): Promise<string[]> {
	const { rows } = await sql<{ sink: string }>`select sink from output_segment where run = ${run}
		union select sink from output_file where run = ${run}`.execute(db);
	return rows.map(({ sink }) => sink);
}
