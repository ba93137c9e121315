import { Chart, type Column, count, cut, Loaded, Section, Table } from '../../ui/index.ts';
import type { Referrals, ReferredPage } from '../data.ts';
import { viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { topSeries } from '../top-series.ts';
import { useFigures } from '../use-figures.ts';

const columns: readonly Column<ReferredPage>[] = [
	{ title: 'Page', value: ({ path }) => path, cell: ({ path }) => <code>{cut(path, 100)}</code> },
	{ title: 'People sent', isNumber: true, value: ({ visits }) => visits, cell: ({ visits }) => count(visits) },
	{
		title: 'Requests of agents',
		isNumber: true,
		value: ({ requests }) => requests,
		cell: ({ path, requests }) => <a href={viewLink('requests', { page: path })}>{count(requests)}</a>,
	},
	{
		title: 'By',
		isBlock: true,
		value: ({ assistants }) => assistants.map(({ assistant, visits }) => `${assistant} ${visits}`).join(', '),
	},
];

export function AssistantsView(props: ViewProps) {
	const referrals = useFigures<Referrals>('referrals', { ...props, every: props.slowly });
	return (
		<Loaded of={referrals}>
			{({ times, series, pages }) => (
				<div class="stack">
					<Section
						title="People from assistants"
						note="By the Referer or the utm_source of the link, per day (UTC). Neither address nor browser of a person is kept."
					>
						<Chart
							title="People from assistants by day"
							kind="bars"
							times={times}
							series={topSeries(series.map(({ name, visits }) => ({ name, values: visits })))}
							empty="No assistant sent a person in this period."
						/>
					</Section>
					<Section title="Pages they came to">
						<Table
							caption="Pages that assistants sent people to"
							columns={columns}
							rows={pages}
							rowKey={({ path }) => path}
							empty="No assistant sent a person in this period."
						/>
					</Section>
				</div>
			)}
		</Loaded>
	);
}
