import { type Migration, migrate, missingMigrations, openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDatabase } from '../../../../io/src/testing/databases.ts';
import { storeComponent, storeMigrations } from '../schema/migrations.ts';
import { postgresDialect } from '../schema/postgres.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { openStore } from './open.ts';
import { refuseChange } from './refuse-in-use.ts';

const current = storeMigrations(postgresDialect);
/** The schema before the first step that only adds something. */
const before = current.slice(
	0,
	current.findIndex(({ addsOnly }) => addsOnly),
);
/** With the steps behind it that only add something. */
const adding = current.slice(0, before.length + current.slice(before.length).findIndex(({ addsOnly }) => !addsOnly));
const component = { component: storeComponent };

let url: string;
let db: Kysely<StoreSchema>;
beforeEach(async () => {
	url = await newDatabase();
	db = openDatabase<StoreSchema>(url);
});
afterEach(() => db.destroy());

/** A worker of the version before, by the statements that it sends. */
async function oldWorker() {
	const { rows } = await sql<{ id: number }>`insert into crawl_worker (name, run, expires_at)
		values ('old 1', 1, ${postgresDialect.now(0)} + 16000) returning id`.execute(db);
	const id = rows[0]!.id;
	const commit = (write: number) =>
		db.transaction().execute(async (tx) => {
			const fenced = await sql`update crawl_worker set expires_at = ${postgresDialect.now(0)} + 16000,
				write_before = write, write = ${write} where id = ${id} returning write_before as before`.execute(tx);
			await tx
				.insertInto('url')
				.values({ key: `http://a.test/${write}`, kind: 0, state: 0, depth: 0, dates: 0, run: 1 } as never)
				.execute();
			return fenced.rows;
		});
	return { commit, leave: () => sql`update crawl_worker set run = null where id = ${id}`.execute(db) };
}

it('a new version adds tables and columns while the old one crawls, and both go on', async () => {
	await migrate(db, before, component);
	const old = await oldWorker();
	expect(await old.commit(1)).toEqual([{ before: null }]);
	await migrate(db, adding, {
		...component,
		beforeChange: (tx) => refuseChange(tx as Kysely<StoreSchema>, postgresDialect),
	});
	expect(await missingMigrations(db, adding, component)).toEqual([]);
	expect(await old.commit(2)).toEqual([{ before: 1 }]);
	// And one of the old version may start.
	expect(await missingMigrations(db, before, component)).toEqual([]);
});

it('a step that changes what the old version uses waits until no worker crawls', async () => {
	await migrate(db, current, component);
	const old = await oldWorker();
	const changing: Migration = {
		name: '999-change',
		up: (any) => any.schema.alterTable('url').dropColumn('dates').execute(),
	};
	const change = () =>
		migrate(db, [...current, changing], {
			...component,
			beforeChange: (tx) => refuseChange(tx as Kysely<StoreSchema>, postgresDialect),
		});
	await expect(change()).rejects.toMatchObject({
		code: 'store-in-use',
		message: expect.stringMatching(/^a process is crawling .* end the crawl \(Ctrl-C\) on all machines/),
	});
	await old.commit(1);
	await old.leave();
	expect(await change()).toEqual(['999-change']);
	await expect(openStore(url)).rejects.toThrow('made by a newer version of Wayleave (999-change)');
});
