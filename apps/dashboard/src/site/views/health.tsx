import { Badge, type Column, Loaded, Section, Status, Table } from '../../ui/index.ts';
import type { HealthLine } from '../data.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';

const columns: readonly Column<HealthLine>[] = [
	{ title: 'Name', value: ({ name }) => name, cell: ({ name }) => <code>{name}</code> },
	{
		title: 'State',
		value: ({ state }) => state,
		cell: ({ state }) => (
			<Badge tone={state === 'good' ? 'good' : 'bad'}>{state === 'good' ? 'works' : 'problem'}</Badge>
		),
	},
	{ title: 'Detail', isBlock: true, value: ({ detail }) => detail },
];

/** Problems with their consequences come first. */
export function HealthView(props: ViewProps) {
	const health = useFigures<readonly HealthLine[]>('health', props);
	return (
		<Section title="Lists and files the gateway relies on">
			<Loaded of={health}>
				{(lines) => {
					const problems = lines.filter(({ state }) => state === 'trouble');
					return (
						<>
							<Status tone={problems.length === 0 ? 'good' : 'bad'}>
								{problems.length === 0 ? 'Everything works.' : `${problems.length} of ${lines.length} have problems.`}
							</Status>
							<Table
								caption="Health"
								columns={columns}
								rows={[...problems, ...lines.filter(({ state }) => state === 'good')]}
								rowKey={({ name }) => name}
								empty="No robots.txt or address list is monitored."
							/>
						</>
					);
				}}
			</Loaded>
		</Section>
	);
}
