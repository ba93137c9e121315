import { toValidators, type ValidatorRow } from '../pages/validator-row.ts';
import type { FrontierUrl, LastSeen, UrlKind } from '../roles/frontier.ts';

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
