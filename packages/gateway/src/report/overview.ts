import { sql } from 'kysely';
import { type Action, actions } from '../ledger/entry.ts';
import type { Outcome } from '../request/identity.ts';
import { type Compliance, complianceOf } from './compliance.ts';
import { denials, type LedgerQuery, matching } from './filter.ts';
import { readGroups } from './groups.ts';
import type { Period } from './period.ts';

/** Counts of requests in one slice of a period. */
export interface Slice {
	/** When it begins; milliseconds since 1970. */
	readonly at: number;
	readonly allowed: number;
	readonly denied: number;
	/** Requests that broke a rule which the agent could know. */
	readonly violations: number;
	readonly bytesSaved: number;
}

/** The figures of a site in a period, for people to look at. Times in milliseconds since 1970. */
export interface Overview {
	readonly site: string;
	/** No request is denied: those shown as denied would have been. */
	readonly observing: boolean;
	readonly period: Period;
	readonly totals: {
		readonly requests: number;
		readonly denied: number;
		/** Requests that were passed only because the gateway observed: those shown as denied would have been. */
		readonly observed: number;
		readonly violations: number;
		readonly bytes: number;
		readonly bytesSaved: number;
		readonly tokensSaved: number;
	};
	/** How many requests by each outcome of the identity check. */
	readonly identity: Readonly<Record<Outcome, number>>;
	/** How many requests by what was done with them. */
	readonly actions: Readonly<Record<Action, number>>;
	readonly slices: readonly Slice[];
	readonly agents: readonly Compliance[];
}

interface Count extends Omit<Overview['totals'], 'denied'> {
	readonly piece: number;
	readonly outcome: Outcome;
	readonly action: Action;
}

/**
 * Reads the figures of a period from the ledger: one pass for the counts, and the report on the agents.
 *
 * @param pieces slices of equal length that the period is cut into
 */
export async function overviewOf(
	query: LedgerQuery,
	about: Pick<Overview, 'site' | 'observing'>,
	pieces = 48,
): Promise<Overview> {
	const { period } = query;
	const length = Math.max(1, Math.ceil((period.until - period.since) / pieces));
	const [counts, agents] = await Promise.all([countsOf(query, length), complianceOf(query)]);
	return { ...overviewFrom(counts, period, about, length), agents };
}

/** The figures that counts of slices add up to. @param length milliseconds of a slice */
export function overviewFrom(
	counts: readonly Count[],
	period: Period,
	about: Pick<Overview, 'site' | 'observing'>,
	length: number,
): Omit<Overview, 'agents'> {
	const sum = (value: (count: Count) => number) => counts.reduce((total, count) => total + value(count), 0);
	const withheld = ({ action, requests }: Count) => (denials.includes(action) ? requests : 0);
	return {
		...about,
		period: { since: period.since, until: period.until },
		totals: {
			requests: sum(({ requests }) => requests),
			denied: sum(withheld),
			observed: sum(({ observed }) => observed),
			violations: sum(({ violations }) => violations),
			bytes: sum(({ bytes }) => bytes),
			bytesSaved: sum(({ bytesSaved }) => bytesSaved),
			tokensSaved: sum(({ tokensSaved }) => tokensSaved),
		},
		identity: tally(counts, 'outcome', ['verified', 'unverified', 'unknown', 'spoofed']),
		actions: tally(counts, 'action', actions),
		slices: slicesOf(counts, period, length),
	};
}

function countsOf(query: LedgerQuery, length: number): Promise<Count[]> {
	// With --observe, the action that would have been taken counts.
	const statement = (slice: Period) => sql<Count>`
		select (at - ${sql.lit(query.period.since)}) / ${sql.lit(length)} as piece, outcome, coalesce(would, action) as action,
			count(*) as requests, count(would) as observed, sum(violation) as violations,
			sum(bytes) as bytes, sum(bytes_saved) as "bytesSaved", sum(tokens_saved) as "tokensSaved"
		from gateway_request
		where ${matching(slice, query.filter)}
		group by 1, 2, 3`;
	return readGroups(query, { keys: ['piece', 'outcome', 'action'], weight: 'requests' }, statement);
}

function tally<Key extends 'outcome' | 'action'>(
	counts: readonly Count[],
	key: Key,
	names: readonly Count[Key][],
): Record<Count[Key], number> {
	const found = Object.fromEntries(names.map((name) => [name, 0])) as Record<Count[Key], number>;
	for (const count of counts) found[count[key]] += count.requests;
	return found;
}

function slicesOf(counts: readonly Count[], { since, until }: Period, length: number): Slice[] {
	const slices = Array.from({ length: Math.ceil((until - since) / length) }, (_, at) => ({
		at: since + at * length,
		allowed: 0,
		denied: 0,
		violations: 0,
		bytesSaved: 0,
	}));
	for (const { piece, action, requests, violations, bytesSaved } of counts) {
		const slice = slices[piece];
		if (slice === undefined) continue;
		slice[denials.includes(action) ? 'denied' : 'allowed'] += requests;
		slice.violations += violations;
		slice.bytesSaved += bytesSaved;
	}
	return slices;
}
