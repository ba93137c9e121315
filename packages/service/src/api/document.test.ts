import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawl } from '@wayleave/crawler';
import { readFieldSchema } from '@wayleave/extract/fields';
import { aiDocumentSchema, checkAIDocument } from '@wayleave/protocols/aidocument';
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

/** What was asked of the sites beside their terms. */
const pages = () => web.log.map(({ path }) => path).filter((path) => !path.startsWith('/robots'));
const ask = (path = '/', more: object = {}, headers: Record<string, string> = {}) =>
	service.post('/v1/aidocument', { url: web.url('a.test', path), ...more }, { headers });
const stored = (path = '/', headers: Record<string, string> = {}) =>
	service.request(`/v1/document?url=${encodeURIComponent(web.url('a.test', path))}`, { headers });
const refresh = { freshness_policy: 'force_refresh' };
const text = (body: string) => ({ headers: { 'Content-Type': 'text/plain' }, body });
const tagged: Answer = ({ headers }) =>
	headers['if-none-match'] === '"1"'
		? { status: 304 }
		: { headers: { ETag: '"1"', 'Content-Type': 'text/html' }, body: htmlPage('Tagged') };

describe('the cache, told to the letter', () => {
	it('AWI-20 AWI-21 AWI-22 AWI-23 AWI-26 fetched once, then given without a request', async () => {
		await start(() => htmlPage('First'));
		const [first, second] = [await (await ask()).json(), await (await ask()).json()];
		expect(first.cache).toEqual({ status: 'miss', origin_contacted: true, body_fetched: true });
		expect(second.cache).toEqual({ status: 'hit', origin_contacted: false, body_fetched: false });
		expect(pages()).toEqual(['/']);
		expect(second.source).toEqual(first.source);
		expect([first, second].map(({ source }) => source.freshness_policy)).toEqual(['cache_first', 'cache_first']);
		expect(checkAIDocument(first)).toEqual([]);
	});

	it('AWI-20 AWI-24 force_refresh has the page sent again', async () => {
		await start(({ times }) => htmlPage(`Copy ${times}`));
		await ask();
		const document = await (await ask('/', refresh)).json();
		expect(document.cache).toEqual({ status: 'refreshed', origin_contacted: true, body_fetched: true });
		expect(document.source.freshness_policy).toBe('force_refresh');
		expect(document.identity.title).toBe('Copy 1');
	});

	it('AWI-16 AWI-25 AMB-21 a 304 is stale_revalidated, and the time is that of the snapshot', async () => {
		await start(tagged);
		const first = await (await ask()).json();
		const document = await (await ask('/', refresh)).json();
		expect(document.cache).toEqual({ status: 'stale_revalidated', origin_contacted: true, body_fetched: false });
		expect(document.source.fetched_at).toBe(first.source.fetched_at);
		expect(document.content).toEqual(first.content);
	});

	it('AMB-21 a copy that is too old is asked about, under cache_first too', async () => {
		await start(tagged, { maxAge: 0 });
		await ask();
		await new Promise((later) => setTimeout(later, 5));
		const document = await (await ask()).json();
		expect(document.cache.status).toBe('stale_revalidated');
		expect(document.source.freshness_policy).toBe('cache_first');
		expect((await stored()).status).toBe(404);
	});

	it.each(['session-only', 'no'])('AMB-10 AWI-22 store: %s is handed over and never stored', async (store) => {
		await start(({ path }) => (path === '/robots2.txt' ? text(`store: ${store}`) : htmlPage('Secret')));
		for (const form of ['application/json', 'application/som+json']) {
			const response = await ask('/', {}, { accept: form });
			expect(response.status).toBe(200);
			expect(response.headers.get('wayleave-outcome')).toBe(`fetched; reason=store-${store}`);
		}
		expect((await stored()).status).toBe(404);
		expect(pages()).toEqual(['/', '/']);
	});

	it('AWI-14 a redirect leads to the document of its target, the second time without a request', async () => {
		await start(({ path }) => (path === '/old' ? { status: 301, headers: { Location: '/new' } } : htmlPage('New')));
		const first = await (await ask('/old')).json();
		expect(first.source.url).toBe(web.url('a.test', '/new'));
		expect((await (await ask('/old')).json()).cache.status).toBe('hit');
		expect((await (await ask('/new')).json()).cache.status).toBe('hit');
		expect(pages()).toEqual(['/old', '/new']);
	});

	it('never serves a page that is gone from the cache', async () => {
		await start(({ path, times }) => (path === '/' && times === 0 ? htmlPage('A') : undefined));
		await ask();
		expect((await ask('/', refresh)).status).toBe(404);
		expect((await stored()).status).toBe(404);
	});
});

