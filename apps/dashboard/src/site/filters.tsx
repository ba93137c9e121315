import { SlidersHorizontal, X } from 'lucide';
import { useState } from 'preact/hooks';
import { cut, Icon, moment, navigate, queryWith, Select, TextField } from '../ui/index.ts';
import { type FilterName, filterNames, filtersOf } from './query.ts';
import { actions, outcomes, purposes } from './words.ts';

const inForm = ['agent', 'path', 'outcome', 'action', 'purpose', 'status', 'since', 'until'] as const;

const titlesOf = (words: Readonly<Record<string, { readonly title: string }>>) =>
	Object.fromEntries(Object.entries(words).map(([name, { title }]) => [name, title]));
const identities = { '': 'any', ...titlesOf(outcomes) };
const allActions = { '': 'any', ...titlesOf(actions) };
const allPurposes = { '': 'any', ...purposes };

/** The filters in force, each with a way to remove it, and the form that sets them. */
export function FilterBar({ query }: { query: URLSearchParams }) {
	const [isOpen, setOpen] = useState(false);
	const active = Object.entries(filtersOf(query)) as [FilterName, string][];
	return (
		<div class="filters">
			<div class="chips">
				<button type="button" aria-expanded={isOpen} aria-controls="filter-form" onClick={() => setOpen(!isOpen)}>
					<Icon of={SlidersHorizontal} size={15} />
					Filter
				</button>
				{active.length > 0 && (
					<ul class="chips" aria-label="Filters in force">
						{active.map(([name, value]) => (
							<li key={name}>
								<a class="chip" href={queryWith({ [name]: undefined })}>
									{textOf(name, value)}
									<span class="quiet"> (remove this filter)</span>
									<Icon of={X} size={14} />
								</a>
							</li>
						))}
					</ul>
				)}
			</div>
			<div id="filter-form" hidden={!isOpen}>
				{isOpen && <FilterForm key={query.toString()} query={query} />}
			</div>
		</div>
	);
}

function textOf(name: FilterName, value: string): string {
	const title = filterNames[name];
	if (name === 'denied' || name === 'broken') return title;
	if (name === 'since' || name === 'until') return `${title} ${moment(Date.parse(value))}`;
	return `${title}: ${cut(value || '(none)', 60)}`;
}

function FilterForm({ query }: { query: URLSearchParams }) {
	const filters = filtersOf(query);
	const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const given = new FormData(event.currentTarget);
		const changes = inForm.map((name) => [name, filterValue(name, given.get(name))]);
		navigate(queryWith(Object.fromEntries(changes)));
	};
	return (
		<form class="card form-row" aria-label="Filter" onSubmit={submit}>
			<TextField label="Agent" name="agent" defaultValue={filters.agent ?? ''} />
			<TextField label="Path begins with" name="path" defaultValue={filters.path ?? ''} />
			<Select label="Identity" name="outcome" options={identities} value={filters.outcome ?? ''} />
			<Select label="Action" name="action" options={allActions} value={filters.action ?? ''} />
			<Select label="Purpose" name="purpose" options={allPurposes} value={filters.purpose ?? ''} />
			<TextField
				label="Status"
				name="status"
				inputMode="numeric"
				pattern="[1-5]([0-9][0-9])?"
				title="a status such as 403, or its first digit"
				defaultValue={filters.status ?? ''}
			/>
			<TextField label="From" name="since" type="datetime-local" defaultValue={localTime(filters.since)} />
			<TextField label="Until" name="until" type="datetime-local" defaultValue={localTime(filters.until)} />
			<button type="submit" class="primary">
				Apply
			</button>
		</form>
	);
}

function filterValue(name: (typeof inForm)[number], given: FormDataEntryValue | null): string | undefined {
	const text = String(given ?? '').trim();
	if (text === '') return undefined;
	return name === 'since' || name === 'until' ? new Date(text).toISOString() : text;
}

/** A time in the address as the field of the form wants it: local, without a zone. */
function localTime(time: string | undefined): string {
	if (time === undefined || Number.isNaN(Date.parse(time))) return '';
	const date = new Date(time);
	return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
