import type { Evidence } from '@wayleave/protocols';
import { sql } from 'kysely';
import { time } from '../../base/time.ts';
import type { Outcome, Reason } from '../../model/outcome.ts';
import type { UrlRecord } from '../roles/frontier.ts';
import { isAddress } from '../schema/addresses.ts';
import type { Db } from '../schema/tables.ts';

/** The record of a page, or of a sitemap if there is no page. */
export async function urlRecord(db: Db, url: string): Promise<UrlRecord | undefined> {
	const row = await db
		.selectFrom('url')
		.leftJoin('host', 'host.id', 'url.host')
		.leftJoin('evidence', 'evidence.id', 'url.evidence')
		.selectAll('url')
		.select(['host.name as host_name', 'evidence.json as evidence_json'])
		.where(sql<boolean>`(${isAddress(db, url)} or ${isAddress(db, url, sql.lit(1))})`)
		.orderBy('kind')
		.limit(1)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const waits = Number(row.state) === 0;
	return {
		url,
		kind: Number(row.kind) === 0 ? 'page' : 'sitemap',
		seed: Number(row.seed) === 1,
		depth: Number(row.depth),
		foundBy: await chainOf(db, row.via),
		...(!waits && row.outcome !== null && { outcome: row.outcome as Outcome }),
		...(!waits && row.reason !== null && { reason: row.reason as Reason }),
		...(row.detail !== null && { detail: row.detail }),
		...(row.evidence_json !== null && { evidence: JSON.parse(row.evidence_json) as Evidence[] }),
		...(row.status !== null && { status: Number(row.status) }),
		...(row.redirect !== null && { [row.reason === 'alias' ? 'aliasOf' : 'redirectedTo']: row.redirect }),
		...(row.at !== null && { at: time(row.at) }),
		attempts: Number(row.attempts),
		...(waits && Number(row.due) > 0 && { due: time(row.due) }),
		...(row.host_name !== null && { host: row.host_name }),
	};
}

/** A chain has no loops, except in a damaged store. */
const maxChain = 100;

async function chainOf(db: Db, via: number | null): Promise<string[]> {
	const chain: string[] = [];
	for (let id = via; id !== null && chain.length < maxChain; ) {
		const row = await db.selectFrom('url').select(['key', 'via']).where('id', '=', id).executeTakeFirst();
		if (row === undefined) break;
		chain.push(row.key);
		id = row.via;
	}
	return chain;
}

/** How many pages and hosts are known. */
export async function countUrls(db: Db): Promise<{ urls: number; hosts: number }> {
	const { rows } = await sql<{ urls: number; hosts: number }>`select
		(select count(*) from url where kind = 0) as urls, (select count(*) from host) as hosts`.execute(db);
	return { urls: Number(rows[0]?.urls ?? 0), hosts: Number(rows[0]?.hosts ?? 0) };
}
