import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { chunkerFor, fieldsOf, normaliseUrl, type Result, readDocumentSchema } from '@wayleave/crawler';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import { z } from 'zod';
import { address, argumentsOf, off, whole } from '../call/arguments.ts';
import { type Extra, reporting, type ToolContext } from '../call/context.ts';
import { documentSchema, presentPart } from '../call/document.ts';
import { emptiness } from '../call/empty.ts';
import { failedFetch } from '../call/failure.ts';
import { failed } from '../call/fence.ts';
import { withProgress } from '../call/progress.ts';
import { choosePart, type Wanted } from '../call/reading.ts';

const defaultCharacters = 40_000;

const fetchArguments = argumentsOf({
	url: address('Address of the page'),
	refresh: off.describe(
		'Check with the site whether the page has changed, instead of using the stored copy. Default false',
	),
	start: whole(0, 1_000_000_000)
		.default(0)
		.describe(
			'Offset at which to continue in a long page, in characters: the number given at the end of the previous part. At least 0, at most its length. Default 0',
		),
	max_characters: whole(100, 1_000_000)
		.default(defaultCharacters)
		.describe('Maximum number of characters of the page in one result: 100 to 1,000,000. Default 40,000'),
	section: z
		.string()
		.min(1)
		.max(500)
		.optional()
		.describe(
			'Only the section below this heading: its words, or # and its id; at most 500 characters. Default: the whole page',
		),
	chunk_tokens: whole(64, 1_000_000)
		.optional()
		.describe(
			'Cut the page at its headings into chunks of at most this many tokens (cl100k_base): 64 to 1,000,000. Default: not cut',
		),
	fields: z
		.record(z.string(), z.unknown())
		.optional()
		.describe(
			'JSON Schema (draft 2020-12 or draft-07) to fill from the page: from structured data and what its text states, with the source of each value; nothing is guessed. Selectors (x-select) are refused. Default: none',
		),
});

type FetchArguments = z.output<typeof fetchArguments>;

/** Registers `fetch_document`. */
export function registerFetch(server: McpServer, context: ToolContext): void {
	server.registerTool(
		'fetch_document',
		{
			title: 'Fetch a page',
			description:
				'Returns one web page as Markdown, with the obligations that its site sets for readers. Uses a stored copy if it is fresh. A long page comes in parts: call again with the start that the previous part names, or with the heading of a section; this sends no further request to the site.',
			inputSchema: fetchArguments,
			outputSchema: documentSchema,
			annotations: { readOnlyHint: true, openWorldHint: true },
		},
		reporting(context, (given: FetchArguments, extra) => fetchPart(given, extra, context)),
	);
}

async function fetchPart(given: FetchArguments, extra: Extra, context: ToolContext): Promise<CallToolResult> {
	const { library } = context;
	const schema = given.fields && (await readDocumentSchema(given.fields));
	if (schema !== undefined && 'problem' in schema)
		return failed(`fields: ${schema.pointer === '' ? '' : `at ${schema.pointer}: `}${schema.problem}.`);
	const result = await obtain(given, extra, context);
	const empty = emptiness(result, library.renders);
	if (empty !== undefined) return failed([`url: ${result.url}`, ...empty.ours], empty.theirs);
	if (result.document === undefined) return failedFetch(result);
	const addChunks = await chunkerFor(given.chunk_tokens === undefined ? undefined : { tokens: given.chunk_tokens });
	const fields = schema && fieldsOf(result, schema);
	return presentDocument({ ...addChunks(result), document: result.document }, given, fields);
}

/** A document, or the requested part of it. */
export function presentDocument(
	result: Result & { readonly document: AIDocument },
	wanted: Wanted,
	fields?: ReturnType<typeof fieldsOf>,
): CallToolResult {
	const chosen = choosePart(result.document, wanted, result.chunks);
	return 'fault' in chosen ? failed(chosen.fault, chosen.theirs) : presentPart(result, chosen, fields);
}

/** The copy that this client is reading, if it continues; else the stored one, or the page itself. */
async function obtain(
	{ url, refresh, start, section }: FetchArguments,
	extra: Extra,
	{ library, copies, session }: ToolContext,
): Promise<Result> {
	const key = normaliseUrl(url) ?? url;
	const isContinued = !refresh && (start > 0 || section !== undefined);
	const copy = isContinued ? copies.get(session, key) : undefined;
	if (copy !== undefined && !(await isRevoked(url, library))) return copy;
	const result = await withProgress(extra, 'waiting for the site', library.fetch(url, refresh, extra.signal));
	copies.put(session, key, result);
	return result;
}

/** Pages that are gone or now refused are never served from the cache. */
async function isRevoked(url: string, library: ToolContext['library']): Promise<boolean> {
	const known = await library.find(url);
	return known?.outcome === 'gone' || known?.outcome === 'refused';
}
