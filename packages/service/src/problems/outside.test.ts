import type { Lookup } from '@wayleave/io/dns';
import { fixedProxy } from '@wayleave/io/http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService } from '../../../mcp/src/testing/start-service.ts';
import { createLog } from '../observe/log.ts';

const loopback = [{ address: '127.0.0.1', family: 4 }] as const;
const inner = [{ address: '10.20.30.40', family: 4 }] as const;
const secret = /127\.0\.0\.1|10\.20\.30\.40|::1|proxy\.inside/;

let web: TestWeb;
let service: TestService;
let logged: string[];
const lookup: Lookup = async (host) => {
	if (host === 'web.test') return [...loopback];
	return [...(host === 'localhost' ? loopback : inner)];
};

beforeAll(async () => {
	web = await startWeb(({ path }) => {
		if (path.endsWith('.txt')) return { status: 404 };
		if (path === '/away') return { status: 302, headers: { location: 'http://intranet.test/x' } };
		return '<title>A</title><p>Words of a page.</p>';
	});
	logged = [];
	service = await startService(
		{
			fetching: {
				lookup,
				privateHosts: ['web.test'],
				ownSites: ['web.test', 'intranet.test', 'localhost'],
				delay: 0,
			},
		},
		{ log: createLog((line) => logged.push(line)) },
	);
});
afterAll(async () => {
	await service.close();
	await web.close();
});

async function tool(name: string, given: object): Promise<string> {
	const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
	const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
	const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
	expect(response.status).toBe(200);
	return response.text();
}

it.each(['http://localhost/x', 'http://intranet.test/x', 'https://intranet.test:8443/x'])(
	'S2-20 S2-21 the tools name no address inside for %s, and the log does',
	async (url) => {
		logged.length = 0;
		const answers = [
			await tool('check_policy', { url }),
			await tool('lint', { url: new URL('/robots.txt', url).href }),
			await tool('lint', { url: new URL('/robots2.txt', url).href }),
		];
		for (const answer of answers) {
			expect(answer).toContain('resolves to an address that is not public');
			expect(answer).not.toMatch(secret);
		}
		expect(logged.join('\n')).toMatch(secret);
	},
);

it('S2-22 documents, batches, submissions and tools reveal no private address', async () => {
	const urls = ['http://localhost/x', 'http://intranet.test/x', web.url('web.test', '/away')];
	for (const url of urls) {
		const response = await service.post('/v1/aidocument', { url });
		expect(response.status).toBe(422);
		expect(await response.text()).not.toMatch(secret);
		expect(await tool('fetch_document', { url })).not.toMatch(secret);
		const { id } = await (await service.post('/v1/submit', { url })).json();
		const status = async () => (await service.request(`/v1/submissions/${id}`)).text();
		await expect.poll(status).toContain('private-address');
		expect(await status()).not.toMatch(secret);
	}
	const lines = await (await service.post('/v1/aidocuments', { urls })).text();
	expect(lines.match(/private-address/g)?.length).toBeGreaterThanOrEqual(3);
	expect(lines).not.toMatch(secret);
});

it('S2-22 does not name the proxy of the operator', async () => {
	const own = await startService({
		fetching: {
			lookup,
			proxy: fixedProxy('http://127.0.0.1:1', {}, '--proxy'),
			ownSites: ['web.test'],
			delay: 0,
		},
	});
	const response = await own.post('/v1/aidocument', { url: 'http://web.test/x' });
	const text = await response.text();
	expect(text).toContain('the proxy did not forward the request');
	expect(text).not.toMatch(secret);
	await own.close();
});
