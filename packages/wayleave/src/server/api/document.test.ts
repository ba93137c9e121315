import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let web: TestWeb;
let service: TestService;

async function start(answer: Answer, options: ServiceOptions = {}): Promise<void> {
	web = await startWeb(answer);
	service = await startService({ fetching: testSites(web.lookup, 'a.test', 'b.test'), ...options });
}
afterEach(async () => {
	await service.close();
	await web.close();
});

const pages = () => web.log.map(({ path }) => path).filter((path) => !path.startsWith('/robots'));
const ask = (path = '/', more: object = {}) =>
	service.post('/v1/aidocument', { url: web.url('a.test', path), ...more });

describe('POST /v1/aidocument', () => {
	it('AWI-20 AWI-23 a page that is not known is fetched: miss, both booleans true', async () => {
		await start(() => htmlPage('First'));
		const response = await ask();
		expect(response.status).toBe(200);
		const document = await response.json();
		expect(document.source.freshness_policy).toBe('cache_first');
		expect(document.cache).toEqual({ status: 'miss', origin_contacted: true, body_fetched: true });
		expect(pages()).toEqual(['/']);
	});
});
