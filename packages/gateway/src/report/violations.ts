import { sql } from 'kysely';
import type { Action, Entry } from '../ledger/entry.ts';
import type { LedgerDb } from '../ledger/schema.ts';
import { type LedgerQuery, matching, ruleText } from './filter.ts';
import type { Period } from './period.ts';
import { slicesOf } from './slices.ts';

/** One broken rule, with all that its operator asks for (R2-56). */
export interface Violation
	extends Pick<
		Entry,
		'at' | 'agent' | 'categories' | 'outcome' | 'address' | 'method' | 'path' | 'inForce' | 'status' | 'evidence'
	> {
	readonly rule: string;
	/** The version of the policy that the agent had fetched last, or null. */
	readonly fetched: string | null;
}

/** A request as the ledger has it, with the rule that decided. */
export interface RecordedRequest extends Violation {
	/** The action taken or, with --observe, the one that would have been taken. */
	readonly action: Action;
	/** The reason for a denial or refusal. */
	readonly reason: string | null;
	/** Why a broken rule does not count. */
	readonly excuse: string | null;
	readonly bytes: number;
}

/** The evidence as recorded: JSON, or text where it was cut for storage. */
export function evidenceOf({ evidence }: Violation): unknown {
	try {
		return JSON.parse(evidence);
	} catch {
		return evidence;
	}
}

/** The requests of a period that a filter lets through, the latest first. */
export async function requestsOf(
	{ db, period, filter, signal }: LedgerQuery,
	limit: number,
): Promise<RecordedRequest[]> {
	const isOfRule = filter.broken === true || filter.rule !== undefined;
	const only = isOfRule ? sql`violation = 1` : filter.answer === undefined ? undefined : sql`asked is not null`;
	const found: RecordedRequest[] = [];
	for await (const slice of slicesOf(db, period, { signal, only, isBackward: true })) {
		found.push(...(await latestOf({ db, period: slice, filter }, limit - found.length)));
		if (found.length >= limit) break;
	}
	return found;
}

async function latestOf({ db, period, filter }: LedgerQuery, limit: number): Promise<RecordedRequest[]> {
	const { rows } = await sql<RecordedRequest>`
		select at, agent, categories, outcome, address, method, path, status, evidence, ${ruleText} as rule,
			policy as fetched, in_force as "inForce", coalesce(would, action) as action, reason, excuse, bytes
		from gateway_request
		where ${matching(period, filter)}
		order by at desc limit ${limit}`.execute(db);
	return rows;
}

/** The broken rules of a period, the latest first. */
export function violationsOf(db: LedgerDb, period: Period, agent?: string, limit = 1000): Promise<Violation[]> {
	return requestsOf({ db, period, filter: { agent, broken: true } }, limit);
}
