import { createRoute, z } from '@hono/zod-openapi';
import { needs, withProblems } from '../routes/describe.ts';
import { urlSchema } from '../routes/schemas.ts';
import { domainParameter, preferencesSchema, refreshedSchema, sitePageSchema, siteSchema } from './schemas.ts';

const security = needs('sites:write');
const tags = ['sites'];
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
const site = { description: 'The registration', content: json(siteSchema) };
const ofDomain = { params: domainParameter };

export const registerRoute = createRoute({
	method: 'post',
	path: '/v1/sites',
	operationId: 'registerSite',
	summary: 'Register a domain: returns a new token to publish',
	tags,
	security,
	request: { body: { required: true, content: json(z.object({ domain: z.string() }).openapi('SiteRequest')) } },
	responses: withProblems({ 201: site }),
});

export const listRoute = createRoute({
	method: 'get',
	path: '/v1/sites',
	operationId: 'listSites',
	summary: 'List the domains of this key',
	tags,
	security,
	responses: withProblems({
		200: { description: 'By name', content: json(z.object({ sites: z.array(siteSchema) }).openapi('Sites')) },
	}),
});

export const findRoute = createRoute({
	method: 'get',
	path: '/v1/sites/{domain}',
	operationId: 'getSite',
	summary: 'A registration',
	tags,
	security,
	request: ofDomain,
	responses: withProblems({ 200: site }),
});

export const rotateRoute = createRoute({
	method: 'post',
	path: '/v1/sites/{domain}/token',
	operationId: 'rotateSiteToken',
	summary: 'Issue a new token; the old proof stays valid until the new token is found',
	tags,
	security,
	request: ofDomain,
	responses: withProblems({ 201: site }),
});

export const checkRoute = createRoute({
	method: 'post',
	path: '/v1/sites/{domain}/check',
	operationId: 'checkSite',
	summary: 'Check the proof now',
	tags,
	security,
	request: ofDomain,
	responses: withProblems({ 200: site }),
});

export const preferRoute = createRoute({
	method: 'patch',
	path: '/v1/sites/{domain}',
	operationId: 'preferForSite',
	summary: 'Set what this service must not fetch or return (proven owners)',
	tags,
	security,
	request: { ...ofDomain, body: { required: true, content: json(preferencesSchema.partial()) } },
	responses: withProblems({ 200: site }),
});

export const revokeRoute = createRoute({
	method: 'delete',
	path: '/v1/sites/{domain}',
	operationId: 'revokeSite',
	summary: 'Delete a registration and its preferences',
	tags,
	security,
	request: ofDomain,
	responses: withProblems({ 204: { description: 'It is deleted' } }),
});

export const refreshRoute = createRoute({
	method: 'post',
	path: '/v1/sites/{domain}/refresh',
	operationId: 'refreshSitePage',
	summary: 'Refetch a page now (proven owners)',
	tags,
	security,
	request: {
		...ofDomain,
		body: { required: true, content: json(z.object({ url: urlSchema }).openapi('SiteRefresh')) },
	},
	responses: withProblems({ 200: { description: 'The outcome', content: json(refreshedSchema) } }),
});

export const pagesRoute = createRoute({
	method: 'get',
	path: '/v1/sites/{domain}/documents',
	operationId: 'listSitePages',
	summary: 'List what was fetched from the site, and when (proven owners)',
	tags,
	security,
	request: { ...ofDomain, query: z.object({ after: z.string().optional() }) },
	responses: withProblems({
		200: {
			description: 'Ordered by URL, a thousand at a time; `next` continues after them',
			content: json(z.object({ pages: z.array(sitePageSchema), next: z.string().optional() }).openapi('SitePages')),
		},
	}),
});

export const removeRoute = createRoute({
	method: 'delete',
	path: '/v1/sites/{domain}/documents',
	operationId: 'removeSiteDocuments',
	summary: 'Remove the stored documents of the site, or of one page (proven owners)',
	tags,
	security,
	request: { ...ofDomain, query: z.object({ url: urlSchema.optional() }) },
	responses: withProblems({
		200: {
			description: 'The number of removed documents',
			content: json(z.object({ removed: z.int() }).openapi('Removed')),
		},
	}),
});
