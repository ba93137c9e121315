import type { AIDocument } from '@wayleave/protocols/aidocument';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';
import { type Client, createClient, ServiceProblem } from './index.ts';
import { readLines } from './lines.ts';

let web: TestWeb;
let service: TestService;
let client: Client;
let key: string;

beforeAll(async () => {
	web = await startWeb(({ path }) => {
		if (path === '/robots.txt') return plain('User-agent: *\nDisallow: /no');
		if (path === '/robots2.txt') return plain('attribution: required');
		return path.startsWith('/robots') ? undefined : htmlPage(`Page ${path}`);
	});
	service = await startService({ open: false, fetching: testSites(web.lookup, 'a.test') });
	key = await service.key();
	client = createClient({ url: `${service.url}/`, key });
});
afterAll(async () => {
	await service.close();
	await web.close();
});

const plain = (body: string) => ({ headers: { 'Content-Type': 'text/plain' }, body });
const page = (path: string) => web.url('a.test', path);

describe('our own client', () => {
	it('asks for documents in every form', async () => {
		expect(await client.stored(page('/1'))).toBeUndefined();
		expect((await client.document(page('/1'))).cache.status).toBe('miss');
		expect((await client.document(page('/1'), { freshnessPolicy: 'force_refresh' })).cache.status).toBe('refreshed');
		expect((await client.stored(page('/1')))!.identity.title).toBe('Page /1');
		expect(await client.markdown(page('/1'))).toContain('# Page /1');
		expect(await client.som(page('/1'))).toMatchObject({ som_version: '0.1' });
		expect((await client.result(page('/1'))).policy!.obligations).toEqual({ attribution: 'required' });
	});

	it('asks for results and batches with the fields of a schema', async () => {
		const fields = { type: 'object', properties: { name: { type: 'string' } } };
		const values = { name: 'Page /1' };
		expect((await client.result(page('/1'), { fields })).fields?.values).toEqual(values);
		for await (const line of client.documents([page('/1')], { fields }))
			expect(line).toMatchObject({ fields: { values } });
		await expect(client.result(page('/1'), { fields: { type: 'string' } })).rejects.toMatchObject({
			code: 'bad-request',
		});
	});

	it('asks for results and batches in chunks', async () => {
		const { document, chunks = [] } = await client.result(page('/1'), { chunks: { tokens: 64 } });
		expect(chunks.map(({ headingPath }) => headingPath[0])).toContain('Page /1');
		expect(document.content.markdown.slice(chunks[0]?.start, chunks[0]?.end)).toBe(chunks[0]?.text);
		expect(await client.result(page('/1'))).not.toHaveProperty('chunks');
		for await (const line of client.documents([page('/1')], { chunks: { tokens: 64 } }))
			expect(line).toMatchObject({ chunks });
		await expect(client.result(page('/1'), { chunks: { tokens: 1 } })).rejects.toMatchObject({ code: 'bad-request' });
	});

	it('throws what a problem says, with the evidence', async () => {
		const failure = await client.document(page('/no')).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(ServiceProblem);
		expect(failure).toMatchObject({ code: 'robots-disallow', problem: { status: 403, evidence: [{ line: 2 }] } });
		const stranger = createClient({ url: service.url });
		await expect(stranger.stored(page('/1'))).rejects.toMatchObject({ code: 'key-missing' });
		const proxy = createClient({ url: service.url, fetch: async () => new Response('<html>', { status: 502 }) });
		await expect(proxy.document(page('/1'))).rejects.toMatchObject({ code: 'http-502' });
	});

	it('reads a batch as it comes, and may leave it', async () => {
		const found = new Map<string, string | undefined>();
		for await (const { url, document, problem } of client.documents([page('/2'), page('/no'), page('/3')]))
			found.set(url, document?.identity.title ?? problem?.code);
		expect(found).toEqual(
			new Map([
				[page('/2'), 'Page /2'],
				[page('/no'), 'robots-disallow'],
				[page('/3'), 'Page /3'],
			]),
		);
		for await (const { url } of client.documents([page('/4'), page('/5')])) {
			expect(url).toContain('a.test');
			break;
		}
	});

	it('submits, and asks how it goes', async () => {
		const { id } = await client.submit(page('/6'));
		await expect.poll(async () => (await client.submission(id)).status).toBe('done');
		expect((await client.stored(page('/6')))!.cache.status).toBe('hit');
	});

	it('joins lines that come in pieces', async () => {
		const bytes = new TextEncoder().encode('{"a":"ä"}\n\n{"b":1}\n{"c":2}');
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				for (let at = 0; at < bytes.length; at++) controller.enqueue(bytes.subarray(at, at + 1));
				controller.close();
			},
		});
		const lines = [];
		for await (const line of readLines(body)) lines.push(line);
		expect(lines).toEqual(['{"a":"ä"}', '{"b":1}', '{"c":2}']);
	});
});

describe("a stranger's client, made from the description alone", () => {
	it('knows every operation, and gets documents, problems and submissions', async () => {
		const definition = await (await fetch(`${service.url}/openapi.json`)).json();
		definition.servers = [{ url: service.url }];
		const api = new OpenAPIClientAxios({
			definition,
			axiosConfigDefaults: { headers: { authorization: `Bearer ${key}` }, validateStatus: () => true },
		});
		const stranger = await api.init();
		const operations = api.getOperations().map(({ operationId }) => operationId);
		expect(operations).toEqual(
			expect.arrayContaining(['getDocument', 'getStoredDocument', 'getDocuments', 'submitPage']),
		);
		const call = async (operation: string, parameters: object | null, body?: object) => {
			const { status, data, headers } = await stranger[operation]!(parameters as never, body);
			return { status, data, headers };
		};
		const fetched = await call('getDocument', null, { url: page('/10'), freshness_policy: 'cache_first' });
		expect([fetched.status, (fetched.data as AIDocument).cache.status]).toEqual([200, 'miss']);
		const again = await call('getStoredDocument', { url: page('/10') });
		expect([again.status, (again.data as AIDocument).identity.title]).toEqual([200, 'Page /10']);
		const refused = await call('getDocument', null, { url: page('/no') });
		expect([refused.status, refused.data.code]).toEqual([403, 'robots-disallow']);
		const batch = await call('getDocuments', null, { urls: [page('/11'), page('/12')] });
		expect(String(batch.data).trimEnd().split('\n')).toHaveLength(2);
		const submitted = await call('submitPage', null, { url: page('/13') });
		expect(submitted.status).toBe(202);
		await expect.poll(async () => (await call('getSubmission', { id: submitted.data.id })).data.status).toBe('done');
		expect((await call('getDocumentSchema', null)).data.title).toBe('AIDocument');
		expect((await call('isReady', null)).status).toBe(200);
	});
});
