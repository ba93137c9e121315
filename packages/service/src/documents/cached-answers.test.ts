import { type Clock, systemClock } from '@wayleave/crawler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { ServiceError } from '../problems/problem.ts';
import { createRoutes, type RouteModule } from '../routes/route-module.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';
import type { Documents } from './documents.ts';

/** Time that tests move; waits are real. */
class Shifted implements Clock {
	ahead = 0;
	now = () => systemClock.now() + this.ahead;
	sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal);
}

let web: TestWeb;
let service: TestService;
let clock: Shifted;
let title: string;
let refused: boolean;
let documents: Documents;

const guarding: RouteModule = (deps) => {
	documents = deps.documents;
	documents.guard(async (url) => {
		if (refused) throw new ServiceError('owner-refused', { url, outcome: 'refused' });
	});
	return createRoutes();
};

beforeEach(async () => {
	clock = new Shifted();
	[title, refused] = ['First', false];
	web = await startWeb(({ path }) =>
		path.endsWith('.txt') ? { status: 404 } : `<title>${title}</title><p>Some words.</p>`,
	);
	service = await startService(
		{ open: false, fetching: testSites(web.lookup, 'a.test') },
		{ clock, modules: [guarding] },
	);
});
afterEach(async () => {
	await service.close();
	await web.close();
});

const page = () => web.url('a.test', '/page');
const get = async (token: string, headers: Record<string, string> = {}) =>
	await service.request(`/v1/document?url=${encodeURIComponent(page())}`, { token, headers });
const post = async (token: string) => await service.post('/v1/aidocument', { url: page() }, { token });

/** The page stored, and each request sent twice, so that everything that is kept of them is in use. */
async function warm(more: object = {}): Promise<string> {
	const token = await service.key(more);
	for (let time = 0; time < 3; time++) expect((await post(token)).status).toBe(200);
	for (let time = 0; time < 2; time++) expect((await get(token)).status).toBe(200);
	return token;
}

describe('an answer that was given before is given again only while it is right', () => {
	it('is refused from the moment that the owner refuses', async () => {
		const token = await warm();
		refused = true;
		for (const response of [await get(token), await post(token)])
			expect([response.status, (await response.json()).code]).toEqual([403, 'owner-refused']);
	});

	it('is the new document once the page has been fetched again', async () => {
		const token = await warm();
		title = 'Second';
		await service.post('/v1/aidocument', { url: page(), freshness_policy: 'force_refresh' }, { token });
		const [got, posted] = [await get(token), await post(token)];
		for (const response of [got, posted]) expect((await response.json()).identity.title).toBe('Second');
	});

	it('is the same bytes under the same tag while the store has the same', async () => {
		const token = await warm();
		const before = await get(token);
		clock.ahead += 1001;
		const after = await get(token);
		expect([after.headers.get('etag'), await after.text()]).toEqual([before.headers.get('etag'), await before.text()]);
		const known = await get(token, { 'if-none-match': after.headers.get('etag') ?? '' });
		expect([known.status, await known.text()]).toEqual([304, '']);
	});

	it('is not given once the stored page is removed', async () => {
		const token = await warm();
		await documents.remove({ host: 'a.test', below: false }, page());
		expect([(await get(token)).status, (await get(token)).status]).toEqual([404, 404]);
	});

	it('is not given to a key that is revoked, lacks the scope, or has used its quota', async () => {
		const [token, spender] = [await warm(), await warm({ quota: 6 })];
		const poster = await service.key({ scopes: ['documents:fetch'] });
		expect([(await post(poster)).status, (await get(poster)).status]).toEqual([200, 403]);
		expect([(await get(spender)).status, (await get(spender)).status, (await post(spender)).status]).toEqual([
			200, 429, 429,
		]);
		await service.service.keys.revoke(token.split('_')[1] ?? '');
		clock.ahead += 5001;
		expect([(await get(token)).status, (await post(token)).status]).toEqual([401, 401]);
	});

	it('counts towards the rate of the key', async () => {
		const token = await warm({ rate: 6 });
		expect([(await get(token)).status, (await get(token)).status]).toEqual([200, 429]);
	});

	it('follows Accept, though the address is the same', async () => {
		const token = await warm();
		const types = ['text/markdown', 'application/json', 'application/vnd.wayleave.result+json'];
		for (const type of [...types, ...types]) {
			const response = await get(token, { accept: type });
			expect(response.headers.get('content-type')).toContain(type);
		}
		expect((await get(token, { accept: 'image/png' })).status).toBe(406);
	});
});
