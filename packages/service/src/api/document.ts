import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readUrl } from '../documents/documents.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { ServiceError } from '../problems/problem.ts';
import { addRoute, body, describeRoutes } from '../routes/describe.ts';
import { jsonBody } from '../routes/json-body.ts';
import { createRoutes, type RouteModule, type Routes, type ServiceDeps } from '../routes/route-module.ts';
import { urlSchema } from '../routes/schemas.ts';
import { fetchedResponse, hasDocument, storedResponse } from './document-response.ts';
import { schemaOf, withFields } from './fields.ts';
import { type CachedCall, type FetchCall, paths, type RepeatedRequests, textOf } from './repeated-requests.ts';
import { wantedType, withChunks } from './represent.ts';
import { chunkTokensQuery, conditionalRequest, documentResponse } from './schemas.ts';

const fetchRoute = describeRoutes('documents', 'documents:fetch')('post', paths.fetch, 'getDocument', {
	summary: 'Get a document, from the store or the site',
	request: body(conditionalRequest),
	responses: {
		200: documentResponse,
		304: { description: 'The document has not changed since `modified_since`, or is that of `If-None-Match`' },
	},
});

const cachedRoute = describeRoutes('documents', 'documents:read')('get', paths.cached, 'getStoredDocument', {
	summary: 'Get a stored document without a request to its site',
	request: { query: z.object({ url: urlSchema, chunk_tokens: chunkTokensQuery }) },
	responses: {
		200: documentResponse,
		304: { description: 'The document has not changed since `If-None-Match` or `If-Modified-Since`' },
	},
});

/** One document at a time. @param repeated learns the meaning of requests */
export const documentModule =
	(repeated: RepeatedRequests): RouteModule =>
	(deps) => {
		const routes = createRoutes();
		addFetchRoute(routes, deps, repeated);
		addCachedRoute(routes, deps, repeated);
		return routes;
	};

function addFetchRoute(routes: Routes, deps: ServiceDeps, repeated: RepeatedRequests): void {
	const { config, documents, limits, access } = deps;
	const known = repeated.fetches;
	const answer = (c: Context<ServiceEnv>, given: FetchCall) => {
		const { url, freshnessPolicy, since, tokens, fields, type } = given;
		const caller = c.get('caller');
		const call = {
			freshnessPolicy,
			lane: caller.id,
			som: type === 'application/som+json',
			// Made only for a call that has to wait.
			get signal() {
				return c.req.raw.signal;
			},
		};
		const work = async () => {
			const served = await withChunks(await documents.get(url, call), tokens);
			return fetchedResponse(withFields(served, fields), { headers: c.req.raw.headers, type, since }, deps);
		};
		return limits.handOver(caller, work, hasDocument);
	};
	routes.post(fetchRoute.path, access('documents:fetch'), jsonBody(config.bodyLimit), async (c, next) => {
		const body = repeated.bodyOf(c.req.raw);
		// Hono keeps promises there, as its own readers of bodies do.
		if (body !== undefined) Object.assign(c.req.bodyCache, { text: body });
		const call = known.get(textOf(c.req.header('accept'), await c.req.text()));
		return call === undefined ? next() : answer(c, call);
	});
	addRoute(routes, fetchRoute, async (c) => {
		const {
			url,
			freshness_policy: freshnessPolicy,
			modified_since: since,
			chunk_tokens: tokens,
			...more
		} = c.req.valid('json');
		const fields = await schemaOf(more.fields);
		const beside = fields === undefined ? askedChunks(tokens) : 'fields';
		const accept = c.req.header('accept');
		const call = { url, freshnessPolicy, since, tokens, fields, type: wantedType(accept, beside) };
		return answer(c, known.add(textOf(accept, await c.req.text()), call));
	});
}

function addCachedRoute(
	routes: Routes,
	{ documents, limits, access, submissions }: ServiceDeps,
	{ cached: known }: RepeatedRequests,
): void {
	const answer = async (c: Context<ServiceEnv>, { url, tokens, type }: CachedCall) => {
		const caller = c.get('caller');
		const cached = await documents.cached(url, type === 'application/som+json');
		if (cached === undefined) throw new ServiceError('not-cached', { url });
		const served = await withChunks(withFields(cached, undefined), tokens);
		const response = storedResponse(served, { headers: c.req.raw.headers, type });
		const counts = caller.quota !== undefined && hasDocument(response);
		if (counts && !(await submissions.collect(caller, readUrl(url)))) (await limits.reserve(caller, 1)).keep();
		return response;
	};
	routes.get(cachedRoute.path, access('documents:read'), async (c, next) => {
		const call = known.get(textOf(c.req.header('accept'), c.req.url));
		return call === undefined ? next() : answer(c, call);
	});
	addRoute(routes, cachedRoute, (c) => {
		const { url, chunk_tokens: tokens } = c.req.valid('query');
		const accept = c.req.header('accept');
		const type = wantedType(accept, askedChunks(tokens));
		return answer(c, known.add(textOf(accept, c.req.url), { url, tokens, type }));
	});
}

const askedChunks = (tokens: number | undefined) => (tokens === undefined ? undefined : 'chunk_tokens');
