import { z } from '@hono/zod-openapi';

const time = z.string().openapi({ description: 'RFC 3339' });

export const domainParameter = z.object({ domain: z.string().openapi({ example: 'example.com' }) });

export const preferencesSchema = z
	.object({
		crawl: z.enum(['as-published', 'no']).openapi({ description: '`no`: no page of the site is fetched or returned' }),
		disallow: z
			.array(
				z
					.string()
					.regex(/^[/*]\S*$/, 'a path pattern begins with / or *')
					.max(2048),
			)
			.max(1000)
			.openapi({ description: 'Path patterns as in robots.txt, refused in addition to those that the site publishes' }),
	})
	.openapi('SitePreferences');

const dnsCheck = z.object({
	method: z.literal('dns'),
	record: z.string(),
	verified: z.boolean(),
	token: z.string().optional(),
	agreed: z.array(z.string()),
	differed: z.array(z.object({ resolver: z.string(), found: z.array(z.string()) })),
	failed: z.array(z.object({ resolver: z.string(), reason: z.string() })),
});

const fileCheck = z.object({
	method: z.literal('file'),
	verified: z.boolean(),
	token: z.string().optional(),
	hops: z.array(z.object({ url: z.string(), status: z.int().optional() })),
	fault: z.string().optional(),
	detail: z.string().optional(),
	retryAfter: z.string().optional(),
});

export const siteSchema = z
	.object({
		domain: z.string(),
		status: z.enum(['pending', 'verified', 'lapsed']),
		method: z.enum(['dns', 'file']).optional().openapi({ description: 'The method that last proved it' }),
		token: z.string(),
		publish: z
			.object({
				dns: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
				file: z.object({ url: z.string(), line: z.string() }),
			})
			.openapi({ description: 'The records to publish; one of the two is enough' }),
		registered_at: time,
		verified_at: time.optional(),
		checked_at: time.optional(),
		next_check: time.optional(),
		last_check: z
			.object({ domain: z.string(), verified: z.boolean(), conclusive: z.boolean(), dns: dnsCheck, file: fileCheck })
			.loose()
			.optional(),
		preferences: preferencesSchema,
	})
	.openapi('Site');

export const refreshedSchema = z
	.object({
		url: z.string(),
		outcome: z.string(),
		reason: z.string().optional(),
		redirected_to: z.string().optional(),
		fetched_at: time.optional(),
	})
	.openapi('Refreshed');

export const sitePageSchema = z
	.object({
		url: z.string(),
		outcome: z.string(),
		reason: z.string().optional(),
		checked_at: time,
		fetched_at: time.optional().openapi({ description: 'Of the stored document, if there is one' }),
	})
	.openapi('SitePage');
