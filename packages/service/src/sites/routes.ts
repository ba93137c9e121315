import { z } from '@hono/zod-openapi';
import { body, describeRoutes, reply } from '../routes/describe.ts';
import { urlSchema } from '../routes/schemas.ts';
import { domainParameter, preferencesSchema, refreshedSchema, sitePageSchema, siteSchema } from './schemas.ts';

const route = describeRoutes('sites', 'sites:write');

const site = reply('The registration', siteSchema);
const ofDomain = { params: domainParameter };

export const registerRoute = route('post', '/v1/sites', 'registerSite', {
	summary: 'Register a domain: returns a new token to publish',
	request: body(z.object({ domain: z.string() }).openapi('SiteRequest')),
	responses: { 201: site },
});

export const listRoute = route('get', '/v1/sites', 'listSites', {
	summary: 'List the domains of this key',
	responses: { 200: reply('By name', z.object({ sites: z.array(siteSchema) }).openapi('Sites')) },
});

export const findRoute = route('get', '/v1/sites/{domain}', 'getSite', {
	summary: 'A registration',
	request: ofDomain,
	responses: { 200: site },
});

export const rotateRoute = route('post', '/v1/sites/{domain}/token', 'rotateSiteToken', {
	summary: 'Issue a new token; the old proof stays valid until the new token is found',
	request: ofDomain,
	responses: { 201: site },
});

export const checkRoute = route('post', '/v1/sites/{domain}/check', 'checkSite', {
	summary: 'Check the proof now',
	request: ofDomain,
	responses: { 200: site },
});

export const preferRoute = route('patch', '/v1/sites/{domain}', 'preferForSite', {
	summary: 'Set what this service must not fetch or return (proven owners)',
	request: { ...ofDomain, ...body(preferencesSchema.partial()) },
	responses: { 200: site },
});

export const revokeRoute = route('delete', '/v1/sites/{domain}', 'revokeSite', {
	summary: 'Delete a registration and its preferences',
	request: ofDomain,
	responses: { 204: { description: 'It is deleted' } },
});

export const refreshRoute = route('post', '/v1/sites/{domain}/refresh', 'refreshSitePage', {
	summary: 'Refetch a page now (proven owners)',
	request: { ...ofDomain, ...body(z.object({ url: urlSchema }).openapi('SiteRefresh')) },
	responses: { 200: reply('The outcome', refreshedSchema) },
});

export const pagesRoute = route('get', '/v1/sites/{domain}/documents', 'listSitePages', {
	summary: 'List what was fetched from the site, and when (proven owners)',
	request: { ...ofDomain, query: z.object({ after: z.string().optional() }) },
	responses: {
		200: reply(
			'Ordered by URL, a thousand at a time; `next` continues after them',
			z.object({ pages: z.array(sitePageSchema), next: z.string().optional() }).openapi('SitePages'),
		),
	},
});

export const removeRoute = route('delete', '/v1/sites/{domain}/documents', 'removeSiteDocuments', {
	summary: 'Remove the stored documents of the site, or of one page (proven owners)',
	request: { ...ofDomain, query: z.object({ url: urlSchema.optional() }) },
	responses: { 200: reply('The number of removed documents', z.object({ removed: z.int() }).openapi('Removed')) },
});
