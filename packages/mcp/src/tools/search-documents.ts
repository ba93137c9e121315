import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { oneLine } from '@wayleave/protocols/text';
import { z } from 'zod';
import { argumentsOf, whole } from '../call/arguments.ts';
import { reporting, type ToolContext } from '../call/context.ts';
import { untrustedSchema } from '../call/document.ts';
import { succeeded, untrusted } from '../call/fence.ts';

const searchArguments = argumentsOf({
	query: z
		.string()
		.min(1)
		.max(500)
		.describe('Words that the page must have, all of them; 1 to 500 characters, the first 32 words count'),
	host: z
		.string()
		.max(253)
		.optional()
		.describe('Only pages of this host, such as docs.example.com; at most 253 characters. Default: all hosts'),
	limit: whole(1, 50).default(10).describe('Maximum number of pages in the result: 1 to 50. Default 10'),
});

const hitsSchema = z.object({
	count: z.number(),
	untrusted: untrustedSchema('written by the pages', {
		hits: z.array(z.object({ url: z.string(), title: z.string(), excerpt: z.string() })),
	}),
});

/** Registers `search_documents`. */
export function registerSearch(server: McpServer, context: ToolContext): void {
	const { library } = context;
	server.registerTool(
		'search_documents',
		{
			title: 'Search stored pages',
			description:
				'Full-text search over the documents that were fetched and stored here, best match first, without a request to any site. fetch_document returns the text of a hit.',
			inputSchema: searchArguments,
			outputSchema: hitsSchema,
			annotations: { readOnlyHint: true, openWorldHint: false },
		},
		reporting(context, async ({ query, host, limit }: z.output<typeof searchArguments>) => {
			const hits = await library.search(query, { host: host?.toLowerCase(), limit });
			const lines = hits.flatMap(({ url, title, excerpt }, index) => [
				`${index + 1}. ${oneLine(title || url)}`,
				`   ${oneLine(url)}`,
				`   ${oneLine(excerpt.replace(/\s+/g, ' '))}`,
			]);
			const { length } = hits;
			const found =
				length === 1 ? '1 stored document contains these words' : `${length} stored documents contain these words`;
			const ours =
				length === 0 ? 'no stored document contains all of these words: use fewer, or fetch a page first' : found;
			return succeeded({ ours: [ours], theirs: lines.join('\n') }, { count: length, untrusted: untrusted({ hits }) });
		}),
	);
}
