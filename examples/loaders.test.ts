import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WayleaveLoader } from './langchain/wayleave-loader.ts';
import { WayleaveReader } from './llamaindex/wayleave-reader.ts';

let server: Server;
let site: string;
beforeAll(async () => {
	const files: Record<string, string> = {
		'/robots2.txt': 'Agent: *\nAttribution: required\n',
		'/': '<title>Home</title><main><h1>Home</h1><p>The first page says a little.</p><a href="/a">a</a></main>',
		'/a': '<title>A</title><main><h1>A</h1><p>The second page says a little more.</p><a href="/none">b</a></main>',
	};
	server = createServer((request, response) => {
		const body = files[request.url ?? ''];
		const type = request.url?.endsWith('.txt') ? 'text/plain' : 'text/html';
		response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': type }).end(body);
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close().closeAllConnections());

const options = { delay: 0, sitemaps: false };
const policy = { obligations: { attribution: 'required' } };

it('LangChain.js: a document for each page, with its terms', async () => {
	const documents = await new WayleaveLoader([site], options).load();
	expect(documents).toMatchObject([
		{
			id: site,
			pageContent: expect.stringContaining('The first page'),
			metadata: { source: site, title: 'Home', policy },
		},
		{ id: `${site}a`, metadata: { title: 'A', outcome: 'fetched' } },
	]);
}, 60_000);

it('LangChain.js: whoever has enough ends the crawl', async () => {
	for await (const { id } of new WayleaveLoader([site], options).lazyLoad()) {
		expect(id).toBe(site);
		break;
	}
}, 60_000);

it('LlamaIndex.TS: a document for each page, the terms kept from the model', async () => {
	const documents = await new WayleaveReader(options).loadData([site]);
	expect(documents.map(({ id_, metadata }) => [id_, metadata.title])).toEqual([
		[site, 'Home'],
		[`${site}a`, 'A'],
	]);
	expect(documents[0]!.metadata).toMatchObject({ source: site, policy });
	expect(documents[0]!.getText()).toContain('The first page');
}, 60_000);
