import { type Html, html } from '@wayleave/io/listen';
import type { ServiceConfig } from '../config/config.ts';
import { scopes, usualScopes } from '../keys/scopes.ts';
import { dnsInstruction } from '../registrar/check-dns.ts';
import { fileInstruction } from '../registrar/check-file.ts';
import { domainFaults, readDomain } from '../registrar/domain.ts';
import { callerOf, curl, typescript } from './examples.ts';
import { type PageOptions, pageResponse, sample } from './page.ts';
import { keyText } from './start-page.ts';

/** What each page needs. */
export interface GuideFacts {
	readonly config: ServiceConfig;
	/** Prefix of links. */
	readonly base: string;
	/** Prefix of addresses that a person copies. */
	readonly address: string;
}

const page = (options: PageOptions): Response =>
	pageResponse({ ...options, headers: { vary: 'accept', ...options.headers } });

const operation = (base: string, id: string, text: string): Html => html`<a href="${base}/reference#${id}">${text}</a>`;

/** How a caller gets documents. */
export function documentsPage({ config, base, address }: GuideFacts): Response {
	const caller = callerOf(config, address);
	const url = 'https://example.com/article';
	const main = html`<h1>Documents</h1>
<p class="lede">A document is the main content of a page as Markdown and text, with its title, author, dates, source and terms.</p>
<h2>One page</h2>
<p>${operation(base, 'getDocument', 'POST /v1/aidocument')} returns the stored copy if it is younger than ${spanText(config.maxAge)},
and asks the site otherwise. <code>"freshness_policy":"force_refresh"</code> always asks the site whether the page has changed.</p>
${sample(curl(caller, { method: 'POST', path: '/v1/aidocument', body: { url } }))}
${sample(typescript(caller, [`const document = await client.document('${url}');`, 'console.log(document.content.markdown);']))}
<h2>Other forms</h2>
<p><code>Accept</code> chooses the form: <code>text/markdown</code>, <code>application/som+json</code> (SOM, the Semantic Object
Model), or <code>application/vnd.wayleave.result+json</code>, which adds the terms and, with <code>chunk_tokens</code>, pieces of a
token budget.</p>
${sample(curl(caller, { method: 'POST', path: '/v1/aidocument', body: { url }, headers: ['Accept: text/markdown'] }))}
<h2>A stored copy only</h2>
<p>${operation(base, 'getStoredDocument', 'GET /v1/document')} sends no request to the site; 404 if there is no copy.</p>
${sample(curl(caller, { path: `/v1/document?url=${encodeURIComponent(url)}` }))}
<h2>Many pages</h2>
<p>${operation(base, 'getDocuments', 'POST /v1/aidocuments')} takes up to ${config.maxUrls} URLs and sends a line of JSON for each,
as soon as it is ready.</p>
${sample(curl(caller, { method: 'POST', path: '/v1/aidocuments', body: { urls: [url, 'https://example.org/'] } }))}
<h2>In the background</h2>
<p>${operation(base, 'submitPage', 'POST /v1/submit')} returns an id at once; ${operation(base, 'getSubmission', 'GET /v1/submissions/{id}')}
says how far it is.</p>
${sample(curl(caller, { method: 'POST', path: '/v1/submit', body: { url } }))}
<h2>If there is no document</h2>
<p>The response is a problem object (RFC 9457) with a stable <code>code</code>. A refusal by a site carries the deciding line of the
deciding file in <code>evidence</code>; a pause carries <code>retry_after</code>. Each code has a page, such as
<a href="${base}/problems/robots-disallow">robots-disallow</a>.</p>`;
	return page({ title: 'Documents', main, base, path: '/documents' });
}

function spanText(milliseconds: number): string {
	const hours = milliseconds / 3_600_000;
	return hours >= 1 ? `${Math.round(hours)} hours` : `${Math.round(milliseconds / 1000)} seconds`;
}

/** What a visitor has entered in the form of the page. */
export interface RecordsQuery {
	readonly domain: string | undefined;
	readonly token: string | undefined;
}

