import { z } from '@hono/zod-openapi';
import { body, describeRoutes, json, page } from '../routes/describe.ts';
import {
	answerRequest,
	entrySchema,
	receivedSchema,
	reportSchema,
	reviewSchema,
	statusSchema,
	storedSchema,
} from './schemas.ts';

const route = describeRoutes('register');
const reviewRoutes = describeRoutes('register', 'reports:review');

const ofReport = { params: z.object({ id: z.string() }) };

export const sendRoute = route('post', '/v1/reports', {
	operationId: 'sendReport',
	summary: 'Report requests that violate the terms of a site (robots2 §7); no key is required',
	request: body(reportSchema),
	responses: { 202: { description: 'It is stored and will be reviewed', content: json(receivedSchema) } },
});

export const listRoute = route('get', '/v1/reports', {
	operationId: 'listReports',
	summary: 'List the reviewed reports, latest first',
	request: { query: z.object({ before: z.string().optional() }) },
	responses: {
		200: {
			description: 'A hundred at a time; `before` continues after the given one',
			content: json(z.object({ reports: z.array(entrySchema) }).openapi('RegisterEntries')),
		},
	},
});

export const entryRoute = route('get', '/v1/reports/{id}', {
	operationId: 'getReport',
	summary: 'A reviewed report',
	request: ofReport,
	responses: { 200: { description: 'The report', content: json(entrySchema) } },
});

export const answerRoute = route('post', '/v1/reports/{id}/answers', {
	operationId: 'answerReport',
	summary: 'Reply to a report; the reply is shown after review, with the identity that signed the request',
	request: { ...ofReport, ...body(answerRequest) },
	responses: { 202: { description: 'It is stored and will be reviewed', content: json(receivedSchema) } },
});

export const queueRoute = reviewRoutes('get', '/v1/review/reports', {
	operationId: 'listReceivedReports',
	summary: 'List received reports for review',
	request: { query: z.object({ status: statusSchema.default('received'), before: z.string().optional() }) },
	responses: {
		200: {
			description: 'The latest first',
			content: json(z.object({ reports: z.array(storedSchema) }).openapi('StoredReports')),
		},
	},
});

export const reviewRoute = reviewRoutes('patch', '/v1/review/reports/{id}', {
	operationId: 'reviewReport',
	summary: 'Publish or reject a report',
	request: { ...ofReport, ...body(reviewSchema) },
	responses: { 200: { description: 'The report', content: json(storedSchema) } },
});

export const reviewAnswerRoute = reviewRoutes('patch', '/v1/review/reports/{id}/answers/{answer}', {
	operationId: 'reviewAnswer',
	summary: 'Publish or reject an answer',
	request: { params: z.object({ id: z.string(), answer: z.string() }), ...body(reviewSchema) },
	responses: { 200: { description: 'The report', content: json(storedSchema) } },
});

export const pageRoute = route('get', '/register', {
	operationId: 'showRegister',
	summary: 'The reviewed reports as a page',
	responses: { 200: { description: 'A page', content: page } },
});
