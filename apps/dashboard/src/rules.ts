import { agentValue, withFilters } from './address.ts';
import type { BrokenRule } from './data.ts';
import { element, nothing } from './element.ts';
import { count, cut, moment } from './format.ts';
import { type Column, table } from './table.ts';

const columns: readonly Column<BrokenRule>[] = [
	{
		title: 'Agent',
		cell: ({ agent }) =>
			element('a', { href: withFilters({ agent: agentValue(agent) }) }, cut(agent ?? '(no name)', 40)),
	},
	{ title: 'Identity', cell: ({ outcome }) => element('span', { class: `badge ${outcome}` }, outcome) },
	{ title: 'Rule', block: true, cell: ({ rule }) => element('code', {}, cut(rule, 160)), className: () => 'rule' },
	{
		title: 'Times',
		number: true,
		cell: ({ agent, outcome, rule, times }) =>
			element('a', { href: withFilters({ agent: agentValue(agent), outcome, rule }) }, count(times)),
	},
	{ title: 'Paths', number: true, cell: ({ paths }) => count(paths) },
	{ title: 'Last', cell: ({ last }) => moment(last) },
];

/** One line for each agent and rule: fifty requests of one offender hide no other. */
export function showRules(rules: readonly BrokenRule[]): Node[] {
	if (rules.length === 0) return [nothing('No violations in this period.')];
	return [table('Rules that agents broke, most often first', columns, rules)];
}
