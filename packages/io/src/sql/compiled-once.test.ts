import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledOnce } from './compiled-once.ts';
import { openDatabase } from './open.ts';

interface Schema {
	thing: { id: number; name: string | null };
}

let db: Kysely<Schema>;
beforeAll(async () => {
	db = openDatabase<Schema>('sqlite::memory:');
	await sql`create table thing (id integer primary key, name text)`.execute(db);
});
afterAll(() => db.destroy());

it('writes a statement once, and runs it with the values of each call', async () => {
	let built = 0;
	const save = compiledOnce((on: Kysely<Schema>, { id, name }: Schema['thing'], table: string) => {
		built++;
		return sql`insert into ${sql.table(table)} (id, name) values (${id}, coalesce(${name}, ${'none'}))
			on conflict (id) do update set name = ${name}`.compile(on);
	});
	const find = compiledOnce((on: Kysely<Schema>, { name }: { name: string }) =>
		on.selectFrom('thing').select('id').where('name', '=', name).limit(1).compile(),
	);
	await save(db, { id: 1, name: 'a' }, 'thing');
	await save(db, { id: 2, name: null }, 'thing');
	await db.transaction().execute((tx) => save(tx, { id: 1, name: 'b' }, 'thing'));
	const { numAffectedRows } = await save(db, { id: 3, name: 'c' }, 'thing');
	expect(numAffectedRows).toBe(1n);
	expect(await db.selectFrom('thing').selectAll().execute()).toEqual([
		{ id: 1, name: 'b' },
		{ id: 2, name: 'none' },
		{ id: 3, name: 'c' },
	]);
	expect((await find(db, { name: 'b' })).rows).toEqual([{ id: 1 }]);
	expect((await find(db, { name: 'a' })).rows).toEqual([]);
	expect(built).toBe(1);
});

it('refuses a statement whose text depends on a value', async () => {
	const find = compiledOnce((on: Kysely<Schema>, { name }: { name: string }) =>
		sql`select id from thing where name like ${`${name}%`}`.compile(on),
	);
	expect(() => find(db, { name: 'a' })).toThrow('cannot depend on name');
});
