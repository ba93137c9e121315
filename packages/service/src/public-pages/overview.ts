import { z } from '@hono/zod-openapi';
import { explainReason, type Reason, reasonTexts } from '@wayleave/crawler';
import { aiDocumentSchema } from '@wayleave/protocols/aidocument';
import { baseUrl } from '../config/base-url.ts';
import { metricsType } from '../observe/metrics.ts';
import { ServiceError } from '../problems/problem.ts';
import { problemTable, type ServiceProblemCode } from '../problems/problems.ts';
import { addRoute, describeRoutes, json, page, text } from '../routes/describe.ts';
import { entityTag, isKnown } from '../routes/entity-tag.ts';
import { createRoutes, type RouteModule } from '../routes/route-module.ts';
import { problemPageOf } from './start-page.ts';
import { wantsHtml } from './wants-html.ts';

const route = describeRoutes('service');

const schemaRoute = route('get', '/aidocument.schema.json', 'getDocumentSchema', {
	summary: 'The JSON Schema of a document',
	responses: {
		200: { description: 'JSON Schema 2020-12', content: { 'application/schema+json': { schema: z.looseObject({}) } } },
		304: { description: 'It has not changed' },
	},
});

const healthRoute = route('get', '/healthz', 'isAlive', {
	summary: 'Liveness probe',
	responses: { 200: { description: 'It does', content: text } },
});

const readyRoute = route('get', '/readyz', 'isReady', {
	summary: 'Readiness probe: the database responds, and the service is not shutting down',
	responses: { 200: { description: 'It does', content: text } },
});

const metricsRoute = describeRoutes('service', 'metrics:read')('get', '/metrics', 'getMetrics', {
	summary: 'Metrics for Prometheus',
	responses: { 200: { description: 'Text exposition format 0.0.4', content: text } },
});

const problemCodeSchema = z
	.object({
		code: z.string(),
		title: z.string(),
		status: z.int().optional(),
		documentation: z.string().optional(),
	})
	.openapi('ProblemCode');

const problemRoute = route('get', '/problems/{code}', 'explainProblem', {
	summary: 'Explain a problem code',
	request: { params: z.object({ code: z.string() }) },
	responses: {
		200: {
			description: 'The code, its sentence and where it is documented; a page for browsers',
			content: { ...json(problemCodeSchema), ...page },
		},
	},
});

/** Routes that are the same for all callers. */
export const publicModule: RouteModule = ({ access, metrics, background, config, db }) => {
	const routes = createRoutes();
	const schema = JSON.stringify(aiDocumentSchema);
	const etag = entityTag(schema);
	addRoute(routes, schemaRoute, (c) => {
		const headers = { 'content-type': 'application/schema+json', etag, 'cache-control': 'public, max-age=3600' };
		return isKnown(c.req.raw.headers, etag)
			? new Response(null, { status: 304, headers: { etag } })
			: new Response(schema, { headers });
	});
	addRoute(routes, healthRoute, () => plain('ok\n'));
	addRoute(routes, readyRoute, async () => {
		if (background.signal.aborted) throw new ServiceError('shutting-down', { retry_after: 5 });
		await db.introspection.getSchemas();
		return plain('ready\n');
	});
	routes.get(metricsRoute.path, access('metrics:read'));
	addRoute(routes, metricsRoute, () => new Response(metrics.format(), { headers: { 'content-type': metricsType } }));
	addRoute(routes, problemRoute, (c) => {
		const { code } = c.req.valid('param');
		const title = sentenceOf(code);
		if (title === undefined) throw new ServiceError('not-found');
		const isOwn = Object.hasOwn(problemTable, code);
		const facts = {
			code,
			title,
			...(isOwn && { status: problemTable[code as ServiceProblemCode][0] }),
			...(!code.startsWith('http-') && { documentation: `${documentation}${code}.md` }),
		};
		if (wantsHtml(c.req.header('accept'))) return problemPageOf(facts, baseUrl(config));
		return c.json(facts, 200, { vary: 'accept', 'cache-control': 'public, max-age=3600' });
	});
	return routes;
};

/** Address of the problem pages. */
const documentation = 'https://github.com/wayleave/wayleave/blob/main/docs/problems/';

function sentenceOf(code: string): string | undefined {
	if (Object.hasOwn(problemTable, code)) return problemTable[code as ServiceProblemCode][1];
	const known = Object.hasOwn(reasonTexts, code) || /^http-[1-5]\d\d$/.test(code);
	return known ? explainReason(code as Reason) : undefined;
}

const plain = (body: string) => new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
