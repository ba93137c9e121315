import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { explainReason, type Reason, type Result } from '@wayleave/crawler';
import { explainSchemaIssue } from '@wayleave/io/messages';
import {
	type Occasion,
	type PreparedPolicies,
	preparePolicies,
	type Use,
	uses,
	type Verdict,
} from '@wayleave/protocols/policy';
import { defaultReadings, parseUrl, readPageUrl } from '@wayleave/protocols/url';
import { z } from 'zod';
import { askedAgent } from '../check/agent.ts';
import { explain } from '../check/explain.ts';
import { identify, lintFiles } from '../lint/lint.ts';
import { explain as explainProblem } from '../lint/problems.ts';
import { formatNames } from '../lint/recognise.ts';
import { addressFault } from '../options/address-fault.ts';
import { plainColours } from '../output/colours.ts';
import { version } from '../version.ts';
import { crawlSite } from './crawl-site.ts';
import { failureText, type Library } from './library.ts';
import { obligationsOf } from './obligations.ts';

// Arguments that a schema refuses are explained in the words of their sender.
z.config({ customError: explainSchemaIssue });

/** Text that an assistant is given at a time. */
const longestText = 100_000;
const mostPages = 50;

// `z.url` would drop tabs and line breaks before the address is judged.
const address = z
	.string()
	.check(({ value, issues }) => {
		const isHttp = /^https?:\/\//i.test(value.trim()) && parseUrl(value) !== undefined;
		const message = addressFault(value) ?? (isHttp ? undefined : 'expected a URL that begins with http:// or https://');
		if (message !== undefined) issues.push({ code: 'custom', message, input: value });
	})
	.meta({ format: 'uri', description: 'http or https' });

const instructions = `Web pages as clean Markdown, on the terms of their sites. Every result that carries text says what is owed for
it: keep to that when you quote or reuse it. A refusal names the line of the file that says no: do not look for a way
around it.`;

/** The verdict on an address, or on the first of its other readings that is not permitted. */
function strictest(terms: PreparedPolicies, use: Use, url: string, occasion: Occasion): Verdict {
	const verdict = terms.decide(use, url, occasion);
	const address = readPageUrl(url, defaultReadings);
	if (!verdict.permitted || typeof address === 'string') return verdict;
	const others = address.readings.map((reading) => terms.decide(use, address.origin + reading, occasion));
	return others.find(({ permitted }) => !permitted) ?? verdict;
}

