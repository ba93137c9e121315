import { formatSubmission } from '@wayleave/gateway';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../testing/start-service.ts';

let service: TestService;
beforeEach(async () => {
	service = await startService({ open: false });
});
afterEach(() => service.close());

const report = (more: object = {}) => ({
	site: 'https://tides.test',
	agent: 'GreedyBot',
	policy: ['https://tides.test/robots.txt'],
	violations: [
		{
			url: 'https://tides.test/internal/reports',
			timestamp: '2026-11-20T10:00:00Z',
			ip: '203.0.113.9',
			rule: 'Disallow: /internal/reports',
			identity: { outcome: 'verified', evidence: { method: 'ranges', prefix: '203.0.113.0/24' } },
			status: 403,
		},
	],
	...more,
});

const send = (body: unknown) => service.post('/v1/reports', body);
const json = async (response: Response) => (await response.json()) as { id: string } & Record<string, unknown>;
const get = async (path: string, token?: string) =>
	json(await service.request(path, token === undefined ? {} : { token }));
const patch = async (path: string, body: unknown, token: string) =>
	service.request(path, {
		method: 'PATCH',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json' },
		token,
	});

describe('the register', () => {
	it('keeps a report as it came, and shows nothing of it before somebody has reviewed it', async () => {
		const response = await send(report({ extra: 'kept' }));
		expect(response.status).toBe(202);
		const { id } = await json(response);
		expect(await get('/v1/reports')).toEqual({ reports: [] });
		expect((await get(`/v1/reports/${id}`)).code).toBe('report-unknown');
		expect(await (await service.request('/register')).text()).not.toContain('GreedyBot');
		const token = await service.key();
		const { reports } = (await get('/v1/review/reports', token)) as unknown as { reports: { report: object }[] };
		expect(reports.map((one) => one.report)).toEqual([report({ extra: 'kept' })]);
	});

	it('lists a reviewed report as JSON and as a page, without the address', async () => {
		const { id } = await json(await send(report({ agent: '<i>Bot</i>' })));
		await patch(`/v1/review/reports/${id}`, { status: 'published', note: 'checked' }, await service.key());
		const text = JSON.stringify(await get('/v1/reports'));
		expect(text).toContain('Disallow: /internal/reports');
		expect(text).not.toContain('203.0.113.9');
		const page = await (await service.request('/register')).text();
		expect(page).toContain('&#60;i&#62;Bot&#60;/i&#62;');
		expect(page).toContain('checked');
	});

	it('a rejected report stays unseen', async () => {
		const { id } = await json(await send(report()));
		await patch(`/v1/review/reports/${id}`, { status: 'rejected' }, await service.key());
		expect(await get('/v1/reports')).toEqual({ reports: [] });
	});

	it('an agent can answer, and the answer is shown when it has been reviewed', async () => {
		const { id } = await json(await send(report()));
		const early = await service.post(`/v1/reports/${id}/answers`, { author: 'GreedyBot', text: 'It was not us.' });
		expect(early.status).toBe(404);
		const token = await service.key();
		await patch(`/v1/review/reports/${id}`, { status: 'published' }, token);
		const answered = await service.post(`/v1/reports/${id}/answers`, { author: 'GreedyBot', text: 'It was not us.' });
		expect(answered.status).toBe(202);
		expect((await get(`/v1/reports/${id}`)).answers).toEqual([]);
		const answer = (await json(answered)).id;
		await patch(`/v1/review/reports/${id}/answers/${answer}`, { status: 'published' }, token);
		expect((await get(`/v1/reports/${id}`)).answers).toMatchObject([{ author: 'GreedyBot', text: 'It was not us.' }]);
	});

	it('review needs its scope', async () => {
		const token = await service.key({ scopes: ['reports:write'] });
		expect((await service.request('/v1/review/reports', { token })).status).toBe(403);
		expect((await service.request('/v1/review/reports')).status).toBe(401);
	});

	it.each([
		['no evidence', { identity: { outcome: 'verified', evidence: {} } }],
		['no identity', { identity: undefined }],
		['no address', { ip: undefined }],
		['no time', { timestamp: 'yesterday' }],
		['no rule', { rule: '' }],
	])('refuses a report with %s, and says where', async (_, change) => {
		const { violations } = report();
		const response = await send(report({ violations: [{ ...violations[0], ...change }] }));
		expect(response.status).toBe(400);
		expect((await json(response)).errors).toMatchObject([{ path: expect.stringContaining('/violations/0/') }]);
	});

	it('takes what our own gateway sends', async () => {
		const violation = {
			at: Date.parse('2026-11-20T10:00:00Z'),
			agent: 'GreedyBot',
			categories: 'data-harvester',
			outcome: 'spoofed' as const,
			address: '203.0.113.9',
			method: 'GET',
			path: '/internal/reports',
			rule: 'robots.txt:3 Disallow: /internal',
			fetched: null,
			inForce: 'abc',
			status: 403,
			evidence: '[{"method":"ranges","result":"not listed"}]',
		};
		const period = { since: 0, until: violation.at };
		const { json: body } = formatSubmission('https://tides.test', 'GreedyBot', [violation], period);
		const headers = { 'content-type': 'application/json' };
		expect((await service.request('/v1/reports', { method: 'POST', body, headers })).status).toBe(202);
	});

	it('one sender can send twenty in an hour', async () => {
		const statuses = [];
		for (let count = 0; count < 21; count++) statuses.push((await send(report())).status);
		expect(statuses.slice(0, 20).every((status) => status === 202)).toBe(true);
		expect(statuses[20]).toBe(429);
	});
});
