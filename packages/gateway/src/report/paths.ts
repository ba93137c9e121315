import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LedgerSchema } from '../ledger/schema.ts';
import { matching, type RequestFilter } from './filter.ts';
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
	db: Kysely<LedgerSchema>,
	period: Period,
	filter: RequestFilter = {},
	limit = defaultPaths,
): Promise<{ fetched: PathCount[]; denied: PathCount[] }> {
	const [fetchedPaths, deniedPaths] = await Promise.all([
		topPaths(db, matching(period, filter), answered, limit),
		topPaths(db, matching(period, filter), denied, limit),
	]);
	return { fetched: fetchedPaths, denied: deniedPaths };
}

async function topPaths(
	db: Kysely<LedgerSchema>,
	condition: RawBuilder<boolean>,
	kind: RawBuilder<unknown>,
	limit: number,
): Promise<PathCount[]> {
	const { rows } = await sql<PathCount>`
		select path, count(*) as requests, count(distinct agent) as agents
		from gateway_request
		where ${condition} and ${kind}
		group by path order by requests desc, path limit ${limit}`.execute(db);
	return rows;
}
