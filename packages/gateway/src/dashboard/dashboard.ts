import { pageHeaders as headers, type PageFile, pageFile, pageProblem as problem } from '@wayleave/io/listen';
import type { PolicyTexts } from '../policy/policy-version.ts';
import type { AskCount } from '../report/asks.ts';
import type { BrokenRule } from '../report/broken-rules.ts';
import type { Compliance } from '../report/compliance.ts';
import { type CountedOverview, type Grouping, groupings, type Traffic } from '../report/counted.ts';
import { formatCsv } from '../report/csv.ts';
import type { RequestFilter } from '../report/filter.ts';
import { agentColumns } from '../report/format.ts';
import type { PathCount } from '../report/paths.ts';
import type { Period } from '../report/period.ts';
import type { Referrals } from '../report/referrals.ts';
import type { Savings } from '../report/savings.ts';
import type { Timeframe } from '../report/timeframe.ts';
import { evidenceOf, type RecordedRequest } from '../report/violations.ts';
import { readFilter, readTimeframe } from './request-filter.ts';

/** The policy in force, and those before it. */
export interface PolicyInForce extends PolicyTexts {
	readonly past: readonly { readonly version: string; readonly since: number; readonly until: number }[];
}

/** A request as the dashboard shows it. */
export type ShownRequest = Omit<RecordedRequest, 'evidence'> & {
	/** The evidence for the identity, as recorded. */
	readonly evidence: unknown;
};

/** How what the gateway relies on is doing: each line is a sentence for people. */
export interface HealthLine {
	readonly name: string;
	readonly state: 'good' | 'trouble';
	readonly detail: string;
}

/** Source of the figures: the ledger of a gateway, or another store. A `signal` says that the caller has left. */
export interface DashboardSource {
	overview(frame: Timeframe, filter: RequestFilter, signal?: AbortSignal): Promise<CountedOverview>;
	traffic(frame: Timeframe, by: Grouping, filter: RequestFilter, signal?: AbortSignal): Promise<Traffic>;
	/** With the figures that need single requests: clients, and pages fetched again though unchanged. */
	agents(period: Period, filter: RequestFilter, signal?: AbortSignal): Promise<readonly Compliance[]>;
	/** The latest first. */
	requests(
		period: Period,
		filter: RequestFilter,
		limit: number,
		signal?: AbortSignal,
	): Promise<readonly RecordedRequest[]>;
	/** The latest broken first. */
	rules(period: Period, filter: RequestFilter, signal?: AbortSignal): Promise<readonly BrokenRule[]>;
	paths(
		period: Period,
		filter: RequestFilter,
		signal?: AbortSignal,
	): Promise<{ readonly fetched: readonly PathCount[]; readonly denied: readonly PathCount[] }>;
	asks(period: Period, filter: RequestFilter, signal?: AbortSignal): Promise<readonly AskCount[]>;
	savings(period: Period, filter: RequestFilter, signal?: AbortSignal): Promise<Savings>;
	/** People whom assistants sent. */
	referrals(period: Period, signal?: AbortSignal): Promise<Referrals>;
	policy(): PolicyInForce | undefined;
	/** The version of the policy with this name, the latest of that name; undefined: it is not recorded. */
	policyVersion(version: string): Promise<PolicyTexts | undefined>;
	/** The site's robots.txt, address lists, DNS and key directories. Default: nothing is shown. */
	health?(): Promise<readonly HealthLine[]>;
}

/** A file of the page. */
export type DashboardFile = PageFile;