/** How an owner proves a domain, with the records to publish. */
export function domainsPage({ config, base, address }: GuideFacts, query: RecordsQuery): Response {
	const caller = callerOf(config, address);
	const main = html`<h1>Domains</h1>
<p class="lede">Prove that a domain is yours. Then you decide what this service does with its pages: refuse them, have them
fetched again or removed, and see what was fetched and when.</p>
<ol>
<li><p>Register the domain with a key of the scope <code>sites:write</code>
(${operation(base, 'registerSite', 'POST /v1/sites')}). The response has a token.</p>
${sample(curl(caller, { method: 'POST', path: '/v1/sites', body: { domain: 'example.com' } }))}</li>
<li><p>Publish the token as a DNS record or as a file; one of the two is enough. This form writes both.</p>
${recordsForm(base, query)}
${recordsOf(query)}</li>
<li><p>Have it checked (${operation(base, 'checkSite', 'POST /v1/sites/{domain}/check')}); otherwise it is checked by itself, and again
from time to time. A record in the DNS speaks for all hosts below the domain, a file for its host only.</p>
${sample(curl(caller, { method: 'POST', path: '/v1/sites/example.com/check' }))}</li>
</ol>
<h2>As its owner</h2>
<p>Refuse paths in addition to those in robots.txt (${operation(base, 'preferForSite', 'PATCH /v1/sites/{domain}')}):</p>
${sample(curl(caller, { method: 'PATCH', path: '/v1/sites/example.com', body: { disallow: ['/drafts/'] } }))}
<p>See what was fetched (${operation(base, 'listSitePages', 'GET …/documents')}), and have it removed
(${operation(base, 'removeSiteDocuments', 'DELETE …/documents')}):</p>
${sample(curl(caller, { path: '/v1/sites/example.com/documents' }))}
${sample(curl(caller, { method: 'DELETE', path: '/v1/sites/example.com/documents' }))}`;
	return page({ title: 'Domains', main, base, path: '/domains', hasForm: true });
}

function recordsForm(base: string, { domain = '', token = '' }: RecordsQuery): Html {
	return html`<form method="get" action="${base}/domains">
<label for="domain">Domain</label>
<input id="domain" name="domain" required placeholder="example.com" value="${domain}">
<label for="token">Token</label>
<div class="row"><input id="token" name="token" placeholder="40 characters, from the response" value="${token}">
<button>Show the records</button></div>
</form>`;
}

/** The records for the domain and token that were entered, or what is wrong with them. */
function recordsOf({ domain, token = '' }: RecordsQuery): Html | undefined {
	if (domain === undefined) return undefined;
	const read = readDomain(domain);
	if ('fault' in read) return html`<p class="error" role="alert">${domain}: ${domainFaults[read.fault]}.</p>`;
	if (token !== '' && !/^[0-9a-f]{40}$/.test(token))
		return html`<p class="error" role="alert">This is not a token: it has 40 characters, 0 to 9 and a to f.</p>`;
	const shown = token === '' ? 'TOKEN' : token;
	const dns = dnsInstruction(read.domain, shown);
	const file = fileInstruction(read.domain, shown);
	return html`<div class="card" id="records">
<h2>Records for ${read.domain}</h2>
<h3>DNS: a TXT record</h3>
<dl><dt>Name</dt><dd>${sample(dns.name)}</dd><dt>Value</dt><dd>${sample(dns.value)}</dd></dl>
<p>As a line of a zone file:</p>
${sample(`${dns.name}. 300 IN TXT "${dns.value}"`)}
<h3>Or a file</h3>
<dl><dt>Address</dt><dd>${sample(file.url)}</dd><dt>Content</dt><dd>${sample(file.line)}</dd></dl>
${token === '' && html`<p>Replace <code>TOKEN</code> by the token of the response.</p>`}
</div>`;
}

/** What keys may do, and how much of them is used. */
export function keysPage({ config, base, address }: GuideFacts): Response {
	const caller = callerOf(config, address);
	const rows = Object.entries(scopes).map(
		([name, means]) => html`<tr><th scope="row"><code>${name}</code></th><td data-name="Lets a caller">${means}</td>
<td data-name="By default">${usualScopes.some((usual) => usual === name) ? 'yes' : 'no'}</td></tr>`,
	);
	const main = html`<h1>Keys</h1>
<p class="lede">A key says who calls, what the caller may do, and how much.</p>
<h2>Get one</h2>
${keyText(config)}
<h2>Send it</h2>
<p>In each request, in the field <code>Authorization</code>; never in an address:</p>
${sample(curl({ ...caller, open: false }, { path: '/v1/document?url=https%3A%2F%2Fexample.com%2F' }))}
<h2>What a key may do</h2>
<table><thead><tr><th scope="col">Scope</th><th scope="col">Lets a caller</th><th scope="col">By default</th></tr></thead>
<tbody>${rows}</tbody></table>
<h2>How much of it is used</h2>
<p>Every response to a key with limits says what is left of them. <code>minute</code> counts requests, <code>day</code> documents
(until midnight UTC); <code>q</code> is the limit, <code>r</code> the rest, <code>t</code> the seconds until there is more:</p>
<pre>RateLimit-Policy: "minute";q=60;w=60, "day";q=5000;w=86400
RateLimit: "minute";r=57;t=3, "day";r=4988;t=40312</pre>
<p>To see them, ask for a stored document and show the header:</p>
${sample(curl({ ...caller, open: false }, { path: '/v1/document?url=https%3A%2F%2Fexample.com%2F' }).replace('curl', 'curl -i'))}
<p>A request beyond a limit gets <a href="${base}/problems/rate-exceeded">429 rate-exceeded</a> or
<a href="${base}/problems/quota-exceeded">429 quota-exceeded</a> with <code>Retry-After</code>.</p>
<h2>For the operator</h2>
${sample('wayleave keys create --name "Ada" --rate 60 --quota 5000\nwayleave keys list\nwayleave keys rotate ID\nwayleave keys revoke ID')}
<p><code>keys list</code> shows the documents of each key, today and in all. A token is shown once; the service keeps its hash.</p>`;
	return page({ title: 'Keys', main, base, path: '/keys' });
}

