import type { DomainCheck } from './check-domain.ts';
import type { SiteSchema } from './schema.ts';

/**
 * - `pending`: no check has found the proof yet
 * - `verified`: it was found, and has not been missed too often since
 * - `lapsed`: it was found once and is gone
 */
export type SiteStatus = 'pending' | 'verified' | 'lapsed';

/** Preferences of a verified owner for this service. They can only forbid more than the site does. */
export interface SitePreferences {
	/** `no`: no page of the site is fetched or returned. */
	readonly crawl: 'as-published' | 'no';
	/** Path patterns as in robots.txt that are neither fetched nor given out. */
	readonly disallow: readonly string[];
}

export const noPreferences: SitePreferences = { crawl: 'as-published', disallow: [] };

/** A registered domain. Times are milliseconds since 1970. */
export interface Site {
	readonly domain: string;
	readonly owner: string;
	readonly status: SiteStatus;
	readonly token: string;
	readonly provenToken?: string;
	readonly method?: 'dns' | 'file';
	readonly registeredAt: number;
	readonly verifiedAt?: number;
	readonly checkedAt?: number;
	readonly nextCheck?: number;
	readonly misses: number;
	readonly lastCheck?: DomainCheck;
	readonly preferences: SitePreferences;
}

export function toSite(row: SiteSchema['service_site']): Site {
	const optional = <Value>(value: Value | null): Value | undefined => value ?? undefined;
	const site = {
		domain: row.domain,
		owner: row.owner,
		status: statusOf(row),
		token: row.token,
		provenToken: optional(row.proven_token),
		method: optional(row.method),
		registeredAt: Number(row.registered_at),
		verifiedAt: row.verified_at === null ? undefined : Number(row.verified_at),
		checkedAt: row.checked_at === null ? undefined : Number(row.checked_at),
		nextCheck: row.next_check === null ? undefined : Number(row.next_check),
		misses: row.misses,
		lastCheck: row.last_check === null ? undefined : (JSON.parse(row.last_check) as DomainCheck),
		preferences: JSON.parse(row.preferences) as SitePreferences,
	};
	return Object.fromEntries(Object.entries(site).filter(([, value]) => value !== undefined)) as unknown as Site;
}

function statusOf({ verified_at, lapsed_at }: SiteSchema['service_site']): SiteStatus {
	if (verified_at === null) return 'pending';
	return lapsed_at === null ? 'verified' : 'lapsed';
}
