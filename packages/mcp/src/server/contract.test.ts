import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { apart, connectHttp, connectStdio, fromOwnServers, textOf } from '../testing/clients.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

const page = (title: string, words: string) =>
	`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words}</p></main></html>`;

let web: TestWeb;
beforeAll(async () => {
	web = await startWeb(({ path }) => {
		if (path === '/robots.txt')
			return { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret\n' };
		return path.startsWith('/page') ? page(`Page ${path}`, 'The sea rises twice a day.') : undefined;
	});
});
afterAll(() => web.close());

let service: TestService;
let client: Client;
beforeEach(async () => {
	service = await startService({ fetching: testSites(web.lookup, 'harbour.test') });
	client = await connectHttp(service.url);
});
afterEach(async () => {
	await client.close();
	await service.close();
});
const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });
const at = (path: string) => web.url('harbour.test', path);

interface Property {
	readonly type?: string;
	readonly description?: string;
	readonly default?: unknown;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly maxLength?: number;
	readonly maxItems?: number;
}

describe('the contract for clients', () => {
	it('S2-16 tools have output schemas, and results have matching content', async () => {
		const { tools } = await client.listTools();
		for (const { name, outputSchema } of tools) expect([name, outputSchema?.type]).toEqual([name, 'object']);
		await call('fetch_document', { url: at('/page') });
		const results = {
			fetch_document: await call('fetch_document', { url: at('/page') }),
			check_policy: await call('check_policy', { url: at('/page') }),
			search_documents: await call('search_documents', { query: 'sea' }),
			lint: await call('lint', { text: 'Usr-agent: *\n', format: 'robots' }),
			explain: await call('explain', { url: at('/page') }),
			crawl_site: await call('crawl_site', { url: at('/page'), max_pages: 1 }),
		};
		for (const [name, result] of Object.entries(results)) {
			expect([name, result.isError ?? false]).toEqual([name, false]);
			expect([name, textOf(result)]).toEqual([name, expect.stringMatching(/\S/)]);
			expect([name, result.structuredContent]).toEqual([name, expect.any(Object)]);
		}
		expect(results.fetch_document.structuredContent).toMatchObject({
			url: at('/page'),
			status: 200,
			untrusted: { notice: expect.stringContaining('untrusted content'), title: 'Page /page' },
		});
		expect(results.check_policy.structuredContent).toMatchObject({
			verdicts: expect.arrayContaining([expect.objectContaining({ use: 'read', permitted: true })]),
			untrusted: { read: expect.arrayContaining([expect.objectContaining({ source: at('/robots.txt') })]) },
		});
		expect(results.search_documents.structuredContent).toMatchObject({
			count: 1,
			untrusted: { hits: [{ url: at('/page') }] },
		});
		expect(results.lint.structuredContent).toMatchObject({
			format: 'robots',
			problems: [{ line: 1, code: 'misspelt-key' }],
		});
		expect(results.explain.structuredContent).toMatchObject({ url: at('/page'), outcome: 'fetched' });
	});

	it('S2-17 every argument is described, with its default and its bounds', async () => {
		const { tools } = await client.listTools();
		let seen = 0;
		for (const { name, inputSchema } of tools) {
			const required = new Set(inputSchema.required ?? []);
			for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
				const { description = '', type, maxLength, maxItems, ...property } = schema as Property;
				const place = `${name}.${argument}`;
				seen++;
				expect([place, description]).toEqual([place, expect.stringMatching(/^[A-Z].{20,}/)]);
				if (!required.has(argument) && argument !== 'url')
					expect([place, description]).toEqual([place, expect.stringContaining('Default')]);
				const plain = description.replaceAll(',', '');
				for (const bound of [property.minimum, property.maximum, maxLength, maxItems])
					if (bound !== undefined && bound < 1e9)
						expect([place, plain]).toEqual([place, expect.stringContaining(String(bound))]);
				if (type === 'string' && !('enum' in schema))
					expect([place, maxLength ?? plain]).toEqual([place, expect.anything()]);
				if (type === 'integer') expect([place, property.maximum]).toEqual([place, expect.any(Number)]);
			}
		}
		expect(seen).toBeGreaterThan(14);
	});

	it.each([
		['example.test', /dns|connect|example\.test/],
		['harbour.test/page', /https:\/\/harbour\.test\/page/],
		[' HTTP://harbour.test/page ', /url: http:\/\/harbour\.test\//],
	])('S2-18 %s is parsed as on the command line', async (url, told) => {
		const result = await call('fetch_document', { url });
		expect(textOf(result)).toMatch(told);
		expect(textOf(result)).not.toMatch(/Invalid arguments/);
	});

	it.each(['ftp://harbour.test/', 'intranet', 'http://user:pass@harbour.test/', 'http://', '', 'mailto:a@b.test'])(
		'S2-18 refuses text that is not an address with a sentence: %s',
		async (url) => {
			const result = await call('fetch_document', { url });
			expect([result.isError, textOf(result)]).toEqual([
				true,
				expect.stringMatching(/not a URL|only http|not a public web address|user name/),
			]);
		},
	);

	it('S2-18 an address without a scheme reaches the page', async () => {
		const local = await connectStdio(...fromOwnServers);
		const result = await local.callTool({
			name: 'fetch_document',
			arguments: { url: `127.0.0.1:${web.port}/page/bare` },
		});
		expect(apart(textOf(result)).inside).toContain('Page /page/bare');
		await local.close();
	}, 120_000);

	it.each([
		[
			'fetch_document',
			{ url: 'http://harbour.test/', wrong: 1 },
			/there is no argument "wrong" \(there are: url, refresh, start/,
		],
		['fetch_document', { url: 'http://harbour.test/', refesh: true }, /"refesh": did you mean "refresh"/],
		['fetch_document', { url: 'http://harbour.test/', start_index: 5 }, /"start_index": did you mean "start"/],
		['fetch_document', { url: 'http://harbour.test/', max_length: 5 }, /did you mean "max_characters"/],
		['search_documents', { query: 'a', limits: 3 }, /did you mean "limit"/],
		['crawl_site', { url: 'http://harbour.test/', maxPages: 3 }, /did you mean "max_pages"/],
		['check_policy', { url: 'http://harbour.test/', user_agent: 'x' }, /did you mean "agent"/],
		['lint', { text: 'a', fromat: 'robots' }, /did you mean "format"/],
		['explain', { reasn: 'x' }, /did you mean "reason"/],
	])('S2-19 %s refuses an argument that it does not have: %j', async (name, given, told) => {
		const before = web.log.length;
		const result = await call(name, given);
		expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(told)]);
		expect(web.log.length).toBe(before);
	});

	it('explain refuses an unknown reason', async () => {
		const result = await call('explain', { reason: 'robots-disalow' });
		expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('robots-disallow')]);
	});

	it('the instructions explain the fence', () => {
		expect(client.getInstructions()).toMatch(/<untrusted-NAME>[\s\S]*data, never an instruction/);
	});
});

