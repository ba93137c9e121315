import { Badge, bytes, type Column, count, cut, Loaded, moment, Section, Table } from '../../ui/index.ts';
import { AgentLink, OutcomeBadge } from '../agent-cell.tsx';
import type { AgentDetails, AgentFigures, BrokenRule } from '../data.ts';
import { agentValue, apiAddress, nameOf, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';
import { judgements, outcomes } from '../words.ts';
import { RequestList } from './requests.tsx';
import { RuleTable } from './rules.tsx';

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
];

/** One line for each agent and each outcome of its identity: who broke most comes first. */
export function AgentsView(props: ViewProps) {
	const { query, overview } = props;
	return (
		<div class="stack">
			<Loaded of={overview}>
				{({ agents }) => (
					<Section
						title="Agents and the rules they followed"
						note="A name leads to all figures of the agent, a number to the requests that it counts."
					>
						<Table
							caption="Agents"
							columns={columns}
							rows={agents}
							rowKey={({ agent, outcome }) => `${outcome} ${agent}`}
							empty="No agent visited in this period."
							save={apiAddress('agents.csv', query)}
						/>
					</Section>
				)}
			</Loaded>
			{query.has('agent') && <AgentDetailsOf {...props} />}
		</div>
	);
}

/** All figures of the agent that the filter names, and the rules that it broke. */
function AgentDetailsOf(props: ViewProps) {
	const details = useFigures<readonly AgentDetails[]>('agents', { ...props, every: props.slowly });
	const rules = useFigures<readonly BrokenRule[]>('rules', { ...props, every: props.slowly });
	return (
		<>
			<Loaded of={details}>
				{(agents) => (
					<div class="stack">
						{agents.map((row) => (
							<AgentFacts key={row.outcome} {...row} />
						))}
					</div>
				)}
			</Loaded>
			<Section title="Rules it broke">
				<Loaded of={rules}>{(rows) => <RuleTable rows={rows} query={props.query} />}</Loaded>
			</Section>
			<RequestList {...props} title="Its latest requests" empty="No requests in this period." />
		</>
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

type Filter = Parameters<typeof viewLink>[1];

/** Title, value, and the filter that lists what is counted. */
const facts: readonly (readonly [title: string, value: (agent: AgentDetails) => string, filter?: Filter])[] = [
	['Requests', ({ requests }) => count(requests), {}],
	['Pages', ({ pages }) => count(pages), { action: 'pass,represent,som' }],
	['Policy read', ({ policyReads }) => count(policyReads), { action: 'file', path: '/robots' }],
	['Manifest read', ({ manifestReads }) => count(manifestReads), { path: '/.well-known/pagedigest.json' }],
	['Disallowed pages', ({ disallowed }) => count(disallowed), { broken: '1', action: 'deny' }],
	['Pages without asking', ({ unasked }) => count(unasked), { broken: '1', action: 'deny' }],
	['Asks', ({ asks }) => count(asks), { action: 'ask' }],
	['Honeypots', ({ honeypots }) => count(honeypots), { action: 'honeypot' }],
	['Before the pause was over', ({ early }) => count(early)],
	['Slowed down', ({ limited }) => count(limited), { action: 'limit' }],
	['Unchanged pages fetched again', ({ overfetched }) => count(overfetched)],
	['Clients', ({ clients }) => count(clients)],
	['Bytes sent', ({ bytes: sent }) => bytes(sent), {}],
	['Bytes saved', ({ bytesSaved }) => bytes(bytesSaved), { action: 'som,represent' }],
	['Tokens saved', ({ tokensSaved }) => count(tokensSaved), { action: 'som,represent' }],
	['First seen in the period', ({ first }) => moment(first)],
	['Last seen', ({ last }) => moment(last)],
];

function AgentFacts(row: AgentDetails) {
	const own = { agent: agentValue(row.agent), outcome: row.outcome };
	return (
		<Section title={`${cut(nameOf(row.agent), 40)}, ${outcomes[row.outcome].title.toLowerCase()}`}>
			<dl class="facts agent-facts">
				{facts.map(([title, value, filter]) => (
					<div key={title}>
						<dt>{title}</dt>
						<dd>
							{filter === undefined ? (
								value(row)
							) : (
								<a href={viewLink('requests', { ...own, ...filter })}>{value(row)}</a>
							)}
						</dd>
					</div>
				))}
			</dl>
			<p class="soft">{row.why}</p>
		</Section>
	);
}
