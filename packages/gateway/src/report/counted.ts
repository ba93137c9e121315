import { findAgentByToken } from '@wayleave/protocols/identity';
import { type RawBuilder, sql } from 'kysely';
import { countLengths } from '../ledger/counts.ts';
import type { LedgerDb } from '../ledger/schema.ts';
import { type Compliance, judge, weightOf } from './compliance.ts';
import { denials, isCounted, matching, matchingKey, type RequestFilter } from './filter.ts';
import { readGroups } from './groups.ts';
import { type Overview, overviewFrom, overviewOf } from './overview.ts';
import { sliceStarts, type Timeframe } from './timeframe.ts';
import { explainIdentity } from './why.ts';

/** Figures of an agent that the counts of hours and days give: no addresses are compared for them. */
export type CountedAgent = Omit<Compliance, 'clients' | 'first' | 'overfetched'>;

/** The figures of a site, read from the counts of hours and days where the filter permits that. */
export type CountedOverview = Omit<Overview, 'agents'> & { readonly agents: readonly CountedAgent[] };

/** Agents of which the evidence for the identity is looked up. */
const maxWhys = 200;

/** Whether the counts answer for a period and a filter; else single requests are read. */
function hasCounts({ slice }: Timeframe, filter: RequestFilter): boolean {
	return slice >= countLengths[0] && isCounted(filter);
}

/** The counts to read: those of days where a slice is a day. */
const lengthFor = ({ slice }: Timeframe) => (slice % countLengths[1] === 0 ? countLengths[1] : countLengths[0]);

/**
 * The figures of a period. With a filter by path or rule, and for slices shorter than an hour, single requests are read;
 * else as many rows as there are kinds of requests in each hour or day.
 */
export async function countedOverviewOf(
	db: LedgerDb,
	frame: Timeframe,
	about: Pick<Overview, 'site' | 'observing'>,
	filter: RequestFilter = {},
	signal?: AbortSignal,
): Promise<CountedOverview> {
	if (!hasCounts(frame, filter)) {
		return overviewOf({ db, period: frame, filter, signal }, about, sliceStarts(frame).length);
	}
	const [counts, agents] = await Promise.all([slicesOf(db, frame, filter), agentsOf(db, frame, filter)]);
	return { ...overviewFrom(counts, frame, about, frame.slice), agents };
}

const inCounts = (frame: Timeframe, filter: RequestFilter) => {
	const { since, until } = frame;
	const period = sql`length = ${sql.lit(lengthFor(frame))} and at >= ${since} and at < ${until}`;
	return sql.join([period, ...matchingKey(filter, sql`action`)], sql` and `);
};

async function slicesOf(db: LedgerDb, frame: Timeframe, filter: RequestFilter) {
	const { rows } = await sql<Parameters<typeof overviewFrom>[0][number]>`
		select (at - ${sql.lit(frame.since)}) / ${sql.lit(frame.slice)} as piece, outcome, action,
			sum(requests) as requests, sum(observed) as observed, sum(violations) as violations,
			sum(bytes) as bytes, sum(bytes_saved) as "bytesSaved", sum(tokens_saved) as "tokensSaved"
		from gateway_count where ${inCounts(frame, filter)}
		group by 1, 2, 3`.execute(db);
	return rows;
}

async function agentsOf(db: LedgerDb, frame: Timeframe, filter: RequestFilter): Promise<CountedAgent[]> {
	const { rows } = await sql<Omit<CountedAgent, 'judgement' | 'why'>>`
		select nullif(agent, '') as agent, outcome, sum(requests) as requests, sum(pages) as pages, max(latest) as last,
			sum(bytes) as bytes, sum(bytes_saved) as "bytesSaved", sum(tokens_saved) as "tokensSaved",
			sum(policy_reads) as "policyReads", sum(manifest_reads) as "manifestReads", sum(disallowed) as disallowed,
			sum(unasked) as unasked, sum(asks) as asks, sum(honeypots) as honeypots, sum(early) as early,
			sum(case when action = 'limit' then requests else 0 end) as limited, sum(excused) as excused
		from gateway_count where ${inCounts(frame, filter)}
		group by 1, 2`.execute(db);
	const sorted = rows.sort((a, b) => weightOf(b) - weightOf(a) || b.requests - a.requests);
	const whys = await Promise.all(sorted.slice(0, maxWhys).map((row) => whyOf(db, row)));
	return sorted.map((row, at) => ({ ...row, judgement: judge(row), why: whys[at] ?? '' }));
}

