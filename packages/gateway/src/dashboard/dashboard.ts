import type { Period } from '../report/compliance.ts';
import type { Violation } from '../report/violations.ts';
import type { Overview } from './overview.ts';

/** The policy in force, and those before it. Times in milliseconds since 1970. */
export interface PolicyInForce {
	readonly version: string;
	readonly since: number;
	readonly robots: string;
	/** Empty where none is published. */
	readonly robots2: string;
	readonly past: readonly { readonly version: string; readonly since: number; readonly until: number }[];
}

/** A broken rule as the dashboard shows it. */
export type ShownViolation = Omit<Violation, 'evidence'> & {
	/** The evidence for the identity, as recorded. */
	readonly evidence: unknown;
};

/** How what the gateway relies on is doing: each line is a sentence for people. */
export interface HealthLine {
	readonly name: string;
	readonly state: 'good' | 'trouble';
	readonly detail: string;
}

/** Where the figures come from: the ledger of a gateway, or whatever else keeps them. */
export interface DashboardSource {
	overview(period: Period): Promise<Overview>;
	/** The latest first. */
	violations(period: Period, limit: number): Promise<readonly Violation[]>;
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
	/** By name: `index.html`, `dashboard.js`, `dashboard.css`. */
	readonly files: ReadonlyMap<string, DashboardFile>;
	/** Where it is shown. Default `/.wayleave/`. */
	readonly base?: string;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
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
const maxViolations = 200;

/**
 * Shows what a site knows of its agents: a page without anything from elsewhere, and behind it `api/overview`,
 * `api/violations` (both with `?period=1h|24h|7d|30d`) and `api/policy` as JSON. For a listener that only the operator
 * reaches: it asks nobody who they are. Undefined for what lies elsewhere.
 */
export function createDashboard(options: DashboardOptions): (request: Request) => Promise<Response | undefined> {
	const { source, files, base = '/.wayleave/', now = Date.now } = options;
	const api: Record<string, (period: Period) => Promise<unknown>> = {
		'api/overview': (period) => source.overview(period),
		'api/violations': async (period) => (await source.violations(period, maxViolations)).map(show),
		'api/policy': async () => source.policy() ?? null,
		'api/health': async () => source.health?.() ?? [],
	};
	return async ({ method, url }) => {
		const { pathname, searchParams } = new URL(url);
		if (pathname === base.slice(0, -1) || (pathname === '/' && base !== '/')) {
			return new Response(null, { status: 308, headers: { ...headers, location: base } });
		}
		if (!pathname.startsWith(base)) return undefined;
		if (method !== 'GET' && method !== 'HEAD')
			return problem(405, 'only GET and HEAD are allowed', { allow: 'GET, HEAD' });
		const name = pathname.slice(base.length) || 'index.html';
		const file = files.get(name);
		if (file !== undefined) return new Response(file.body, { headers: { ...headers, 'content-type': file.type } });
		const answer = Object.hasOwn(api, name) ? api[name] : undefined;
		if (answer === undefined) return problem(404, 'the page does not exist');
		const length = periods[searchParams.get('period') ?? '24h'];
		if (length === undefined) return problem(400, `period: expected one of ${Object.keys(periods).join(', ')}`);
		const until = now();
		try {
			return Response.json(await answer({ since: until - length, until }), { headers });
		} catch {
			return problem(503, 'the statistics cannot be read right now: try again later');
		}
	};
}

function problem(status: number, title: string, more: Readonly<Record<string, string>> = {}): Response {
	const body = JSON.stringify({ title, status });
	return new Response(body, { status, headers: { ...headers, 'content-type': 'application/problem+json', ...more } });
}

function show(violation: Violation): ShownViolation {
	return { ...violation, evidence: parsed(violation.evidence) };
}

/** What was cut to be stored is text. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
