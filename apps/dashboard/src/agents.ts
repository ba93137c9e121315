import { agentValue, withFilters } from './address.ts';
import type { AgentFigures } from './data.ts';
import { element, nothing } from './element.ts';
import { bytes, count, cut, moment } from './format.ts';
import { type Column, table } from './table.ts';

const judgements = {
	kept: 'kept the rules',
	broken: 'broke rules',
	unread: 'did not read terms',
	spoofed: 'false identity',
} as const;

const brokenRules = ({ disallowed, unasked, honeypots, early }: AgentFigures) =>
	disallowed + unasked + honeypots + early;

const columns: readonly Column<AgentFigures>[] = [
	{ title: 'Agent', cell: nameOf },
	{
		title: 'Identity',
		cell: ({ agent, outcome }) =>
			element('a', { class: `badge ${outcome}`, href: withFilters({ agent: agentValue(agent), outcome }) }, outcome),
	},
	{
		title: 'Rules',
		cell: ({ judgement }) => element('span', { class: `badge ${judgement}` }, judgements[judgement]),
	},
	{ title: 'Requests', number: true, cell: ({ requests }) => count(requests) },
	{
		title: 'Broken',
		number: true,
		cell: brokenLink,
		className: (agent) => (brokenRules(agent) > 0 ? 'bad' : undefined),
	},
	{ title: 'Saved', number: true, cell: ({ bytesSaved }) => bytes(bytesSaved) },
	{ title: 'Last seen', cell: ({ last }) => moment(last) },
	{ title: 'Why this identity', block: true, cell: ({ why }) => cut(why, 240), className: () => 'why' },
];

/** One line for each agent and each outcome of its identity: who broke most comes first. */
export function showAgents(agents: readonly AgentFigures[]): Node[] {
	if (agents.length === 0) return [nothing('No agent visited in this period.')];
	return [table('Agents, their activity, and the rules they followed', columns, agents)];
}

function nameOf({ agent }: AgentFigures): HTMLElement {
	return element('a', { href: withFilters({ agent: agentValue(agent) }) }, cut(agent ?? '(no name)', 40));
}

function brokenLink(agent: AgentFigures): Node | string {
	const number = brokenRules(agent);
	if (number === 0) return '0';
	// The requests before a pause was over are counted, but the ledger lists them with all others.
	const listed = number > agent.early ? { broken: '1' } : {};
	return element(
		'a',
		{ href: withFilters({ agent: agentValue(agent.agent), outcome: agent.outcome, ...listed }) },
		count(number),
	);
}

type Fact = readonly [title: string, value: (agent: AgentFigures) => string];

const facts: readonly Fact[] = [
	['Pages', ({ pages }) => count(pages)],
	['Terms read', ({ policyReads }) => count(policyReads)],
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

/** All figures of the agents in view, where a filter names one agent. */
export function showAgentFacts(agents: readonly AgentFigures[]): Node[] {
	return agents.flatMap((agent) => [
		element('h3', {}, `${cut(agent.agent ?? '(no name)', 40)}, ${agent.outcome}`),
		element(
			'dl',
			{ class: 'facts wide' },
			...facts.flatMap(([title, value]) => [element('dt', {}, title), element('dd', {}, value(agent))]),
		),
	]);
}
