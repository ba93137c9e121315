import type { BrokenRule } from '../report/broken-rules.ts';
import { formatCsv } from '../report/csv.ts';
import type { RequestFilter } from '../report/filter.ts';
import { agentColumns } from '../report/format.ts';
import type { Overview } from '../report/overview.ts';
import type { PathCount } from '../report/paths.ts';
import type { Period } from '../report/period.ts';
import { evidenceOf, type RecordedRequest } from '../report/violations.ts';
import { readFilter } from './request-filter.ts';

/** The policy in force, and those before it. Times in milliseconds since 1970. */
export interface PolicyInForce {
	readonly version: string;
	readonly since: number;
	readonly robots: string;
	/** Empty where none is published. */
	readonly robots2: string;
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

/** Source of the figures: the ledger of a gateway, or another store. */
export interface DashboardSource {
	overview(period: Period, filter: RequestFilter): Promise<Overview>;
	/** The latest first. */
	requests(period: Period, filter: RequestFilter, limit: number): Promise<readonly RecordedRequest[]>;
	/** The most often broken first. */
	rules(period: Period, filter: RequestFilter): Promise<readonly BrokenRule[]>;
	paths(
		period: Period,
		filter: RequestFilter,
	): Promise<{ readonly fetched: readonly PathCount[]; readonly denied: readonly PathCount[] }>;
	policy(): PolicyInForce | undefined;
	/** The site's robots.txt and the address lists. Default: nothing is shown. */
	health?(): readonly HealthLine[];
}

/** A file of the page. */
export interface DashboardFile {
	readonly type: string;
	readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface DashboardOptions {
	readonly source: DashboardSource;
	/** By name: `index.html`, `index.js`, `index.css`; `NAME.html` is also the page `NAME`. */
	readonly files: ReadonlyMap<string, DashboardFile>;
	/** Base path. Default `/.wayleave/`. */
	readonly base?: string;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** No resources of other origins, no inline code, no framing. */
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers = {
	'cache-control': 'no-store',
	'content-security-policy': policy,
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-robots-tag': 'noindex',
};

const periods: Readonly<Record<string, number>> = {
	'1h': 3_600_000,
	'24h': 86_400_000,
	'7d': 7 * 86_400_000,
	'30d': 30 * 86_400_000,
};
/** Requests on the page, and in a table to save. */
const maxShown = 200;
const maxSaved = 10_000;

type Reading = (period: Period, filter: RequestFilter) => Promise<unknown>;

/** The figures as JSON, by the name of each below `api/`. */
function jsonOf(source: DashboardSource): Record<string, Reading> {
	return {
		overview: (period, filter) => source.overview(period, filter),
		requests: async (period, filter) => (await source.requests(period, filter, maxShown)).map(show),
		violations: async (period, filter) =>
			(await source.requests(period, { ...filter, broken: true }, maxShown)).map(show),
		rules: (period, filter) => source.rules(period, filter),
		paths: (period, filter) => source.paths(period, filter),
		policy: async () => source.policy() ?? null,
		health: async () => source.health?.() ?? [],
	};
}

/** The tables as CSV. */
function tablesOf(source: DashboardSource): Record<string, (period: Period, filter: RequestFilter) => Promise<string>> {
	return {
		'agents.csv': async (period, filter) =>
			formatCsv(agentColumns, (await source.overview(period, filter)).agents, ['first', 'last']),
		'rules.csv': async (period, filter) =>
			formatCsv(['agent', 'outcome', 'rule', 'times', 'paths', 'first', 'last'], await source.rules(period, filter), [
				'first',
				'last',
			]),
		'paths.csv': async (period, filter) => {
			const { fetched, denied } = await source.paths(period, filter);
			const rows = [
				...fetched.map((path) => ({ list: 'fetched', ...path })),
				...denied.map((path) => ({ list: 'denied', ...path })),
			];
			return formatCsv(['list', 'path', 'requests', 'agents'], rows);
		},
		'requests.csv': async (period, filter) =>
			formatCsv(requestColumns, await source.requests(period, filter, maxSaved), ['at']),
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
 * Shows what a site knows of its agents: a page without anything from elsewhere, and behind it `api/overview`,
 * `api/requests`, `api/rules`, `api/paths`, `api/policy` and `api/health` as JSON, and `api/agents.csv`,
 * `api/rules.csv`, `api/paths.csv` and `api/requests.csv`. The query has `period` (`1h`, `24h`, `7d` or `30d`) and the
 * filters `agent`, `outcome`, `path` (its beginning), `status`, `denied=1`, `broken=1` and `rule`. For a listener that
 * only the operator reaches: it authenticates no one. Undefined for other paths.
 */
export function createDashboard(options: DashboardOptions): (request: Request) => Promise<Response | undefined> {
	const { source, files, base = '/.wayleave/', now = Date.now } = options;
	const json = jsonOf(source);
	const tables = tablesOf(source);
	return async ({ method, url }) => {
		const { pathname, searchParams } = new URL(url);
		if (pathname === base.slice(0, -1) || (pathname === '/' && base !== '/')) {
			return new Response(null, { status: 308, headers: { ...headers, location: base } });
		}
		if (!pathname.startsWith(base)) return undefined;
		if (method !== 'GET' && method !== 'HEAD')
			return problem(405, 'only GET and HEAD are allowed', { allow: 'GET, HEAD' });
		const name = pathname.slice(base.length) || 'index.html';
		const file = files.get(name) ?? files.get(`${name}.html`);
		if (file !== undefined) return new Response(file.body, { headers: { ...headers, 'content-type': file.type } });
		const reading = name.startsWith('api/') ? name.slice('api/'.length) : '';
		const readJson = Object.hasOwn(json, reading) ? json[reading] : undefined;
		const readTable = Object.hasOwn(tables, reading) ? tables[reading] : undefined;
		if (readJson === undefined && readTable === undefined) return problem(404, 'the page does not exist');
		const length = periods[searchParams.get('period') ?? '24h'];
		if (length === undefined) return problem(400, `period: expected one of ${Object.keys(periods).join(', ')}`);
		const filter = readFilter(searchParams);
		if (typeof filter === 'string') return problem(400, filter);
		const until = now();
		const period = { since: until - length, until };
		try {
			if (readJson !== undefined) return Response.json(await readJson(period, filter), { headers });
			return csv(reading, (await readTable?.(period, filter)) ?? '');
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

function problem(status: number, title: string, more: Readonly<Record<string, string>> = {}): Response {
	const body = JSON.stringify({ title, status });
	return new Response(body, { status, headers: { ...headers, 'content-type': 'application/problem+json', ...more } });
}

function show(request: RecordedRequest): ShownRequest {
	return { ...request, evidence: evidenceOf(request) };
}
