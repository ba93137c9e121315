import type { Outcome } from '@wayleave/crawler';
import type { ServiceConfig } from '../config/config.ts';
import type { Served } from '../documents/served.ts';
import type { Problem } from '../problems/problem.ts';
import { linked } from './bot-page.ts';
import { type Html, html, pageResponse } from './page.ts';

/** Only this page receives the form; with `no-referrer` a browser would send `Origin: null`. */
const formHeaders = {
	'content-security-policy':
		"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
	'referrer-policy': 'same-origin',
	'cache-control': 'no-store',
	vary: 'accept',
};

/** Where assistants find the tools, if the MCP endpoint is there. */
const toolsText = (address: string): Html => html`Assistants use the tools at <code>${address}/mcp</code>
(Model Context Protocol).`;

/**
 * Introduces the service to a person who opens it in a browser.
 *
 * @param base prefix of links
 * @param address prefix of addresses that a person copies
 */
export function startPage(config: ServiceConfig, base: string, address: string, hasTools: boolean): Response {
	const main = html`<h1>AIWebIndex service</h1>
<p>The URL of a web page in, a clean document out. The service reads the terms of each site first and keeps to them, and
says what it has read and when.</p>
${config.open ? form('') : undefined}
<h2>For programs</h2>
<p>The interface is described in <a href="${base}/openapi.json">openapi.json</a> (OpenAPI 3.1), documents in
<a href="${base}/aidocument.schema.json">aidocument.schema.json</a>. ${hasTools ? toolsText(address) : undefined}</p>
<pre>curl ${config.open ? '' : "-H 'Authorization: Bearer KEY' "}-H 'Content-Type: application/json' \\
  -d '{"url":"https://example.com/"}' ${address}/v1/aidocument</pre>
<h2>Keys</h2>
${keyText(config)}
<h2>More</h2>
<p><a href="${base}/bot">About the crawler</a>: who it is, and how a site keeps it away.
<a href="${base}/register">Register of reports</a> about agents that broke the terms of sites.</p>`;
	return pageResponse('AIWebIndex service', main, formHeaders);
}

function keyText({ open, contact, operator }: ServiceConfig): Html {
	if (open) return html`<p>This service runs without keys, for programs on this machine only.</p>`;
	const from = contact === undefined ? html`${operator ?? 'the operator of this service'}` : linked(contact);
	return html`<p>Documents need a key. Ask ${from} for one; the operator makes it with
<code>wayleave keys create --name NAME</code>.</p>`;
}

const form = (url: string): Html => html`<form method="post" action="/">
<label for="url">Read a page</label>
<div class="row"><input id="url" name="url" inputmode="url" required placeholder="https://example.com/" value="${url}">
<button>Read</button></div>
</form>`;

/** The document of the form, as escaped text. */
export function documentPage({ result }: Served, url: string): Response {
	const { document, policy } = result;
	const terms = Object.entries({ ...policy?.uses, ...policy?.obligations, ...policy?.limits });
	const main = html`<h1>${document?.identity.title ?? url}</h1>
<p class="soft"><a href="${url}" rel="noreferrer">${url}</a>${
		document?.source.fetched_at !== undefined && html`, fetched ${document.source.fetched_at}`
	}</p>
${terms.length > 0 && html`<dl>${terms.map(([name, value]) => html`<dt>${name}</dt><dd>${String(value)}</dd>`)}</dl>`}
<pre class="text">${document?.content.markdown ?? ''}</pre>
${form(url)}`;
	return pageResponse(document?.identity.title ?? url, main, formHeaders);
}

/** Why the form returned no document. */
export function failurePage(problem: Problem, url: string): Response {
	const { title, detail, status, code, evidence = [], retry_after } = problem;
	const main = html`<h1>No document</h1>
<p>${url}: ${title}${detail !== undefined && html` (${detail})`}. <a href="/problems/${code}">What this means</a></p>
${
	evidence.length > 0 &&
	html`<ul>${evidence.map(({ source, line, text }) => html`<li><code>${source}:${line}</code> <code>${text}</code></li>`)}</ul>`
}
${retry_after !== undefined && html`<p>Try again in ${retry_after} seconds.</p>`}
${form(url)}`;
	return pageResponse('No document', main, formHeaders, status);
}

/** Explains a problem to people. */
export interface ProblemFacts {
	readonly code: string;
	readonly title: string;
	/** Its HTTP status; a reason of the crawler has several. */
	readonly status?: number;
	readonly outcome?: Outcome;
	/** The documentation page; statuses of other servers have none. */
	readonly documentation?: string;
}

/** The page of `/problems/CODE`. */
export function problemPageOf({ code, title, status, documentation }: ProblemFacts): Response {
	const main = html`<h1>${code}</h1>
<p>${title[0]?.toUpperCase()}${title.slice(1)}.</p>
${status !== undefined && html`<p>It comes with the HTTP status ${status}.</p>`}
${
	documentation !== undefined && html`<p><a href="${documentation}">What it means, what follows, and what to do</a></p>`
}
<p><a href="/openapi.json">The interface of this service</a></p>`;
	return pageResponse(code, main, { vary: 'accept' });
}
