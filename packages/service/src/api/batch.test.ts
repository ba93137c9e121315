import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config/config.ts';
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

const linesOf = (text: string) =>
	text
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));

describe('POST /v1/aidocuments', () => {
	it('a line for each URL: documents with their terms, and why there is none', async () => {
		await start(({ path }) => {
			if (path === '/robots.txt')
				return { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' };
			return path === '/a' || path === '/b' ? htmlPage(path) : undefined;
		});
		const urls = ['/a', '/no', '/gone', '/b', '/a'].map((path) => web.url('a.test', path));
		const response = await service.post('/v1/aidocuments', { urls: [...urls, 'mailto:x@example.com'] });
		expect(response.headers.get('content-type')).toBe('application/x-ndjson');
		const lines = linesOf(await response.text()).toSorted((a, b) => a.index - b.index);
		expect(lines.map(({ url, outcome, problem }) => [url, outcome, problem?.code])).toEqual([
			[urls[0], 'fetched', undefined],
			[urls[1], 'refused', 'robots-disallow'],
			[urls[2], 'gone', 'http-404'],
			[urls[3], 'fetched', undefined],
			[urls[4], 'fetched', undefined],
			['mailto:x@example.com', undefined, 'bad-request'],
		]);
		expect(lines[0].document.cache.status).toBe('miss');
		expect(lines[0].policy.uses).toMatchObject({ read: 'unspecified' });
	});

	it('lines come as they are ready, not at the end', async () => {
		let release = () => {};
		await start(({ path }) => htmlPage(path));
		const gate = new Promise<void>((open) => {
			release = open;
		});
		await service.close();
		const lookup = async (host: string) => {
			if (host === 'b.test') await gate;
			return web.lookup(host);
		};
		service = await startService({ fetching: testSites(lookup, 'a.test', 'b.test') });
		const urls = [web.url('b.test', '/late'), web.url('a.test', '/early')];
		const init = { method: 'POST', body: JSON.stringify({ urls }), headers: { 'content-type': 'application/json' } };
		const response = await fetch(`${service.url}/v1/aidocuments`, init);
		const reader = response.body!.getReader();
		const first = new TextDecoder().decode((await reader.read()).value);
		expect(linesOf(first)).toMatchObject([{ index: 1, outcome: 'fetched' }]);
		release();
		expect(linesOf(new TextDecoder().decode((await reader.read()).value))).toMatchObject([{ index: 0 }]);
		expect((await reader.read()).done).toBe(true);
	});

	it('a client that disconnects cancels pages that have not begun', async () => {
		await start(({ path }) => htmlPage(path));
		const urls = Array.from({ length: 500 }, (_, page) => web.url('a.test', `/${page}`));
		const init = { method: 'POST', body: JSON.stringify({ urls }), headers: { 'content-type': 'application/json' } };
		const response = await fetch(`${service.url}/v1/aidocuments`, init);
		const reader = response.body!.getReader();
		await reader.read();
		await reader.cancel();
		await expect
			.poll(async () => (await (await service.request('/metrics')).text()).match(/wayleave_fetches_waiting (\d+)/)?.[1])
			.toBe('0');
		const asked = web.log.length;
		await new Promise((later) => setTimeout(later, 100));
		expect(web.log.length).toBeLessThanOrEqual(asked + 8);
		expect(asked).toBeLessThan(400);
	});

	it('no more URLs than the limit', async () => {
		await start(() => htmlPage('A'), { maxUrls: 3 });
		const urls = Array.from({ length: 4 }, (_, page) => web.url('a.test', `/${page}`));
		expect((await service.post('/v1/aidocuments', { urls })).status).toBe(400);
		expect((await service.post('/v1/aidocuments', { urls: [] })).status).toBe(400);
		expect(web.log).toEqual([]);
	});
});
