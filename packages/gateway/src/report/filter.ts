import { knownAgents } from '@wayleave/protocols/identity';
import { type RawBuilder, sql } from 'kysely';
import type { Action, Entry } from '../ledger/entry.ts';
import type { LedgerDb } from '../ledger/schema.ts';
import type { Outcome } from '../request/identity.ts';
import type { Period } from './period.ts';

/** The requests of a period that a filter accepts: a list is read from these. */
export interface LedgerQuery {
	readonly db: LedgerDb;
	readonly period: Period;
	readonly filter: RequestFilter;
	readonly signal?: AbortSignal | undefined;
}

/** Requests to count. Each member that is set narrows them. */
export interface RequestFilter {
	/** A name, in upper or lower case; null: clients that give none. */
	readonly agent?: string | null | undefined;
	readonly outcome?: Outcome | undefined;
	/** Paths that begin with this. */
	readonly path?: string | undefined;
	/** Exactly this path, with its query. */
	readonly page?: string | undefined;
	/** A status, or its first digit. */
	readonly status?: number | undefined;
	/** Only requests that were denied, or slowed down. */
	readonly denied?: boolean | undefined;
	/** Only requests that broke a rule which the agent could know. */
	readonly broken?: boolean | undefined;
	/** The rule that a request broke, as `BrokenRule.rule` gives it. */
	readonly rule?: string | undefined;
	/** One of these actions was taken or, with --observe, would have been. */
	readonly actions?: readonly Action[] | undefined;
	readonly purpose?: Entry['purpose'] | undefined;
	/** The categories of the agent, as the ledger keeps them. */
	readonly category?: string | undefined;
	/** The operator of a known agent; empty: agents that are not known. */
	readonly operator?: string | undefined;
	/** The version of the policy that the client had read last. */
	readonly policy?: string | undefined;
	/** Requests to the ask endpoint with this answer. */
	readonly answer?: string | undefined;
}

/** Actions that deny a client its request. */
export const denials: readonly Action[] = ['deny', 'limit', 'refuse', 'honeypot'];

/** The rule that a request broke: the line that decides, else the reason. */
export const ruleText = sql<string>`case when coalesce(would, action) = 'honeypot'
	then 'honeypot: disallowed in robots.txt and robots2.txt'
	else coalesce(rule_source || ':' || rule_line || ' ' || rule_text, reason, '') end`;

const requestAction = sql`coalesce(would, action)`;

let operators: ReadonlyMap<string, readonly string[]> | undefined;

/** Names of known agents in lower case, by operator. */
function agentsByOperator(): ReadonlyMap<string, readonly string[]> {
	if (operators !== undefined) return operators;
	const found = new Map<string, string[]>();
	for (const { operator, token, name = token } of knownAgents) {
		if (operator === undefined) continue;
		const names = found.get(operator) ?? [];
		found.set(operator, [...names, ...new Set([token.toLowerCase(), name.toLowerCase()])]);
	}
	operators = found;
	return found;
}

/** Whether the counts of hours and days can answer for a filter. */
export function isCounted({ path, page, broken, rule, policy, answer }: RequestFilter): boolean {
	return [path, page, rule, policy, answer].every((each) => each === undefined) && broken !== true;
}

/** The conditions of a filter on columns that requests and counts share. @param action the column with the action */
export function matchingKey(filter: RequestFilter, action: RawBuilder<unknown>): RawBuilder<unknown>[] {
	const { agent, outcome, status, denied, purpose, category, operator } = filter;
	const conditions: RawBuilder<unknown>[] = [];
	// Requests without a name have null, counts of them the empty text.
	if (agent === null) conditions.push(sql`coalesce(agent, '') = ''`);
	else if (agent !== undefined) conditions.push(sql`lower(agent) = ${agent.toLowerCase()}`);
	if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`);
	if (status !== undefined) {
		const [from, to] = status < 10 ? [status * 100, status * 100 + 99] : [status, status];
		conditions.push(sql`status between ${from} and ${to}`);
	}
	if (denied) conditions.push(sql`${action} in (${sql.join(denials)})`);
	if (filter.actions !== undefined) conditions.push(sql`${action} in (${sql.join(filter.actions)})`);
	if (purpose !== undefined) conditions.push(sql`purpose = ${purpose}`);
	if (category !== undefined) conditions.push(sql`categories = ${category}`);
	if (operator !== undefined) conditions.push(matchingOperator(operator));
	return conditions;
}

function matchingOperator(operator: string): RawBuilder<unknown> {
	const agents = [...agentsByOperator()].flatMap(([name, tokens]) =>
		operator === '' || name === operator ? tokens : [],
	);
	const list = sql.join(agents.length === 0 ? [''] : agents);
	return operator === '' ? sql`lower(coalesce(agent, '')) not in (${list})` : sql`lower(agent) in (${list})`;
}

/** The condition on `gateway_request` for a period and a filter. With --observe, the action that would have been taken counts. */
export function matching({ since, until }: Period, filter: RequestFilter = {}): RawBuilder<boolean> {
	const { path, page, broken, rule, policy, answer } = filter;
	const conditions: RawBuilder<unknown>[] = [
		sql`at >= ${since} and at < ${until}`,
		...matchingKey(filter, requestAction),
	];
	// No LIKE: its wildcards occur in paths.
	if (path !== undefined) conditions.push(sql`substr(path, 1, ${sql.lit(path.length)}) = ${path}`);
	if (page !== undefined) conditions.push(sql`path = ${page}`);
	if (broken || rule !== undefined) conditions.push(sql`violation = 1`);
	if (rule !== undefined) conditions.push(sql`${ruleText} = ${rule}`);
	if (policy !== undefined) conditions.push(sql`policy = ${policy}`);
	// Stated, so that the index of requests that ask is used.
	if (answer !== undefined) conditions.push(sql`asked is not null and answer = ${answer}`);
	return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
