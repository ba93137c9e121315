import { z } from '@hono/zod-openapi';
import { body, describeRoutes, page, reply } from '../routes/describe.ts';
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

export const sendRoute = route('post', '/v1/reports', 'sendReport', {
	summary: 'Report requests that violate the terms of a site (robots2 §7); no key is required',
	request: body(reportSchema),
	responses: { 202: reply('It is stored and will be reviewed', receivedSchema) },
});

export const listRoute = route('get', '/v1/reports', 'listReports', {
	summary: 'List the reviewed reports, latest first',
	request: { query: z.object({ before: z.string().optional() }) },
	responses: {
		200: reply(
			'A hundred at a time; `before` continues after the given one',
			z.object({ reports: z.array(entrySchema) }).openapi('RegisterEntries'),
		),
	},
});

export const entryRoute = route('get', '/v1/reports/{id}', 'getReport', {
	summary: 'A reviewed report',
	request: ofReport,
	responses: { 200: reply('The report', entrySchema) },
});

export const answerRoute = route('post', '/v1/reports/{id}/answers', 'answerReport', {
	summary: 'Reply to a report; the reply is shown after review, with the identity that signed the request',
	request: { ...ofReport, ...body(answerRequest) },
	responses: { 202: reply('It is stored and will be reviewed', receivedSchema) },
});

export const queueRoute = reviewRoutes('get', '/v1/review/reports', 'listReceivedReports', {
	summary: 'List received reports for review',
	request: { query: z.object({ status: statusSchema.default('received'), before: z.string().optional() }) },
	responses: { 200: reply('The latest first', z.object({ reports: z.array(storedSchema) }).openapi('StoredReports')) },
});

export const reviewRoute = reviewRoutes('patch', '/v1/review/reports/{id}', 'reviewReport', {
	summary: 'Publish or reject a report',
	request: { ...ofReport, ...body(reviewSchema) },
	responses: { 200: reply('The report', storedSchema) },
});

export const reviewAnswerRoute = reviewRoutes('patch', '/v1/review/reports/{id}/answers/{answer}', 'reviewAnswer', {
	summary: 'Publish or reject an answer',
	request: { params: z.object({ id: z.string(), answer: z.string() }), ...body(reviewSchema) },
	responses: { 200: reply('The report', storedSchema) },
});

export const pageRoute = route('get', '/register', 'showRegister', {
	summary: 'The reviewed reports as a page',
	responses: { 200: { description: 'A page', content: page } },
});
