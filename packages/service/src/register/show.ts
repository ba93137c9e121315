import { html } from '@wayleave/io/listen';
import { present } from '@wayleave/protocols';
import { pageResponse } from '../public-pages/page.ts';
import type { StoredAnswer, StoredReport } from './register.ts';

const iso = (at: number): string => new Date(at).toISOString();

/** The public part of a reviewed report: no addresses, and only reviewed replies. */
export function showEntry({ id, report, receivedAt, reviewedAt, note, answers }: StoredReport) {
	const { agent, site, policy, violations } = report;
	return {
		id,
		agent,
		site,
		policy,
		received_at: iso(receivedAt),
		...(reviewedAt !== undefined && { reviewed_at: iso(reviewedAt) }),
		...(note !== undefined && { note }),
		violations: violations.map(({ url, timestamp, rule, identity, status }) =>
			present({ url, timestamp, rule, identity: identity.outcome, status }),
		),
		answers: answers.filter(({ status }) => status === 'published').map((answer) => showAnswer(answer)),
	};
}

function showAnswer({ id, author, signedBy, text, receivedAt }: StoredAnswer) {
	return { id, author, ...(signedBy !== undefined && { signed_by: signedBy }), text, received_at: iso(receivedAt) };
}

/** All of it, for the reviewer. */
export function showStored({ id, report, receivedAt, status, answers }: StoredReport) {
	const { agent, site } = report;
	return {
		id,
		status,
		received_at: iso(receivedAt),
		agent,
		site,
		report: report as Record<string, unknown>,
		answers: answers.map((answer) => ({ ...showAnswer(answer), status: answer.status })),
	};
}

/** Violations of one report that the page shows; the JSON has all of them. */
const maxShown = 10;

/** The register for people. */
export function registerPage(reports: readonly StoredReport[], base: string): Response {
	const entries = reports.map(showEntry).map(
		({ id, agent, site, violations, received_at, note, answers }) => html`<article id="${id}">
<h2>${agent} at ${site}</h2>
<p class="soft"><time datetime="${received_at}">${received_at.slice(0, 10)}</time> · ${violations.length} ${violations.length === 1 ? 'request' : 'requests'} ·
<a href="${base}/v1/reports/${id}">all of it as JSON</a></p>
${note !== undefined && html`<p>${note}</p>`}
<ul>${violations.slice(0, maxShown).map(
			(one) => html`<li><code>${one.url}</code>, <time datetime="${one.timestamp}">${one.timestamp}</time>: against
<code>${one.rule}</code> (identity ${one.identity})</li>`,
		)}</ul>
${answers.map(
	(answer) => html`<h3>Answer of ${answer.author}</h3>
<p class="soft">${answer.signed_by === undefined ? 'Not signed: the author is not verified.' : html`Signed by ${answer.signed_by}`}</p>
<p>${answer.text}</p>`,
)}
</article>`,
	);
	const main = html`<h1>Register of reports</h1>
<p>Requests of agents that violated the published terms of sites, as reported by the sites with their evidence. Only
reviewed reports are listed. Agents reply with <code>POST /v1/reports/ID/answers</code>
(<a href="${base}/reference#answerReport">how</a>); sites report with <code>POST /v1/reports</code>
(<a href="${base}/reference#sendReport">how</a>).</p>
${entries.length === 0 ? html`<p class="soft">No reports.</p>` : entries}`;
	return pageResponse({ title: 'Register of reports', main, base, path: '/register' });
}
