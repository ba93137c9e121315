import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
	ErrorCode,
	ListResourcesRequestSchema,
	McpError,
	type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import { CrawlError, type Result } from '@wayleave/crawler';
import { parseUrl } from '@wayleave/protocols/url';
import { ServiceError, serviceProblems } from '@wayleave/service/problems';
import type { ToolContext } from '../call/context.ts';
import type { StoredAddresses } from '../call/library.ts';
import { presentDocument } from '../tools/fetch-document.ts';

const scheme = 'wayleave://document/';

/** Protocol error code for an unknown resource. */
const notFound = -32_002;

/** Stored documents per page of the list. */
const listed = 100;

/** A client reads a resource as a whole; `fetch_document` reads longer documents in parts. */
const maxCharacters = 200_000;

/** Registers stored documents as resources: `wayleave://document/` and the address, percent-encoded. */
export function registerResources(server: McpServer, context: ToolContext): void {
	const { library } = context;
	server.registerResource(
		'document',
		new ResourceTemplate(`${scheme}{url}`, { list: undefined }),
		{
			title: 'A stored document',
			description:
				'The stored copy of a page as Markdown, with the obligations that its site sets for readers, without a request to the site. url is the percent-encoded address.',
			mimeType: 'text/markdown',
		},
		async (uri, { url }) => read(uri.href, decoded(String(url)), context),
	);
	// The list of McpServer does not support cursors.
	server.server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
		const { urls, next } = await listFrom(params?.cursor, library);
		return {
			resources: urls.map((url) => ({
				uri: uriOf(url),
				name: uriOf(url).slice(scheme.length),
				mimeType: 'text/markdown',
			})),
			...(next !== undefined && { nextCursor: next }),
		};
	});
}

/**
 * The site chooses the address of a page, and a list has no fence: all characters but letters, digits and dots are
 * percent-encoded, so that no sentence can be read in it.
 */
const uriOf = (url: string): string =>
	scheme +
	encodeURIComponent(url).replace(/[-_!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

async function read(uri: string, url: string, { library }: ToolContext): Promise<ReadResourceResult> {
	const result = await stored(url, library);
	if (result?.document === undefined)
		throw new McpError(
			notFound,
			'no document of this URL is stored; the tool fetch_document requests it from its site',
		);
	const part = presentDocument({ ...result, document: result.document }, { start: 0, max_characters: maxCharacters });
	const [first] = part.content;
	return { contents: [{ uri, mimeType: 'text/markdown', text: first?.type === 'text' ? first.text : '' }] };
}

async function listFrom(cursor: string | undefined, library: ToolContext['library']): Promise<StoredAddresses> {
	try {
		return await library.list(cursor, listed);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		throw new McpError(ErrorCode.InvalidParams, 'there is no such cursor; list again from the beginning');
	}
}

/** Protocol errors have no fence: their text is ours, and quotes nothing. */
async function stored(url: string, library: ToolContext['library']): Promise<Result | undefined> {
	const asked = parseUrl(url);
	if (asked === undefined) throw new McpError(ErrorCode.InvalidParams, 'url is not a percent-encoded http(s) address');
	try {
		return await library.cached(asked.href);
	} catch (error) {
		if (error instanceof ServiceError) throw new McpError(ErrorCode.InvalidRequest, serviceProblems[error.code]);
		if (error instanceof CrawlError) throw new McpError(ErrorCode.InternalError, error.code);
		throw error;
	}
}

/** Malformed percent-encoding is not an address. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return '';
	}
}
