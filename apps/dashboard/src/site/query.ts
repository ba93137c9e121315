import { queryWith } from '../ui/index.ts';

export const periods = { '1h': 'Hour', '24h': 'Day', '7d': 'Week', '30d': '30 days' } as const;
export type PeriodName = keyof typeof periods;

/** Filters that the server knows, with their names for people. */
export const filterNames = {
	agent: 'Agent',
	operator: 'Operator',
	category: 'Category',
	purpose: 'Purpose',
	outcome: 'Identity',
	path: 'Path begins with',
	page: 'Page',
	status: 'Status',
	action: 'Action',
	denied: 'Denied',
	broken: 'Broke a rule',
	rule: 'Rule',
	policy: 'Policy version it had read',
	answer: 'Answer',
	since: 'From',
	until: 'Until',
} as const;
export type FilterName = keyof typeof filterNames;
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export function periodOf(query: URLSearchParams): PeriodName {
	const period = query.get('period') ?? '';
	return Object.hasOwn(periods, period) ? (period as PeriodName) : '24h';
}

export function filtersOf(query: URLSearchParams): Filters {
	const names = Object.keys(filterNames) as FilterName[];
	return Object.fromEntries(names.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])));
}

/** Address of figures or, with `.csv`, of a table to save, for the period and filters of a query. */
export function apiAddress(name: string, query: URLSearchParams, more: Readonly<Record<string, string>> = {}): string {
	const filters = filtersOf(query);
	const period = filters.since === undefined ? { period: periodOf(query) } : {};
	return `api/${name}?${new URLSearchParams({ ...period, ...filters, ...more })}`;
}

type Changes = Readonly<Partial<Record<FilterName, string | undefined>>>;

/** Link to a view with the filters in force and some changed. */
export function viewLink(view: string, changes: Changes = {}): string {
	return queryWith({ view: view === '' ? undefined : view, ...changes });
}

/** The value of the filter `agent` for a name; clients without a name have the empty one. */
export const agentValue = (agent: string | null): string => agent ?? '';

/** A rule without the address of the site, which is the same in all: `robots.txt:12 Disallow: /private`. */
export const shortRule = (rule: string): string => rule.replace(/^https?:\/\/[^/]+\//, '');

/** The name of an agent, for people. */
export const nameOf = (agent: string | null): string => agent ?? '(no name)';
