import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let web: TestWeb;
const services: TestService[] = [];

beforeAll(async () => {
	web = await startWeb(({ path }) => (path.startsWith('/robots') ? undefined : htmlPage(`Page ${path}`)));
	const store = await newDatabase();
	for (let number = 0; number < 2; number++)
		services.push(await startService({ open: false, store, fetching: testSites(web.lookup, 'a.test') }));
});
afterAll(async () => {
	for (const service of services) await service.close();
	await web.close();
});

const page = (path: string) => web.url('a.test', path);

describe('two processes on one PostgreSQL', () => {
	it('AWI-22 a document fetched by one is stored for the other, in every format', async () => {
		const [one, two] = services as [TestService, TestService];
		const token = await one.key({ quota: 100, rate: 1000 });
		const fetched = await (await one.post('/v1/aidocument', { url: page('/1') }, { token })).json();
		expect(fetched.cache.status).toBe('miss');
		const hit = await (await two.post('/v1/aidocument', { url: page('/1') }, { token })).json();
		expect(hit.cache).toEqual({ status: 'hit', origin_contacted: false, body_fetched: false });
		const som = { token, headers: { accept: 'application/som+json' } };
		expect((await one.post('/v1/aidocument', { url: page('/1') }, som)).status).toBe(200);
		expect((await two.request(`/v1/document?url=${encodeURIComponent(page('/1'))}`, som)).status).toBe(200);
	});

	it('submissions and keys are those of both', async () => {
		const [one, two] = services as [TestService, TestService];
		const token = await one.key();
		const { id } = await (await one.post('/v1/submit', { url: page('/2') }, { token })).json();
		const status = async () => (await (await two.request(`/v1/submissions/${id}`, { token })).json()).status;
		await expect.poll(status, { timeout: 20_000 }).toBe('done');
		expect(await (await two.request('/readyz')).text()).toBe('ready\n');
	});
});
