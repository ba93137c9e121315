import { type Kysely, sql } from 'kysely';
import type { LedgerSchema } from '../ledger/schema.ts';
import type { Outcome } from '../request/identity.ts';
import { matching, type RequestFilter, ruleText } from './filter.ts';
import type { Period } from './period.ts';

/** One rule that one agent broke, with how often. Times in milliseconds since 1970. */
export interface BrokenRule {
	readonly agent: string | null;
	readonly outcome: Outcome;
	readonly rule: string;
	readonly times: number;
	/** Different paths. */
	readonly paths: number;
	readonly first: number;
	readonly last: number;
}

const maxRules = 200;

/** The rules that agents broke in a period, at most 200: by agent, identity and rule. @param order the most often or the latest broken first */
export async function brokenRulesOf(
	db: Kysely<LedgerSchema>,
	period: Period,
	filter: RequestFilter = {},
	order: 'times' | 'last' = 'times',
): Promise<BrokenRule[]> {
	const { rows } = await sql<BrokenRule>`
		select agent, outcome, ${ruleText} as rule, count(*) as times, count(distinct path) as paths,
			min(at) as first, max(at) as last
		from gateway_request
		where ${matching(period, { ...filter, broken: true })}
		group by 1, 2, 3
		order by ${order === 'times' ? sql`times desc, last desc` : sql`last desc, times desc`} limit ${maxRules}`.execute(
		db,
	);
	return rows;
}
