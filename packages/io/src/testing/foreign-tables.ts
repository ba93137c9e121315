import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { type Migration, migrate } from '../sql/migrate.ts';

/** Tables of somebody else are called that, with what to do; whichever database it is. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the schema is
export async function expectForeignTablesTold(db: Kysely<any>): Promise<void> {
	await sql`create table page (title text)`.execute(db);
	const first: Migration = {
		name: '001-page',
		up: (tx) => tx.schema.createTable('page').addColumn('url', 'text').execute(),
	};
	await expect(migrate(db, [first])).rejects.toMatchObject({
		code: 'migration-failed',
		message: expect.stringMatching(/another program \(.*page"? already exists\): use another database/),
	});
}
