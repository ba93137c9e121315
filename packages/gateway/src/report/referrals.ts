import { sql } from 'kysely';
import type { LedgerDb } from '../ledger/schema.ts';
import type { LedgerQuery } from './filter.ts';
import { readGroups } from './groups.ts';
import type { Period } from './period.ts';

const day = 86_400_000;

/** People whom assistants sent to one page, beside the requests of agents for it. */
export interface ReferredPage {
	readonly path: string;
	/** People by assistant, the most first. */
	readonly assistants: readonly { readonly assistant: string; readonly visits: number }[];
	readonly visits: number;
	/** Requests of agents for the page in the same days. */
	readonly requests: number;
}

export interface Referrals {
	/** Where each day (UTC) begins; milliseconds since 1970. */
	readonly times: readonly number[];
	/** People by assistant and day, the most first. */
	readonly series: readonly { readonly name: string; readonly visits: readonly number[] }[];
	readonly pages: readonly ReferredPage[];
}

const maxPages = 50;

/** People whom assistants sent, by day: counts have no hours, so that the first day is counted in full. */
export async function referralsOf(db: LedgerDb, period: Period, signal?: AbortSignal): Promise<Referrals> {
	const since = Math.floor(period.since / day) * day;
	const within = sql`at >= ${since} and at < ${period.until}`;
	const [days, pages] = await Promise.all([
		sql<{ at: number; assistant: string; visits: number }>`
			select at, assistant, sum(visits) as visits from gateway_referral where ${within} group by 1, 2`.execute(db),
		sql<{ path: string; assistant: string; visits: number }>`
			select path, assistant, sum(visits) as visits from gateway_referral
			where ${within} and path in (
				select path from gateway_referral where ${within} group by path order by sum(visits) desc, path limit ${maxPages}
			) group by 1, 2`.execute(db),
	]);
	const times = Array.from({ length: Math.ceil((period.until - since) / day) }, (_, index) => since + index * day);
	const names = [...new Set(days.rows.map(({ assistant }) => assistant))];
	const series = names.map((name) => ({
		name,
		visits: times.map((at) => days.rows.find((row) => row.at === at && row.assistant === name)?.visits ?? 0),
	}));
	const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
	return {
		times,
		series: series.sort((a, b) => sum(b.visits) - sum(a.visits)),
		pages: await pagesOf({ db, period: { since, until: period.until }, signal }, pages.rows),
	};
}

async function pagesOf(
	query: Omit<LedgerQuery, 'filter'>,
	rows: readonly { path: string; assistant: string; visits: number }[],
): Promise<ReferredPage[]> {
	const paths = [...new Set(rows.map(({ path }) => path))];
	if (paths.length === 0) return [];
	const crawled = await readGroups<{ path: string; requests: number }>(
		query,
		{ keys: ['path'], weight: 'requests' },
		(slice) => sql`
			select path, count(*) as requests from gateway_request
			where at >= ${slice.since} and at < ${slice.until} and path in (${sql.join(paths)})
			group by path`,
	);
	const requests = new Map(crawled.map((row) => [row.path, row.requests]));
	return paths
		.map((path) => {
			const assistants = rows.filter((row) => row.path === path).sort((a, b) => b.visits - a.visits);
			const visits = assistants.reduce((all, row) => all + row.visits, 0);
			return {
				path,
				assistants: assistants.map(({ assistant, visits: own }) => ({ assistant, visits: own })),
				visits,
				requests: requests.get(path) ?? 0,
			};
		})
		.sort((a, b) => b.visits - a.visits || (a.path < b.path ? -1 : 1));
}
