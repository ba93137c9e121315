import type { Generated } from 'kysely';

/** Tables for change detection. Times are milliseconds since 1970. */
export interface ChangeSchema {
	/** The manifest of each origin, as far as there is one (pagedigest). */
	site: {
		id: Generated<number>;
		origin: string;
		state: string;
		checked_at: number;
		cycle: number;
		salt: string;
		settled_rev: number | null;
		site_rev: number | null;
		generated: string | null;
		coverage: string | null;
		etag: string | null;
		last_modified: string | null;
		fresh: number;
		stayed: number;
		trust: string;
		hints_right: number;
		hints_wrong: number;
	};
	/** The manifest's record of each URL, by key. `state` is an index into `listedStates`. */
	listed: {
		site: number;
		key: string;
		state: number;
		rev: number | null;
		listed_rev: number;
		digest: Uint8Array | null;
	};
	/** A view: by the number of its URL, how often a page was looked at and had changed. `rate`: for the order of urgency. */
	revisit: {
		url: number;
		visits: number;
		changes: number;
		span: number;
		rate: number;
		checked_at: number;
		changed_at: number | null;
		next_at: number;
		hinted_at: number | null;
	};
}
