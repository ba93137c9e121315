import { createRoute } from '@hono/zod-openapi';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createRoutes } from '@wayleave/service/modules';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Library } from '../call/library.ts';
import { createMcpServer } from '../server/server.ts';

const schemaLibrary = /Invalid input|expected \w+, received|Too (?:small|big)|Invalid (?:URL|option)/;

it('a request that a schema refuses is explained in the words of its sender', async () => {
	const routes = createRoutes();
	const body = z.object({ url: z.url(), count: z.number().max(5), kind: z.enum(['page', 'list']) });
	const route = createRoute({
		method: 'post',
		path: '/x',
		request: { body: { content: { 'application/json': { schema: body } } } },
		responses: { 200: { description: 'done' } },
	});
	let said: unknown;
	routes.openapi(route, (context) => context.text('done'));
	routes.onError((error, context) => {
		said = error;
		return context.text('no', 400);
	});
	const send = (value: unknown) =>
		routes.request('/x', {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(value),
		});
	for (const [value, sentence] of [
		[{}, '/url: it is missing'],
		[{ url: 'a.test', count: 1, kind: 'page' }, '/url: expected a URL with its scheme: https://a.test'],
		[{ url: 'https://a.test', count: '3', kind: 'page' }, '/count: expected a number without quotes: 3'],
		[{ url: 'https://a.test', count: 9, kind: 'page' }, '/count: expected a number of at most 5'],
		[{ url: 'https://a.test', count: 1, kind: 'pge' }, '/kind: expected one of page, list; did you mean page?'],
	] as const) {
		expect((await send(value)).status).toBe(400);
		expect(JSON.stringify(said)).toContain(sentence);
		expect(JSON.stringify(said)).not.toMatch(schemaLibrary);
	}
});

it('so is a call of a tool', async () => {
	const [near, far] = InMemoryTransport.createLinkedPair();
	const server = createMcpServer({} as Library);
	const client = new Client({ name: 'test', version: '1' });
	await Promise.all([server.connect(far), client.connect(near)]);
	const result = await client.callTool({ name: 'fetch_document', arguments: { url: 'ftp://a.test/' } });
	const text = JSON.stringify(result);
	expect(text).toContain('only http and https URLs are fetched');
	expect(text).not.toMatch(schemaLibrary);
	await client.close();
});
