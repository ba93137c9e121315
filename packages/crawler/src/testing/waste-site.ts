import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CrawlOptions } from '../config/options.ts';
import { crawl } from '../engine/crawl.ts';
import type { Summary } from '../model/events.ts';
import type { Result } from '../model/result.ts';

/** A page of HTML, a redirect, or a whole response; undefined is 404. */
export type Reply =
	| string
	| { readonly to: string }
	| { readonly status?: number; readonly type?: string; readonly body: string }
	| undefined;

/** @param path with the query */
export type Serve = (path: string, request: IncomingMessage) => Reply;

/** A site on loopback that records the requests it gets. */
export interface WasteSite {
	readonly origin: string;
	/** Paths with their queries, in order, without control files and lists. */
	readonly asked: string[];
	close(): Promise<void>;
}

const control = /^\/(?:robots2?\.txt|sitemap\.xml|llms\.txt|\.well-known\/.*)$/;

export async function startWasteSite(serve: Serve): Promise<WasteSite> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		const path = request.url ?? '/';
		if (control.test(path) && serve(path, request) === undefined) {
			response.writeHead(404, { 'Content-Type': 'text/plain' }).end('none');
			return;
		}
		if (!control.test(path)) asked.push(path);
		const reply = serve(path, request);
		if (reply === undefined) response.writeHead(404, { 'Content-Type': 'text/plain' }).end('none');
		else if (typeof reply === 'string')
			response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(reply);
		else if ('to' in reply) response.writeHead(302, { Location: reply.to }).end();
		else
			response
				.writeHead(reply.status ?? 200, { 'Content-Type': reply.type ?? 'text/html; charset=utf-8' })
				.end(reply.body);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

export interface WasteCrawl {
	readonly results: readonly Result[];
	/** Paths of the results that have a document. */
	readonly documents: readonly string[];
	/** By path: outcome and reason. */
	readonly ends: Readonly<Record<string, string>>;
	readonly details: Readonly<Record<string, string | undefined>>;
	readonly summary: Summary;
}

/** Crawls a site from its front page to the end. */
export async function crawlWaste(site: WasteSite, options: CrawlOptions = {}): Promise<WasteCrawl> {
	const results: Result[] = [];
	const crawling = crawl([`${site.origin}/`], { delay: 0, everyOutcome: true, threads: 0, ...options });
	for await (const result of crawling) results.push(result);
	const path = (url: string) => url.replace(site.origin, '');
	return {
		results,
		documents: results.filter(({ document }) => document !== undefined).map(({ url }) => path(url)),
		ends: Object.fromEntries(
			results.map(({ url, outcome, reason }) => [path(url), reason ? `${outcome} ${reason}` : outcome]),
		),
		details: Object.fromEntries(results.map(({ url, detail }) => [path(url), detail && path(detail)])),
		summary: await crawling.summary,
	};
}

const syllables = 'ba ce di fo gu la me ni po ru sa te vi wo xu za bre cli dra fle gro pla'.split(' ');

/** So many words derived from a name; no other name gives them in this order. */
export function words(name: string, count: number): string {
	let state = 2166136261;
	for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 16777619) >>> 0;
	const next = () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state >>> 8;
	};
	const word = () => Array.from({ length: 1 + (next() % 3) }, () => syllables[next() % syllables.length]).join('');
	return Array.from({ length: count }, word).join(' ');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A page: a heading, two unique paragraphs, and its links. */
export function wastePage(name: string, links: readonly string[], { head = '', text = '' } = {}): string {
	const items = links.map((link) => `<li><a href="${escaped(link)}">${escaped(link)}</a></li>`).join('');
	const paragraphs = [1, 2].map((part) => `<p>${words(`${name} ${part}`, 90)}.</p>`).join('');
	return `<!doctype html><html lang="en"><head><title>${escaped(name)}</title>${head}</head><body><main><h1>${escaped(name)}</h1>${paragraphs}${text}</main><ul>${items}</ul></body></html>`;
}

export const canonicalTag = (address: string): string => `<link rel="canonical" href="${escaped(address)}">`;
