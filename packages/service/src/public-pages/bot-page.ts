import { localBotUrl } from '@wayleave/io/http';
import { type Html, html } from '@wayleave/io/listen';
import type { Bot } from '../config/bot.ts';
import type { ServiceConfig } from '../config/config.ts';
import { pageResponse } from './page.ts';

interface Facts {
	readonly bot: Bot;
	readonly config: ServiceConfig;
	/** The service as its visitor knows it. */
	readonly base: string;
	readonly hasRanges: boolean;
	readonly isSigned: boolean;
}

/** The page about the crawler: its operator, its purpose, how to recognise and how to block it. */
export function botPage({ bot, config, base, hasRanges, isSigned }: Facts): Response {
	const { botName, botUrl, userAgent, verificationUserAgent, category } = bot;
	const { operator, contact } = config;
	const title = `${botName}: about this crawler`;
	const main = html`<h1>${title}</h1>
<p>${botName} reads public web pages for people and programs that request them by URL, and returns the text as a document. It
follows the <cite>AIWebIndex 2.0</cite> draft: it reads a site's policy first, limits its rate, and identifies itself.</p>
<dl>
<dt>Operator</dt><dd>${operator ?? 'not named'}</dd>
<dt>Contact</dt><dd>${contact === undefined ? 'not given' : linked(contact)}</dd>
${
	isDead(botUrl)
		? html`<dt>User-Agent</dt><dd>begins with <code>AIWebIndex/2.0</code>; without a contact,
only the operator's own machine and sites are fetched</dd>`
		: html`<dt>User-Agent</dt><dd><code>${userAgent}</code></dd>
<dt>Checks of ownership</dt><dd><code>${verificationUserAgent}</code></dd>`
}
<dt>Category</dt><dd><code>${category}</code></dd>
</dl>
<h2>How to recognise it</h2>
${
	hasRanges
		? html`<p>Requests come from the addresses in <a href="${base}/bot/ip-ranges.json">${base}/bot/ip-ranges.json</a> only.
The list is regenerated every day.</p>`
		: html`<p>The operator of this service has not published its addresses.</p>`
}
${
	isSigned
		? html`<p>Every request is signed (HTTP Message Signatures, Web Bot Auth). The keys are in the
<a href="${base}/.well-known/http-message-signatures-directory">key directory</a>.</p>`
		: html`<p>Requests are not signed.</p>`
}
<h2>How to exclude it</h2>
<p>In <code>robots.txt</code>, for all crawlers of this protocol or for this one:</p>
<pre>User-agent: AIWebIndex
Disallow: /

User-agent: ${botName}
Disallow: /</pre>
<p>The crawler reads it before the first page of a host, and again within a day. Rules for <code>*</code> also apply.
<code>robots2.txt</code>, <code>X-Robots-Tag</code>, robots <code>meta</code> tags, <code>Content-Usage</code> and
<code>Content-Signal</code> are followed where they concern these uses.</p>
<p>Owners who prove a domain with this service can also refuse pages at once, have stored documents removed, and see
what was fetched and when: <a href="${base}/domains">domains</a>.</p>
<h2>What it promises</h2>
<ul>
<li>One request at a time to a host, with at least two seconds between two; more where <code>Crawl-delay</code>,
<code>rate</code> or <code>Retry-After</code> ask for it.</li>
<li>No logins, no bypassing of paywalls, no browser User-Agent; no data about the callers is sent to sites.</li>
<li>Pages that a site forbids to store are not stored.</li>
</ul>
<h2>Something is wrong?</h2>
<p>${contact === undefined ? 'Write to the operator' : html`Write to ${linked(contact)}`}, or send a report with
evidence to <code>POST ${base}/v1/reports</code>. Reviewed reports are listed in the
<a href="${base}/register">register</a>.</p>`;
	return pageResponse({ title, main, base, path: '/bot' });
}

/** The placeholder for a missing `botUrl` leads nowhere. */
const isDead = (botUrl: string): boolean => botUrl === localBotUrl;

export function linked(contact: string): Html {
	const target = /^[a-z][a-z0-9+.-]*:/i.test(contact) ? contact : `mailto:${contact}`;
	return /^(?:https?|mailto):/i.test(target) ? html`<a href="${target}">${contact}</a>` : html`${contact}`;
}
