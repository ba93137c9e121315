import { type Kysely, type RawBuilder, sql } from 'kysely';
import { steadyClock } from '../base/clock.ts';
import { activeWorkers } from '../store/fleet/active-workers.ts';
import { lastRun, waitingHosts } from '../store/fleet/run-state.ts';
import { tallyStore } from '../store/frontier/tally.ts';
import { databaseSize, documents } from '../store/pages/size.ts';
import type { StoreStatus } from '../store/roles/reader.ts';
import type { StoreDialect } from '../store/schema/dialect.ts';
import type { StoreSchema } from '../store/schema/tables.ts';

export async function statusOf(db: Kysely<StoreSchema>, dialect: StoreDialect): Promise<StoreStatus> {
	const count = async (what: RawBuilder<unknown>) => {
		const { rows } = await sql<{ count: number }>`select count(*) as count from ${what}`.execute(db);
		return Number(rows[0]?.count ?? 0);
	};
	const living = await activeWorkers(db, dialect);
	const run = await lastRun(db, living);
	return {
		...(await tallyStore(db, { dialect, own: steadyClock.now() })),
		...(run && { run }),
		urls: await count(sql`url where kind = 0`),
		hosts: await count(sql`host`),
		waiting: await waitingHosts(db, living, dialect),
		pages: await documents(db),
		policyFiles: await count(sql`policy_file`),
		bytes: await databaseSize(db),
	};
}
