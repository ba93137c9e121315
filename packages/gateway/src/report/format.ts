import type { Compliance, Period } from './compliance.ts';
import type { Violation } from './violations.ts';

/** What is known about the agents of a site in a period. */
export interface Report {
	readonly site: string;
	readonly period: Period;
	readonly agents: readonly Compliance[];
	readonly violations: readonly Violation[];
}

const columns: readonly (keyof Compliance)[] = [
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
const times: ReadonlySet<keyof Compliance> = new Set(['first', 'last']);

export function formatReportJson({ site, period, agents, violations }: Report): string {
	const shown = { since: iso(period.since), until: iso(period.until) };
	const withDates = agents.map((agent) => ({ ...agent, first: iso(agent.first), last: iso(agent.last) }));
	const dated = violations.map((violation) => ({ ...violation, at: iso(violation.at) }));
	return `${JSON.stringify({ site, period: shown, agents: withDates, violations: dated }, undefined, '\t')}\n`;
}

/** RFC 4180, one line an agent. */
export function formatReportCsv({ agents }: Report): string {
	const lines = agents.map((agent) => columns.map((column) => csvField(cell(agent, column))).join(','));
	return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

/** Text from outside must not become a formula in a spreadsheet. */
function csvField(text: string): string {
	const safe = /^[=+\-@\t]/.test(text) && !/^-?\d+$/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function cell(agent: Compliance, column: keyof Compliance): string {
	const value = agent[column];
	return times.has(column) ? iso(value as number) : String(value ?? '');
}

/** A page that prints well: no script, nothing from elsewhere. */
export function formatReportHtml({ site, period, agents, violations }: Report): string {
	const title = `Agents at ${site}, ${iso(period.since).slice(0, 10)} to ${iso(period.until).slice(0, 10)}`;
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; color: #111; background: #fff }
table { border-collapse: collapse; width: 100%; font-size: 13px }
th, td { border: 1px solid #bbb; padding: .25em .5em; text-align: left; vertical-align: top; overflow-wrap: anywhere }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.broken, .spoofed { font-weight: bold }
@media print { body { margin: 0; max-width: none } tr { break-inside: avoid } thead { display: table-header-group } }
</style>
<h1>${escapeHtml(title)}</h1>
<h2>What each agent did</h2>
<table>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join('')}</tr></thead>
<tbody>
${agents.map(agentRow).join('\n')}
</tbody>
</table>
<h2>Violations</h2>
<table>
<thead><tr><th scope="col">time</th><th scope="col">agent</th><th scope="col">identity</th><th scope="col">address</th><th scope="col">request</th><th scope="col">rule</th><th scope="col">policy fetched</th></tr></thead>
<tbody>
${violations.map(violationRow).join('\n')}
</tbody>
</table>
</html>
`;
}

function agentRow(agent: Compliance): string {
	const cells = columns.map((column) => {
		const text = escapeHtml(cell(agent, column));
		const kind = column === 'judgement' ? agent.judgement : typeof agent[column] === 'number' ? 'number' : '';
		return `<td${kind === '' ? '' : ` class="${kind}"`}>${text}</td>`;
	});
	return `<tr>${cells.join('')}</tr>`;
}

function violationRow({ at, agent, outcome, address, method, path, rule, fetched }: Violation): string {
	const cells = [iso(at), agent ?? '', outcome, address, `${method} ${path}`, rule, fetched ?? 'never'];
	return `<tr>${cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`;
}

/** A table for a terminal: the columns that say most. */
export function formatReportTable({ agents, violations }: Report): string {
	const shown = [
		'agent',
		'outcome',
		'judgement',
		'requests',
		'policyReads',
		'disallowed',
		'unasked',
		'honeypots',
		'early',
		'limited',
	] as const;
	const heads = [
		'agent',
		'identity',
		'rules',
		'requests',
		'terms read',
		'disallowed',
		'unasked',
		'honeypots',
		'too early',
		'limited',
	];
	const rows = [heads, ...agents.map((agent) => shown.map((column) => printable(cell(agent, column) || '(no name)')))];
	const widths = heads.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)));
	const line = (row: readonly string[]) =>
		row
			.map((text, index) => (index < 3 ? text.padEnd(widths[index]!) : text.padStart(widths[index]!)))
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

function iso(time: number): string {
	return new Date(time).toISOString();
}

function escapeHtml(text: string): string {
	const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
	return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
