import { type Column, count, Empty, Loaded, moment, Section, Table } from '../../ui/index.ts';
import { AgentLink, OutcomeBadge } from '../agent-cell.tsx';
import type { AgentFigures } from '../data.ts';
import { agentValue, nameOf, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { RequestList } from './requests.tsx';

const columns: readonly Column<AgentFigures>[] = [
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{ title: 'Identity', value: ({ outcome }) => outcome, cell: (row) => <OutcomeBadge {...row} /> },
	{
		title: 'Caught',
		isNumber: true,
		value: ({ honeypots }) => honeypots,
		cell: ({ agent, outcome, honeypots }) => (
			<a href={viewLink('requests', { agent: agentValue(agent), outcome, action: 'honeypot' })}>{count(honeypots)}</a>
		),
	},
	{ title: 'Policy read', isNumber: true, value: ({ policyReads }) => policyReads },
	{ title: 'Last seen', value: ({ last }) => last, cell: ({ last }) => moment(last), className: () => 'nowrap' },
];

export function HoneypotsView(props: ViewProps) {
	return (
		<div class="stack">
			<Section title="Agents caught" note="Only visits of agents that had read the rule count.">
				<Loaded of={props.overview}>
					{({ agents }) => {
						const caught = agents.filter(({ honeypots }) => honeypots > 0);
						return caught.length === 0 ? (
							<Empty title="No agent was caught in a honeypot in this period.">
								<p>The policy file lists honeypots under `honeypots`.</p>
							</Empty>
						) : (
							<Table
								caption="Agents caught in honeypots"
								columns={columns}
								rows={caught}
								rowKey={({ agent, outcome }) => `${outcome} ${agent}`}
								empty=""
							/>
						);
					}}
				</Loaded>
			</Section>
			<RequestList
				{...props}
				title="Requests for honeypots"
				empty="No requests for honeypots in this period."
				more={{ action: 'honeypot' }}
			/>
		</div>
	);
}
