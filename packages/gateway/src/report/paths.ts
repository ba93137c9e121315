import { type RawBuilder, sql } from 'kysely';
import { type LedgerQuery, matching } from './filter.ts';
import { differentOf, largestOf, readGroups } from './groups.ts';
import type { Period } from './period.ts';

/** Requests for one path. */
export interface PathCount {
	/** Path and query. */
	readonly path: string;
	readonly requests: number;
	/** Different agents by name. */
	readonly agents: number;
}

/** Paths of each list, unless asked for more. */
const defaultPaths = 10;

const answered = sql`action in ('pass', 'represent', 'som') and status < 400`;
const denied = sql`coalesce(would, action) in ('deny', 'honeypot')`;

/** The pages that agents fetched most, and the paths that were denied most. @param limit of each list; default 10 */
export async function pathsOf(
	query: LedgerQuery,
	limit = defaultPaths,
): Promise<{ fetched: PathCount[]; denied: PathCount[] }> {
	const read = (kind: RawBuilder<unknown>) =>
		topPaths(query, (slice) => sql`${matching(slice, query.filter)} and ${kind}`, limit);
	const [fetchedPaths, deniedPaths] = await Promise.all([read(answered), read(denied)]);
	return { fetched: fetchedPaths, denied: deniedPaths };
}

async function topPaths(
	query: LedgerQuery,
	condition: (slice: Period) => RawBuilder<unknown>,
	limit: number,
): Promise<PathCount[]> {
	const rows = await readGroups<PathCount>(
		query,
		{ keys: ['path'], weight: 'requests', different: 'agents' },
		(slice) => sql`
			select path, count(*) as requests, ${differentOf(query.db, 'agent')} as agents
			from gateway_request
			where ${condition(slice)}
			group by path ${largestOf(query.db, sql`requests desc, path`, limit)}`,
	);
	return rows.sort((a, b) => b.requests - a.requests || (a.path < b.path ? -1 : 1)).slice(0, limit);
}
