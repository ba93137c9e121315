import { z } from '@hono/zod-openapi';
import { outcomes } from '@wayleave/crawler';
import { problemSchema, reference } from '../routes/describe.ts';
import { urlSchema } from '../routes/schemas.ts';

export const freshnessSchema = z.enum(['cache_first', 'force_refresh']).openapi('FreshnessPolicy', {
	description:
		'`cache_first` returns a stored document without a request to the site; `force_refresh` checks with the site whether it has changed',
});

/** A megabyte takes about half a second at 64 tokens, and several seconds below 16. */
const chunkTokens = (count: z.ZodNumber) =>
	count.int().min(64).max(1_000_000).optional().openapi({
		description:
			'Adds `chunks`: the document cut at its headings into pieces of at most so many tokens (cl100k_base). Only `application/vnd.wayleave.result+json` contains them',
		example: 512,
	});

/** As a member of a JSON body. */
export const chunkTokensSchema = chunkTokens(z.number());

/** As a query parameter. */
export const chunkTokensQuery = chunkTokens(z.coerce.number());

/** As a member of a JSON body. */
export const fieldsSchema = z
	.record(z.string(), z.unknown())
	.optional()
	.openapi({
		type: 'object',
		description:
			'Adds `fields`: this JSON Schema (draft 2020-12 or draft-07) filled from structured data and from what the document states, with the source of each value. Only `application/vnd.wayleave.result+json` contains them. Selectors (`x-select`) are refused',
		example: { title: 'Product', type: 'object', properties: { price: { type: 'number' } } },
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
		chunk_tokens: chunkTokensSchema,
		fields: fieldsSchema,
	})
	.openapi('DocumentRequest');

/** Fields next to a document. */
const beside = {
	outcome: z.enum(outcomes),
	reason: z.string().optional(),
	redirected_to: z.string().optional(),
	policy: z
		.looseObject({})
		.optional()
		.openapi({ description: 'The uses that the site permits, and the obligations it sets' }),
	page: z.looseObject({}).optional(),
	representation: z.looseObject({}).optional(),
};

const chunksSchema = z
	.array(
		z.object({
			id: z.string().openapi({ description: 'The same for the same text under the same headings' }),
			headingPath: z.array(z.string()).openapi({ description: 'The headings above the text, outermost first' }),
			start: z.int().openapi({ description: 'Offset in `document.content.markdown`; UTF-16 code units' }),
			end: z.int(),
			text: z.string(),
			tokens: z.int(),
			cut: z.enum(['table', 'code']).optional().openapi({ description: 'It begins or ends inside one' }),
		}),
	)
	.optional()
	.openapi({ description: 'With `chunk_tokens`' });

const filledSchema = z
	.object({
		schema: z.string().openapi({ description: 'Digest of the schema' }),
		basis: z.enum(['html', 'document']),
		valid: z.boolean().openapi({ description: 'No required field is missing' }),
		values: z.union([z.looseObject({}), z.array(z.unknown())]),
		sources: z.record(z.string(), z.looseObject({ from: z.string(), at: z.string() })),
		missing: z.array(z.string()),
		invalid: z.array(z.looseObject({ field: z.string(), problem: z.string() })).optional(),
		ambiguous: z.array(z.looseObject({ field: z.string() })).optional(),
	})
	.optional()
	.openapi({ description: 'With `fields`' });

const documentReference = z.any().openapi(reference('AIDocument') as never);

export const resultSchema = z
	.object({ url: z.string(), ...beside, document: documentReference, fields: filledSchema, chunks: chunksSchema })
	.openapi('Result', { description: 'A document, and the obligations that its site sets' });

export const batchLine = z
	.object({
		index: z.int().openapi({ description: 'Position in the request' }),
		url: z.string(),
		...beside,
		outcome: beside.outcome.optional(),
		document: documentReference.optional(),
		fields: filledSchema,
		chunks: chunksSchema,
		problem: problemSchema.optional(),
	})
	.openapi('BatchLine', { description: 'One page of a batch: a document, or the reason for its absence' });

const text = z.string();
const described = (name: string) => ({ description: name, schema: { type: 'string' as const } });

/** A document in all its forms. */
export const documentResponse = {
	description: 'The document, in the representation that `Accept` prefers',
	headers: {
		'Wayleave-Outcome': described('The outcome of the page, and the reason'),
		'Wayleave-Cache': described('`cache.status` of the document'),
		'Wayleave-Policy': described('The permissions and obligations of the site, as a structured dictionary (RFC 9651)'),
		'Last-Modified': described('The time at which the page was fetched'),
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
		document_url: z.string().optional().openapi({ description: 'The URL of the stored document, if there is one' }),
		problem: problemSchema.optional(),
	})
	.openapi('Submission');
