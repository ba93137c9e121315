import { sql } from 'kysely';
import type { Outcome } from '../request/identity.ts';
import { type LedgerQuery, matching, ruleText } from './filter.ts';
import { differentOf, largestOf, readGroups } from './groups.ts';

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
export async function brokenRulesOf(query: LedgerQuery, order: 'times' | 'last' = 'times'): Promise<BrokenRule[]> {
	const { db, filter } = query;
	const first = order === 'times' ? sql`times desc, last desc` : sql`last desc, times desc`;
	const rows = await readGroups<BrokenRule>(
		query,
		{ keys: ['agent', 'outcome', 'rule'], weight: 'times', min: ['first'], max: ['last'], different: 'paths' },
		(slice) => sql`
			select agent, outcome, ${ruleText} as rule, count(*) as times, ${differentOf(db, 'path')} as paths,
				min(at) as first, max(at) as last
			from gateway_request
			where ${matching(slice, { ...filter, broken: true })}
			group by 1, 2, 3 ${largestOf(db, first, maxRules)}`,
		sql`violation = 1`,
	);
	const [one, other] = order === 'times' ? (['times', 'last'] as const) : (['last', 'times'] as const);
	return rows.sort((a, b) => b[one] - a[one] || b[other] - a[other]).slice(0, maxRules);
}
