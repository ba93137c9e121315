import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { self } from '../../check/agent.ts';
import { policyRedirects, politeFetch } from '../../check/fetch-file.ts';
import { readSite } from '../../check/read-site.ts';
import type { Library } from '../../mcp/library.ts';
import { fileOf, openFileClient } from '../../mcp/local-library.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { SearchIndex } from '../../search/search-index.ts';
import { jsonBody } from '../api/json-body.ts';
import { guardOrigin } from '../guard-origin.ts';
import { tellOutside } from '../outside.ts';
import { createRoutes, type Room } from '../room.ts';

/** A text to be linted is the largest argument. */
const largestRequest = 2 << 20;

/** The tools for assistants over streamable HTTP (MCP); each request stands for itself. */
export const mcpRoom: Room = async (foundations) => {
	const { access, background, config, db, documents, limits, log } = foundations;
	const index = await SearchIndex.open(db, (place, limit) => documents.documentsSince(place, limit));
	documents.onRemoved((urls) => index.forget(urls));
	const { fetching } = config;
	const client = openFileClient(fetching, fetching.privateHosts);
	background.signal.addEventListener('abort', () => void client.close(), { once: true });
	const polite = politeFetch(client, (failure) => tellOutside(failure, log));
	const routes = createRoutes();
	routes.use('/mcp', guardOrigin(config), access('mcp:use'));
	routes.post('/mcp', ...jsonBody(largestRequest), async (c) => {
		const caller = c.get('caller');
		const library: Library = {
			fetch: async (url, refresh, signal) => {
				const call = { freshnessPolicy: refresh ? 'force_refresh' : 'cache_first', lane: caller.id, signal } as const;
				const work = async () => (await documents.get(url, call)).result;
				return limits.handOver(caller, work, ({ document }) => document !== undefined);
			},
			find: (url) => documents.find(url),
			search: (query, options) => index.search(query, options),
			readTerms: (url, wantPage) => readSite(url, self, polite, { page: wantPage }),
			readFile: async (url) => fileOf(await polite.get(url, policyRedirects)),
		};
		const server = createMcpServer(library);
		// No session: any process of the operator can answer any request.
		const transport = new WebStandardStreamableHTTPServerTransport({});
		await server.connect(transport as never);
		return transport.handleRequest(c.req.raw);
	});
	routes.on(['GET', 'DELETE'], '/mcp', () => new Response(null, { status: 405, headers: { allow: 'POST' } }));
	return routes;
};
