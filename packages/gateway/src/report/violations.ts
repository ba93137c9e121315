import { type Kysely, sql } from 'kysely';
import type { LedgerSchema } from '../ledger/schema.ts';
import type { Period } from './compliance.ts';

/** One broken rule, with all that its operator asks for (PB-104, R2-56). */
export interface Violation {
	readonly at: number;
	readonly agent: string | null;
	readonly categories: string;
	readonly outcome: string;
	readonly address: string;
	readonly method: string;
	readonly path: string;
	readonly rule: string;
	/** The version of the policy that the agent had fetched last, or null; and the one in force. */
	readonly fetched: string | null;
	readonly inForce: string;
	readonly status: number;
	/** JSON */
	readonly evidence: string;
}

/** The broken rules of a period, the latest first. */
export async function violationsOf(
	db: Kysely<LedgerSchema>,
	{ since, until }: Period,
	agent?: string,
	limit = 1000,
): Promise<Violation[]> {
	const about = agent === undefined ? sql`true` : sql`lower(agent) = ${agent.toLowerCase()}`;
	const { rows } = await sql<Violation>`
		select at, agent, categories, outcome, address, method, path, status, evidence,
			case when coalesce(would, action) = 'honeypot' then 'honeypot: disallowed in robots.txt and robots2.txt'
				else coalesce(rule_source || ':' || rule_line || ' ' || rule_text, reason, '') end as rule,
			policy as fetched, in_force as "inForce"
		from gateway_request
		where at >= ${since} and at < ${until} and violation = 1 and ${about}
		order by at desc limit ${limit}`.execute(db);
	return rows;
}
