import { z } from '@hono/zod-openapi';
import { outcomes } from '@wayleave/crawler';
import { problemSchema, reference } from '../describe.ts';

export const urlSchema = z
	.string()
	.min(1)
	.openapi({ example: 'https://example.com/article', description: 'http or https' });

export const freshnessSchema = z.enum(['cache_first', 'force_refresh']).openapi('FreshnessPolicy', {
	description:
		'`cache_first` gives a stored document without asking the site; `force_refresh` asks whether it has changed',
});

export const documentRequest = z
	.object({ url: urlSchema, freshness_policy: freshnessSchema.default('cache_first') })
	.openapi('SubmissionRequest');

export const conditionalRequest = documentRequest
	.extend({
		modified_since: z.iso
			.datetime({ offset: true })
			.optional()
			.openapi({ description: 'RFC 3339: 304 unless the document was fetched after that' }),
	})
	.openapi('DocumentRequest');

/** What stands beside a document. */
const beside = {
	outcome: z.enum(outcomes),
	reason: z.string().optional(),
	redirected_to: z.string().optional(),
	policy: z.looseObject({}).optional().openapi({ description: 'What the site says of the uses, and what it asks for' }),
	page: z.looseObject({}).optional(),
	representation: z.looseObject({}).optional(),
};

const documentReference = z.any().openapi(reference('AIDocument') as never);

export const resultSchema = z
	.object({ url: z.string(), ...beside, document: documentReference })
	.openapi('Result', { description: 'A document, and beside it what its site asks for' });

export const batchLine = z
	.object({
		index: z.int().openapi({ description: 'Position in the request' }),
		url: z.string(),
		...beside,
		outcome: beside.outcome.optional(),
		document: documentReference.optional(),
		problem: problemSchema.optional(),
	})
	.openapi('BatchLine', { description: 'One page of a batch: a document, or why there is none' });

const text = z.string();
const described = (name: string) => ({ description: name, schema: { type: 'string' as const } });

/** A document in all its forms. */
export const documentResponse = {
	description: 'The document, in the form that `Accept` wants most',
	headers: {
		'Wayleave-Outcome': described('How the page ended, and why'),
		'Wayleave-Cache': described('`cache.status` of the document'),
		'Wayleave-Policy': described('What the site says and asks for, as a structured dictionary (RFC 9651)'),
		'Last-Modified': described('When the page was fetched'),
		ETag: described('Of this snapshot in this form'),
		'X-Markdown-Tokens': described('Tokens of the Markdown (cl100k_base); with `text/markdown` only'),
	},
	content: {
		'application/json': { schema: reference('AIDocument') },
		'application/vnd.wayleave.result+json': { schema: resultSchema },
		'application/som+json': { schema: z.looseObject({ som_version: z.string() }).openapi('SomDocument') },
		'text/markdown': { schema: text },
	},
};

export const submissionSchema = z
	.object({
		id: z.string(),
		url: z.string(),
		status: z.enum(['queued', 'done', 'failed']),
		status_url: z.string(),
		submitted_at: z.string(),
		retry_at: z.string().optional().openapi({ description: 'While it is queued: when its host may be asked again' }),
		finished_at: z.string().optional(),
		outcome: z.enum(outcomes).optional(),
		reason: z.string().optional(),
		document_url: z
			.string()
			.optional()
			.openapi({ description: 'Where the document is, when there is one and it is kept' }),
		problem: problemSchema.optional(),
	})
	.openapi('Submission');
