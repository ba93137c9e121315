import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { policyRedirects, politeFetch, readSite, self } from '@wayleave/crawler/check';
import { createRoutes, guardOrigin, jsonBody, type RouteModule, tellOutside } from '@wayleave/service/modules';
import { z } from 'zod';
import { Cancellations } from '../call/cancellations.ts';
import type { Library } from '../call/library.ts';
import { SessionCopies } from '../call/session-copies.ts';
import { fileOf, rendersPages } from '../local/local-library.ts';
import { SearchIndex } from '../search/search-index.ts';
import { createMcpServer } from '../server/server.ts';
import { cardPath, cardType, catalogPath, mcpCatalog, serverCard } from '../server/server-card.ts';

/** A text to be linted is the largest argument. */
const largestRequest = 2 << 20;

/** Session ids; ours are UUIDs. */
const sessionHeader = 'mcp-session-id';

/**
 * The tools for assistants over streamable HTTP (MCP). Each request is independent; the session only identifies the
 * client that reads a long page in parts or cancels a call, so that any process of the operator can serve any request.
 */
export const mcpModule: RouteModule = async (deps) => {
	const { access, config, db, documents, limits, log } = deps;
	const index = await SearchIndex.open(db, (place, limit) => documents.documentsSince(place, limit));
	documents.onRemoved((urls) => index.forget(urls));
	const { fetching } = config;
	const files = (signal: AbortSignal) => politeFetch(documents.files, (failure) => tellOutside(failure, log), signal);
	const copies = new SessionCopies();
	documents.onRemoved(async (urls) => copies.forget(urls));
	const cancellations = new Cancellations();
	const routes = createRoutes();
	routes.use('/mcp', guardOrigin(config), access('mcp:use'));
	routes.post('/mcp', jsonBody(largestRequest), async (c) => {
		const caller = c.get('caller');
		const library: Library = {
			fetch: async (url, refresh, signal) => {
				const call = {
					freshnessPolicy: refresh ? 'force_refresh' : 'cache_first',
					lane: caller.id,
					signal,
					cancels: true,
				} as const;
				const work = async () => (await documents.get(url, call)).result;
				return limits.handOver(caller, work, ({ document }) => document !== undefined);
			},
			cached: (url) => {
				const work = async () => (await documents.cached(url))?.result;
				return limits.handOver(caller, work, (result) => result?.document !== undefined);
			},
			find: (url) => documents.find(url),
			search: (query, options) => index.search(query, options),
			list: (after, limit) => index.list(after, limit),
			renders: rendersPages(fetching),
			readTerms: (url, wantPage, signal) => readSite(url, self, files(signal), { page: wantPage }),
			readFile: async (url, signal) => fileOf(await files(signal).get(url, policyRedirects)),
		};
		const id = sessionOf(c.req.header(sessionHeader)) ?? randomUUID();
		const session = `${caller.id} ${id}`;
		const body = await c.req.text();
		for (const call of cancelledCalls(body)) cancellations.cancel(session, call);
		const { signal: disconnected } = c.req.raw;
		const server = createMcpServer(library, { copies, cancellations, session, disconnected });
		const transport = new WebStandardStreamableHTTPServerTransport({});
		await server.connect(transport as never);
		const { url, method, headers } = c.req.raw;
		const response = await transport.handleRequest(new Request(url, { method, headers, body }));
		response.headers.set(sessionHeader, id);
		// The transport says keep-alive to each client; whether the connection stays is up to the server (RFC 9112 §9.6).
		response.headers.delete('connection');
		return response;
	});
	const publicUrl = config.publicUrl?.replace(/\/+$/, '');
	routes.get(cardPath, () => publicJson(serverCard(publicUrl, !config.open), cardType));
	routes.get(catalogPath, () => publicJson(mcpCatalog(publicUrl), 'application/json'));
	routes.on(['GET', 'DELETE'], '/mcp', () => new Response(null, { status: 405, headers: { allow: 'POST' } }));
	return routes;
};

/** The session id, if it is a valid one. */
const sessionOf = (given: string | undefined): string | undefined =>
	given !== undefined && /^[\x21-\x7e]{1,128}$/.test(given) ? given : undefined;

const cancellation = z.object({
	method: z.literal('notifications/cancelled'),
	params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

/** The calls that a message cancels. The transport refuses messages that are not JSON. */
function cancelledCalls(body: string): (string | number)[] {
	if (!body.includes('notifications/cancelled')) return [];
	try {
		const messages: unknown = JSON.parse(body);
		return (Array.isArray(messages) ? messages : [messages]).flatMap((message) => {
			const { data } = cancellation.safeParse(message);
			return data === undefined ? [] : [data.params.requestId];
		});
	} catch {
		return [];
	}
}

/** Public metadata, which clients in a browser may read too. */
const publicJson = (body: object, type: string): Response =>
	new Response(JSON.stringify(body), {
		headers: {
			'content-type': type,
			'cache-control': 'public, max-age=3600',
			'access-control-allow-origin': '*',
			'access-control-allow-methods': 'GET',
			'access-control-allow-headers': 'Content-Type',
		},
	});
