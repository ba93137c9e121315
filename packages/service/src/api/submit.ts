import { z } from '@hono/zod-openapi';
import { baseUrl } from '../config/base-url.ts';
import { failureOf } from '../documents/failure.ts';
import { ServiceError, toProblem } from '../problems/problem.ts';
import { addRoute, body, describeRoutes, json, reply } from '../routes/describe.ts';
import { jsonBody } from '../routes/json-body.ts';
import { createRoutes, type RouteModule } from '../routes/route-module.ts';
import { canBeCollected, type Submission } from '../submissions/submissions.ts';
import { documentRequest, submissionSchema } from './schemas.ts';

const route = describeRoutes('documents', 'documents:fetch');

const submitRoute = route('post', '/v1/submit', 'submitPage', {
	summary: 'Submit a page to fetch in the background',
	request: body(documentRequest),
	responses: {
		202: {
			description: 'The page is queued; `Location` is the URL of its status',
			headers: { Location: { schema: { type: 'string' } } },
			content: json(submissionSchema),
		},
	},
});

const statusRoute = route('get', '/v1/submissions/{id}', 'getSubmission', {
	summary: 'Get the status of a submission',
	request: { params: z.object({ id: z.string() }) },
	responses: { 200: reply('The status', submissionSchema) },
});

/** Documents in the background. */
export const submitModule: RouteModule = (deps) => {
	const { config, access, clock, submissions } = deps;
	const routes = createRoutes();
	routes.post(submitRoute.path, access('documents:fetch'), jsonBody(config.bodyLimit));
	addRoute(routes, submitRoute, async (c) => {
		const { url, freshness_policy } = c.req.valid('json');
		const caller = c.get('caller');
		const submission = await submissions.submit(caller, url, freshness_policy === 'force_refresh');
		const shown = show(submission, baseUrl(config), clock.now());
		return Response.json(shown, { status: 202, headers: { location: shown.status_url, 'cache-control': 'no-store' } });
	});
	routes.get('/v1/submissions/:id', access('documents:fetch'));
	addRoute(routes, statusRoute, async (c) => {
		const submission = await submissions.find(c.get('caller'), c.req.valid('param').id);
		if (submission === undefined) throw new ServiceError('submission-unknown');
		return Response.json(show(submission, baseUrl(config), clock.now()), {
			headers: { 'cache-control': 'no-store' },
		});
	});
	return routes;
};

function show({ id, url, submittedAt, finishedAt, retryAt, result }: Submission, base: string, now: number) {
	const given = result?.outcome === 'fetched' || result?.outcome === 'unchanged';
	const status = finishedAt === undefined ? 'queued' : given ? 'done' : 'failed';
	const kept = result !== undefined && canBeCollected(result);
	const problem =
		result === undefined ? toProblem(new ServiceError('internal-error'), base) : failureOf(result, base, now);
	return {
		id,
		url,
		status,
		status_url: `${base}/v1/submissions/${id}`,
		submitted_at: new Date(submittedAt).toISOString(),
		...(retryAt !== undefined && { retry_at: new Date(retryAt).toISOString() }),
		...(finishedAt !== undefined && { finished_at: new Date(finishedAt).toISOString() }),
		...(result && { outcome: result.outcome }),
		...(result?.reason && { reason: result.reason }),
		...(kept && { document_url: `${base}/v1/document?url=${encodeURIComponent(url)}` }),
		...(status === 'failed' && { problem }),
	};
}
