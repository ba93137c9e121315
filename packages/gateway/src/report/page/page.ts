import { Html, html } from '@wayleave/io/listen';
import type { Compliance } from '../compliance.ts';
import type { Report } from '../read-report.ts';
import { type Bar, barChart, columnChart } from './charts.ts';
import { groupBy } from './group-by.ts';
import { bytes, count, dateOf, minuteOf, roughly, shown } from './numbers.ts';
import { adviceOf, summaryOf } from './sentences.ts';
import { style } from './style.ts';
import { agentsTable, pathsTable, rulesTable } from './tables.ts';

/**
 * The report as one page for the person who pays for the site: a summary in sentences, six charts, the agents to act
 * on, and the tables behind them. It has no script and asks for nothing from elsewhere.
 */
export function formatReportHtml(report: Report): string {
	const { site, period } = report;
	const title = `Agents at ${new URL(site).host}, ${dateOf(period.since)} to ${dateOf(period.until)}`;
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="soft">Written ${minuteOf(period.until)} UTC from the ledger of the gateway. It records agents, never the visits of people.</p>
${tiles(report)}
<h2>Summary</h2>
${summaryOf(report).map((sentence) => html`<p>${sentence}</p>`)}
<h2>Act on these</h2>
${advice(report)}
<h2>Charts</h2>
<div class="charts">
${charts(report)}</div>
<div class="appendix">
<h2>Rules that agents broke</h2>
${rulesTable(report)}
<h2>Every agent</h2>
${agentsTable(report)}
<h2>Pages</h2>
${pathsTable(report.paths.fetched, 'The ten pages that agents fetched most')}
${pathsTable(report.paths.denied, 'The ten paths that the gateway denied most')}
</div>
</main>
</body>
</html>
`.text;
}

function tiles({ totals, agents }: Report): Html {
	const named = new Set(agents.flatMap(({ agent }) => agent ?? [])).size;
	const broke = new Set(agents.filter(({ judgement }) => judgement === 'broken').map(({ agent }) => agent)).size;
	const figures: readonly (readonly [string, string])[] = [
		['Agents by name', roughly(named)],
		['Agents that broke rules', roughly(broke)],
		['Requests', roughly(totals.requests)],
		['Denied', roughly(totals.denied)],
		['Saved', bytes(totals.bytesSaved)],
	];
	const items = figures.map(([name, value]) => html`<div class="tile"><dt>${name}</dt><dd>${value}</dd></div>`);
	return html`<dl class="tiles">${items}</dl>`;
}

function advice(report: Report): Html {
	const advices = adviceOf(report);
	if (advices.length === 0) return html`<p class="none">No agent needs an action.</p>`;
	const items = advices.map(
		({ agent, deed, remedy }) => html`<li><h3>${agent}</h3><p>${deed}</p><p><strong>${remedy}</strong></p></li>
`,
	);
	return html`<ol class="act">${items}</ol>`;
}

function charts(report: Report): Html[] {
	const { slices, identity, actions } = report;
	return [
		columnChart(
			'Requests by day',
			slices,
			[
				{ name: 'answered', kind: 'blue', value: ({ allowed }) => allowed },
				{ name: 'denied', kind: 'red', value: ({ denied }) => denied },
			],
			count,
		),
		columnChart(
			'Broken rules by day',
			slices,
			[{ name: 'requests that broke a rule', kind: 'red', value: ({ violations }) => violations }],
			count,
		),
		barChart('Agents with most requests', busiest(report.agents)),
		barChart('Identity of the agents', [
			bar('identity proven', identity.verified, 'green'),
			bar('a name without proof', identity.unverified, 'amber'),
			bar('no name', identity.unknown, 'grey'),
			bar('a false name', identity.spoofed, 'red'),
		]),
		barChart('Actions of the gateway', [
			bar('answered with the page', actions.pass, 'blue'),
			bar('answered with a short representation', actions.represent + actions.som, 'green'),
			bar('answered with a policy file or the change list', actions.file, 'blue'),
			bar('answered a question for permission', actions.ask, 'blue'),
			bar('denied', actions.deny + actions.refuse, 'red'),
			bar('slowed down', actions.limit, 'amber'),
			bar('caught at a honeypot', actions.honeypot, 'red'),
		]),
		columnChart(
			'Bytes that representations saved by day',
			slices,
			[{ name: 'saved', kind: 'green', value: ({ bytesSaved }) => bytesSaved }],
			bytes,
		),
	];
}

function bar(name: string, value: number, kind: string): Bar {
	return { name, value, text: count(value), kind };
}

const maxBars = 7;

/** One bar for each name, whatever its requests proved; red where it broke rules. */
function busiest(agents: readonly Compliance[]): Bar[] {
	const byName = groupBy(agents, ({ agent }) => agent);
	const bars = [...byName].map(([name, rows]) => {
		const requests = rows.reduce((sum, row) => sum + row.requests, 0);
		const broke = rows.some(({ judgement }) => judgement === 'broken');
		return bar(`${shown(name ?? '(no name)', 40)}${broke ? ', broke rules' : ''}`, requests, broke ? 'red' : 'blue');
	});
	return bars.sort((a, b) => b.value - a.value).slice(0, maxBars);
}
