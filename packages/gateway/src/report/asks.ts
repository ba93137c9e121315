import { type Kysely, sql } from 'kysely';
import type { LedgerSchema } from '../ledger/schema.ts';
import { matching, type RequestFilter } from './filter.ts';
import type { Period } from './period.ts';

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
export async function asksOf(
	db: Kysely<LedgerSchema>,
	period: Period,
	filter: RequestFilter = {},
): Promise<AskCount[]> {
	const { rows } = await sql<AskCount>`
		select agent, asked, answer, count(*) as times, max(at) as last
		from gateway_request
		where ${matching(period, filter)} and asked is not null
		group by 1, 2, 3
		order by times desc, last desc limit ${maxAsks}`.execute(db);
	return rows;
}
