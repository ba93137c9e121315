import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { baseUrl } from '../base-url.ts';
import { addRoute, answers, needs } from '../describe.ts';
import { readUrl } from '../documents/documents.ts';
import { failureOf } from '../documents/failure.ts';
import type { Served } from '../documents/served.ts';
import { problemResponse, ServiceError } from '../problem.ts';
import { createRoutes, type Foundations, type Room, type ServiceEnv } from '../room.ts';
import { jsonBody } from './json-body.ts';
import { hasTag, isKnown, type MediaType, represent, wantedType } from './represent.ts';
import { conditionalRequest, documentResponse, urlSchema } from './schemas.ts';

const fetchRoute = createRoute({
	method: 'post',
	path: '/v1/aidocument',
	operationId: 'getDocument',
	summary: 'Get a document, from the store or the site',
	tags: ['documents'],
	security: needs('documents:fetch'),
	request: { body: { required: true, content: { 'application/json': { schema: conditionalRequest } } } },
	responses: answers({
		200: documentResponse,
		304: { description: 'The document has not changed since `modified_since`, or is that of `If-None-Match`' },
	}),
});

const cachedRoute = createRoute({
	method: 'get',
	path: '/v1/document',
	operationId: 'getStoredDocument',
	summary: 'Get a stored document without a request to its site',
	tags: ['documents'],
	security: needs('documents:read'),
	request: { query: z.object({ url: urlSchema }) },
	responses: answers({
		200: documentResponse,
		304: { description: 'The document has not changed since `If-None-Match` or `If-Modified-Since`' },
	}),
});

/** One document at a time. */
export const documentRoom: Room = (foundations) => {
	const { config, documents, limits, access, submissions } = foundations;
	const routes = createRoutes();
	routes.post(fetchRoute.path, access('documents:fetch'), ...jsonBody(config.bodyLimit));
	addRoute(routes, fetchRoute, async (c) => {
		const type = wantedType(c.req.header('accept'));
		const { url, freshness_policy, modified_since: since } = c.req.valid('json');
		const caller = c.get('caller');
		const call = {
			freshnessPolicy: freshness_policy,
			lane: caller.id,
			som: type === 'application/som+json',
			signal: c.req.raw.signal,
		};
		const work = async () => respond(await documents.get(url, call), { c, type, since }, foundations);
		return limits.handOver(caller, work, hasDocument);
	});
	routes.get(cachedRoute.path, access('documents:read'));
	addRoute(routes, cachedRoute, async (c) => {
		const type = wantedType(c.req.header('accept'));
		const { url } = c.req.valid('query');
		const caller = c.get('caller');
		const served = await documents.cached(url, type === 'application/som+json');
		if (served === undefined) throw new ServiceError('not-cached', { url });
		const response = conditional(c, served, type);
		const counts = caller.quota !== undefined && hasDocument(response);
		if (counts && !(await submissions.collect(caller, readUrl(url)))) await (await limits.reserve(caller, 1)).keep();
		return response;
	});
	return routes;
};

function conditional(c: Context<ServiceEnv>, served: Served, type: MediaType): Response {
	const { body, headers, etag } = represent(served, type);
	headers.set('etag', etag);
	if (!isKnown(c.req, etag, headers.get('last-modified'))) return new Response(body, { headers });
	return unchanged(headers);
}

interface Asked {
	readonly c: Context<ServiceEnv>;
	readonly type: MediaType;
	/** RFC 3339: the caller has the state fetched up to then. */
	readonly since?: string | undefined;
}

function respond(served: Served, { c, type, since }: Asked, { config, clock }: Foundations): Response {
	const { document } = served.result;
	if (document === undefined) return problemResponse(failureOf(served.result, baseUrl(config), clock.now()));
	const { body, headers, etag } = represent(served, type);
	// The same snapshot comes as a miss and as a hit: weakly equal (RFC 9110 §8.8.1).
	headers.set('etag', `W/${etag}`);
	const isOld = since !== undefined && Date.parse(document.source.fetched_at ?? '') <= Date.parse(since);
	return isOld || hasTag(c.req, etag) ? unchanged(headers) : new Response(body, { headers });
}

function unchanged(headers: Headers): Response {
	headers.delete('content-type');
	return new Response(null, { status: 304, headers });
}

/** Problems and 304 have none. */
const hasDocument = ({ status }: Response): boolean => status === 200;
