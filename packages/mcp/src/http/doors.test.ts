import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

// Several callers, one cache: access by the key, a header or the allowance of one caller opens nothing for the others.

/** Text of the page that its site permits for one use only. */
const secret = 'Kittiwake';

let web: TestWeb;
let service: TestService;
let ada: string;
let ben: string;
/** Whether the site still allows when asked. */
let permits: number;
/** Releases a page that a test holds back. */
let release: () => void;

beforeEach(async () => {
	permits = 1;
	release = () => {};
	web = await startWeb(({ path, method, headers }) => {
		if (path === '/robots.txt') return { status: 404 };
		if (path === '/robots2.txt') return { headers: { 'content-type': 'text/plain' }, body: 'read: ask\nstore: yes\n' };
		if (path.startsWith('/.well-known/robots2-ask')) {
			const decision = permits-- > 0 ? 'allow-once' : 'deny';
			return { status: 200, headers: { 'X-Robots2-Decision': decision }, body: '' };
		}
		if (headers.cookie !== undefined || headers.authorization !== undefined) return { body: 'private of a caller' };
		return `<title>${secret}</title><main><h1>${secret}</h1><p>Words about the ${secret} at ${path} (${method}).</p></main>`;
	});
	service = await startService({ open: false, fetching: testSites(web.lookup, 'a.test') });
	[ada, ben] = [await service.key({ name: 'Ada' }), await service.key({ name: 'Ben' })];
});
afterEach(async () => {
	release();
	await service.close();
	await web.close();
});

const url = () => web.url('a.test', '/page');
const fetchAs = (token: string, more = {}) => service.post('/v1/aidocument', { url: url() }, { token, ...more });
const storedAs = (token: string) => service.request(`/v1/document?url=${encodeURIComponent(url())}`, { token });

/** Ada reads the page with its only permission. */
async function adaReads(): Promise<void> {
	const response = await fetchAs(ada);
	expect(await response.text()).toContain(secret);
	expect(response.status).toBe(200);
}

async function assistant(token: string): Promise<Client> {
	const client = new Client({ name: 'test', version: '1' });
	const requestInit = { headers: { authorization: `Bearer ${token}` } };
	await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }) as never);
	return client;
}

describe('a page that its site permitted to one caller, for one use', () => {
	it('the document cache does not give it to another caller', async () => {
		await adaReads();
		for (const response of [await fetchAs(ben), await storedAs(ben), await storedAs(ada)]) {
			expect([403, 404]).toContain(response.status);
			expect(await response.text()).not.toContain(secret);
		}
	});

	it('other callers at the same time do not share it', async () => {
		const answers = await Promise.all([ada, ben, ada, ben].map((token) => fetchAs(token)));
		const texts = await Promise.all(answers.map((answer) => answer.text()));
		expect(texts.filter((text) => text.includes(secret))).toHaveLength(1);
		const batch = await service.post('/v1/aidocuments', { urls: [url()] }, { token: ben });
		expect(await batch.text()).not.toContain(secret);
	});

	it('no search finds it, no resource list contains it, and explain does not describe it', async () => {
		await adaReads();
		const client = await assistant(ben);
		const search = await client.callTool({ name: 'search_documents', arguments: { query: secret } });
		expect(JSON.stringify(search)).not.toContain(`the ${secret}`);
		expect(JSON.stringify(await client.listResources())).not.toContain(secret);
		const explained = await client.callTool({ name: 'explain', arguments: { url: url() } });
		expect(JSON.stringify(explained)).not.toContain(secret);
		const fetched = await client.callTool({ name: 'fetch_document', arguments: { url: url() } });
		expect(JSON.stringify(fetched)).not.toContain(secret);
		await client.close();
	});

	it('only its caller can read its job', async () => {
		const { status_url } = await (await service.post('/v1/submit', { url: url() }, { token: ada })).json();
		const state = async (token: string) => (await service.request(status_url, { token })).json();
		await expect.poll(async () => (await state(ada)).status).not.toBe('queued');
		expect((await state(ben)).code).toBe('submission-unknown');
		expect((await state(ada)).document_url).toBeUndefined();
		for (const token of [ada, ben]) expect(await (await storedAs(token)).text()).not.toContain(secret);
	});
});

describe('data that a caller sends', () => {
	it('reaches no site, so that no page depends on it', async () => {
		const headers = { cookie: 'session=1', 'x-forwarded-for': '203.0.113.1', referer: 'https://ada.test/' };
		expect((await fetchAs(ada, { headers })).status).toBe(200);
		const sent = JSON.stringify(web.log.map((entry) => entry.headers));
		for (const value of ['session=1', '203.0.113.1', 'ada.test', ada]) expect(sent).not.toContain(value);
	});

	it('affects the format of its own response only', async () => {
		permits = 4;
		const forms = ['application/json', 'text/markdown', 'application/vnd.wayleave.result+json'];
		const answers = await Promise.all(forms.map((accept) => fetchAs(ada, { headers: { accept } })));
		for (const [at, answer] of answers.entries()) {
			expect(answer.headers.get('content-type')).toContain(forms[at]);
			expect(answer.headers.get('cache-control')).toContain('private');
			expect(answer.headers.get('vary')).toContain('authorization');
			await answer.text();
		}
	});
});

describe('data of a key', () => {
	it('no other key sees its jobs, domains and limits', async () => {
		const limited = await service.key({ quota: 3, rate: 100 });
		const { status_url } = await (await service.post('/v1/submit', { url: url() }, { token: limited })).json();
		expect((await service.request(status_url, { token: ben })).status).toBe(404);
		await service.post('/v1/sites', { domain: 'ada.example' }, { token: ada });
		expect((await service.request('/v1/sites/ada.example', { token: ben })).status).toBe(404);
		expect(JSON.stringify(await (await service.request('/v1/sites', { token: ben })).json())).not.toContain(
			'ada.example',
		);
		expect((await service.request('/v1/submissions/x', { token: ben })).headers.get('ratelimit')).toBeNull();
	});

	it('only reviewers see a report that awaits review', async () => {
		const violation = {
			url: 'https://tides.test/x',
			timestamp: '2026-11-20T10:00:00Z',
			ip: '203.0.113.9',
			rule: 'Disallow: /x',
			identity: { outcome: 'verified', evidence: { method: 'ranges' } },
		};
		const report = {
			site: 'https://tides.test',
			agent: secret,
			policy: ['https://tides.test/robots.txt'],
			violations: [violation],
		};
		const { id } = await (await service.post('/v1/reports', report, { token: ada })).json();
		const reader = await service.key({ scopes: ['documents:read', 'reports:write', 'mcp:use'] });
		for (const path of [`/v1/reports/${id}`, '/v1/reports', '/register', '/v1/review/reports'])
			expect(await (await service.request(path, { token: reader })).text(), path).not.toContain(secret);
	});

	it('only its key can use a session of the tools, even under the same name', async () => {
		permits = 1;
		const call = async (token: string, given: object) => {
			const body = {
				jsonrpc: '2.0',
				id: 1,
				method: 'tools/call',
				params: { name: 'fetch_document', arguments: given },
			};
			const headers = {
				authorization: `Bearer ${token}`,
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				'mcp-session-id': 'the-same',
			};
			return (await fetch(`${service.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
		};
		expect(await call(ada, { url: url() })).toContain(secret);
		expect(await call(ben, { url: url() })).not.toContain(`the ${secret}`);
		expect(await call(ben, { url: url(), start: 1 })).not.toContain(`the ${secret}`);
	});
});
