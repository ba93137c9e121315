import { Badge, type Column, count, cut, Loaded, moment, Section, Table } from '../../ui/index.ts';
import { AgentLink } from '../agent-cell.tsx';
import type { AskCount } from '../data.ts';
import { agentValue, nameOf, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';

const columns: readonly Column<AskCount>[] = [
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{ title: 'Asked to', value: ({ asked }) => asked, cell: ({ asked }) => <code>{cut(asked, 40)}</code> },
	{
		title: 'Answer',
		value: ({ answer }) => answer,
		cell: ({ answer }) => <Badge tone={answer === 'allow' ? 'good' : 'bad'}>{cut(answer ?? 'none', 20)}</Badge>,
	},
	{
		title: 'Times',
		isNumber: true,
		value: ({ times }) => times,
		cell: ({ agent, answer, times }) => (
			<a href={viewLink('requests', { agent: agentValue(agent), action: 'ask', ...(answer !== null && { answer }) })}>
				{count(times)}
			</a>
		),
	},
	{ title: 'Last', value: ({ last }) => last, cell: ({ last }) => moment(last), className: () => 'nowrap' },
];

export function AsksView(props: ViewProps) {
	const asks = useFigures<readonly AskCount[]>('asks', { ...props, every: props.slowly });
	return (
		<Section title="Asks and answers" note="The policy says for which uses an agent must ask first.">
			<Loaded of={asks}>
				{(rows) => (
					<Table
						caption="Asks and answers"
						columns={columns}
						rows={rows}
						rowKey={({ agent, asked, answer }) => `${agent} ${asked} ${answer}`}
						empty="No agent asked for a permission in this period."
					/>
				)}
			</Loaded>
		</Section>
	);
}