export interface DashboardOptions {
	readonly source: DashboardSource;
	/** By name: `index.html`, `index.js`, `index.css`; `NAME.html` is also the page `NAME`. */
	readonly files: ReadonlyMap<string, DashboardFile>;
	/** Base path. Default `/.wayleave/`. */
	readonly base?: string;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** Requests on the page, and in a table to save. */
const maxShown = 200;
const maxSaved = 10_000;

interface Question {
	readonly frame: Timeframe;
	readonly filter: RequestFilter;
	readonly query: URLSearchParams;
	/** The caller has left. */
	readonly signal: AbortSignal;
}

/** The figures as JSON, by the name of each below `api/`. */
function jsonOf(source: DashboardSource): Record<string, (question: Question) => Promise<unknown>> {
	return {
		overview: ({ frame, filter, signal }) => source.overview(frame, filter, signal),
		traffic: ({ frame, filter, query, signal }) => source.traffic(frame, groupingIn(query), filter, signal),
		agents: ({ frame, filter, signal }) => source.agents(frame, filter, signal),
		requests: async ({ frame, filter, query, signal }) =>
			(await source.requests(frame, filter, limitIn(query), signal)).map(show),
		violations: async ({ frame, filter, signal }) =>
			(await source.requests(frame, { ...filter, broken: true }, maxShown, signal)).map(show),
		rules: ({ frame, filter, signal }) => source.rules(frame, filter, signal),
		paths: ({ frame, filter, signal }) => source.paths(frame, filter, signal),
		asks: ({ frame, filter, signal }) => source.asks(frame, filter, signal),
		savings: ({ frame, filter, signal }) => source.savings(frame, filter, signal),
		referrals: ({ frame, signal }) => source.referrals(frame, signal),
		policy: async () => source.policy() ?? null,
		'policy-version': async ({ query }) => (await source.policyVersion(query.get('version') ?? '')) ?? null,
		health: async () => (await source.health?.()) ?? [],
	};
}

/** `limit` of a query, at most `maxShown`. */
function limitIn(query: URLSearchParams): number {
	const limit = Number(query.get('limit') ?? maxShown);
	return Number.isInteger(limit) && limit > 0 ? Math.min(limit, maxShown) : maxShown;
}

function groupingIn(query: URLSearchParams): Grouping {
	const by = query.get('by') as Grouping;
	return groupings.includes(by) ? by : 'agent';
}

/** The tables as CSV. */
function tablesOf(source: DashboardSource): Record<string, (question: Question) => Promise<string>> {
	return {
		'agents.csv': async ({ frame, filter, signal }) =>
			formatCsv(agentColumns, await source.agents(frame, filter, signal), ['first', 'last']),
		'rules.csv': async ({ frame, filter, signal }) =>
			formatCsv(
				['agent', 'outcome', 'rule', 'times', 'paths', 'first', 'last'],
				await source.rules(frame, filter, signal),
				['first', 'last'],
			),
		'paths.csv': async ({ frame, filter, signal }) => {
			const { fetched, denied } = await source.paths(frame, filter, signal);
			const rows = [
				...fetched.map((path) => ({ list: 'fetched', ...path })),
				...denied.map((path) => ({ list: 'denied', ...path })),
			];
			return formatCsv(['list', 'path', 'requests', 'agents'], rows);
		},
		'requests.csv': async ({ frame, filter, signal }) =>
			formatCsv(requestColumns, await source.requests(frame, filter, maxSaved, signal), ['at']),
	};
}

const requestColumns = [
	'at',
	'agent',
	'outcome',
	'address',
	'method',
	'path',
	'action',
	'reason',
	'status',
	'bytes',
	'rule',
	'excuse',
	'fetched',
	'inForce',
	'evidence',
] as const satisfies readonly (keyof RecordedRequest)[];

/**
 * Shows what a site knows of its agents: pages without anything from elsewhere, and behind them as JSON `api/overview`,
 * `api/traffic` (`by` agent, operator, purpose, category, outcome or action), `api/agents`, `api/requests`, `api/rules`,
 * `api/paths`, `api/asks`, `api/savings`, `api/referrals`, `api/policy`, `api/policy-version` and `api/health`; as CSV
 * `api/agents.csv`, `api/rules.csv`, `api/paths.csv` and `api/requests.csv`. The query has `period` (`1h`, `24h`, `7d` or
 * `30d`) or `since` and `until`, and the filters `agent`, `operator`, `category`, `purpose`, `outcome`, `path` (its
 * beginning), `status`, `action`, `denied=1`, `broken=1`, `rule`, `policy` and `answer`. For a listener that only the
 * operator reaches: it authenticates no one. Undefined for other paths.
 */
export function createDashboard(options: DashboardOptions): (request: Request) => Promise<Response | undefined> {
	const { source, files, base = '/.wayleave/', now = Date.now } = options;
	const json = jsonOf(source);
	const tables = tablesOf(source);
	return async ({ method, url, signal }) => {
		const { pathname, searchParams } = new URL(url);
		if (pathname === base.slice(0, -1) || (pathname === '/' && base !== '/')) {
			return new Response(null, { status: 308, headers: { ...headers, location: base } });
		}
		if (!pathname.startsWith(base)) return undefined;
		if (method !== 'GET' && method !== 'HEAD')
			return problem(405, 'only GET and HEAD are allowed', {}, { allow: 'GET, HEAD' });
		const name = pathname.slice(base.length) || 'index.html';
		const file = pageFile(files, name);
		if (file !== undefined) return file;
		const reading = name.startsWith('api/') ? name.slice('api/'.length) : '';
		const readJson = Object.hasOwn(json, reading) ? json[reading] : undefined;
		const readTable = Object.hasOwn(tables, reading) ? tables[reading] : undefined;
		if (readJson === undefined && readTable === undefined) return problem(404, 'the page does not exist');
		const frame = readTimeframe(searchParams, now());
		if (typeof frame === 'string') return problem(400, frame);
		const filter = readFilter(searchParams);
		if (typeof filter === 'string') return problem(400, filter);
		const question = { frame, filter, query: searchParams, signal };
		try {
			if (readJson !== undefined) return Response.json(await readJson(question), { headers });
			return csv(reading, (await readTable?.(question)) ?? '');
		} catch {
			return problem(503, 'the statistics cannot be read right now: try again later');
		}
	};
}

function csv(name: string, text: string): Response {
	const disposition = `attachment; filename="${name}"`;
	return new Response(text, {
		headers: { ...headers, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition },
	});
}

function show(request: RecordedRequest): ShownRequest {
	return { ...request, evidence: evidenceOf(request) };
}
