import { z } from '@hono/zod-openapi';
import type { SchemaReader } from '@wayleave/extract/fields';
import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import type { Context } from 'hono';
import { baseUrl } from '../config/base-url.ts';
import { readUrl } from '../documents/documents.ts';
import { failureOf } from '../documents/failure.ts';
import { KnownTexts } from '../documents/known-texts.ts';
import type { Served } from '../documents/served.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { problemResponse, ServiceError } from '../problems/problem.ts';
import { addRoute, body, describeRoutes } from '../routes/describe.ts';
import { hasTag, isKnown } from '../routes/entity-tag.ts';
import { jsonBody } from '../routes/json-body.ts';
import { createRoutes, type RouteModule, type Routes, type ServiceDeps } from '../routes/route-module.ts';
import { urlSchema } from '../routes/schemas.ts';
import { schemaOf, withFields } from './fields.ts';
import { type MediaType, represent, wantedType, withChunks } from './represent.ts';
import { chunkTokensQuery, conditionalRequest, documentResponse } from './schemas.ts';

const fetchRoute = describeRoutes('documents', 'documents:fetch')('post', '/v1/aidocument', {
	operationId: 'getDocument',
	summary: 'Get a document, from the store or the site',
	request: body(conditionalRequest),
	responses: {
		200: documentResponse,
		304: { description: 'The document has not changed since `modified_since`, or is that of `If-None-Match`' },
	},
});

const cachedRoute = describeRoutes('documents', 'documents:read')('get', '/v1/document', {
	operationId: 'getStoredDocument',
	summary: 'Get a stored document without a request to its site',
	request: { query: z.object({ url: urlSchema, chunk_tokens: chunkTokensQuery }) },
	responses: {
		200: documentResponse,
		304: { description: 'The document has not changed since `If-None-Match` or `If-Modified-Since`' },
	},
});

/** One document at a time. */
export const documentModule: RouteModule = (deps) => {
	const routes = createRoutes();
	addFetchRoute(routes, deps);
	addCachedRoute(routes, deps);
	return routes;
};

interface FetchCall {
	readonly url: string;
	readonly freshnessPolicy: FreshnessPolicy;
	/** RFC 3339: the caller has the state fetched up to then. */
	readonly since: string | undefined;
	readonly tokens: number | undefined;
	readonly fields: SchemaReader | undefined;
	readonly type: MediaType;
}

function addFetchRoute(routes: Routes, deps: ServiceDeps): void {
	const { config, documents, limits, access } = deps;
	const known = new KnownTexts<FetchCall>();
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
			return respond(withFields(served, fields), { c, type, since }, deps);
		};
		return limits.handOver(caller, work, hasDocument);
	};
	routes.post(fetchRoute.path, access('documents:fetch'), jsonBody(config.bodyLimit), async (c, next) => {
		const call = known.get(textOf(c, await c.req.text()));
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
		const type = wantedType(c.req.header('accept'), beside);
		return answer(c, known.add(textOf(c, await c.req.text()), { url, freshnessPolicy, since, tokens, fields, type }));
	});
}

interface CachedCall {
	readonly url: string;
	readonly tokens: number | undefined;
	readonly type: MediaType;
}

function addCachedRoute(routes: Routes, { documents, limits, access, submissions }: ServiceDeps): void {
	const known = new KnownTexts<CachedCall>();
	const answer = async (c: Context<ServiceEnv>, { url, tokens, type }: CachedCall) => {
		const caller = c.get('caller');
		const cached = await documents.cached(url, type === 'application/som+json');
		if (cached === undefined) throw new ServiceError('not-cached', { url });
		const served = withFields(cached, undefined);
		const response = conditional(c, tokens === undefined ? served : await withChunks(served, tokens), type);
		const counts = caller.quota !== undefined && hasDocument(response);
		if (counts && !(await submissions.collect(caller, readUrl(url)))) (await limits.reserve(caller, 1)).keep();
		return response;
	};
	routes.get(cachedRoute.path, access('documents:read'), async (c, next) => {
		const call = known.get(textOf(c, c.req.url));
		return call === undefined ? next() : answer(c, call);
	});
	addRoute(routes, cachedRoute, (c) => {
		const { url, chunk_tokens: tokens } = c.req.valid('query');
		const type = wantedType(c.req.header('accept'), askedChunks(tokens));
		return answer(c, known.add(textOf(c, c.req.url), { url, tokens, type }));
	});
}

const askedChunks = (tokens: number | undefined) => (tokens === undefined ? undefined : 'chunk_tokens');

/** All of a request that says what it wants. */
const textOf = (c: Context<ServiceEnv>, request: string): string => `${c.req.header('accept') ?? ''}\n${request}`;

function conditional(c: Context<ServiceEnv>, served: Served, type: MediaType): Response {
	const { body, headers, unchanged, etag } = represent(served, type).strong;
	return isKnown(c.req, etag, headers['last-modified'])
		? new Response(null, { status: 304, headers: unchanged })
		: new Response(body, { headers });
}

interface Asked {
	readonly c: Context<ServiceEnv>;
	readonly type: MediaType;
	/** RFC 3339: the caller has the state fetched up to then. */
	readonly since?: string | undefined;
}

function respond(served: Served, { c, type, since }: Asked, { config, clock }: ServiceDeps): Response {
	const { document } = served.result;
	if (document === undefined) return problemResponse(failureOf(served.result, baseUrl(config), clock.now()));
	// The same snapshot comes as a miss and as a hit: weakly equal (RFC 9110 §8.8.1).
	const { body, headers, unchanged, etag } = represent(served, type).weak;
	const isOld = since !== undefined && Date.parse(document.source.fetched_at ?? '') <= Date.parse(since);
	return isOld || hasTag(c.req, etag)
		? new Response(null, { status: 304, headers: unchanged })
		: new Response(body, { headers });
}

/** Problems and 304 have none. */
const hasDocument = ({ status }: Response): boolean => status === 200;
