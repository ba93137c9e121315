import { Choice, type Column, count, Loaded, navigate, queryWith, Section, Table } from '../../ui/index.ts';
import type { PathCount, Paths } from '../data.ts';
import { PathText } from '../path-text.tsx';
import { apiAddress, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';

const columnsWith = (
	site: string | undefined,
	more: Readonly<Record<string, string>> = {},
): readonly Column<PathCount>[] => [
	{ title: 'Path', value: ({ path }) => path, cell: ({ path }) => <PathText path={path} site={site} /> },
	{
		title: 'Requests',
		isNumber: true,
		value: ({ requests }) => requests,
		cell: ({ path, requests }) => <a href={viewLink('requests', { page: path, ...more })}>{count(requests)}</a>,
	},
	{
		title: 'Agents',
		isNumber: true,
		value: ({ agents }) => agents,
		cell: ({ path, agents }) => <a href={viewLink('agents', { page: path, ...more })}>{count(agents)}</a>,
	},
];

const readers = { '': 'All agents', agent: 'Crawlers', assistant: 'Assistants' } as const;
type Reader = keyof typeof readers;

export function PagesView(props: ViewProps) {
	const { query, overview } = props;
	const site = overview.value?.site;
	const paths = useFigures<Paths>('paths', { ...props, every: props.slowly });
	const purpose = query.get('purpose') ?? '';
	return (
		<Loaded of={paths}>
			{({ fetched, denied }) => (
				<div class="stack">
					<div class="tools">
						<Choice
							label="Readers"
							options={readers}
							value={Object.hasOwn(readers, purpose) ? (purpose as Reader) : undefined}
							onChange={(next) => navigate(queryWith({ purpose: next === '' ? undefined : next }))}
						/>
					</div>
					<div class="columns">
						<Section title="Pages read most">
							<Table
								caption="Pages read most"
								columns={columnsWith(site)}
								rows={fetched}
								rowKey={({ path }) => path}
								empty="No page was read in this period."
								save={apiAddress('paths.csv', query)}
							/>
						</Section>
						<Section title="Paths denied most">
							<Table
								caption="Paths denied most"
								columns={columnsWith(site, { denied: '1' })}
								rows={denied}
								rowKey={({ path }) => path}
								empty="No path was denied in this period."
								save={apiAddress('paths.csv', query)}
							/>
						</Section>
					</div>
				</div>
			)}
		</Loaded>
	);
}
