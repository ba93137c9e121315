import { type Html, html } from '@wayleave/io/listen';
import type { BrokenRule } from '../broken-rules.ts';
import type { Compliance } from '../compliance.ts';
import type { PathCount } from '../paths.ts';
import type { Report } from '../read-report.ts';
import type { Violation } from '../violations.ts';
import { groupBy } from './group-by.ts';
import { bytes, count, minuteOf, shown } from './numbers.ts';

const judgements: Readonly<Record<Compliance['judgement'], readonly [text: string, kind: string]>> = {
	kept: ['kept the rules', 'good'],
	broken: ['broke rules', 'bad'],
	unread: ['did not read the policy', 'doubt'],
	spoofed: ['false name', 'bad'],
};

type Column = readonly [title: string, value: (agent: Compliance) => string];

/** Each of these counts something: its cells stand to the right. */
const figures: readonly Column[] = [
	['Requests', ({ requests }) => count(requests)],
	['Pages', ({ pages }) => count(pages)],
	['Policy reads', ({ policyReads }) => count(policyReads)],
	['Change list reads', ({ manifestReads }) => count(manifestReads)],
	['Disallowed', ({ disallowed }) => count(disallowed)],
	['Without asking', ({ unasked }) => count(unasked)],
	['Honeypots', ({ honeypots }) => count(honeypots)],
	['Too early', ({ early }) => count(early)],
	['Slowed down', ({ limited }) => count(limited)],
	['Unchanged pages again', ({ overfetched }) => count(overfetched)],
	['Not held against it', ({ excused }) => count(excused)],
	['Received', ({ bytes: size }) => bytes(size)],
	['Saved', ({ bytesSaved }) => bytes(bytesSaved)],
	['Tokens saved', ({ tokensSaved }) => count(tokensSaved)],
];
/** Figures that every reader wants first; the others are on a second line of each agent. */
const leading = 1;

export function agentsTable({ agents }: Report): Html {
	if (agents.length === 0) return html`<p class="none">No agent visited in this period.</p>`;
	const head = [
		'Agent',
		'Identity',
		'Rules',
		...figures.slice(0, leading).map(([title]) => title),
		'Other figures',
		'Last seen',
	];
	return html`<table class="wide"><caption>One row for each agent and each result of the identity check. Times are in UTC.</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${agents.map(agentRow)}</tbody></table>`;
}

function agentRow(agent: Compliance): Html {
	const [judgement, kind] = judgements[agent.judgement];
	const others = figures.slice(leading).flatMap(([title, value]) => {
		const text = value(agent);
		return text === '0' || text === '0 bytes' ? [] : [`${title}: ${text}`];
	});
	const cells = figures.slice(0, leading).map(([title, value]) => html`<td data-name="${title}">${value(agent)}</td>`);
	return html`<tr><th scope="row">${shown(agent.agent ?? '(no name)', 40)}</th>
<td data-name="Identity">${agent.outcome}</td><td data-name="Rules"><span class="${kind}">${judgement}</span></td>${cells}
<td class="block">${others.join(' · ')}${agent.why === '' ? '' : html`<br><span class="soft">${shown(agent.why, 240)}</span>`}</td>
<td data-name="Last seen">${minuteOf(agent.last)}</td></tr>
`;
}

/** Requests that are listed under one rule, at most. */
const maxRequests = 50;

/** One row for each rule that an agent broke; its requests are shown on demand. */
export function rulesTable({ rules, violations }: Report): Html {
	if (rules.length === 0) return html`<p class="none">No agent broke a rule that it could know.</p>`;
	const byRule = groupBy(violations, keyOf);
	return html`<table class="wide"><caption>Each rule that an agent broke, most often first. Times are in UTC.</caption>
<thead><tr><th scope="col">Agent</th><th scope="col">Identity</th><th scope="col">Rule</th><th scope="col">Times</th><th scope="col">Last</th></tr></thead>
<tbody>${rules.map((rule) => ruleRow(rule, byRule.get(keyOf(rule)) ?? []))}</tbody></table>`;
}

function keyOf({ agent, outcome, rule }: Pick<Violation, 'agent' | 'outcome' | 'rule'>): string {
	return JSON.stringify([agent, outcome, rule]);
}

function ruleRow({ agent, outcome, rule, times, paths, last }: BrokenRule, requests: readonly Violation[]): Html {
	const listed = requests.slice(0, maxRequests);
	const more = times - listed.length;
	const list = html`<details><summary>${count(times)} on ${count(paths)} ${paths === 1 ? 'path' : 'paths'}</summary><ul>
${listed.map(requestItem)}${more > 0 ? html`<li>${count(more)} more: <code>wayleave report --json</code> lists them.</li>` : ''}</ul></details>`;
	return html`<tr><th scope="row">${shown(agent ?? '(no name)', 40)}</th><td data-name="Identity">${outcome}</td>
<td class="block"><code>${shown(rule, 200)}</code>${list}</td><td data-name="Times">${count(times)}</td><td data-name="Last">${minuteOf(last)}</td></tr>
`;
}

function requestItem({ at, address, method, path, status, fetched }: Violation): Html {
	const version = fetched === null ? 'had not fetched the policy' : `had fetched policy version ${fetched}`;
	return html`<li>${minuteOf(at)}, ${address}: <code>${method} ${shown(path, 300)}</code> → ${status}; ${version}</li>
`;
}

export function pathsTable(paths: readonly PathCount[], caption: string): Html {
	if (paths.length === 0) return html`<p class="none">None in this period.</p>`;
	const rows = paths.map(
		({ path, requests, agents }) =>
			html`<tr><th scope="row"><code>${shown(path, 200)}</code></th><td data-name="Requests">${count(requests)}</td><td data-name="Agents by name">${count(agents)}</td></tr>
`,
	);
	return html`<table class="wide"><caption>${caption}</caption>
<thead><tr><th scope="col">Path</th><th scope="col">Requests</th><th scope="col">Agents by name</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}
