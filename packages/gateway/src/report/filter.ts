import { type RawBuilder, sql } from 'kysely';
import type { Action } from '../ledger/entry.ts';
import type { Outcome } from '../request/identity.ts';
import type { Period } from './period.ts';

/** Requests to count. Each member that is set narrows them. */
export interface RequestFilter {
	/** A name, in upper or lower case; null: clients that give none. */
	readonly agent?: string | null | undefined;
	readonly outcome?: Outcome | undefined;
	/** Paths that begin with this. */
	readonly path?: string | undefined;
	/** A status, or its first digit. */
	readonly status?: number | undefined;
	/** Only requests that were denied, or slowed down. */
	readonly denied?: boolean | undefined;
	/** Only requests that broke a rule which the agent could know. */
	readonly broken?: boolean | undefined;
	/** The rule that a request broke, as `BrokenRule.rule` gives it. */
	readonly rule?: string | undefined;
}

/** Actions that deny a client its request. */
export const denials: readonly Action[] = ['deny', 'limit', 'refuse', 'honeypot'];

/** The rule that a request broke: the line that decides, else the reason. */
export const ruleText = sql<string>`case when coalesce(would, action) = 'honeypot'
	then 'honeypot: disallowed in robots.txt and robots2.txt'
	else coalesce(rule_source || ':' || rule_line || ' ' || rule_text, reason, '') end`;

/** The condition on `gateway_request` for a period and a filter. With --observe, the action that would have been taken counts. */
export function matching({ since, until }: Period, filter: RequestFilter = {}): RawBuilder<boolean> {
	const { agent, outcome, path, status, denied, broken, rule } = filter;
	const conditions: RawBuilder<unknown>[] = [sql`at >= ${since} and at < ${until}`];
	if (agent === null) conditions.push(sql`agent is null`);
	else if (agent !== undefined) conditions.push(sql`lower(agent) = ${agent.toLowerCase()}`);
	if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`);
	// No LIKE: its wildcards occur in paths.
	if (path !== undefined) conditions.push(sql`substr(path, 1, ${sql.lit(path.length)}) = ${path}`);
	if (status !== undefined) {
		const [from, to] = status < 10 ? [status * 100, status * 100 + 99] : [status, status];
		conditions.push(sql`status between ${from} and ${to}`);
	}
	if (denied) conditions.push(sql`coalesce(would, action) in (${sql.join(denials)})`);
	if (broken || rule !== undefined) conditions.push(sql`violation = 1`);
	if (rule !== undefined) conditions.push(sql`${ruleText} = ${rule}`);
	return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
