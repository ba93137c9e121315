import { X } from 'lucide';
import { cut, Icon, navigate, queryWith, Section, Select, TextField } from '../../ui/index.ts';
import type { ViewProps } from '../crawl-view.tsx';
import type { UrlPage } from '../data.ts';
import { More } from '../more.tsx';
import { UrlTable } from '../parts.tsx';
import { usePieces } from '../use-pieces.ts';
import { outcomeNames, outcomes } from '../words.ts';

const filterNames = { outcome: 'Outcome', reason: 'Reason', host: 'Host', contains: 'Contains', kind: 'Kind' } as const;
type FilterName = keyof typeof filterNames;

const outcomeOptions = {
	'': 'any',
	...Object.fromEntries(outcomeNames.map((name) => [name, outcomes[name].title])),
};

/** URLs that match the filters of the address. */
export function UrlsView({ query }: ViewProps) {
	const filters = (Object.keys(filterNames) as FilterName[]).flatMap((name) => {
		const value = query.get(name);
		return value === null || value === '' ? [] : [[name, value] as const];
	});
	const pieces = usePieces(`api/urls?${new URLSearchParams(filters.map(([name, value]) => [name, value]))}`, pieceOf);
	return (
		<>
			<UrlFilters query={query} filters={filters} />
			<Section title="URLs" note="In the order found. Choose a URL to see why it was or was not fetched.">
				<UrlTable
					caption="URLs"
					urls={pieces.items}
					empty={pieces.isLoading ? 'Reading the store …' : 'No URL matches these filters.'}
				/>
				<More of={pieces} what="URLs" />
			</Section>
		</>
	);
}

const pieceOf = ({ urls, next }: UrlPage) => ({ items: urls, ...(next !== undefined && { next }) });

function UrlFilters({
	query,
	filters,
}: {
	query: URLSearchParams;
	filters: readonly (readonly [name: FilterName, value: string])[];
}) {
	const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const given = new FormData(event.currentTarget);
		const names = ['outcome', 'host', 'contains'] as const;
		const changes = names.map((name) => [name, String(given.get(name) ?? '').trim() || undefined] as const);
		navigate(queryWith({ ...Object.fromEntries(changes), reason: undefined }));
	};
	return (
		<div class="filters">
			<form class="form-row" aria-label="Filter" onSubmit={submit} key={query.toString()}>
				<Select label="Outcome" name="outcome" options={outcomeOptions} value={query.get('outcome') ?? ''} />
				<TextField label="Host" name="host" defaultValue={query.get('host') ?? ''} />
				<TextField label="URL contains" name="contains" defaultValue={query.get('contains') ?? ''} />
				<button type="submit">Filter</button>
			</form>
			{filters.length > 0 && (
				<ul class="chips" aria-label="Filters in force">
					{filters.map(([name, value]) => (
						<li key={name}>
							<a class="chip" href={queryWith({ [name]: undefined }, query)}>
								{`${filterNames[name]}: ${cut(value, 60)}`}
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
