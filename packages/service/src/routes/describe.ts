import { createRoute, type RouteConfig, type RouteHandler, z } from '@hono/zod-openapi';
import { outcomes } from '@wayleave/crawler';
import { aiDocumentSchema } from '@wayleave/protocols/aidocument';
import { version } from '../config/version.ts';
import type { Scope } from '../keys/scopes.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { problemType } from '../problems/problem.ts';
import type { Routes } from './route-module.ts';

/** The schema for values without one of their own. */
const evidence = z
	.object({ source: z.string(), line: z.int(), column: z.int().optional(), text: z.string(), mechanism: z.string() })
	.loose()
	.openapi('Evidence', { description: 'The deciding line of the policy file' });

export const problemSchema = z
	.object({
		type: z.string().openapi({ description: 'The page about the code' }),
		title: z.string(),
		status: z.int(),
		detail: z.string().optional(),
		code: z.string(),
		outcome: z.enum(outcomes).optional(),
		url: z.string().optional(),
		evidence: z.array(evidence).optional(),
		errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
		retry_after: z.number().optional().openapi({ description: 'Seconds' }),
	})
	.openapi('Problem', { description: 'The reason for the failure (RFC 9457)' });

const problemResponses = {
	default: { description: 'The reason for the failure', content: { [problemType]: { schema: problemSchema } } },
} as const;

/** A scheme that is not described further than its name. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` }) as const;

/** A body of JSON. */
export const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
/** The same for a request. */
export const body = <Schema extends z.ZodType>(schema: Schema) =>
	({ body: { required: true, content: json(schema) } }) as const;
/** A response of JSON. */
export const reply = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
	description,
	content: json(schema),
});
/** A page for people. */
export const page = { 'text/html': { schema: z.string() } };
export const text = { 'text/plain': { schema: z.string() } };

type Description = Pick<RouteConfig, 'summary' | 'request' | 'responses'>;

/** Describes routes of one part of the service. They answer with a problem in all other statuses. @param scope of the key that they need */
export const describeRoutes =
	(tag: string, scope?: Scope) =>
	<Method extends RouteConfig['method'], Path extends string, const Own extends Description>(
		method: Method,
		path: Path,
		operationId: string,
		own: Own,
	) =>
		createRoute({
			operationId,
			...own,
			method,
			path,
			tags: [tag],
			...(scope && { security: [{ key: [scope] }] }),
			responses: { ...own.responses, ...problemResponses } as Own['responses'] & typeof problemResponses,
		});

/** Adds a route whose handler makes its response itself. */
export function addRoute<Route extends RouteConfig>(
	routes: Routes,
	route: Route & { getRoutingPath(): string },
	handler: (context: Parameters<RouteHandler<Route, ServiceEnv>>[0]) => Response | Promise<Response>,
): void {
	routes.openapi(route as never, handler as never);
}

/** The description of everything that was added (OpenAPI 3.1). */
export function describeService(routes: Routes, servers: readonly string[]) {
	const { openAPIRegistry } = routes;
	const { $schema: _, ...aiDocument } = aiDocumentSchema as Record<string, unknown>;
	openAPIRegistry.registerComponent('schemas', 'AIDocument', aiDocument as never);
	openAPIRegistry.registerComponent('securitySchemes', 'key', {
		type: 'http',
		scheme: 'bearer',
		description: 'An API key of the service: `wayleave keys create`',
	});
	return routes.getOpenAPI31Document({
		openapi: '3.1.0',
		info: {
			title: 'Wayleave: the AIWebIndex service',
			version,
			description: 'A URL in, an AIDocument out, under the terms of the site, with an honest cache.',
			license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
		},
		servers: servers.map((url) => ({ url })),
	});
}
