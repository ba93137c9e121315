import type { FrontierUrl, HostRecord, LastSeen, UrlKind } from './types.ts';

export interface ValidatorRow {
	etag: string | null;
	last_modified: string | null;
	body_hash: Uint8Array | null;
}

export interface LastRow extends ValidatorRow {
	/** Whether there is a document. */
	kept: number;
}

export interface FrontierRow extends LastRow {
	id: number;
	key: string;
	depth: number;
	dates: number;
	attempts: number;
	seed: number;
	found_on: string | null;
	found_kind: number | null;
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
		...(row.found_kind === 1 && { listed: true }),
		...lastOf(row),
	};
}

export function lastOf(row: LastRow): { last?: LastSeen } {
	const last = toValidators(row);
	return Object.keys(last).length > 0 ? { last: { ...last, kept: Number(row.kept) === 1 } } : {};
}

export function toValidators({ etag, last_modified, body_hash }: ValidatorRow) {
	return {
		...(etag !== null && { etag }),
		...(last_modified !== null && { lastModified: last_modified }),
		...(body_hash !== null && { bodyHash: body_hash }),
	};
}

export interface HostRow {
	id: number;
	name: string;
	next_at: number;
	https: number;
	delay: number;
	/** The time when it was read, by the clock that `next_at` is of. */
	now: number;
}

/** @param own the time by our own clock */
export function toHost({ id, name, next_at, https, delay, now }: HostRow, own: number): HostRecord {
	return { id, name, nextAt: own + next_at - now, https: https === 1, delay };
}
