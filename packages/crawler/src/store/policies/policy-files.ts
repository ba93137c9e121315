import { withoutNulls } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { time } from '../../base/time.ts';
import type { Outage, PolicyFile, StoredPolicyFile } from '../roles/policies.ts';
import type { Db } from '../schema/tables.ts';

/** A policy file as it was last fetched. */
export async function loadPolicyFile(db: Db, url: string): Promise<PolicyFile | undefined> {
	const row = await db.selectFrom('policy_file').selectAll().where('url', '=', url).executeTakeFirst();
	if (row === undefined) return undefined;
	return {
		url,
		fetchedAt: row.fetched_at,
		expiresAt: row.expires_at,
		status: row.status,
		...withoutNulls({ finalUrl: row.final_url, unreachableSince: row.unreachable_since }),
		...(row.outage !== null && { outage: JSON.parse(row.outage) as Outage }),
		...withoutNulls({ body: row.body, etag: row.etag, lastModified: row.last_modified, contentType: row.content_type }),
	};
}

/** In place of the one before. */
export async function savePolicyFile(db: Db, file: PolicyFile): Promise<void> {
	const row = {
		final_url: file.finalUrl ?? null,
		fetched_at: file.fetchedAt,
		expires_at: file.expiresAt,
		unreachable_since: file.unreachableSince ?? null,
		outage: file.outage === undefined ? null : JSON.stringify(file.outage),
		status: file.status,
		body: file.body ?? null,
		etag: file.etag ?? null,
		last_modified: file.lastModified ?? null,
		content_type: file.contentType ?? null,
	};
	await db
		.insertInto('policy_file')
		.values({ url: file.url, ...row })
		.onConflict((conflict) => conflict.column('url').doUpdateSet(row))
		.execute();
}

/** All files may be asked for again. */
export async function forgetOutages(db: Db): Promise<void> {
	await sql`update policy_file set outage = null where outage is not null`.execute(db);
}

/** The policy files of the origin of a URL. */
export async function policyFilesOf(db: Db, url: string): Promise<StoredPolicyFile[]> {
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

export async function countPolicyFiles(db: Db): Promise<number> {
	const { rows } = await sql<{ count: number }>`select count(*) as count from policy_file`.execute(db);
	return Number(rows[0]?.count ?? 0);
}
