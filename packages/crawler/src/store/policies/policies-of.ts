import type { Kysely } from 'kysely';
import { time } from '../../base/time.ts';
import type { UrlStory } from '../roles/reader.ts';
import type { StoreSchema } from '../schema/tables.ts';

export async function policyFilesOf(db: Kysely<StoreSchema>, url: string): Promise<UrlStory['policyFiles']> {
	const { origin } = new URL(url);
	const rows = await db
		.selectFrom('policy_file')
		.select(['url', 'status', 'fetched_at', 'expires_at', 'unreachable_since'])
		.where('url', '>=', `${origin}/`)
		.where('url', '<', `${origin}0`)
		.orderBy('url')
		.execute();
	return rows.map((row) => ({
		url: row.url,
		status: Number(row.status),
		fetchedAt: time(row.fetched_at),
		expiresAt: time(row.expires_at),
		...(row.unreachable_since !== null && { unreachableSince: time(row.unreachable_since) }),
	}));
}
