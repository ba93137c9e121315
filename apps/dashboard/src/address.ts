import { type PeriodName, periods } from './data.ts';

/** Filters that the server knows, with their names for people. */
export const filterNames = {
	agent: 'Agent',
	outcome: 'Identity',
	path: 'Path begins with',
	status: 'Status',
	denied: 'Denied',
	broken: 'Broke a rule',
	rule: 'Rule',
} as const;
export type FilterName = keyof typeof filterNames;

/** The view that the address of the page names, so that a view can be kept and passed on. */
export interface View {
	readonly period: PeriodName;
	readonly filters: Readonly<Partial<Record<FilterName, string>>>;
}

export function readView(search = location.search): View {
	const query = new URLSearchParams(search);
	const period = query.get('period') ?? '';
	const filters: Partial<Record<FilterName, string>> = {};
	for (const name of Object.keys(filterNames) as FilterName[]) {
		const value = query.get(name);
		if (value !== null) filters[name] = value;
	}
	return { period: Object.hasOwn(periods, period) ? (period as PeriodName) : '24h', filters };
}

/** The query of a view, from `?` on. */
export function queryOf({ period, filters }: View): string {
	return `?${new URLSearchParams({ period, ...filters })}`;
}

/** The address of the present view with some filters set or, by undefined, removed. */
export function withFilters(changes: Readonly<Partial<Record<FilterName, string | undefined>>>): string {
	const { period, filters } = readView();
	const merged = Object.entries({ ...filters, ...changes }).filter(
		(entry): entry is [FilterName, string] => entry[1] !== undefined,
	);
	return queryOf({ period, filters: Object.fromEntries(merged) });
}

/** The value of the filter `agent` for a name; clients without a name have the empty one. */
export function agentValue(agent: string | null): string {
	return agent ?? '';
}
