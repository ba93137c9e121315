import { databaseKind } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import { type LedgerQuery, matching } from './filter.ts';
import type { Period } from './period.ts';
import { slicesOf } from './slices.ts';

/** A read of the manifest, the list of changed pages. */
export const isManifestRead = sql`action = 'file' and path = '/.well-known/pagedigest.json'`;

/** Clients that are remembered, and those that a statement names. */
const maxReaders = 200_000;
const maxNamed = 500;

/** The clients that read the manifest in a period. */
export interface ManifestReaders {
	/** A condition that all their requests meet. */
	readonly condition: RawBuilder<unknown>;
	/** For requests that meet the condition. */
	has(client: string): boolean;
}

/** Finds the clients that read the manifest in a period. */
export async function manifestReadersOf({ db, period, filter, signal }: LedgerQuery): Promise<ManifestReaders> {
	const select = (slice: Period) => sql<{ client: string }>`
		select distinct client from gateway_request where ${matching(slice, filter)} and ${isManifestRead}`;
	if (databaseKind(db) === 'postgres') return { condition: sql`client in (${select(period)})`, has: () => true };
	const clients = new Set<string>();
	for await (const slice of slicesOf(db, period, { signal })) {
		const { rows } = await select(slice).execute(db);
		for (const { client } of rows) if (clients.size < maxReaders) clients.add(client);
	}
	const isNamed = clients.size > 0 && clients.size <= maxNamed;
	const named = isNamed ? sql`client in (${sql.join([...clients])})` : undefined;
	return { condition: named ?? (clients.size === 0 ? sql`1 = 0` : sql`1 = 1`), has: (client) => clients.has(client) };
}
