import { request as send } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService, testSites } from '../../../mcp/src/testing/start-service.ts';
import type { ServiceOptions } from '../config/config.ts';

let web: TestWeb;
let service: TestService;
afterEach(async () => {
	await service.close();
	await web.close();
});

async function start(options: ServiceOptions = {}): Promise<void> {
	web = await startWeb(({ path }) => {
		if (path === '/robots.txt')
			return { body: 'User-agent: *\nDisallow: /private', headers: { 'content-type': 'text/plain' } };
		if (path.endsWith('.txt')) return { status: 404 };
		if (path === '/gone') return { status: 410 };
		if (path === '/broken') return { reset: true };
		if (path === '/hanging') return { hang: true };
		if (path === '/picture') return { headers: { 'content-type': 'image/png' }, body: 'x' };
		if (path === '/fleeting')
			return { headers: { 'content-type': 'text/html', 'cache-control': 'no-store' }, body: '<p>Now</p>' };
		return `<title>${path}</title><p>Words of the page ${path}.</p>`;
	});
	service = await startService({ open: false, timeLimit: 3000, fetching: testSites(web.lookup, 'a.test'), ...options });
}

const page = (path: string) => web.url('a.test', path);
const get = async (token: string, path: string) =>
	(await service.post('/v1/aidocument', { url: page(path) }, { token })).status;

/** Remaining documents of the day. */
async function left(token: string): Promise<number> {
	const response = await service.request('/v1/submissions/none', { token });
	return Number(/"day";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
}

it('S2-05 a refused or failed request uses no quota', async () => {
	await start({ bodyLimit: 500 });
	const token = await service.key({ quota: 4 });
	const post = (path: string, body: string, type = 'application/json') =>
		service.request(path, { method: 'POST', token, body, headers: { 'content-type': type } });
	const good = JSON.stringify({ url: page('/') });
	const failures: [number, Response][] = [
		[400, await post('/v1/aidocument', JSON.stringify({ url: 'not a url' }))],
		[400, await post('/v1/aidocument', '{')],
		[400, await post('/v1/aidocument', '{}')],
		[415, await post('/v1/aidocument', good, 'text/plain')],
		[413, await post('/v1/aidocument', JSON.stringify({ url: `http://a.test/${'x'.repeat(600)}` }))],
		[400, await post('/v1/aidocument', JSON.stringify({ url: 'ftp://files.example.org/a' }))],
		[406, await service.post('/v1/aidocument', { url: page('/') }, { token, headers: { accept: 'image/png' } })],
		[403, await service.post('/v1/aidocument', { url: page('/private') }, { token })],
		[410, await service.post('/v1/aidocument', { url: page('/gone') }, { token })],
		[422, await service.post('/v1/aidocument', { url: page('/picture') }, { token })],
		[422, await service.post('/v1/aidocument', { url: 'http://10.0.0.1/' }, { token })],
		[502, await service.post('/v1/aidocument', { url: page('/broken') }, { token })],
		[504, await service.post('/v1/aidocument', { url: page('/hanging') }, { token })],
		[404, await service.request(`/v1/document?url=${encodeURIComponent(page('/nowhere'))}`, { token })],
		[404, await post('/v1/nothing', good)],
		[200, await post('/v1/aidocuments', JSON.stringify({ urls: [page('/private'), page('/gone'), 'no url'] }))],
		[400, await post('/v1/submit', JSON.stringify({ url: 'not a url' }))],
	];
	for (const [status, response] of failures) {
		expect(response.status).toBe(status);
		await response.text();
	}
	expect(await left(token)).toBe(4);
	for (const path of ['/1', '/2', '/3', '/4']) expect(await get(token, path)).toBe(200);
	expect(await left(token)).toBe(0);
	expect(await get(token, '/5')).toBe(429);
});

it('S2-05 documents of a batch count one by one, an unchanged one does not count', async () => {
	await start();
	const token = await service.key({ quota: 6 });
	const urls = [page('/1'), page('/private'), page('/2')];
	await (await service.post('/v1/aidocuments', { urls }, { token })).text();
	expect(await left(token)).toBe(4);
	const stored = (headers = {}) =>
		service.request(`/v1/document?url=${encodeURIComponent(page('/1'))}`, { token, headers });
	const first = await stored();
	expect([first.status, await left(token)]).toEqual([200, 3]);
	const again = await stored({ 'if-none-match': first.headers.get('etag') ?? '' });
	expect([again.status, await left(token)]).toEqual([304, 3]);
});

it('S2-05 a submission counts once, when its document is there; a failed one not at all', async () => {
	await start();
	const token = await service.key({ quota: 3 });
	const submitted = async (path: string) => {
		const { status_url } = await (await service.post('/v1/submit', { url: page(path) }, { token })).json();
		const state = async () => (await service.request(status_url, { token })).json();
		await expect.poll(async () => (await state()).status).not.toBe('queued');
		return state();
	};
	const { document_url } = await submitted('/1');
	expect(await left(token)).toBe(2);
	expect((await service.request(document_url, { token })).status).toBe(200);
	expect(await left(token)).toBe(2);
	// A second copy is another document.
	expect((await service.request(document_url, { token })).status).toBe(200);
	expect(await left(token)).toBe(1);
	await submitted('/private');
	await submitted('/gone');
	expect(await left(token)).toBe(1);
	// Another caller uses its own quota.
	const other = await service.key({ quota: 1 });
	expect((await service.request(document_url, { token: other })).status).toBe(200);
	expect(await left(other)).toBe(0);
});

it('S2-05 concurrent calls cannot exceed the quota together, whichever interfaces they use', async () => {
	await start();
	const token = await service.key({ quota: 5 });
	const calls = Array.from({ length: 20 }, (_, index) => {
		if (index % 4 === 0) return service.post('/v1/aidocuments', { urls: [page(`/${index}`)] }, { token });
		if (index % 4 === 1) return service.post('/v1/submit', { url: page(`/${index}`) }, { token });
		return service.post('/v1/aidocument', { url: page(`/${index}`) }, { token });
	});
	const answers = await Promise.all(calls);
	await Promise.all(answers.map((answer) => answer.text()));
	expect(answers.filter(({ status }) => status < 300)).toHaveLength(5);
	const refused = answers.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(15);
	await expect.poll(() => left(token)).toBe(0);
	expect(await get(token, '/21')).toBe(429);
});

it('S2-05 a failed call, and one whose client disconnects, return their reservation', async () => {
	await start();
	const token = await service.key({ quota: 1 });
	const hanging = service.post('/v1/aidocument', { url: page('/hanging') }, { token });
	await expect.poll(() => left(token)).toBe(0);
	const busy = await service.post('/v1/aidocument', { url: page('/1') }, { token });
	expect(busy.status).toBe(429);
	expect(Number(busy.headers.get('retry-after'))).toBeLessThan(60);
	expect((await hanging).status).toBe(504);
	expect(await left(token)).toBe(1);
	const gone = send(`${service.url}/v1/aidocument`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
	});
	gone.on('error', () => {});
	gone.end(JSON.stringify({ url: page('/hanging') }));
	await expect.poll(() => left(token)).toBe(0);
	gone.destroy();
	await expect.poll(() => left(token)).toBe(1);
	expect(await get(token, '/1')).toBe(200);
});

