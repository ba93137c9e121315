import { withoutNulls } from '@wayleave/io/sql';
import type { Coverage, Digest, TrustState } from '@wayleave/protocols/pagedigest';
import { defaultRevisit } from '../../model/revisit.ts';
import type { ListedState, ListedUrl, ManifestState, SiteRecord } from '../roles/changes.ts';
import type { ChangeSchema } from '../schema/change-tables.ts';

export type SiteRow = Omit<ChangeSchema['site'], 'id'> & { id: number };
export type ListedRow = Omit<ChangeSchema['listed'], 'site'>;

/** The number of each in the store; a new one goes to the end. */
const listedNumbers = {
	listed: 0,
	due: 1,
	decreased: 2,
	removed: 3,
	undescribed: 4,
} as const satisfies Record<ListedState, number>;

/** Counts for a page that was never seen to change, so that it does not starve; where its rate is kept as zero. */
export const unchangedRate = 1 / defaultRevisit.longest;

/** By their numbers. */
export const listedStates = Object.keys(listedNumbers) as readonly ListedState[];

export function toSite(row: SiteRow): SiteRecord {
	return {
		id: row.id,
		origin: row.origin,
		state: row.state as ManifestState,
		checkedAt: row.checked_at,
		cycle: row.cycle,
		salt: row.salt,
		fresh: row.fresh === 1,
		stayed: row.stayed === 1,
		trust: JSON.parse(row.trust) as TrustState,
		hints: { right: row.hints_right, wrong: row.hints_wrong },
		...withoutNulls({ settledRev: row.settled_rev, siteRev: row.site_rev, generated: row.generated }),
		...(row.coverage !== null && { coverage: JSON.parse(row.coverage) as Coverage }),
		...withoutNulls({ etag: row.etag, lastModified: row.last_modified }),
	};
}

export function fromSite(site: SiteRecord): Omit<SiteRow, 'id' | 'origin'> {
	return {
		state: site.state,
		checked_at: site.checkedAt,
		cycle: site.cycle,
		salt: site.salt,
		settled_rev: site.settledRev ?? null,
		site_rev: site.siteRev ?? null,
		generated: site.generated ?? null,
		coverage: site.coverage === undefined ? null : JSON.stringify(site.coverage),
		etag: site.etag ?? null,
		last_modified: site.lastModified ?? null,
		fresh: site.fresh ? 1 : 0,
		stayed: site.stayed ? 1 : 0,
		trust: JSON.stringify(site.trust),
		hints_right: site.hints.right,
		hints_wrong: site.hints.wrong,
	};
}

export function toListed({ key, state, rev, listed_rev, digest }: ListedRow): ListedUrl {
	return {
		key,
		state: listedStates[state] ?? 'listed',
		listedRev: listed_rev,
		...(rev !== null && { rev }),
		...(digest !== null && { digest: `sha256:${Buffer.from(digest).toString('hex')}` as Digest }),
	};
}

export const digestBytes = (digest: Digest | undefined): Uint8Array | null =>
	digest === undefined ? null : Buffer.from(digest.slice('sha256:'.length), 'hex');
