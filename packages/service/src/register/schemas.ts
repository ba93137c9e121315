import { z } from '@hono/zod-openapi';

const time = z
	.string()
	.refine((text) => !Number.isNaN(Date.parse(text)), 'not a time')
	.openapi({ description: 'RFC 3339' });
const line = z.string().min(1).max(2048);

/** A request against the terms: robots2 §7 asks for agent, address, time and path; a claim needs its evidence too. */
const violation = z
	.object({
		url: line,
		path: line.optional(),
		method: z.string().max(32).optional(),
		timestamp: time,
		ip: z.string().min(2).max(64),
		rule: line.openapi({ description: 'The policy line that was violated' }),
		identity: z
			.object({
				outcome: z.enum(['verified', 'spoofed', 'unverified', 'unknown']),
				evidence: z.unknown().refine((value) => !isEmpty(value), 'the evidence for the identity'),
			})
			.loose()
			.openapi({ description: 'How the agent was recognised' }),
		status: z.int().optional(),
	})
	.loose()
	.openapi('ReportedViolation');

export const reportSchema = z
	.object({
		site: z.string().regex(/^https?:\/\/[^/\s]+\/?$/, 'the origin of the site, such as https://example.com'),
		agent: line,
		policy: z.array(line).min(1).max(16).openapi({ description: 'The URL of the terms' }),
		violations: z.array(violation).min(1).max(1000),
	})
	.loose()
	.openapi('Report', { description: 'The body that `wayleave report --submit` sends' });

export type Report = z.infer<typeof reportSchema>;

export const statusSchema = z.enum(['received', 'published', 'rejected']);

export const receivedSchema = z
	.object({ id: z.string(), status: statusSchema, received_at: time })
	.openapi('ReceivedReport');

export const answerRequest = z
	.object({ author: z.string().min(1).max(200), text: z.string().min(1).max(10_000) })
	.openapi('AnswerRequest');

const answerSchema = z
	.object({
		id: z.string(),
		author: z.string(),
		signed_by: z.string().optional().openapi({
			description: 'The https origin whose key signed the answer (Web Bot Auth); absent without a signature',
		}),
		text: z.string(),
		received_at: time,
		status: statusSchema.optional(),
	})
	.openapi('ReportAnswer');

/** Without addresses: they may be those of people. */
export const entrySchema = z
	.object({
		id: z.string(),
		agent: z.string(),
		site: z.string(),
		policy: z.array(z.string()),
		received_at: time,
		reviewed_at: time.optional(),
		note: z.string().optional(),
		violations: z.array(
			z.object({
				url: z.string(),
				timestamp: time,
				rule: z.string(),
				identity: z.string(),
				status: z.int().optional(),
			}),
		),
		answers: z.array(answerSchema),
	})
	.openapi('RegisterEntry');

export const reviewSchema = z
	.object({ status: z.enum(['published', 'rejected']), note: z.string().max(4000).optional() })
	.openapi('Review');

/** A report as it was received, for the reviewer. */
export const storedSchema = receivedSchema
	.extend({ agent: z.string(), site: z.string(), report: z.looseObject({}), answers: z.array(answerSchema) })
	.openapi('StoredReport');

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
