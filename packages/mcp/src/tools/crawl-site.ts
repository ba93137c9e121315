import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Result } from '@wayleave/crawler';
import { present } from '@wayleave/protocols';
import { oneLine, quantity, shortAddress } from '@wayleave/protocols/text';
import { z } from 'zod';
import { address, argumentsOf, off, whole } from '../call/arguments.ts';
import { reporting, type ToolContext } from '../call/context.ts';
import { crawlSite } from '../call/crawl-site.ts';
import { untrustedSchema } from '../call/document.ts';
import { failureTexts } from '../call/failure.ts';
import { failed, field, succeeded, untrusted } from '../call/fence.ts';
import { addressOf, owedFor } from '../call/obligations.ts';
import { reportProgress } from '../call/progress.ts';

const maxPages = 50;

const crawlArguments = argumentsOf({
	url: address('URL of the page to start from'),
	max_pages: whole(1, maxPages).default(10).describe(`Maximum number of pages to visit: 1 to ${maxPages}. Default 10`),
	below: off.describe('Only pages below the path of the start page. Default false: the whole host'),
});

const crawlSchema = z.object({
	pages: z.array(
		z.object({
			number: z.number(),
			outcome: z.string(),
			reason: z.string().optional(),
			terms: z.array(z.string()).describe('the obligations that come with the page'),
		}),
	),
	untrusted: untrustedSchema('written by the pages', {
		pages: z.array(z.object({ number: z.number(), url: z.string(), title: z.string().optional() })),
	}),
});

/** Registers `crawl_site`. */
export function registerCrawl(server: McpServer, context: ToolContext): void {
	const { library } = context;
	server.registerTool(
		'crawl_site',
		{
			title: 'Crawl a site',
			description:
				'Crawls pages of one host, those nearest to the start first, at the pace that the site sets: two seconds or more per page. Returns a list; fetch_document then returns the text of each page without another request.',
			inputSchema: crawlArguments,
			outputSchema: crawlSchema,
			annotations: { readOnlyHint: true, openWorldHint: true },
		},
		reporting(context, async ({ url, max_pages: max, below }: z.output<typeof crawlArguments>, extra) => {
			// The site chooses the address of a page, and a notification has no fence.
			const onPage = (done: number, { outcome }: Result) =>
				reportProgress(extra, done, `${done} of at most ${max} pages: ${outcome}`, max);
			return presentPages(await crawlSite(library, { url, maxPages: max, below, signal: extra.signal, onPage }));
		}),
	);
}

function presentPages(results: readonly Result[]): CallToolResult {
	const pages = results.map((result, at) => ({ number: at + 1, result, failure: failureOf(result) }));
	const ours = pages.flatMap(({ number, result, failure }) => [
		`${number}. ${failure?.ours.join(' ') ?? result.outcome}`,
		...(failure === undefined ? owedFor(result).map((sentence) => `   terms: ${sentence}`) : []),
	]);
	const theirs = pages.flatMap(({ number, result, failure }) => [
		`${number}. ${oneLine(shortAddress(result.url))}${titleOf(result)}`,
		...(addressOf(result) === result.url ? [] : field('source', addressOf(result)).map((line) => `   ${line}`)),
		...(failure?.theirs ?? []).map((line) => `   ${line}`),
	]);
	const head = `${quantity(pages.length, 'page')}; their addresses are below, by number`;
	if (pages.every(({ failure }) => failure !== undefined)) return failed([head, ...ours], theirs.join('\n'));
	return succeeded(
		{ ours: [head, ...ours], theirs: theirs.join('\n') },
		{
			pages: pages.map(({ number, result: { outcome, reason }, result }) =>
				present({ number, outcome, reason, terms: result.document === undefined ? [] : owedFor(result) }),
			),
			untrusted: untrusted({
				pages: pages.map(({ number, result: { url, document } }) => ({
					number,
					url,
					...(document?.identity.title !== undefined && { title: document.identity.title }),
				})),
			}),
		},
	);
}

const failureOf = (result: Result) => (result.document === undefined ? failureTexts(result) : undefined);

const titleOf = ({ document }: Result): string => {
	const { title } = document?.identity ?? {};
	return title === undefined ? '' : `: ${oneLine(title)}`;
};
