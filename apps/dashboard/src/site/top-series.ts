import type { Series } from '../ui/index.ts';

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The largest series, and one with all others together: a chart tells few colours apart. */
export function topSeries(series: readonly Series[], most = 8): Series[] {
	const sorted = [...series].sort((a, b) => sum(b.values) - sum(a.values));
	if (sorted.length <= most) return sorted;
	const [shown, rest] = [sorted.slice(0, most - 1), sorted.slice(most - 1)];
	const values = (rest[0]?.values ?? []).map((_, at) => sum(rest.map((each) => each.values[at] ?? 0)));
	return [...shown, { name: `${rest.length} others`, values, tone: 'neutral' }];
}
