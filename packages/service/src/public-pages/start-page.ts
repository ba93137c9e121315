import type { Outcome } from '@wayleave/crawler';
import { type Html, html } from '@wayleave/io/listen';
import type { ServiceConfig } from '../config/config.ts';
import type { Served } from '../documents/served.ts';
import type { Problem } from '../problems/problem.ts';
import { linked } from './bot-page.ts';
import { callerOf, curl, typescript } from './examples.ts';
import { pageResponse, sample } from './page.ts';

/** Where assistants find the tools, if the MCP endpoint is there. */
const toolsText = (address: string): Html => html`<p>Assistants use the tools at <code>${address}/mcp</code>
(Model Context Protocol).</p>`;

/**
 * Introduces the service to a person who opens it in a browser.
 *
 * @param base prefix of links
 * @param address prefix of addresses that a person copies
 */
export function startPage(config: ServiceConfig, base: string, address: string, hasTools: boolean): Response {
	const caller = callerOf(config, address);
	const main = html`<h1>AIWebIndex service</h1>
<p class="lede">The URL of a web page in, a clean document out. The service reads the terms of each site first and keeps to them,
and says what it has read and when.</p>
${config.open ? form('', base) : undefined}
<h2>Call it</h2>
<p>From a shell:</p>
${sample(curl(caller, { method: 'POST', path: '/v1/aidocument', body: { url: 'https://example.com/' } }))}
<p>From TypeScript (<code>npm install @wayleave/service</code>):</p>
${sample(
	typescript(caller, [
		"const { identity, content } = await client.document('https://example.com/');",
		'console.log(identity.title, content.markdown);',
	]),
)}
${hasTools ? toolsText(address) : undefined}
<h2>Get a key</h2>
${keyText(config)}
${!config.open && html`<p><a href="${base}/keys">Scopes and limits of keys</a></p>`}
<h2>Find out more</h2>
<ul class="cards">
<li class="card"><a href="${base}/documents">Documents</a><p>One page, many pages, pages in the background; as JSON, Markdown or SOM.</p></li>
<li class="card"><a href="${base}/domains">Domains</a><p>Prove that a domain is yours, and decide what this service does with it.</p></li>
<li class="card"><a href="${base}/keys">Keys</a><p>Scopes, limits, and how much of them is used.</p></li>
<li class="card"><a href="${base}/reference">API reference</a><p>Every operation, from <a href="${base}/openapi.json">openapi.json</a>
(OpenAPI 3.1) and <a href="${base}/aidocument.schema.json">aidocument.schema.json</a>.</p></li>
<li class="card"><a href="${base}/bot">The crawler</a><p>Who it is, and how a site keeps it away.</p></li>
<li class="card"><a href="${base}/register">Register</a><p>Reports about agents that broke the terms of sites.</p></li>
</ul>`;
	return pageResponse({
		title: 'AIWebIndex service',
		main,
		base,
		path: '/',
		hasForm: config.open,
		headers: { vary: 'accept', 'cache-control': 'no-store' },
	});
}

/** How a caller gets a key. */
export function keyText({ open, contact, operator }: ServiceConfig): Html {
	if (open) return html`<p>This service runs without keys, for programs on this machine only.</p>`;
	const from = contact === undefined ? html`${operator ?? 'the operator of this service'}` : linked(contact);
	return html`<p>Documents need a key. Ask ${from} for one; the operator makes it with
<code>wayleave keys create --name NAME</code>.</p>`;
}

const form = (url: string, base: string): Html => html`<form method="post" action="${base}/">
<label for="url">Read a page</label>
<div class="row"><input id="url" name="url" inputmode="url" required placeholder="https://example.com/" value="${url}">
<button>Read</button></div>
</form>`;

/** The document of the form, as escaped text. */
export function documentPage({ result }: Served, url: string, base: string): Response {
	const { document, policy } = result;
	const terms = Object.entries({ ...policy?.uses, ...policy?.obligations, ...policy?.limits });
	const main = html`<h1>${document?.identity.title ?? url}</h1>
<p class="soft"><a href="${url}" rel="noreferrer">${url}</a>${
		document?.source.fetched_at !== undefined && html`, fetched ${document.source.fetched_at}`
	}</p>
${terms.length > 0 && html`<dl>${terms.map(([name, value]) => html`<dt>${name}</dt><dd>${String(value)}</dd>`)}</dl>`}
<pre class="text">${document?.content.markdown ?? ''}</pre>
${form(url, base)}`;
	return pageResponse({ title: document?.identity.title ?? url, main, base, hasForm: true });
}

/** Why the form returned no document. */
export function failurePage(problem: Problem, url: string, base: string): Response {
	const { title, detail, status, code, evidence = [], retry_after } = problem;
	const main = html`<h1>No document</h1>
<p>${url}: ${title}${detail !== undefined && html` (${detail})`}. <a href="${base}/problems/${code}">What this means</a></p>
${
	evidence.length > 0 &&
	html`<ul>${evidence.map(({ source, line, text }) => html`<li><code>${source}:${line}</code> <code>${text}</code></li>`)}</ul>`
}
${retry_after !== undefined && html`<p>Try again in ${retry_after} seconds.</p>`}
${form(url, base)}`;
	return pageResponse({ title: 'No document', main, base, hasForm: true, status });
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
export function problemPageOf({ code, title, status, documentation }: ProblemFacts, base: string): Response {
	const main = html`<h1>${code}</h1>
<p>${title[0]?.toUpperCase()}${title.slice(1)}.</p>
${status !== undefined && html`<p>It comes with the HTTP status ${status}.</p>`}
${
	documentation !== undefined && html`<p><a href="${documentation}">What it means, what follows, and what to do</a></p>`
}
<p><a href="${base}/reference">The interface of this service</a></p>`;
	return pageResponse({ title: code, main, base, headers: { vary: 'accept' } });
}
