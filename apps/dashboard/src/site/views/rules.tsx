import { type Column, count, cut, Loaded, moment, Section, Table } from '../../ui/index.ts';
import { AgentLink, OutcomeBadge } from '../agent-cell.tsx';
import type { BrokenRule } from '../data.ts';
import { agentValue, apiAddress, nameOf, shortRule, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';

const columns: readonly Column<BrokenRule>[] = [
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{ title: 'Identity', value: ({ outcome }) => outcome, cell: (row) => <OutcomeBadge {...row} /> },
	{
		title: 'Rule',
		isBlock: true,
		value: ({ rule }) => rule,
		cell: ({ rule }) => <code>{cut(shortRule(rule), 160)}</code>,
	},
	{
		title: 'Times',
		isNumber: true,
		value: ({ times }) => times,
		cell: ({ agent, outcome, rule, times }) => (
			<a href={viewLink('requests', { agent: agentValue(agent), outcome, rule })}>{count(times)}</a>
		),
	},
	{
		title: 'Paths',
		isNumber: true,
		value: ({ paths }) => paths,
		cell: ({ agent, outcome, rule, paths }) => (
			<a href={viewLink('pages', { agent: agentValue(agent), outcome, rule })}>{count(paths)}</a>
		),
	},
	{ title: 'First', value: ({ first }) => first, cell: ({ first }) => moment(first), className: () => 'nowrap' },
	{ title: 'Last', value: ({ last }) => last, cell: ({ last }) => moment(last), className: () => 'nowrap' },
];

/** One line for each agent and rule: fifty requests of one offender hide no other. */
export function RulesView(props: ViewProps) {
	const rules = useFigures<readonly BrokenRule[]>('rules', { ...props, every: props.slowly });
	return (
		<Section
			title="Rules that agents broke"
			note="Only rules count that the agent had read. A number leads to the requests, with their times and the line."
		>
			<Loaded of={rules}>{(rows) => <RuleTable rows={rows} query={props.query} />}</Loaded>
		</Section>
	);
}

export function RuleTable({ rows, query }: { rows: readonly BrokenRule[]; query: URLSearchParams }) {
	return (
		<Table
			caption="Broken rules"
			columns={columns}
			rows={rows}
			rowKey={({ agent, outcome, rule }) => `${outcome} ${agent} ${rule}`}
			empty="No violations in this period."
			save={apiAddress('rules.csv', query)}
		/>
	);
}
