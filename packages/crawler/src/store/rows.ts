import type { FrontierUrl, HostRecord, UrlKind, Validators } from './types.ts';

export interface ValidatorRow {
	etag: string | null;
	last_modified: string | null;
	body_hash: Uint8Array | null;
}

export interface FrontierRow extends ValidatorRow {
	id: number;
	key: string;
	depth: number;
	dates: number;
	attempts: number;
	seed: number;
	found_on: string | null;
}

export function toFrontierUrl(row: FrontierRow, kind: UrlKind): FrontierUrl {
	return {
		id: row.id,
		url: row.key,
		kind,
		depth: row.depth,
		dates: row.dates,
		attempts: row.attempts,
		seed: row.seed === 1,
		...(row.found_on !== null && { foundOn: row.found_on }),
		...lastOf(row),
	};
}

export function lastOf(row: ValidatorRow): { last?: Validators } {
	const last = toValidators(row);
	return Object.keys(last).length > 0 ? { last } : {};
}

export function toValidators({ etag, last_modified, body_hash }: ValidatorRow) {
	return {
		...(etag !== null && { etag }),
		...(last_modified !== null && { lastModified: last_modified }),
		...(body_hash !== null && { bodyHash: body_hash }),
	};
}

export function toHost(row: { id: number; name: string; next_at: number; https: number }): HostRecord {
	return { id: row.id, name: row.name, nextAt: row.next_at, https: row.https === 1 };
}