it('S2-05 the rate limit slows a client that makes mistakes on any route', async () => {
	await start();
	for (const path of ['/v1/nothing', '/v1/document', '/metrics']) {
		const token = await service.key({ rate: 3, scopes: ['documents:read'] });
		const statuses: number[] = [];
		for (let each = 0; each < 5; each++) statuses.push((await service.request(path, { token })).status);
		expect(statuses.slice(3), path).toEqual([429, 429]);
		expect(statuses.slice(0, 3)).not.toContain(429);
	}
});

it('S2-06 every response to a key reports its remaining limits, in the format of the draft', async () => {
	await start();
	const token = await service.key({ rate: 100, quota: 50 });
	const limited = await service.key({ rate: 100, scopes: [] });
	const answers = [
		await service.post('/v1/aidocument', { url: page('/1') }, { token }),
		await service.post('/v1/aidocument', { url: page('/private') }, { token }),
		await service.post('/v1/aidocument', {}, { token }),
		await service.request('/v1/aidocument', { method: 'POST', body: 'x', token }),
		await service.post('/v1/aidocuments', { urls: [page('/1')] }, { token }),
		await service.post('/v1/submit', { url: page('/2') }, { token }),
		await service.request('/v1/submissions/none', { token }),
		await service.request('/v1/sites', { token }),
		await service.request('/nowhere', { token }),
		await service.request('/v1/aidocument', { token }),
		await service.request('/openapi.json', { token }),
		await service.request('/metrics', { token: limited }),
	];
	const tools = await fetch(`${service.url}/mcp`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		},
		body: JSON.stringify({
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: { name: 'fetch_document', arguments: { url: page('/private') } },
		}),
	});
	expect(await tools.text()).toContain('Disallow: /private');
	for (const { headers, url } of [...answers, tools]) {
		expect(headers.get('ratelimit-policy'), url).toMatch(/^"minute";q=100;w=60(?:, "day";q=50;w=86400)?$/);
		expect(headers.get('ratelimit'), url).toMatch(/^"minute";r=\d+;t=\d+(?:, "day";r=\d+;t=\d+)?$/);
	}
	expect(answers[0]?.headers.get('ratelimit')).toContain('"day";r=49;');
	const free = await service.key();
	const response = await service.request('/v1/submissions/none', { token: free });
	expect(response.headers.get('ratelimit-policy')).toBeNull();
});