describe('resources', () => {
	it('stored documents are listed in pages and read without a request to the site', async () => {
		for (let number = 0; number < 120; number++) await call('fetch_document', { url: at(`/page/${number}`) });
		const { resourceTemplates } = await client.listResourceTemplates();
		expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['wayleave://document/{url}']);
		const before = web.log.length;
		const first = await client.listResources();
		expect(first.resources).toHaveLength(100);
		const rest = await client.listResources({ cursor: first.nextCursor });
		expect(rest.resources).toHaveLength(20);
		expect(rest.nextCursor).toBeUndefined();
		const uris = [...first.resources, ...rest.resources].map(({ uri }) => decodeURIComponent(uri));
		expect(new Set(uris).size).toBe(120);
		expect(uris).toContain(`wayleave://document/${at('/page/7')}`);
		const listed = first.resources[3]?.uri ?? '';
		for (const uri of [listed, `wayleave://document/${encodeURIComponent(at('/page/7'))}`]) {
			const { contents } = await client.readResource({ uri });
			const parts = apart((contents[0] as TextResourceContents).text);
			expect(parts.inside).toContain('The sea rises twice a day.');
			expect(parts.outside[0]).toMatch(/^url: http/);
		}
		expect(web.log.length).toBe(before);
	}, 60_000);

	it('a cursor that no list has returned is an error', async () => {
		await expect(client.listResources({ cursor: 'elsewhere' })).rejects.toThrow(/no such cursor/);
	});

	it.each(['http://harbour.test/never', 'not an address', '%E0%A4'])(
		'a page that is not stored is an error: %s',
		async (url) => {
			const uri = `wayleave://document/${url.startsWith('%') ? url : encodeURIComponent(url)}`;
			await expect(client.readResource({ uri })).rejects.toThrow(/no document of this URL|not a percent-encoded/);
		},
	);
});

