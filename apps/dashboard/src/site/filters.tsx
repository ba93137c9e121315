import { X } from 'lucide';
import { cut, Icon, navigate, queryWith, Select, TextField } from '../ui/index.ts';
import { type FilterName, filterNames, filtersOf } from './query.ts';
import { outcomes } from './words.ts';

const inForm = ['agent', 'path', 'outcome', 'status'] as const;

const identities = {
	'': 'any',
	...Object.fromEntries(Object.entries(outcomes).map(([name, { title }]) => [name, title])),
};

/** The filters in force, each with a way to remove it, and the form that sets them. */
export function FilterBar({ query }: { query: URLSearchParams }) {
	const filters = filtersOf(query);
	const active = Object.entries(filters) as [FilterName, string][];
	const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const given = new FormData(event.currentTarget);
		const changes = inForm.map((name) => [name, String(given.get(name) ?? '').trim() || undefined]);
		navigate(queryWith(Object.fromEntries(changes)));
	};
	return (
		<div class="filters">
			<form class="form-row" aria-label="Filter" onSubmit={submit} key={query.toString()}>
				<TextField label="Agent" name="agent" defaultValue={filters.agent ?? ''} />
				<TextField label="Path begins with" name="path" defaultValue={filters.path ?? ''} />
				<Select label="Identity" name="outcome" options={identities} value={filters.outcome ?? ''} />
				<TextField
					label="Status"
					name="status"
					inputMode="numeric"
					pattern="[1-5]([0-9][0-9])?"
					title="a status such as 403, or its first digit"
					defaultValue={filters.status ?? ''}
				/>
				<button type="submit">Filter</button>
			</form>
			{active.length > 0 && (
				<ul class="chips" aria-label="Filters in force">
					{active.map(([name, value]) => (
						<li key={name}>
							<a class="chip" href={queryWith({ [name]: undefined })}>
								{name === 'denied' || name === 'broken'
									? filterNames[name]
									: `${filterNames[name]}: ${cut(value || '(no name)', 60)}`}
								<span class="quiet"> (remove this filter)</span>
								<Icon of={X} size={14} />
							</a>
						</li>
					))}
				</ul>
			)}
		</div>
	);
}
