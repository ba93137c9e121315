import { sql } from 'kysely';
import type { LedgerDb } from '../ledger/schema.ts';
import type { Outcome } from '../request/identity.ts';
import { matching, type RequestFilter, ruleText } from './filter.ts';
import { differentOf, largestOf, readGroups } from './groups.ts';
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
	db: LedgerDb,
	period: Period,
	filter: RequestFilter = {},
	order: 'times' | 'last' = 'times',
	signal?: AbortSignal,
): Promise<BrokenRule[]> {
	const first = order === 'times' ? sql`times desc, last desc` : sql`last desc, times desc`;
	const rows = await readGroups<BrokenRule>(
		db,
		period,
		{ keys: ['agent', 'outcome', 'rule'], weight: 'times', min: ['first'], max: ['last'], different: 'paths' },
		(slice) => sql`
			select agent, outcome, ${ruleText} as rule, count(*) as times, ${differentOf(db, 'path')} as paths,
				min(at) as first, max(at) as last
			from gateway_request
			where ${matching(slice, { ...filter, broken: true })}
			group by 1, 2, 3 ${largestOf(db, first, maxRules)}`,
		{ signal, only: sql`violation = 1` },
	);
	const [one, other] = order === 'times' ? (['times', 'last'] as const) : (['last', 'times'] as const);
	return rows.sort((a, b) => b[one] - a[one] || b[other] - a[other]).slice(0, maxRules);
}