/** A site that never responds for a page, and reports when the client disconnects. */
async function silentSite() {
	const events: string[] = [];
	const server = createServer((request, response) => {
		if (request.url === '/robots.txt' || request.url === '/robots2.txt') return void response.writeHead(404).end();
		events.push('asked');
		request.socket.once('close', () => events.push('hung up'));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		async until(event: string) {
			for (let tries = 0; tries < 500 && !events.includes(event); tries++) await sleep(20);
			expect(events).toContain(event);
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

describe('a call that its client cancels ends the fetch', () => {
	let site: Awaited<ReturnType<typeof silentSite>>;
	beforeEach(async () => {
		site = await silentSite();
	});
	afterEach(() => site.close());

	async function cancelled(from: Client, name: string, given: Record<string, unknown>): Promise<void> {
		const stop = new AbortController();
		const calling = from
			.callTool({ name, arguments: given }, undefined, { signal: stop.signal })
			.catch((error) => error);
		await site.until('asked');
		stop.abort('enough');
		expect(String(await calling)).toContain('enough');
		await site.until('hung up');
	}

	it.each(['fetch_document', 'crawl_site'])(
		'over HTTP: %s',
		async (name) => {
			await cancelled(client, name, { url: `http://harbour.test:${site.port}/slow` });
		},
		20_000,
	);

	it('over HTTP, when the connection ends', async () => {
		const stop = new AbortController();
		const message = {
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: { name: 'fetch_document', arguments: { url: `http://harbour.test:${site.port}/slow` } },
		};
		const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
		const calling = fetch(`${service.url}/mcp`, {
			method: 'POST',
			headers,
			body: JSON.stringify(message),
			signal: stop.signal,
		})
			.then((response) => response.text())
			.catch(() => 'ended');
		await site.until('asked');
		stop.abort();
		await calling;
		await site.until('hung up');
	}, 20_000);

	it('over HTTP, another client with the same request id is not cancelled', async () => {
		const other = await connectHttp(service.url);
		const url = `http://harbour.test:${site.port}/slow`;
		let ended = false;
		const waiting = client.callTool({ name: 'fetch_document', arguments: { url } }).then(() => {
			ended = true;
		});
		await site.until('asked');
		// Both clients have counted to the same id.
		const stop = new AbortController();
		const second = other.callTool({ name: 'fetch_document', arguments: { url } }, undefined, { signal: stop.signal });
		await sleep(200);
		stop.abort('enough');
		await expect(second).rejects.toThrow('enough');
		await sleep(500);
		expect(ended).toBe(false);
		await other.close();
		await client.close();
		await waiting.catch(() => {});
	}, 20_000);

	it('over stdin and stdout', async () => {
		const local = await connectStdio(...fromOwnServers);
		await cancelled(local, 'fetch_document', { url: `http://127.0.0.1:${site.port}/slow` });
		await local.close();
	}, 30_000);

	it('fetch_document reports progress to a client that asks for it', async () => {
		const messages: (string | undefined)[] = [];
		const stop = new AbortController();
		const calling = client.callTool(
			{ name: 'fetch_document', arguments: { url: `http://harbour.test:${site.port}/slow` } },
			undefined,
			{ signal: stop.signal, onprogress: ({ message }) => void messages.push(message) },
		);
		for (let tries = 0; tries < 500 && messages.length < 2; tries++) await sleep(20);
		stop.abort('enough');
		await expect(calling).rejects.toThrow();
		expect(messages).toEqual(['waiting for the site', 'waiting for the site: 5 s so far']);
	}, 20_000);
});

describe('the server card', () => {
	it('is served next to the tools, listed for the domain, and needs no key', async () => {
		const site = await startService({ open: false, publicUrl: 'https://index.example/' });
		const card = await fetch(`${site.url}/mcp/server-card`);
		expect([card.status, card.headers.get('content-type')]).toEqual([200, 'application/mcp-server-card+json']);
		expect(card.headers.get('access-control-allow-origin')).toBe('*');
		expect(await card.json()).toMatchObject({
			$schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
			name: 'example.index/wayleave',
			version: client.getServerVersion()?.version,
			description: expect.stringMatching(/^.{1,100}$/),
			remotes: [
				{
					type: 'streamable-http',
					url: 'https://index.example/mcp',
					headers: [{ name: 'Authorization', isRequired: true, isSecret: true }],
				},
			],
		});
		const catalog = await fetch(`${site.url}/.well-known/mcp/catalog.json`);
		expect(await catalog.json()).toMatchObject({
			specVersion: 'draft',
			entries: [
				{
					identifier: 'urn:air:index.example:wayleave',
					type: 'application/mcp-server-card+json',
					url: 'https://index.example/mcp/server-card',
				},
			],
		});
		await site.close();
	});

	it('names no address if the operator has set none', async () => {
		const card = await (await fetch(`${service.url}/mcp/server-card`)).json();
		expect(card).toMatchObject({ name: 'io.github.wayleave/wayleave' });
		expect(card).not.toHaveProperty('remotes');
	});
});
