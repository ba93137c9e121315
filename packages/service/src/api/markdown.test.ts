import { countTokens } from '@wayleave/extract/tokens';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

const words = 'The harbour office publishes the tide tables once a month, with the hours of every quay. ';
const links = `<a href="next">next</a> <a href="../up">up</a> <a href="/root?a=1&amp;b=2#part">root</a>
<a href="?page=2">query</a> <a href="#part">part</a> <a href="//other.test/x">other</a> <img src="pic.png" alt="Quay">`;
const page = (head = '') =>
	`<!doctype html><html><head><title>Tides</title>${head}</head><body><main><h1>Tides</h1><p>${words.repeat(5)}</p>
<p>${words} ${links}</p></main></body></html>`;

let web: TestWeb;
let service: TestService;
beforeEach(async () => {
	web = await startWeb(({ path }) => {
		if (path.endsWith('.txt')) return { status: 404 };
		if (path === '/moved') return { status: 301, headers: { location: '/docs/a/' } };
		if (path === '/based/') return page('<base href="/elsewhere/deep/">');
		return page();
	});
	service = await startService({ fetching: testSites(web.lookup, 'a.test') });
});
afterEach(async () => {
	await service.close();
	await web.close();
});

const markdown = { headers: { accept: 'text/markdown' } };
const url = (path: string) => web.url('a.test', path);

describe('Markdown', () => {
	it.each([
		['/docs/a/', '/docs/a/', '/docs/up'],
		['/moved', '/docs/a/', '/docs/up'],
		['/based/', '/elsewhere/deep/', '/elsewhere/up'],
	])('of %s has absolute links, which lead where those of the page lead', async (path, folder, up) => {
		const fetched = await (await service.post('/v1/aidocument', { url: url(path) }, markdown)).text();
		const stored = await service.request(`/v1/document?url=${encodeURIComponent(url(path))}`, markdown);
		for (const text of [fetched, await stored.text()]) {
			for (const target of [`${folder}next`, up, '/root?a=1&b=2#part', `${folder}pic.png`])
				expect(text).toContain(`](${url(target)})`);
			expect(text).toContain('](http://other.test/x)');
			const targets = [...text.matchAll(/\]\(([^)\s]+)/g)].map(([, target = '']) => target);
			expect(targets.filter((target) => !/^https?:\/\//.test(target))).toEqual([]);
		}
	});

	it('says how many tokens it has, fetched and stored, with token counts in documents and without', async () => {
		const plain = await startService({ fetching: { ...testSites(web.lookup, 'a.test'), economics: false } });
		for (const own of [service, plain]) {
			const first = await own.post('/v1/aidocument', { url: url('/docs/a/') }, markdown);
			const again = await own.request(`/v1/document?url=${encodeURIComponent(url('/docs/a/'))}`, markdown);
			for (const response of [first, again])
				expect(Number(response.headers.get('x-markdown-tokens'))).toBe(countTokens(await response.text()));
			const json = await own.request(`/v1/document?url=${encodeURIComponent(url('/docs/a/'))}`);
			expect(json.headers.get('x-markdown-tokens')).toBeNull();
		}
		await plain.close();
	});
});

describe('conditional requests', () => {
	const post = (more: object = {}, headers: Record<string, string> = {}) =>
		service.post('/v1/aidocument', { url: url('/docs/a/'), ...more }, { headers });

	it.each(['application/json', 'text/markdown', 'application/vnd.wayleave.result+json', 'application/som+json'])(
		'by the tag of the snapshot as %s, whichever way it came',
		async (accept) => {
			const first = await post({}, { accept });
			const tag = first.headers.get('etag') ?? '';
			expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
			const stored = (headers: Record<string, string>) =>
				service.request(`/v1/document?url=${encodeURIComponent(url('/docs/a/'))}`, { headers: { accept, ...headers } });
			const known = { 'if-none-match': tag };
			for (const response of [await post({}, { accept, ...known }), await stored(known)]) {
				expect([response.status, await response.text()]).toEqual([304, '']);
				expect(response.headers.get('etag')).toContain(tag.slice(2));
			}
			expect((await post({}, { accept, 'if-none-match': '"other"' })).status).toBe(200);
			// Another format is another representation.
			const other = accept === 'text/markdown' ? 'application/json' : 'text/markdown';
			expect((await post({}, { accept: other, ...known })).status).toBe(200);
		},
	);

	it('by date; a refresh still requests the page from the site', async () => {
		const first = await (await post()).json();
		const at = first.source.fetched_at as string;
		const before = web.log.length;
		expect((await post({ modified_since: at })).status).toBe(304);
		expect((await post({ modified_since: at.replace('Z', '+00:00') })).status).toBe(304);
		expect((await post({ modified_since: '2020-01-01T00:00:00Z' })).status).toBe(200);
		expect(web.log.length).toBe(before);
		expect((await post({ modified_since: at, freshness_policy: 'force_refresh' })).status).toBe(200);
		expect(web.log.length).toBe(before + 1);
		expect((await post({ modified_since: 'yesterday' })).status).toBe(400);
	});
});
