import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let web: TestWeb;
let service: TestService;

async function start(answer: Answer, options: ServiceOptions = {}): Promise<void> {
	web = await startWeb(answer);
	service = await startService({ fetching: testSites(web.lookup, 'a.test'), ...options });
}
afterEach(async () => {
	await service.close();
	await web.close();
});

const submit = (path: string, init = {}) => service.post('/v1/submit', { url: web.url('a.test', path) }, init);

async function ended(statusUrl: string, init = {}) {
	await expect
		.poll(async () => (await (await service.request(statusUrl, init)).json()).status, { timeout: 20_000 })
		.not.toBe('queued');
	return (await service.request(statusUrl, init)).json();
}

describe('POST /v1/submit', () => {
	it('202 at once, then the document is there', async () => {
		await start(() => htmlPage('Submitted'));
		const response = await submit('/');
		const submission = await response.json();
		expect(response.status).toBe(202);
		expect(response.headers.get('location')).toBe(submission.status_url);
		const done = await ended(submission.status_url);
		expect(done).toMatchObject({ status: 'done', outcome: 'fetched', url: web.url('a.test') });
		const document = await (await service.request(done.document_url)).json();
		expect(document.identity.title).toBe('Submitted');
	});

	it('a failure tells why, with the evidence', async () => {
		await start(({ path }) =>
			path === '/robots.txt'
				? { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' }
				: undefined,
		);
		const done = await ended((await (await submit('/')).json()).status_url);
		expect(done).toMatchObject({
			status: 'failed',
			outcome: 'refused',
			problem: { status: 403, evidence: [{ line: 2 }] },
		});
	});

	it('is told to its own key only', async () => {
		await start(() => htmlPage('A'), { open: false });
		const [own, other] = [await service.key(), await service.key()];
		const { status_url } = await (await submit('/', { token: own })).json();
		expect((await service.request(status_url, { token: other })).status).toBe(404);
		expect(await ended(status_url, { token: own })).toMatchObject({ status: 'done' });
	});

	it('no more wait than the limit', async () => {
		await start(() => ({ hang: true }), { mostSubmissions: 2 });
		const statuses = [];
		for (const path of ['/1', '/2', '/3']) statuses.push((await submit(path)).status);
		expect(statuses).toEqual([202, 202, 429]);
	});

	it('what was not done when the service ended is done by the next one', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-serve-'));
		const store = `sqlite:${join(folder, 'service.db')}`;
		let silent = true;
		await start(({ path }) => (silent ? { hang: true } : htmlPage(path)), { store });
		const ids = [];
		for (const path of ['/1', '/2', '/3']) ids.push((await (await submit(path)).json()).id);
		await service.close();
		silent = false;
		service = await startService({ fetching: testSites(web.lookup, 'a.test'), store });
		for (const id of ids)
			expect(await ended(`/v1/submissions/${id}`)).toMatchObject({ status: 'done', outcome: 'fetched' });
		await service.close();
		service = await startService();
		rmSync(folder, { recursive: true });
	});
});
