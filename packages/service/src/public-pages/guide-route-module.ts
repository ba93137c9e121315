import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { baseUrl } from '../config/base-url.ts';
import { version } from '../config/version.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import { addRoute, describeRoutes, json, page } from '../routes/describe.ts';
import { createRoutes, type RouteModule, type ServiceDeps } from '../routes/route-module.ts';
import { addressOf } from './address-of.ts';
import { callerOf } from './examples.ts';
import { documentsPage, domainsPage, type GuideFacts, type HealthFacts, healthPage, keysPage } from './guide-pages.ts';
import { type Description, referencePage } from './reference-page.ts';
import { wantsHtml } from './wants-html.ts';

const route = describeRoutes('service');

const guideRoute = <Path extends string>(path: Path, operationId: string, summary: string) =>
	route('get', path, operationId, {
		summary,
		responses: { 200: { description: 'For people', content: page } },
	});

const documentsRoute = guideRoute('/documents', 'explainDocuments', 'A page about getting documents');
const keysRoute = guideRoute('/keys', 'explainKeys', 'A page about keys, their scopes and limits');
const referenceRoute = guideRoute('/reference', 'showReference', 'This description as a page');

const domainsRoute = route('get', '/domains', 'explainDomains', {
	summary: 'A page about proving a domain, with the records to publish',
	request: { query: z.object({ domain: z.string().max(300).optional(), token: z.string().max(100).optional() }) },
	responses: { 200: { description: 'For people', content: page } },
});

const healthSchema = z
	.object({
		ready: z.boolean(),
		reason: z.string().optional(),
		version: z.string(),
		keys: z.enum(['required', 'none']),
	})
	.openapi('Health');
const health = { ...json(healthSchema), ...page };

const healthRoute = route('get', '/health', 'getHealth', {
	summary: 'Whether the service takes requests; a page for browsers',
	responses: {
		200: { description: 'It does', content: health },
		503: { description: 'It does not now', content: health },
	},
});

/** Pages that explain the service to people. They need no key and no script. */
export const guideModule: RouteModule = (deps) => {
	const { config, describe, hasRoute } = deps;
	const routes = createRoutes();
	addRoute(routes, documentsRoute, (c) => documentsPage(guideFacts(c, deps)));
	addRoute(routes, keysRoute, (c) => keysPage(guideFacts(c, deps)));
	addRoute(routes, domainsRoute, (c) => {
		const { domain, token } = c.req.valid('query');
		return domainsPage(guideFacts(c, deps), { domain: domain?.trim() || undefined, token: token?.trim() });
	});
	addRoute(routes, referenceRoute, (c) => {
		const { base, address } = guideFacts(c, deps);
		return referencePage(describe() as Description, base, callerOf(config, address));
	});
	addRoute(routes, healthRoute, async (c) => {
		const reason = await troubleOf(deps);
		const isReady = reason === undefined;
		const facts: HealthFacts = {
			...{ isReady, version, needsKey: !config.open, hasTools: hasRoute('/mcp') },
			...(reason !== undefined && { reason }),
		};
		if (wantsHtml(c.req.header('accept'))) return healthPage(guideFacts(c, deps), facts);
		const keys = config.open ? 'none' : 'required';
		const object = { ready: isReady, ...(reason !== undefined && { reason }), version, keys };
		return c.json(object, isReady ? 200 : 503, { vary: 'accept', 'cache-control': 'no-store' });
	});
	return routes;
};

/** What the pages for people need. */
export function guideFacts(c: Context<ServiceEnv>, deps: Pick<ServiceDeps, 'config'>): GuideFacts {
	return { config: deps.config, base: baseUrl(deps.config), address: addressOf(c, deps) };
}

/** Why the service takes no requests; undefined if it does. */
async function troubleOf({ background, db }: ServiceDeps): Promise<string | undefined> {
	if (background.signal.aborted) return 'it is shutting down';
	try {
		await db.introspection.getSchemas();
		return undefined;
	} catch {
		return 'its database does not respond';
	}
}
