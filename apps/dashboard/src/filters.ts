import { type FilterName, filterNames, queryOf, readView, type View, withFilters } from './address.ts';
import { element } from './element.ts';
import { cut } from './format.ts';

/** The filters in force, each with a way to take it away, and the tables of this view to save. */
export function showFilters({ filters }: View): Node[] {
	const active = Object.entries(filters) as [FilterName, string][];
	const chips = active.map(([name, value]) => {
		const text =
			name === 'denied' || name === 'broken'
				? filterNames[name]
				: `${filterNames[name]}: ${cut(value || '(no name)', 60)}`;
		return element(
			'li',
			{},
			element(
				'a',
				{ class: 'chip', href: withFilters({ [name]: undefined }) },
				text,
				element('span', { class: 'quiet' }, ' (remove this filter)'),
				element('span', { 'aria-hidden': 'true' }, ' ×'),
			),
		);
	});
	if (chips.length === 0) return [];
	return [element('ul', { class: 'chips', 'aria-label': 'Filters in force' }, ...chips)];
}

/** Fills the form with the view. Its submission leads to the view that it names. */
export function prepareFilterForm(form: HTMLFormElement, go: (query: string) => void): void {
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		const given = new FormData(form);
		const { period, filters } = readView();
		const next: Partial<Record<FilterName, string>> = { ...filters };
		for (const name of ['agent', 'path', 'outcome', 'status'] as const) {
			const value = String(given.get(name) ?? '').trim();
			if (value === '') delete next[name];
			else next[name] = value;
		}
		go(queryOf({ period, filters: next }));
	});
}

/** Shows the filters of a view in the form. */
export function fillFilterForm(form: HTMLFormElement, { filters }: View): void {
	for (const name of ['agent', 'path', 'outcome', 'status'] as const) {
		const field = form.elements.namedItem(name);
		if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = filters[name] ?? '';
	}
}

/** Points the links to save tables at this view. */
export function pointDownloads(view: View): void {
	for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-table]'))
		link.href = `api/${link.dataset.table}.csv${queryOf(view)}`;
}
