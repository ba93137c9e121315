import { databaseKind } from '@wayleave/io/sql';
import { sql } from 'kysely';
import type { Entry } from '../ledger/entry.ts';
import type { LedgerDb } from '../ledger/schema.ts';
import type { Outcome } from '../request/identity.ts';
import { type LedgerQuery, matching } from './filter.ts';
import { differentOf, readGroups } from './groups.ts';
import { manifestReadersOf } from './manifest-readers.ts';
import type { Period } from './period.ts';
import { explainIdentity } from './why.ts';

/** Actions of one agent, and the rules it kept. */
export interface Compliance {
	/** The name that it gives; null for clients that give none. */
	readonly agent: string | null;
	readonly outcome: Outcome;
	readonly clients: number;
	readonly requests: number;
	readonly pages: number;
	readonly first: number;
	readonly last: number;
	readonly bytes: number;
	readonly bytesSaved: number;
	readonly tokensSaved: number;
	/** How often it read robots.txt or robots2.txt, and the manifest. */
	readonly policyReads: number;
	readonly manifestReads: number;
	/** Pages that it asked for though a rule that it could know forbids them. */
	readonly disallowed: number;
	/** Pages that it asked for without the permission that is to be asked for. */
	readonly unasked: number;
	readonly asks: number;
	readonly honeypots: number;
	/** Requests before the pause was over. */
	readonly early: number;
	/** Times that it was slowed down. */
	readonly limited: number;
	/** Pages that it fetched again at a revision that it had, having read the manifest. */
	readonly overfetched: number;
	/** Broken rules that it could not know, or that are not held against it. */
	readonly excused: number;
	/** `broken`: some rule that it could know. `kept`: none, and it read the terms. `unread`: none, and it did not. */
	readonly judgement: 'kept' | 'broken' | 'unread' | 'spoofed';
	/** Evidence for the identity, by the latest request; empty if unknown. */
	readonly why: string;
}

/** Actions of each agent in a period, by name and identity outcome; most violations first. */
export async function complianceOf(query: LedgerQuery): Promise<Compliance[]> {
	const [rows, again] = await Promise.all([countsOf(query), overfetchedOf(query)]);
	const whys = await whysOf(
		query.db,
		rows.map(({ latest }) => latest),
	);
	const all = rows.map(({ latest, ...row }): Compliance => {
		const overfetched = again.get(keyOf(row)) ?? 0;
		return { ...row, overfetched, judgement: judge(row), why: whys.get(latest) ?? '' };
	});
	return all.sort((a, b) => weightOf(b) - weightOf(a) || b.requests - a.requests);
}

/** `latest`: the id of the latest request. */
type Counts = Omit<Compliance, 'overfetched' | 'judgement' | 'why'> & { readonly latest: number };

/** Ids per statement. */
const maxIds = 500;

/** Evidence for the identity of each of these requests, by id. */
async function whysOf(db: LedgerDb, ids: readonly number[]): Promise<Map<number, string>> {
	const found = new Map<number, string>();
	for (let at = 0; at < ids.length; at += maxIds) {
		const some = db.selectFrom('gateway_request').select(['id', 'evidence', 'address']);
		const rows = await some.where('id', 'in', ids.slice(at, at + maxIds)).execute();
		for (const { id, evidence, address } of rows) found.set(id, explainIdentity(evidence, address));
	}
	return found;
}

const countColumns = {
	keys: ['agent', 'outcome'],
	weight: 'requests',
	min: ['first'],
	max: ['last', 'latest'],
	different: 'clients',
} as const;

function countsOf(query: LedgerQuery): Promise<Counts[]> {
	const { db, filter } = query;
	// With --observe, the action that would have been taken counts.
	const statement = (slice: Period) => sql<Counts>`
		select agent, outcome,
			${differentOf(db, 'client')} as clients,
			count(*) as requests,
			count(*) filter (where action in ('pass', 'represent', 'som') and status < 400) as pages,
			min(at) as first, max(at) as last,
			sum(bytes) as bytes, sum(bytes_saved) as "bytesSaved", sum(tokens_saved) as "tokensSaved",
			count(*) filter (where action = 'file' and path in ('/robots.txt', '/robots2.txt')) as "policyReads",
			count(*) filter (where action = 'file' and path = '/.well-known/pagedigest.json') as "manifestReads",
			count(*) filter (where violation = 1 and reason = 'not-permitted') as disallowed,
			count(*) filter (where violation = 1 and reason = 'ask-first') as unasked,
			count(asked) as asks,
			count(*) filter (where violation = 1 and coalesce(would, action) = 'honeypot') as honeypots,
			sum(early) as early,
			count(*) filter (where coalesce(would, action) = 'limit') as limited,
			count(excuse) as excused,
			max(id) as latest
		from gateway_request
		where ${matching(slice, filter)}
		group by agent, outcome`;
	return readGroups(query, countColumns, statement);
}

interface Fetches extends Pick<Entry, 'agent' | 'outcome' | 'client' | 'path'> {
	readonly revision: number;
	readonly times: number;
}

/** Fetches of a page that a client had at the same revision already, by clients that read the manifest. */
async function overfetchedOf(query: LedgerQuery): Promise<Map<string, number>> {
	const { db, filter } = query;
	const readers = await manifestReadersOf({ ...query, filter: {} });
	// In one statement, PostgreSQL gives those alone that were repeated.
	const having = databaseKind(db) === 'postgres' ? sql`having count(*) > 1` : sql``;
	const fetches = await readGroups<Fetches>(
		query,
		{ keys: ['agent', 'outcome', 'client', 'path', 'revision'], weight: 'times' },
		(slice) => sql`
			select agent, outcome, client, path, revision, count(*) as times
			from gateway_request
			where ${matching(slice, filter)} and revision is not null and action = 'pass' and status = 200
				and ${readers.condition}
			group by agent, outcome, client, path, revision ${having}`,
	);
	const again = new Map<string, number>();
	for (const row of fetches) {
		if (row.times === 1 || !readers.has(row.client)) continue;
		again.set(keyOf(row), (again.get(keyOf(row)) ?? 0) + row.times - 1);
	}
	return again;
}

function keyOf({ agent, outcome }: { agent: string | null; outcome: Outcome }): string {
	return `${outcome} ${agent ?? ''}`;
}

/** What an agent's counts say of the rules it kept. */
export function judge({
	outcome,
	disallowed,
	unasked,
	honeypots,
	early,
	policyReads,
}: Pick<Compliance, Broken | 'outcome' | 'policyReads'>): Compliance['judgement'] {
	// Requests in the name of an agent do not count against that agent.
	if (outcome === 'spoofed') return 'spoofed';
	if (disallowed + unasked + honeypots + early > 0) return 'broken';
	return policyReads > 0 ? 'kept' : 'unread';
}

type Broken = 'disallowed' | 'unasked' | 'honeypots' | 'early';

/** How much an agent broke: those with most are listed first. */
export function weightOf({ disallowed, unasked, honeypots, early }: Pick<Compliance, Broken>): number {
	return (disallowed + unasked + honeypots) * 1000 + early;
}