/** The abilities of the toolkit as tools for an assistant. One server speaks with one client. */
export function createMcpServer(library: Library): McpServer {
	const server = new McpServer({ name: 'wayleave', version }, { instructions });
	const readOnly = { readOnlyHint: true, openWorldHint: true };

	server.registerTool(
		'fetch_document',
		{
			title: 'Fetch a page',
			description:
				'One web page as Markdown, with what its site asks of readers. Gives a kept copy where there is a fresh one.',
			inputSchema: {
				url: address,
				refresh: z.boolean().default(false).describe('ask the site whether it has changed'),
			},
			annotations: readOnly,
		},
		async ({ url, refresh }, { signal }) => documentResult(await library.fetch(url, refresh, signal)),
	);

	server.registerTool(
		'crawl_site',
		{
			title: 'Crawl a site',
			description: `Pages of one host, nearest to the first first, at the pace that the site wants: a page takes two seconds or
more. Gives a list; fetch_document gives the text of each without another request.`,
			inputSchema: {
				url: address,
				max_pages: z.number().int().min(1).max(mostPages).default(10),
				below: z.boolean().default(false).describe('only pages below the path of the first'),
			},
			annotations: readOnly,
		},
		async ({ url, max_pages: maxPages, below }, { signal, _meta, sendNotification }) => {
			const onPage = async (progress: number, result: Result) => {
				const progressToken = _meta?.progressToken;
				if (progressToken === undefined) return;
				const params = { progressToken, progress, total: maxPages, message: `${result.outcome} ${result.url}` };
				await sendNotification({ method: 'notifications/progress', params });
			};
			return pagesResult(await crawlSite(library, { url, maxPages, below, signal, onPage }));
		},
	);

	server.registerTool(
		'check_policy',
		{
			title: 'May it?',
			description: 'What a site allows an agent to do with a page, use by use, with the line that decides.',
			inputSchema: {
				url: address,
				agent: z.string().optional().describe('product token such as GPTBot; default: this crawler'),
				uses: z.array(z.enum(uses)).optional().describe('default: all'),
			},
			annotations: readOnly,
		},
		async ({ url, agent: named, uses: wanted }) => {
			const { agent, called, about } = askedAgent(named === undefined ? {} : { agent: named });
			const { policies, page, read } = await library.readTerms(url, true);
			const terms = preparePolicies(policies, agent);
			const verdicts = (wanted ?? uses).map((use: Use) => strictest(terms, use, url, page ? { page } : {}));
			return text(explain({ url, agent: called, about, verdicts, terms, read }, plainColours));
		},
	);

	server.registerTool(
		'lint',
		{
			title: 'Check a policy file',
			description: `What is wrong in a robots.txt, robots2.txt, pagedigest manifest, range list, AIDocument or SOM document. Give its
text, or the address of it.`,
			inputSchema: {
				text: z.string().max(1_000_000).optional(),
				url: address.optional(),
				format: z.enum(formatNames).optional().describe('where neither address nor text tells'),
			},
			annotations: readOnly,
		},
		async ({ text: given, url, format }) => {
			if ((given === undefined) === (url === undefined)) return failed('give text or url, one of them');
			const file = url === undefined ? { bytes: new TextEncoder().encode(given) } : await library.readFile(url);
			if ('detail' in file) return failed(`${url}: ${file.detail}`);
			const name = url ?? 'text';
			const raw = { name, bytes: file.bytes, text: new TextDecoder().decode(file.bytes) };
			const { known } = identify([raw], format);
			if (known.length === 0) return failed(`say with format what it is: ${formatNames.join(', ')}`);
			const [found] = lintFiles(known, { cwd: '/' });
			const lines = found!.problems.map(
				(problem) =>
					`${name}:${problem.line}:${problem.column} ${problem.severity} ${problem.code} ${explainProblem(problem)}`,
			);
			return text(lines.length === 0 ? `${name} (${known[0]!.format}): nothing is wrong` : lines.join('\n'));
		},
	);

	server.registerTool(
		'search_documents',
		{
			title: 'Search what is kept',
			description: 'Full text over the documents that have been fetched and kept here.',
			inputSchema: {
				query: z.string().min(1).max(500),
				host: z.string().max(253).optional().describe('only pages of this host'),
				limit: z.number().int().min(1).max(50).default(10),
			},
			annotations: { readOnlyHint: true, openWorldHint: false },
		},
		async ({ query, host, limit }) => {
			const hits = await library.search(query, { host: host?.toLowerCase(), limit });
			const lines = hits.map(
				({ url, title, excerpt }, index) =>
					`${index + 1}. ${title || url}\n   ${url}\n   ${excerpt.replace(/\s+/g, ' ')}`,
			);
			return text(lines.length === 0 ? 'no kept document has these words' : lines.join('\n'));
		},
	);

	server.registerTool(
		'explain',
		{
			title: 'What became of a page',
			description: 'What is known of an address here: how it ended, why, when; and what a reason code means.',
			inputSchema: { url: address.optional(), reason: z.string().max(100).optional() },
			annotations: { readOnlyHint: true, openWorldHint: false },
		},
		async ({ url, reason }) => {
			if ((url === undefined) === (reason === undefined)) return failed('give url or reason, one of them');
			if (reason !== undefined) return text(`${reason}: ${explainReason(reason as Reason)}`);
			const known = await library.find(url!);
			if (known === undefined) return text(`${url}: nothing is known of it; fetch_document asks its site`);
			const { outcome = 'waiting', reason: why, redirectedTo } = known;
			return text(
				[
					`${url}: ${outcome}${why === undefined ? '' : ` (${why}: ${explainReason(why)})`}`,
					...(redirectedTo === undefined ? [] : [`It leads to ${redirectedTo}.`]),
				].join('\n'),
			);
		},
	);
	return server;
}

function text(content: string): CallToolResult {
	const cut = content.length > longestText ? `${content.slice(0, longestText)}\n\n(cut here)` : content;
	return { content: [{ type: 'text', text: cut }] };
}

function failed(sentence: string): CallToolResult {
	return { content: [{ type: 'text', text: sentence }], isError: true };
}

/** The document, and before it what is owed: whoever cuts an answer short cuts its end. */
function documentResult(result: Result): CallToolResult {
	const { document, policy, url, redirectedTo } = result;
	if (document === undefined) return failed(failureText(result));
	const owed = obligationsOf(policy, document.source.canonical_url ?? redirectedTo ?? url);
	const { title, language } = document.identity;
	const head = [
		...(title === undefined ? [] : [`title: ${title}`]),
		`url: ${document.source.url}`,
		...(document.source.fetched_at === undefined ? [] : [`fetched: ${document.source.fetched_at}`]),
		...(language === undefined ? [] : [`language: ${language}`]),
		...owed.map((sentence) => `terms: ${sentence}`),
	];
	return text(`${head.join('\n')}\n\n${document.content.markdown}`);
}

function pagesResult(results: readonly Result[]): CallToolResult {
	const lines = results.map((result) => {
		const { document, url, policy } = result;
		if (document === undefined) return `- ${failureText(result).replaceAll('\n', '\n  ')}`;
		const owed = obligationsOf(policy, url);
		return `- ${url}: ${document.identity.title ?? 'no title'}${owed.length > 0 ? ` (terms: ${owed.join(' ')})` : ''}`;
	});
	const isError = results.every(({ document }) => document === undefined);
	return { ...text(lines.join('\n')), isError };
}
