import { type Column, count, cut, Loaded, Section, Table } from '../../ui/index.ts';
import type { PathCount, Paths } from '../data.ts';
import { apiAddress, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';

const columnsWith = (more: Readonly<Record<string, string>>): readonly Column<PathCount>[] => [
	{ title: 'Path', value: ({ path }) => path, cell: ({ path }) => <code>{cut(path, 100)}</code> },
	{
		title: 'Requests',
		isNumber: true,
		value: ({ requests }) => requests,
		cell: ({ path, requests }) => <a href={viewLink('requests', { path, ...more })}>{count(requests)}</a>,
	},
	{ title: 'Agents', isNumber: true, value: ({ agents }) => agents },
];

const fetchedColumns = columnsWith({});
const deniedColumns = columnsWith({ denied: '1' });

export function PagesView({ query, useFigures }: ViewProps) {
	const paths = useFigures<Paths>('paths');
	return (
		<Loaded of={paths}>
			{({ fetched, denied }) => (
				<div class="columns">
					<Section title="Pages fetched most">
						<Table
							caption="Pages fetched most"
							columns={fetchedColumns}
							rows={fetched}
							rowKey={({ path }) => path}
							empty="No page was fetched in this period."
							save={apiAddress('paths.csv', query)}
						/>
					</Section>
					<Section title="Paths denied most">
						<Table
							caption="Paths denied most"
							columns={deniedColumns}
							rows={denied}
							rowKey={({ path }) => path}
							empty="No path was denied in this period."
							save={apiAddress('paths.csv', query)}
						/>
					</Section>
				</div>
			)}
		</Loaded>
	);
}
