import { type Kysely, sql } from 'kysely';
import type { Action } from '../ledger/entry.ts';
import type { LedgerSchema } from '../ledger/schema.ts';
import { type Compliance, complianceOf, type Period } from '../report/compliance.ts';
import type { Outcome } from '../serve/identity.ts';

/** What came of requests in one piece of a period. */
export interface Slice {
	/** When it begins; milliseconds since 1970. */
	readonly at: number;
	readonly allowed: number;
	readonly denied: number;
}

/** The figures of a site in a period, for people to look at. Times in milliseconds since 1970. */
export interface Overview {
	readonly site: string;
	/** Nobody is denied: what is shown as denied would have been. */
	readonly observing: boolean;
	readonly period: Period;
	readonly totals: {
		readonly requests: number;
		readonly denied: number;
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

/** Pieces that a period is cut into. */
const pieces = 48;
/** What keeps a client from what it wanted. */
const denials: ReadonlySet<Action> = new Set(['deny', 'limit', 'refuse', 'honeypot']);

interface Count {
	piece: number;
	outcome: Outcome;
	action: Action;
	requests: number;
	violations: number;
	bytes: number;
	bytesSaved: number;
	tokensSaved: number;
}

/** Reads the figures of a period from the ledger: one pass for the counts, and the report on the agents. */
export async function overviewOf(
	db: Kysely<LedgerSchema>,
	period: Period,
	about: Pick<Overview, 'site' | 'observing'>,
): Promise<Overview> {
	const [counts, agents] = await Promise.all([countsOf(db, period), complianceOf(db, period)]);
	const sum = (value: (count: Count) => number) => counts.reduce((total, count) => total + value(count), 0);
	const withheld = ({ action, requests }: Count) => (denials.has(action) ? requests : 0);
	return {
		...about,
		period,
		totals: {
			requests: sum(({ requests }) => requests),
			denied: sum(withheld),
			violations: sum(({ violations }) => violations),
			bytes: sum(({ bytes }) => bytes),
			bytesSaved: sum(({ bytesSaved }) => bytesSaved),
			tokensSaved: sum(({ tokensSaved }) => tokensSaved),
		},
		identity: tally(counts, 'outcome', ['verified', 'unverified', 'unknown', 'spoofed']),
		actions: tally(counts, 'action', [
			'pass',
			'represent',
			'som',
			'file',
			'ask',
			'deny',
			'limit',
			'honeypot',
			'refuse',
		]),
		slices: slicesOf(counts, period),
		agents,
	};
}

async function countsOf(db: Kysely<LedgerSchema>, { since, until }: Period): Promise<Count[]> {
	const length = sql.lit(pieceLength({ since, until }));
	// What would have been done by a gateway that only observes counts as done.
	const { rows } = await sql<Count>`
		select (at - ${sql.lit(since)}) / ${length} as piece, outcome, coalesce(would, action) as action,
			count(*) as requests, sum(violation) as violations,
			sum(bytes) as bytes, sum(bytes_saved) as "bytesSaved", sum(tokens_saved) as "tokensSaved"
		from gateway_request
		where at >= ${since} and at < ${until}
		group by 1, 2, 3`.execute(db);
	return rows;
}

function pieceLength({ since, until }: Period): number {
	return Math.max(1, Math.ceil((until - since) / pieces));
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

function slicesOf(counts: readonly Count[], period: Period): Slice[] {
	const length = pieceLength(period);
	const slices = Array.from({ length: pieces }, (_, at) => ({ at: period.since + at * length, allowed: 0, denied: 0 }));
	for (const { piece, action, requests } of counts) {
		const slice = slices[piece];
		if (slice !== undefined) slice[denials.has(action) ? 'denied' : 'allowed'] += requests;
	}
	return slices;
}
