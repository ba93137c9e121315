import { useState } from 'preact/hooks';
import { BarList, type Column, count, cut, Loaded, moment, Section, Table, useResource } from '../../ui/index.ts';
import { AgentLink, OutcomeBadge } from '../agent-cell.tsx';
import type { AgentFigures, RecordedRequest } from '../data.ts';
import { agentValue, apiAddress, nameOf, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { outcomes } from '../words.ts';
import { Evidence } from './requests.tsx';

const columnsOf = (query: URLSearchParams): readonly Column<AgentFigures>[] => [
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{ title: 'Identity', value: ({ outcome }) => outcome, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
	{
		title: 'Requests',
		isNumber: true,
		value: ({ requests }) => requests,
		cell: ({ agent, outcome, requests }) => (
			<a href={viewLink('requests', { agent: agentValue(agent), outcome })}>{count(requests)}</a>
		),
	},
	{ title: 'Last seen', value: ({ last }) => last, cell: ({ last }) => moment(last), className: () => 'nowrap' },
	{
		title: 'Evidence, by the latest request',
		isBlock: true,
		value: ({ why }) => why,
		cell: (row) => <LatestEvidence {...row} query={query} />,
	},
];

/** One line for each agent and outcome: the same name may be real from one address and false from another. */
export function IdentityView({ query, overview }: ViewProps) {
	return (
		<Loaded of={overview}>
			{({ agents, identity }) => (
				<div class="stack">
					<Section title="Requests by identity">
						<BarList
							label="Requests by identity"
							empty="No agent visited in this period."
							amounts={Object.entries(outcomes).map(([outcome, { title, detail, tone }]) => ({
								label: `${title}: ${detail}`,
								value: identity[outcome as keyof typeof outcomes],
								href: viewLink('requests', { outcome }),
								tone,
							}))}
						/>
					</Section>
					<Section title="Agents and their identity" note="Open a line for everything that was checked.">
						<Table
							caption="Identity of agents"
							columns={columnsOf(query)}
							rows={[...agents].sort((a, b) => nameOf(a.agent).localeCompare(nameOf(b.agent)))}
							rowKey={({ agent, outcome }) => `${outcome} ${agent}`}
							empty="No agent visited in this period."
						/>
					</Section>
				</div>
			)}
		</Loaded>
	);
}

/** The evidence of the latest request: a sentence, and all of it on click. */
function LatestEvidence({ agent, outcome, why, query }: AgentFigures & { query: URLSearchParams }) {
	const [isOpen, setOpen] = useState(false);
	const address = apiAddress('requests', query, { agent: agentValue(agent), outcome, limit: '1' });
	const latest = useResource<readonly RecordedRequest[]>(isOpen ? address : undefined);
	return (
		<details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
			<summary>{cut(why || 'Show what was checked', 240)}</summary>
			{isOpen && (
				<Loaded of={latest}>{([request]) => (request === undefined ? null : <Evidence {...request} />)}</Loaded>
			)}
		</details>
	);
}
