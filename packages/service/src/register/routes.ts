import { createRoute, z } from '@hono/zod-openapi';
import { needs, withProblems } from '../routes/describe.ts';
import {
	answerRequest,
	entrySchema,
	receivedSchema,
	reportSchema,
	reviewSchema,
	statusSchema,
	storedSchema,
} from './schemas.ts';

const tags = ['register'];
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
const body = <Schema extends z.ZodType>(schema: Schema) => ({ body: { required: true, content: json(schema) } });
const ofReport = { params: z.object({ id: z.string() }) };
const review = needs('reports:review');

export const sendRoute = createRoute({
	method: 'post',
	path: '/v1/reports',
	operationId: 'sendReport',
	summary: 'Report requests that violate the terms of a site (robots2 §7); no key is required',
	tags,
	request: body(reportSchema),
	responses: withProblems({ 202: { description: 'It is stored and will be reviewed', content: json(receivedSchema) } }),
});

export const listRoute = createRoute({
	method: 'get',
	path: '/v1/reports',
	operationId: 'listReports',
	summary: 'List the reviewed reports, latest first',
	tags,
	request: { query: z.object({ before: z.string().optional() }) },
	responses: withProblems({
		200: {
			description: 'A hundred at a time; `before` continues after the given one',
			content: json(z.object({ reports: z.array(entrySchema) }).openapi('RegisterEntries')),
		},
	}),
});

export const entryRoute = createRoute({
	method: 'get',
	path: '/v1/reports/{id}',
	operationId: 'getReport',
	summary: 'A reviewed report',
	tags,
	request: ofReport,
	responses: withProblems({ 200: { description: 'The report', content: json(entrySchema) } }),
});

export const answerRoute = createRoute({
	method: 'post',
	path: '/v1/reports/{id}/answers',
	operationId: 'answerReport',
	summary: 'Reply to a report; the reply is shown after review, with the identity that signed the request',
	tags,
	request: { ...ofReport, ...body(answerRequest) },
	responses: withProblems({ 202: { description: 'It is stored and will be reviewed', content: json(receivedSchema) } }),
});

export const queueRoute = createRoute({
	method: 'get',
	path: '/v1/review/reports',
	operationId: 'listReceivedReports',
	summary: 'List received reports for review',
	tags,
	security: review,
	request: { query: z.object({ status: statusSchema.default('received'), before: z.string().optional() }) },
	responses: withProblems({
		200: {
			description: 'The latest first',
			content: json(z.object({ reports: z.array(storedSchema) }).openapi('StoredReports')),
		},
	}),
});

export const reviewRoute = createRoute({
	method: 'patch',
	path: '/v1/review/reports/{id}',
	operationId: 'reviewReport',
	summary: 'Publish or reject a report',
	tags,
	security: review,
	request: { ...ofReport, ...body(reviewSchema) },
	responses: withProblems({ 200: { description: 'The report', content: json(storedSchema) } }),
});

export const reviewAnswerRoute = createRoute({
	method: 'patch',
	path: '/v1/review/reports/{id}/answers/{answer}',
	operationId: 'reviewAnswer',
	summary: 'Publish or reject an answer',
	tags,
	security: review,
	request: { params: z.object({ id: z.string(), answer: z.string() }), ...body(reviewSchema) },
	responses: withProblems({ 200: { description: 'The report', content: json(storedSchema) } }),
});

export const pageRoute = createRoute({
	method: 'get',
	path: '/register',
	operationId: 'showRegister',
	summary: 'The reviewed reports as a page',
	tags,
	responses: withProblems({ 200: { description: 'A page', content: { 'text/html': { schema: z.string() } } } }),
});
