import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { baseUrl } from '../config/base-url.ts';
import { failureOf } from '../documents/failure.ts';
import { openCaller } from '../keys/caller.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { type Problem, ServiceError, toProblem } from '../problems/problem.ts';
import { addRoute, describeRoutes, page } from '../routes/describe.ts';
import { guardOrigin } from '../routes/guard-origin.ts';
import { createRoutes, type RouteModule, type ServiceDeps } from '../routes/route-module.ts';
import { addressOf } from './address-of.ts';
import { documentPage, failurePage, startPage } from './start-page.ts';
import { wantsHtml } from './wants-html.ts';

const route = describeRoutes('service');

const formType = 'application/x-www-form-urlencoded';

const startRoute = route('get', '/', 'start', {
	summary: 'A description of the service for people',
	responses: { 200: { description: 'For people', content: page } },
});

const formRoute = route('post', '/', 'readPage', {
	summary: 'The form of that page, where no key is needed; taken from that page only',
	request: { body: { required: true, content: { [formType]: { schema: z.object({ url: z.string() }) } } } },
	responses: {
		200: { description: 'The document, for people', content: page },
		default: { description: 'The reason for its absence', content: page },
	},
});

/** The page at `/`, and its form if no key is required. */
export const startPageModule: RouteModule = (deps) => {
	const { config } = deps;
	const routes = createRoutes();
	addRoute(routes, startRoute, (c) => {
		if (!wantsHtml(c.req.header('accept')))
			throw new ServiceError('not-found', { detail: 'the interface is described at /openapi.json' });
		return startPage(config, baseUrl(config), addressOf(c, deps), deps.hasRoute('/mcp'));
	});
	if (!config.open) return routes;
	routes.post('/', guardOrigin(config), onlyOwnForm, bodyLimit({ maxSize: config.bodyLimit }));
	addRoute(routes, formRoute, (c) => read(c.req.valid('form').url.trim(), c, deps));
	return routes;
};

/** Elsewhere the content type keeps forms of other pages out; here the request must name its origin. */
async function onlyOwnForm(c: Context<ServiceEnv>, next: () => Promise<void>): Promise<void> {
	const isForm = (c.req.header('content-type') ?? '').toLowerCase().startsWith(formType);
	const isOwn = c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') === 'same-origin';
	if (!isForm || !isOwn) throw new ServiceError('request-not-json', { detail: 'send JSON to /v1/aidocument' });
	await next();
}

async function read(text: string, c: Context<ServiceEnv>, { config, documents, clock }: ServiceDeps) {
	// As the command takes it.
	const url = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
	const base = baseUrl(config);
	let problem: Problem;
	try {
		const served = await documents.get(url, { lane: openCaller.id, signal: c.req.raw.signal });
		if (served.result.document !== undefined) return documentPage(served, url, base);
		problem = failureOf(served.result, base, clock.now());
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		problem = toProblem(error, base);
	}
	return failurePage(problem, url, base);
}
