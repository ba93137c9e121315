import { sql } from 'kysely';
import { type LedgerQuery, matching } from './filter.ts';
import { largestOf, readGroups } from './groups.ts';

/** Permissions that one agent asked for, with one answer. */
export interface AskCount {
	readonly agent: string | null;
	/** The directive: `train`, `read`, … */
	readonly asked: string;
	readonly answer: string | null;
	readonly times: number;
	readonly last: number;
}

const maxAsks = 200;

/** What agents asked for and what they were answered, the most often asked first. */
export async function asksOf(query: LedgerQuery): Promise<AskCount[]> {
	const { db, filter } = query;
	const rows = await readGroups<AskCount>(
		query,
		{ keys: ['agent', 'asked', 'answer'], weight: 'times', max: ['last'] },
		(slice) => sql`
			select agent, asked, answer, count(*) as times, max(at) as last
			from gateway_request
			where ${matching(slice, filter)} and asked is not null
			group by 1, 2, 3 ${largestOf(db, sql`times desc, last desc`, maxAsks)}`,
		sql`asked is not null`,
	);
	return rows.sort((a, b) => b.times - a.times || b.last - a.last).slice(0, maxAsks);
}
