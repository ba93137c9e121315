import { setMaxListeners } from 'node:events';
import { z } from '@hono/zod-openapi';
import { baseUrl } from '../config/base-url.ts';
import { failureOf } from '../documents/failure.ts';
import type { Reservation } from '../keys/limits.ts';
import { errorFields } from '../observe/log.ts';
import { type Problem, ServiceError, toProblem } from '../problems/problem.ts';
import { addRoute, body, describeRoutes } from '../routes/describe.ts';
import { jsonBody } from '../routes/json-body.ts';
import { createRoutes, type RouteModule, type ServiceDeps } from '../routes/route-module.ts';
import { urlSchema } from '../routes/schemas.ts';
import { inCompletionOrder } from './completion-order.ts';
import { schemaOf, withFields } from './fields.ts';
import { resultLine, withChunks } from './represent.ts';
import { batchLine, chunkTokensSchema, fieldsSchema, freshnessSchema } from './schemas.ts';

const route = describeRoutes('documents', 'documents:fetch');

const linesType = 'application/x-ndjson';

const routeFor = (maxUrls: number) =>
	route('post', '/v1/aidocuments', 'getDocuments', {
		summary: 'Fetch many documents: one line each, as soon as it is ready',
		request: body(
			z
				.object({
					urls: z.array(urlSchema).min(1).max(maxUrls),
					freshness_policy: freshnessSchema.default('cache_first'),
					chunk_tokens: chunkTokensSchema,
					fields: fieldsSchema,
				})
				.openapi('BatchRequest'),
		),
		responses: {
			200: { description: 'A `BatchLine` for each URL', content: { [linesType]: { schema: batchLine } } },
		},
	});

/** Many documents in one request. */
export const batchModule: RouteModule = (deps) => {
	const { config, documents, limits, access } = deps;
	const route = routeFor(config.maxUrls);
	const routes = createRoutes();
	routes.post(route.path, access('documents:fetch'), jsonBody(config.bodyLimit * 10));
	addRoute(routes, route, async (c) => {
		const { urls, freshness_policy, chunk_tokens: tokens, fields } = c.req.valid('json');
		const reader = await schemaOf(fields);
		const caller = c.get('caller');
		const reservation = await limits.reserve(caller, urls.length);
		const stop = new AbortController();
		// As many as are on their way wait for the end of the batch: that is no leak.
		setMaxListeners(0, stop.signal);
		const base = baseUrl(config);
		const line = async (url: string, index: number) => {
			try {
				// A batch waits in a queue of its own: a single document of the same caller does not wait behind it.
				const call = { freshnessPolicy: freshness_policy, lane: `${caller.id}/batch`, signal: stop.signal };
				const served = await documents.get(url, { ...call, timeLimit: maxBatchTime });
				const { result } = withFields(await withChunks(served, tokens), reader);
				if (result.document !== undefined) return { index, ...resultLine(result) };
				const problem = failureOf(result, base, deps.clock.now());
				return { index, url, outcome: result.outcome, ...(result.reason && { reason: result.reason }), problem };
			} catch (error) {
				return { index, url, problem: problemOf(error, base, deps) };
			}
		};
		// As many as may be on their way anyway; what is not read yet is not fetched ahead.
		const lines = inCompletionOrder(urls, line, config.perCaller);
		return new Response(streamOf(lines, stop, reservation), {
			headers: { 'content-type': linesType, 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
		});
	});
	return routes;
};

/** A thousand pages of one host take their time. */
const maxBatchTime = 24 * 60 * 60 * 1000;

function problemOf(error: unknown, base: string, { log }: ServiceDeps): Problem {
	if (error instanceof ServiceError) return toProblem(error, base);
	log.error('a page of a batch failed', errorFields(error));
	return toProblem(new ServiceError('internal-error'), base);
}

/**
 * Lines of JSON, produced as the client reads them; documents count when they are sent. A disconnect cancels fetches
 * that have not begun.
 */
function streamOf(
	lines: AsyncIterator<object>,
	stop: AbortController,
	reservation: Reservation,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream(
		{
			async pull(controller) {
				const { done, value } = await lines.next();
				if (done) {
					reservation.close();
					return controller.close();
				}
				if ('document' in value) reservation.keep();
				else reservation.refund();
				controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
			},
			async cancel() {
				reservation.close();
				stop.abort();
				await lines.return?.();
			},
		},
		{ highWaterMark: 0 },
	);
}
