import { request as send } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { startWeb } from '../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config/config.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let service: TestService;
afterEach(() => service.close());

const foreign = {
	host: 'evil.example.org',
	'x-forwarded-host': 'evil.example.org',
	'x-forwarded-proto': 'https',
	forwarded: 'host=evil.example.org;proto=https',
	'x-original-host': 'evil.example.org',
};

interface Raw {
	status: number;
	text: string;
}

/** `fetch` would not send another Host. */
function raw(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Raw> {
	return new Promise((resolve, reject) => {
		const fields = { 'content-type': 'application/json', ...headers };
		const request = send(service.url + path, { method, headers: fields }, async (response) => {
			let text = Object.values(response.headers).flat().join('\n');
			for await (const piece of response) text += `\n${piece}`;
			resolve({ status: response.statusCode ?? 0, text });
		});
		request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
	});
}

async function callAll(options: ServiceOptions = {}): Promise<{ whole: string; fields: string[] }> {
	const web = await startWeb(({ path }) => (path.endsWith('.txt') ? { status: 404 } : '<p>Words of a page.</p>'));
	service = await startService({ open: false, fetching: testSites(web.lookup, 'a.test'), ...options });
	const headers = { ...foreign, authorization: `Bearer ${await service.key()}` };
	const submitted = await raw('POST', '/v1/submit', headers, { url: web.url('a.test') });
	const { id } = JSON.parse(submitted.text.slice(submitted.text.indexOf('{')));
	await expect.poll(async () => (await raw('GET', `/v1/submissions/${id}`, headers)).text).toContain('document_url');
	const answers = [
		submitted,
		await raw('GET', `/v1/submissions/${id}`, headers),
		await raw('POST', '/v1/nothing', headers, {}),
		await raw('POST', '/v1/aidocument', foreign, {}),
		await raw('POST', '/v1/aidocument', headers, { url: 'no address' }),
		await raw('POST', '/v1/aidocument', headers, { url: 'http://10.0.0.1/' }),
		await raw('POST', '/v1/aidocuments', headers, { urls: ['http://10.0.0.1/'] }),
		await raw('GET', '/bot', foreign),
		await raw('GET', '/llms.txt', foreign),
		await raw('GET', '/register', foreign),
		await raw('GET', '/openapi.json', foreign),
	];
	await web.close();
	const whole = answers.map(({ text }) => text).join('\n');
	return {
		whole,
		fields: [...whole.matchAll(/"(?:type|status_url|document_url)":"([^"]*)"/g)].map(([, url = '']) => url),
	};
}

it('S2-07 no address in a response follows the Host of the caller or the headers of a proxy', async () => {
	const { whole, fields } = await callAll();
	expect(whole).not.toContain('evil.example.org');
	const links = fields.filter((field) => field.includes('/'));
	expect(links.length).toBeGreaterThan(6);
	for (const link of links) expect(link).toMatch(/^\/(?:problems|v1)\//);
});

it('S2-07 with --public-url they are absolute, below its path too', async () => {
	const { whole, fields } = await callAll({ publicUrl: 'https://index.test/below/' });
	expect(whole).not.toContain('evil.example.org');
	const links = fields.filter((field) => field.includes('/'));
	for (const link of links) expect(link).toMatch(/^https:\/\/index\.test\/below\/(?:problems|v1)\//);
});
