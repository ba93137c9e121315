import type { AgentFigures } from './data.ts';
import { element, nothing } from './element.ts';
import { bytes, count, cut, moment } from './format.ts';

const judgements = {
	kept: 'kept the rules',
	broken: 'broke rules',
	unread: 'did not read terms',
	spoofed: 'false identity',
} as const;

const columns: readonly (readonly [title: string, value: (agent: AgentFigures) => string])[] = [
	['Requests', ({ requests }) => count(requests)],
	['Pages', ({ pages }) => count(pages)],
	['Terms read', ({ policyReads }) => count(policyReads)],
	['Disallowed', ({ disallowed }) => count(disallowed)],
	['Not asked', ({ unasked }) => count(unasked)],
	['Honeypots', ({ honeypots }) => count(honeypots)],
	['Too early', ({ early }) => count(early)],
	['Slowed down', ({ limited }) => count(limited)],
	['Fetched again', ({ overfetched }) => count(overfetched)],
	['Saved', ({ bytesSaved }) => bytes(bytesSaved)],
	['Last seen', ({ last }) => moment(last)],
];
/** Columns in which any number is a broken rule. */
const broken: ReadonlySet<string> = new Set(['Disallowed', 'Not asked', 'Honeypots', 'Too early']);

/** One line for each agent and each outcome of its identity: who broke most comes first. */
export function showAgents(agents: readonly AgentFigures[]): Node[] {
	if (agents.length === 0) return [nothing('No agent visited in this period.')];
	const figures = columns.map(([title]) => title);
	const head = ['Agent', 'Identity', 'Rules', ...figures, 'Why this identity'];
	const isNumber = (at: number) => at > 2 && at < head.length - 1;
	const table = element(
		'table',
		{},
		element('caption', { class: 'quiet' }, 'Agents, their activity, and the rules they followed'),
		element(
			'thead',
			{},
			element(
				'tr',
				{},
				...head.map((title, at) => element('th', { scope: 'col', class: isNumber(at) ? 'number' : undefined }, title)),
			),
		),
		element('tbody', {}, ...agents.map(row)),
	);
	return [
		element(
			'div',
			{ class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of agents (scrollable)' },
			table,
		),
	];
}

function row(agent: AgentFigures): HTMLElement {
	const name = agent.agent === null ? '(no name)' : cut(agent.agent, 40);
	return element(
		'tr',
		{},
		element('th', { scope: 'row' }, name),
		element('td', {}, element('span', { class: `badge ${agent.outcome}` }, agent.outcome)),
		element('td', {}, element('span', { class: `badge ${agent.judgement}` }, judgements[agent.judgement])),
		...columns.map(([title, value]) => {
			const text = value(agent);
			return element('td', { class: broken.has(title) && text !== '0' ? 'number bad' : 'number' }, text);
		}),
		element('td', { class: 'why' }, cut(agent.why, 200)),
	);
}
