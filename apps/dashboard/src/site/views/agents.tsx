import { Badge, bytes, type Column, count, cut, Loaded, moment, Section, Table } from '../../ui/index.ts';
import { AgentLink, OutcomeBadge } from '../agent-cell.tsx';
import type { AgentFigures } from '../data.ts';
import { agentValue, apiAddress, nameOf, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { judgements } from '../words.ts';

const brokenRules = ({ disallowed, unasked, honeypots, early }: AgentFigures) =>
	disallowed + unasked + honeypots + early;

const columns: readonly Column<AgentFigures>[] = [
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{ title: 'Identity', value: ({ outcome }) => outcome, cell: (row) => <OutcomeBadge {...row} /> },
	{
		title: 'Rules',
		value: ({ judgement }) => judgements[judgement].title,
		cell: ({ judgement }) => <Badge tone={judgements[judgement].tone}>{judgements[judgement].title}</Badge>,
	},
	{
		title: 'Requests',
		isNumber: true,
		value: ({ requests }) => requests,
		cell: ({ agent, outcome, requests }) => (
			<a href={viewLink('requests', { agent: agentValue(agent), outcome })}>{count(requests)}</a>
		),
	},
	{
		title: 'Broken',
		isNumber: true,
		value: brokenRules,
		cell: (row) => <BrokenLink {...row} />,
		className: (row) => (brokenRules(row) > 0 ? 'bad' : undefined),
	},
	{ title: 'Saved', isNumber: true, value: ({ bytesSaved }) => bytesSaved, cell: (row) => bytes(row.bytesSaved) },
	{ title: 'Last seen', value: ({ last }) => last, cell: ({ last }) => moment(last), className: () => 'nowrap' },
	{
		title: 'Why this identity',
		isBlock: true,
		value: ({ why }) => why,
		cell: ({ why }) => cut(why, 240),
		className: () => 'why',
	},
];

/** One line for each agent and each outcome of its identity: who broke most comes first. */
export function AgentsView({ query, overview }: ViewProps) {
	return (
		<Loaded of={overview}>
			{({ agents }) => (
				<div class="stack">
					<Section title="Agents and the rules they followed">
						<Table
							caption="Agents"
							columns={columns}
							rows={agents}
							rowKey={({ agent, outcome }) => `${outcome} ${agent}`}
							empty="No agent visited in this period."
							save={apiAddress('agents.csv', query)}
						/>
					</Section>
					{query.has('agent') && agents.map((row) => <AgentFacts key={row.outcome} {...row} />)}
				</div>
			)}
		</Loaded>
	);
}

function BrokenLink(row: AgentFigures) {
	const number = brokenRules(row);
	if (number === 0) return <>0</>;
	// The requests before a pause was over are counted, but the ledger lists them with all others.
	const listed = number > row.early ? { broken: '1' } : {};
	return (
		<a href={viewLink('requests', { agent: agentValue(row.agent), outcome: row.outcome, ...listed })}>
			{count(number)}
		</a>
	);
}

const facts: readonly (readonly [title: string, value: (agent: AgentFigures) => string])[] = [
	['Pages', ({ pages }) => count(pages)],
	['Policy read', ({ policyReads }) => count(policyReads)],
	['Change list read', ({ manifestReads }) => count(manifestReads)],
	['Disallowed pages', ({ disallowed }) => count(disallowed)],
	['Pages without asking', ({ unasked }) => count(unasked)],
	['Honeypots', ({ honeypots }) => count(honeypots)],
	['Before the pause was over', ({ early }) => count(early)],
	['Slowed down', ({ limited }) => count(limited)],
	['Unchanged pages fetched again', ({ overfetched }) => count(overfetched)],
	['Clients', ({ clients }) => count(clients)],
	['Tokens saved', ({ tokensSaved }) => count(tokensSaved)],
];

function AgentFacts(row: AgentFigures) {
	return (
		<Section title={`${cut(nameOf(row.agent), 40)}, ${row.outcome}`}>
			<dl class="facts">
				{facts.map(([title, value]) => (
					<>
						<dt>{title}</dt>
						<dd>{value(row)}</dd>
					</>
				))}
			</dl>
		</Section>
	);
}
