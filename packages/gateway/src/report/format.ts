import type { Compliance } from './compliance.ts';
import { formatCsv } from './csv.ts';
import { summaryOf } from './page/sentences.ts';
import type { Report } from './read-report.ts';

/** Columns of a table of agents. */
export const agentColumns: readonly (keyof Compliance)[] = [
	'agent',
	'outcome',
	'judgement',
	'clients',
	'requests',
	'pages',
	'policyReads',
	'manifestReads',
	'disallowed',
	'unasked',
	'asks',
	'honeypots',
	'early',
	'limited',
	'overfetched',
	'excused',
	'bytes',
	'bytesSaved',
	'tokensSaved',
	'first',
	'last',
	'why',
];

export function formatReportJson(report: Report): string {
	const { period, agents, slices, rules, violations } = report;
	const shown = {
		site: report.site,
		period: { since: iso(period.since), until: iso(period.until) },
		summary: summaryOf(report),
		totals: report.totals,
		identity: report.identity,
		actions: report.actions,
		slices: slices.map((slice) => ({ ...slice, at: iso(slice.at) })),
		agents: agents.map((agent) => ({ ...agent, first: iso(agent.first), last: iso(agent.last) })),
		rules: rules.map((rule) => ({ ...rule, first: iso(rule.first), last: iso(rule.last) })),
		paths: report.paths,
		violations: violations.map((violation) => ({ ...violation, at: iso(violation.at) })),
	};
	return `${JSON.stringify(shown, undefined, '\t')}\n`;
}

/** RFC 4180, one line an agent. */
export function formatReportCsv({ agents }: Report): string {
	return formatCsv(agentColumns, agents, ['first', 'last']);
}

/** The columns that say most, with their heads. */
const tableColumns: Partial<Record<keyof Compliance, string>> = {
	agent: 'agent',
	outcome: 'identity',
	judgement: 'rules',
	requests: 'requests',
	policyReads: 'terms read',
	disallowed: 'disallowed',
	unasked: 'unasked',
	honeypots: 'honeypots',
	early: 'too early',
	limited: 'limited',
};

/** A table for a terminal. */
export function formatReportTable({ agents, violations }: Report): string {
	const columns = Object.entries(tableColumns) as [keyof Compliance, string][];
	const rows = [
		columns.map(([, head]) => head),
		...agents.map((agent) => columns.map(([column]) => printable(String(agent[column] ?? '') || '(no name)'))),
	];
	const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
	const line = (row: readonly string[]) =>
		row
			.map((text, index) => (index < 3 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0)))
			.join('  ')
			.trimEnd();
	const proven = agents.filter(({ outcome }) => outcome === 'verified' || outcome === 'spoofed');
	const whys = proven.flatMap(({ agent, outcome, why }) =>
		why === '' ? [] : [`${printable(agent ?? '(no name)')} is ${outcome}: ${why.replace(/\p{C}/gu, '?')}`],
	);
	const parts = [rows.map(line), whys, [`${violations.length} violations`]].filter((part) => part.length > 0);
	return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`;
}

/** Names come from outside: no control characters on a terminal, and no name without an end. */
function printable(text: string): string {
	const plain = text.replace(/\p{C}/gu, '?');
	return plain.length > 40 ? `${plain.slice(0, 39)}…` : plain;
}

export function iso(time: number): string {
	return new Date(time).toISOString();
}
