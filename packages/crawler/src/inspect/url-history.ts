import type { Evidence } from '@wayleave/protocols';
import type { Kysely } from 'kysely';
import { time } from '../base/time.ts';
import type { Outcome, Reason } from '../model/outcome.ts';
import { changesOf } from '../store/changes/change-history.ts';
import { hostOf } from '../store/fleet/host-state.ts';
import { chainOf } from '../store/frontier/url-history.ts';
import { pageOf } from '../store/pages/page-history.ts';
import { policyFilesOf } from '../store/policies/policies-of.ts';
import type { UrlStory } from '../store/roles/reader.ts';
import type { StoreDialect } from '../store/schema/dialect.ts';
import type { StoreSchema } from '../store/schema/tables.ts';

/** The story of a URL: of the page, and where there is none, of the sitemap. */
export async function storyOf(
	db: Kysely<StoreSchema>,
	dialect: StoreDialect,
	url: string,
): Promise<UrlStory | undefined> {
	const row = await db.selectFrom('url').selectAll().where('key', '=', url).orderBy('kind').limit(1).executeTakeFirst();
	if (row === undefined) return undefined;
	const evidence =
		row.evidence === null
			? undefined
			: await db.selectFrom('evidence').select('json').where('id', '=', row.evidence).executeTakeFirst();
	const host = row.host === null ? undefined : await hostOf(db, dialect, row.host);
	const page = Number(row.kind) === 0 ? await pageOf(db, row.id) : undefined;
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
		...(evidence && { evidence: JSON.parse(evidence.json) as Evidence[] }),
		...(row.status !== null && { status: Number(row.status) }),
		...(row.redirect !== null && { [row.reason === 'alias' ? 'aliasOf' : 'redirectedTo']: row.redirect }),
		...(row.at !== null && { at: time(row.at) }),
		attempts: Number(row.attempts),
		...(waits && Number(row.due) > 0 && { due: time(row.due) }),
		...(host && { host }),
		...(page && { page }),
		...(await changesOf(db, row.id, url)),
		policyFiles: await policyFilesOf(db, url),
	};
}