/** How the service is doing. */
export interface HealthFacts {
	readonly isReady: boolean;
	/** Why it is not. */
	readonly reason?: string;
	readonly version: string;
	readonly needsKey: boolean;
	readonly hasTools: boolean;
}

export function healthPage({ base, address }: GuideFacts, facts: HealthFacts): Response {
	const { isReady, reason, version, needsKey, hasTools } = facts;
	const main = html`<h1>Health</h1>
<p><span class="badge ${isReady ? 'good' : 'bad'}">${isReady ? 'Ready' : 'Not ready'}</span>
${isReady ? 'The service takes requests, and its database responds.' : html`The service takes no requests now: ${reason}.`}</p>
<dl>
<dt>Version</dt><dd>${version}</dd>
<dt>Keys</dt><dd>${needsKey ? 'required' : 'not required: for programs on this machine only'}</dd>
<dt>Tools for assistants</dt><dd>${hasTools ? html`<code>${address}/mcp</code>` : 'not installed'}</dd>
</dl>
<h2>For monitors</h2>
<table><thead><tr><th scope="col">Address</th><th scope="col">Says</th></tr></thead><tbody>
<tr><th scope="row"><a href="${base}/healthz">/healthz</a></th><td data-name="Says">whether the process responds</td></tr>
<tr><th scope="row"><a href="${base}/readyz">/readyz</a></th><td data-name="Says">whether it takes requests, and its database responds</td></tr>
<tr><th scope="row">/health</th><td data-name="Says">the facts of this page; as JSON for programs</td></tr>
<tr><th scope="row">/metrics</th><td data-name="Says">metrics for Prometheus${needsKey && html`, with a key of the scope <code>metrics:read</code>`}</td></tr>
</tbody></table>
${sample(`curl ${address}/readyz`)}`;
	const headers = { 'cache-control': 'no-store' };
	return page({ title: 'Health', main, base, path: '/health', headers, status: isReady ? 200 : 503 });
}

/** An address that does not exist, or that takes other requests. */
export function helpPage(
	{ config, base, address }: GuideFacts,
	{
		path,
		status,
		nearest,
		methods,
	}: { path: string; status: 404 | 405; nearest?: string | undefined; methods: readonly string[] },
): Response {
	const caller = callerOf(config, address);
	const isApi = path.startsWith('/v1');
	const means =
		status === 405
			? html`<p><code>${path}</code> is an address for programs: it takes ${methods.join(' and ')}, and a browser sends GET.</p>`
			: html`<p>There is nothing at <code>${path}</code>.</p>`;
	const main = html`<h1>${status === 405 ? 'Not for a browser' : 'No such page'}</h1>
${means}
${nearest !== undefined && html`<p>Did you mean <a href="${base}${nearest}">${nearest}</a>?</p>`}
<ul class="cards">
<li class="card"><a href="${base}/">Start</a><p>What this service is, and how to call it.</p></li>
<li class="card"><a href="${base}/reference">API reference</a><p>All addresses, with what they take and return.</p></li>
<li class="card"><a href="${base}/documents">Documents</a><p>How to get the document of a page.</p></li>
</ul>
${isApi && html`<p>A call that works:</p>`}
${isApi && sample(curl(caller, { method: 'POST', path: '/v1/aidocument', body: { url: 'https://example.com/' } }))}`;
	const headers = { 'cache-control': 'no-store', ...(status === 405 && { allow: methods.join(', ') }) };
	return page({ title: status === 405 ? 'Not for a browser' : 'No such page', main, base, headers, status });
}