/** Evidence for the identity, by the latest request. */
async function whyOf(db: LedgerDb, { agent, outcome }: Pick<CountedAgent, 'agent' | 'outcome'>): Promise<string> {
	const row = await db
		.selectFrom('gateway_request')
		.select(['evidence', 'address'])
		.where('agent', agent === null ? 'is' : '=', agent)
		.where('outcome', '=', outcome)
		.orderBy('at', 'desc')
		.limit(1)
		.executeTakeFirst();
	return row === undefined ? '' : explainIdentity(row.evidence, row.address);
}

/** Ways to tell traffic apart. */
export const groupings = ['agent', 'operator', 'purpose', 'category', 'outcome', 'action'] as const;
export type Grouping = (typeof groupings)[number];

const measures = ['requests', 'bytes', 'bytesSaved', 'tokensSaved', 'denied'] as const;
type Measure = (typeof measures)[number];

/** The requests of one group over time. */
export interface TrafficSeries extends Readonly<Record<Measure, readonly number[]>> {
	/** An agent, operator, purpose, category, outcome or action; empty where requests have none. */
	readonly name: string;
}

export interface Traffic {
	readonly by: Grouping;
	/** Where each slice begins; milliseconds since 1970. */
	readonly times: readonly number[];
	/** The largest first. */
	readonly series: readonly TrafficSeries[];
}

type GroupRow = Readonly<Record<Measure, number>> & { readonly piece: number; readonly name: string };

/** Requests, bytes and savings over time by agent, operator, purpose, category, identity or action. */
export async function trafficOf(
	db: LedgerDb,
	frame: Timeframe,
	by: Grouping,
	filter: RequestFilter = {},
	signal?: AbortSignal,
): Promise<Traffic> {
	const isFromCounts = hasCounts(frame, filter);
	const action = isFromCounts ? sql`action` : sql`coalesce(would, action)`;
	const column = {
		agent: sql`coalesce(agent, '')`,
		operator: sql`coalesce(agent, '')`,
		purpose: sql`purpose`,
		category: sql`categories`,
		outcome: sql`outcome`,
		action,
	}[by];
	const requests = isFromCounts ? sql`requests` : sql`1`;
	const statement = (source: RawBuilder<unknown>) => sql<GroupRow>`
		select (at - ${sql.lit(frame.since)}) / ${sql.lit(frame.slice)} as piece, ${column} as name,
			sum(${requests}) as requests, sum(bytes) as bytes, sum(bytes_saved) as "bytesSaved",
			sum(tokens_saved) as "tokensSaved",
			sum(case when ${action} in (${sql.join(denials)}) then ${requests} else 0 end) as denied
		from ${source} group by 1, 2`;
	const keys = { keys: ['piece', 'name'], weight: 'requests' } as const;
	const rows = isFromCounts
		? (await statement(sql`gateway_count where ${inCounts(frame, filter)}`).execute(db)).rows
		: await readGroups({ db, period: frame, signal }, keys, (slice) =>
				statement(sql`gateway_request where ${matching(slice, filter)}`),
			);
	const named =
		by === 'operator' ? rows.map((row) => ({ ...row, name: findAgentByToken(row.name)?.operator ?? '' })) : rows;
	return { by, times: sliceStarts(frame), series: seriesOf(named, sliceStarts(frame).length) };
}

function seriesOf(rows: readonly GroupRow[], slices: number): TrafficSeries[] {
	const found = new Map<string, Record<Measure, number[]>>();
	const none = () => Object.fromEntries(measures.map((measure) => [measure, new Array<number>(slices).fill(0)]));
	for (const row of rows) {
		const series = found.get(row.name) ?? (none() as Record<Measure, number[]>);
		found.set(row.name, series);
		for (const measure of measures) series[measure][row.piece] = (series[measure][row.piece] ?? 0) + row[measure];
	}
	const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
	return [...found]
		.map(([name, series]) => ({ name, ...series }))
		.sort((a, b) => sum(b.requests) - sum(a.requests) || (a.name < b.name ? -1 : 1));
}