describe('GET /v1/document', () => {
	it('gives what is stored, and asks nobody', async () => {
		await start(() => htmlPage('A'));
		const missing = await stored();
		expect([missing.status, (await missing.json()).code]).toEqual([404, 'not-cached']);
		await ask();
		const before = web.log.length;
		expect((await (await stored()).json()).cache.status).toBe('hit');
		expect(web.log.length).toBe(before);
	});

	it('conditional requests: 304 for what the client has (RFC 9110 §13)', async () => {
		await start(() => htmlPage('A'));
		await ask();
		const first = await stored();
		const [etag, modified] = [first.headers.get('etag')!, first.headers.get('last-modified')!];
		expect(etag).toMatch(/^"[\w-]{22}"$/);
		const statuses = async (headers: Record<string, string>) => (await stored('/', headers)).status;
		expect(await statuses({ 'if-none-match': etag })).toBe(304);
		expect(await statuses({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
		expect(await statuses({ 'if-none-match': '"x"' })).toBe(200);
		expect(await statuses({ 'if-modified-since': modified })).toBe(304);
		expect(await statuses({ 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' })).toBe(200);
		// The tag counts where there is one.
		expect(await statuses({ 'if-none-match': '"x"', 'if-modified-since': modified })).toBe(200);
		expect(await statuses({ 'if-none-match': etag, accept: 'text/markdown' })).toBe(200);
	});
});

describe('forms', () => {
	it('Markdown, a result with what travels beside the document, and the document by itself', async () => {
		await start(({ path }) => (path === '/robots2.txt' ? text('attribution: required\nsummarise: no') : htmlPage('A')));
		const markdown = await ask('/', {}, { accept: 'text/markdown, application/json;q=0.5' });
		expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
		expect(await markdown.text()).toContain('# A');
		const result = await (await ask('/', {}, { accept: 'application/vnd.wayleave.result+json' })).json();
		expect(result).toMatchObject({ outcome: 'unchanged', policy: { obligations: { attribution: 'required' } } });
		const plain = await ask();
		expect(plain.headers.get('wayleave-policy')).toContain('attribution=required');
		expect(Object.keys(await plain.json())).not.toContain('policy');
	});

	it('SOM, made of the page once and kept beside the document', async () => {
		await start(() => htmlPage('A'));
		await ask();
		const accept = { accept: 'application/som+json' };
		const som = await (await ask('/', {}, accept)).json();
		expect(som).toMatchObject({ som_version: '0.1', url: web.url('a.test') });
		expect(pages()).toEqual(['/', '/']);
		expect(await (await ask('/', {}, accept)).json()).toEqual(som);
		expect(await (await stored('/', accept)).json()).toEqual(som);
		expect(pages()).toEqual(['/', '/']);
	});

	it('a page that is no HTML has no SOM document, and the answer says so', async () => {
		await start(({ path }) => (path === '/' ? text('Plain words, and enough of them to make a page.') : undefined));
		const response = await ask('/', {}, { accept: 'application/som+json' });
		expect([response.status, (await response.json()).code]).toEqual([406, 'not-acceptable']);
	});

	it('a form that there is not is refused before anything is fetched', async () => {
		await start(() => htmlPage('A'));
		expect((await ask('/', {}, { accept: 'application/pdf' })).status).toBe(406);
		expect(web.log).toEqual([]);
	});
});

describe('failures have a type, a status and their evidence', () => {
	it('a rule of robots.txt: 403 with the line', async () => {
		await start(({ path }) => (path === '/robots.txt' ? text('User-agent: *\nDisallow: /private') : htmlPage('A')));
		const response = await ask('/private/x');
		expect(response.headers.get('content-type')).toBe('application/problem+json');
		expect(response.status).toBe(403);
		expect(await response.json()).toMatchObject({
			type: '/problems/robots-disallow',
			title: 'a robots.txt rule disallows the URL',
			status: 403,
			code: 'robots-disallow',
			outcome: 'refused',
			url: web.url('a.test', '/private/x'),
			evidence: [
				{ source: web.url('a.test', '/robots.txt'), line: 2, text: 'Disallow: /private', mechanism: 'robots' },
			],
		});
		expect(pages()).toEqual([]);
	});

	it.each([
		[404, 404, 'http-404'],
		[410, 410, 'http-410'],
		[401, 403, 'http-401'],
		[402, 403, 'http-402'],
		[500, 502, 'http-500'],
		[204, 422, 'no-content'],
	])('AWI-79 AMB-31 a page that answers %i: %i %s', async (status, ours, code) => {
		await start(({ path }) => (path === '/' ? { status } : undefined));
		const response = await ask();
		expect([response.status, (await response.json()).code]).toEqual([ours, code]);
	});

	it('a host that wants a pause: 503, with the time', async () => {
		await start(({ path }) => (path === '/' ? { status: 429, headers: { 'Retry-After': '900' } } : undefined));
		const response = await ask();
		expect([response.status, (await response.json()).code]).toEqual([503, 'rate-limited']);
		expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(890);
	});

	it('a site that cannot tell its terms: 503, and nothing was fetched', async () => {
		await start(({ path }) => (path === '/robots.txt' ? { status: 500 } : htmlPage('A')));
		const response = await ask();
		expect([response.status, (await response.json()).code]).toEqual([503, 'robots-unreachable']);
		expect(pages()).toEqual([]);
	});

	it('a page that takes too long: 504, and it is there the next time', async () => {
		let release = () => {};
		const gate = new Promise<void>((open) => {
			release = open;
		});
		await start(() => htmlPage('Slow'), { timeLimit: 50 });
		const lookup = web.lookup;
		await service.close();
		const slow = async (host: string) => {
			await gate;
			return lookup(host);
		};
		service = await startService({ fetching: testSites(slow, 'a.test'), timeLimit: 50 });
		const response = await ask();
		expect([response.status, (await response.json()).code]).toEqual([504, 'time-limit']);
		release();
		await expect.poll(async () => (await stored()).status).toBe(200);
	});

	it.each([
		['no JSON', '{', 'application/json', 400, 'bad-request'],
		['no declared JSON', '{}', 'application/x-www-form-urlencoded', 415, 'request-not-json'],
		['no URL in it', '{}', 'application/json', 400, 'bad-request'],
		['another policy', '{"url":"http://a.test/","freshness_policy":"always"}', 'application/json', 400, 'bad-request'],
		['a URL that is none', '{"url":"a.test"}', 'application/json', 400, 'bad-request'],
		['a URL of a file', '{"url":"file:///etc/passwd"}', 'application/json', 400, 'bad-request'],
		['too much', `{"url":"http://a.test/${'x'.repeat(70_000)}"}`, 'application/json', 413, 'request-too-large'],
	])('a body with %s', async (_, body, type, status, code) => {
		await start(() => htmlPage('A'));
		const init = { method: 'POST', body, headers: { 'content-type': type } };
		const response = await service.request('/v1/aidocument', init);
		expect([response.status, (await response.json()).code]).toEqual([status, code]);
		expect(web.log).toEqual([]);
	});
});

describe('AWI-80 AWI-81 privacy', () => {
	it('nothing of the caller is in a request that goes out, nor in the document', async () => {
		await start(() => htmlPage('A'), { open: false });
		const token = await service.key({ name: 'Ada Lovelace' });
		const marks = ['203.0.113.77', 'session=c0ffee', 'account-4711', 'SecretBrowser', token, token.split('_')[1]!];
		const response = await service.post(
			'/v1/aidocument',
			{ url: web.url('a.test') },
			{
				token,
				headers: {
					'x-forwarded-for': marks[0]!,
					forwarded: `for=${marks[0]}`,
					cookie: marks[1]!,
					'x-account-id': marks[2]!,
					'user-agent': marks[3]!,
					from: 'ada@example.com',
				},
			},
		);
		const document = await response.text();
		expect(response.status).toBe(200);
		const sent = JSON.stringify(web.log);
		for (const mark of [...marks, 'Ada', 'ada@example.com']) {
			expect(sent).not.toContain(mark);
			expect(document).not.toContain(mark);
		}
		expect(web.log.every(({ headers }) => headers['user-agent']!.startsWith('AIWebIndex/2.0 '))).toBe(true);
	});
});

describe('routes that are the same for all callers', () => {
	it('the schema of documents, health, the description, and what a problem means', async () => {
		await start(() => htmlPage('A'));
		const schema = await service.request('/aidocument.schema.json');
		expect(await schema.json()).toEqual(aiDocumentSchema);
		const known = { 'if-none-match': schema.headers.get('etag')! };
		expect((await service.request('/aidocument.schema.json', { headers: known })).status).toBe(304);
		expect(await (await service.request('/healthz')).text()).toBe('ok\n');
		expect(await (await service.request('/readyz')).text()).toBe('ready\n');
		expect((await (await service.request('/openapi.json')).json()).openapi).toBe('3.1.0');
		expect(await (await service.request('/problems/robots-disallow')).text()).toContain('a robots.txt rule');
		expect((await service.request('/problems/constructor')).status).toBe(404);
		expect((await (await service.request('/nothing')).json()).code).toBe('not-found');
		expect((await (await service.request('/v1/aidocument')).json()).code).toBe('method-not-allowed');
		await ask();
		const metrics = await (await service.request('/metrics')).text();
		expect(metrics).toContain('wayleave_documents_total{outcome="fetched",reason="fetched"} 1');
		expect(metrics).toMatch(/wayleave_request_seconds_count\{method="POST",route="\/v1\/aidocument",status="2xx"\} 1/);
	});
});

describe('the fields of a document', () => {
	const resultType = 'application/vnd.wayleave.result+json';
	const shop = () =>
		'<!doctype html><html lang="en"><title>Anvil</title><script type="application/ld+json">{"@type":"Product","name":"Anvil","offers":{"@type":"Offer","price":"9.50","priceCurrency":"EUR"}}</script><main><h1>Anvil</h1><p>It falls fast, and keeps its form for many years of hard work.</p><p>SKU: A-1</p></main></html>';
	const schema = (name: string) => ({
		type: 'object',
		properties: { [name]: { type: 'number' }, sku: { type: 'string' } },
	});

	it('has none that only the crawl that filled the store asked for', async () => {
		web = await startWeb(shop);
		const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-fields-')), 'crawl.db')}`;
		const fields = await readFieldSchema(schema('price'));
		const fetching = testSites(web.lookup, 'a.test');
		await crawl([web.url('a.test', '/')], { ...fetching, store, fields, delay: 0, sitemaps: false }).run();
		service = await startService({ fetching, store });
		const read = async (response: Response) => (await response.json()) as Record<string, object>;
		const cached = await read(await stored('/', { accept: resultType }));
		expect([cached.document, cached.fields, cached.page]).toEqual([
			expect.anything(),
			undefined,
			expect.not.objectContaining({ fields: expect.anything() }),
		]);
		expect(await read(await ask('/', {}, { accept: resultType }))).not.toHaveProperty('fields');
		expect(await read(await ask('/', { fields: schema('price') }))).toMatchObject({
			fields: { values: { price: 9.5 } },
		});
		const urls = [web.url('a.test', '/')];
		const lines = await (await service.post('/v1/aidocuments', { urls })).text();
		expect(JSON.parse(lines)).not.toHaveProperty('fields');
	});

	it('fields fills a schema, fetched or stored, and leaves the document as it is', async () => {
		await start(shop);
		const fetched = await ask('/', { fields: schema('price') }, { accept: '*/*' });
		const result = await fetched.json();
		expect(checkAIDocument(result.document)).toEqual([]);
		expect(result.fields).toMatchObject({
			values: { price: 9.5, sku: 'A-1' },
			sources: { '/price': { from: 'json-ld', at: 'Product.offers.price', raw: '9.50' }, '/sku': { from: 'document' } },
		});
		const stored = await ask('/', { fields: schema('lowPrice') }, { accept: resultType });
		expect((await stored.json()).fields.missing).toEqual(['/lowPrice']);
		expect(stored.headers.get('etag')).not.toBe(fetched.headers.get('etag'));
		expect(await (await ask('/', {}, { accept: resultType })).json()).not.toHaveProperty('fields');
		expect(pages()).toEqual(['/']);
	});

	it.each([
		[
			{ type: 'object', properties: { a: { type: 'string', 'x-select': 'h1' } } },
			'/fields/properties/a/x-select',
			'remove x-select',
		],
		[{ type: 'object', properties: { a: { allOf: [] } } }, '/fields/properties/a/allOf', 'is not supported'],
	])('refuses %j before any request, with the place in it', async (fields, path, message) => {
		await start(shop);
		const response = await ask('/', { fields }, { accept: resultType });
		expect(response.status).toBe(400);
		expect((await response.json()).errors).toEqual([{ path, message: expect.stringContaining(message) }]);
		expect(pages()).toEqual([]);
	});
});

describe('a document in chunks', () => {
	const resultType = 'application/vnd.wayleave.result+json';
	const long = (title: string) =>
		`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${'The sea rises twice a day at the quay. '.repeat(20)}</p><h2>Neap</h2><p>${'Less so after the half moon, says the pilot. '.repeat(20)}</p></main></html>`;

	it('chunk_tokens adds chunks to the result, fetched or stored, and leaves the document as it is', async () => {
		await start(() => long('Tides'));
		const fetched = await (await ask('/', { chunk_tokens: 100 }, { accept: '*/*' })).json();
		const { document, chunks } = fetched;
		expect(checkAIDocument(document)).toEqual([]);
		expect(chunks.length).toBeGreaterThan(3);
		for (const { start: from, end, text: part, tokens } of chunks) {
			expect(tokens).toBeLessThanOrEqual(100);
			expect(part).toBe(document.content.markdown.slice(from, end));
		}
		expect(chunks.at(-1).headingPath).toEqual(['Tides', 'Neap']);
		const url = `/v1/document?url=${encodeURIComponent(web.url('a.test', '/'))}`;
		const again = await service.request(`${url}&chunk_tokens=100`, { headers: { accept: resultType } });
		expect((await again.json()).chunks).toEqual(chunks);
		const plain = await (await service.request(url, { headers: { accept: resultType } })).json();
		expect(plain).not.toHaveProperty('chunks');
		expect(pages()).toEqual(['/']);
	});

	it('each budget has an entity tag of its own, which is good for that budget only', async () => {
		await start(() => long('Tides'));
		await ask();
		const get = (more: string, tag?: string) =>
			service.request(`/v1/document?url=${encodeURIComponent(web.url('a.test', '/'))}${more}`, {
				headers: { accept: resultType, ...(tag !== undefined && { 'if-none-match': tag }) },
			});
		const budgets = ['', '&chunk_tokens=100', '&chunk_tokens=200'];
		const tags = await Promise.all(budgets.map(async (more) => (await get(more)).headers.get('etag') ?? ''));
		expect(new Set(tags).size).toBe(3);
		for (const [at, more] of budgets.entries())
			for (const [other, tag] of tags.entries()) expect((await get(more, tag)).status).toBe(at === other ? 304 : 200);
	});

	it.each([0, 63, 1_000_001, 64.5, '100', null])('refuses chunk_tokens %j in a body', async (tokens) => {
		await start(() => long('Tides'));
		const response = await ask('/', { chunk_tokens: tokens });
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({ code: 'bad-request', errors: [{ path: '/chunk_tokens' }] });
		expect(pages()).toEqual([]);
	});

	it.each(['', 'many', '63', '100&chunk_tokens=200'])('refuses chunk_tokens=%s in a query', async (tokens) => {
		await start(() => long('Tides'));
		await ask();
		const url = encodeURIComponent(web.url('a.test', '/'));
		const response = await service.request(`/v1/document?url=${url}&chunk_tokens=${tokens}`);
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({ code: 'bad-request' });
	});

	it.each(['application/json', 'text/markdown', 'application/som+json'])(
		'says that %s has no place for chunks, before any request',
		async (accept) => {
			await start(() => long('Tides'));
			const response = await ask('/', { chunk_tokens: 100 }, { accept });
			expect(response.status).toBe(406);
			expect((await response.json()).detail).toBe(`with chunk_tokens only ${resultType} is available`);
			expect(pages()).toEqual([]);
		},
	);

	it('the description of the interface has the parameter', async () => {
		await start(() => long('Tides'));
		const { paths, components } = await (await service.request('/openapi.json')).json();
		const parameter = paths['/v1/document'].get.parameters.find(
			({ name }: { name: string }) => name === 'chunk_tokens',
		);
		expect(parameter).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 64, maximum: 1_000_000 } });
		for (const name of ['DocumentRequest', 'BatchRequest'])
			expect(JSON.stringify(components.schemas[name])).toMatch(/"chunk_tokens":{"type":"integer","minimum":64,/);
		for (const name of ['Result', 'BatchLine']) expect(components.schemas[name].properties.chunks.type).toBe('array');
	});
});
