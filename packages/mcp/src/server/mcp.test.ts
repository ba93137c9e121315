import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { connectStdio, fromOwnServers, textOf } from '../testing/clients.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

const page = (title: string, words: string, links = '') =>
	`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words}</p>${links}</main></html>`;
const robots2 = 'crawl: yes\nread: yes\nquote: short-only\nattribution: required\nlink-back: required\ntrain: no\n';
const pages: Record<string, { body: string; type?: string }> = {
	'/': {
		body: page('Harbour', 'Boats come in with the tide.', '<a href="/tides">Tides</a> <a href="/secret">Secret</a>'),
	},
	'/tides': { body: page('Tides', 'The sea rises twice a day at Bergen quay.') },
	'/long': {
		body: page(
			'Almanac',
			'The sea rises twice a day. '.repeat(40),
			`<h2>Neap</h2><p>${'Less so after the half moon. '.repeat(40)}</p><h2>Spring</h2><p>More so.</p>`,
		),
	},
	'/front': {
		body: page('Quay', 'The quay was rebuilt.').replace('<title>', '<link rel="canonical" href="/"><title>'),
	},
	'/secret': { body: page('Secret', 'Nobody reads this.') },
	'/robots.txt': { body: 'User-agent: *\nDisallow: /secret\n', type: 'text/plain' },
	'/robots2.txt': { body: robots2, type: 'text/plain' },
	'/broken/robots.txt': { body: 'Usr-agent: *\nDisalow: /x\n', type: 'text/plain' },
};

let web: TestWeb;
beforeAll(async () => {
	web = await startWeb(({ path }) => {
		const found = pages[path];
		return found && { body: found.body, headers: { 'content-type': found.type ?? 'text/html' } };
	});
});
afterAll(() => web.close());

interface Chunk {
	readonly id: string;
	readonly headingPath: readonly string[];
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly tokens: number;
}

interface Structured {
	readonly part: { readonly start: number; readonly end: number; readonly total: number; readonly next_start?: number };
	readonly untrusted: { readonly markdown?: string; readonly chunks?: Chunk[] };
}

describe('over HTTP, as the official client speaks it', () => {
	let service: TestService;
	let client: Client;

	async function connect(token?: string) {
		client = new Client({ name: 'test', version: '1' });
		const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
		await client.connect(
			new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }) as never,
		);
	}
	const start = async (open = true) => {
		service = await startService({ open, fetching: testSites(web.lookup, 'harbour.test') });
	};
	const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });
	afterEach(async () => {
		await client?.close();
		await service.close();
	});

	it('lists the tools, each with its description and schema', async () => {
		await start();
		await connect();
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual(
			['check_policy', 'crawl_site', 'explain', 'fetch_document', 'lint', 'search_documents'].sort(),
		);
		for (const { description, inputSchema } of tools) {
			expect(description!.length).toBeGreaterThan(40);
			expect(inputSchema.type).toBe('object');
		}
	});

	it('cuts a page into chunks of a token budget, in whole chunks per part', async () => {
		await start();
		await connect();
		const url = web.url('harbour.test', '/long');
		const whole = await call('fetch_document', { url });
		const { markdown } = (whole.structuredContent as Structured).untrusted;
		const seen: Chunk[] = [];
		for (let next: number | undefined = 0; next !== undefined; ) {
			const result = await call('fetch_document', { url, chunk_tokens: 80, max_characters: 900, start: next });
			const { untrusted, part } = result.structuredContent as Structured;
			const { chunks = [] } = untrusted;
			expect(untrusted.markdown).toBeUndefined();
			expect([chunks[0]?.start, part.end]).toEqual([part.start, part.next_start ?? part.total]);
			for (const { id, text, tokens, headingPath } of chunks) {
				expect(tokens).toBeLessThanOrEqual(80);
				expect(textOf(result)).toContain(`[chunk ${id}, ${tokens} tokens: ${headingPath.join(' > ')}]\n${text}`);
			}
			seen.push(...chunks);
			next = part.next_start;
		}
		expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
		expect(seen.length).toBeGreaterThan(5);
		for (const { start, end, text } of seen) expect(text).toBe(markdown?.slice(start, end));
		const words = (text: string) => text.split(/\s+/).filter(Boolean);
		expect(words(seen.map(({ text }) => text).join('\n'))).toEqual(words(markdown ?? ''));
		const section = await call('fetch_document', { url, chunk_tokens: 80, section: 'Spring' });
		const { chunks } = (section.structuredContent as Structured).untrusted;
		expect(chunks?.map(({ headingPath }) => headingPath)).toEqual([['Almanac', 'Spring']]);
		const refused = await call('fetch_document', { url, chunk_tokens: 10 });
		expect(refused.isError).toBe(true);
		expect(textOf(refused)).toContain('chunk_tokens');
	});

	it('fills a schema from a page, in structured content and in the text', async () => {
		await start();
		await connect();
		const url = web.url('harbour.test', '/tides');
		const fields = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } };
		const result = await call('fetch_document', { url, fields });
		const { untrusted } = result.structuredContent as { untrusted: { fields: { values: object; missing: string[] } } };
		expect([untrusted.fields.values, untrusted.fields.missing]).toEqual([{ name: 'Tides' }, ['/price']]);
		expect(textOf(result)).toContain('fields: {"name":"Tides"}\nmissing fields: /price');
		const select = { type: 'object', properties: { name: { type: 'string', 'x-select': 'h1' } } };
		const refused = await call('fetch_document', { url, fields: select });
		expect([refused.isError, textOf(refused)]).toEqual([
			true,
			expect.stringContaining('fields: at /properties/name/x-select: '),
		]);
	});

	it('AMB-159 names the page as the source where its canonical link names the front page', async () => {
		await start();
		await connect();
		const url = web.url('harbour.test', '/front');
		const text = textOf(await call('fetch_document', { url }));
		expect(text).toContain(`terms: Name the source: ${url}`);
		expect(text).not.toContain(`${web.url('harbour.test', '/')}\n`);
	});

	it('gives a page as Markdown, with what is owed before it', async () => {
		await start();
		await connect();
		const text = textOf(await call('fetch_document', { url: web.url('harbour.test', '/tides') }));
		expect(text).toContain('The sea rises twice a day');
		const [head = ''] = text.split('\n\n', 1);
		expect(head).not.toContain('Tides');
		expect(head).toContain('terms: Quote at most 49 words');
		expect(head).toContain('terms: Name the source');
		expect(head).toContain('terms: Link back');
	});

	it('a refusal is an error that names the line', async () => {
		await start();
		await connect();
		const result = await call('fetch_document', { url: web.url('harbour.test', '/secret') });
		expect(result.isError).toBe(true);
		expect(textOf(result)).toContain('robots.txt:2: Disallow: /secret');
	});

	it('G2-01 G2-04: an argument names a page as the request line of a gateway does', async () => {
		await start();
		await connect();
		const at = (path: string) => web.url('harbour.test', '/').replace(/\/$/, '') + path;
		for (const path of ['//secret', '/%2Fsecret', '/;x/secret']) {
			const result = await call('fetch_document', { url: at(path) });
			expect([path, result.isError, textOf(result)]).toEqual([
				path,
				true,
				expect.stringContaining('Disallow: /secret'),
			]);
			const checked = textOf(await call('check_policy', { url: at(path), uses: ['read'] }));
			expect([path, checked]).toEqual([path, expect.stringContaining('Disallow: /secret')]);
		}
		for (const path of ['/\\/secret', '/\tsecret', '/x/..%2fsecret']) {
			const result = await call('fetch_document', { url: at(path) });
			expect([path, result.isError, textOf(result)]).toEqual([
				path,
				true,
				expect.stringMatching(/backslash|servers read differently/),
			]);
		}
	});

	it('crawls a site, tells of its progress, and finds its words afterwards', async () => {
		await start();
		await connect();
		const seen: number[] = [];
		const result = await client.callTool(
			{ name: 'crawl_site', arguments: { url: web.url('harbour.test', '/'), max_pages: 5 } },
			undefined,
			{ onprogress: ({ progress }) => void seen.push(progress) },
		);
		const text = textOf(result);
		expect(text).toContain('Harbour');
		expect(text).toContain('Tides');
		expect(text).toContain('Disallow: /secret');
		expect(seen.length).toBeGreaterThan(0);
		const found = textOf(await call('search_documents', { query: 'bergen quay' }));
		expect(found).toContain(web.url('harbour.test', '/tides'));
		expect(found).toContain('**Bergen** **quay**');
		expect(textOf(await call('search_documents', { query: 'bergen', host: 'other.test' }))).toContain(
			'no stored document',
		);
		expect(textOf(await call('search_documents', { query: '"; drop table page' }))).toContain('no stored document');
	});

	it('answers for other agents, line by line', async () => {
		await start();
		await connect();
		const given = { url: web.url('harbour.test', '/tides'), agent: 'GPTBot', uses: ['train'] };
		const text = textOf(await call('check_policy', given));
		expect(text).toContain('GPTBot');
		expect(text).toContain('train: no');
	});

	it('lints a text and an address', async () => {
		await start();
		await connect();
		const text = textOf(await call('lint', { text: 'User-agent: *\nDisalow: /x\n', format: 'robots' }));
		expect(text).toContain('misspelt-key');
		const file = textOf(await call('lint', { url: web.url('harbour.test', '/broken/robots.txt') }));
		expect(file).toContain('robots.txt:1:');
		expect((await call('lint', {})).isError).toBe(true);
	});

	it('explains a reason, and what became of a page', async () => {
		await start();
		await connect();
		const url = web.url('harbour.test', '/secret');
		expect(textOf(await call('explain', { url }))).toContain('nothing is known');
		await call('fetch_document', { url });
		expect(textOf(await call('explain', { url }))).toContain('refused');
		expect(textOf(await call('explain', { reason: 'robots-disallow' }))).toContain('robots.txt');
	});

	it('wrong arguments are told, and nothing private is reached', async () => {
		await start();
		await connect();
		const wrong = await call('fetch_document', { url: 'file:///etc/passwd' });
		expect(wrong.isError).toBe(true);
		const inner = await call('lint', { url: `http://127.0.0.1:${web.port}/robots.txt` });
		expect(inner.isError).toBe(true);
		expect(textOf(inner)).toContain('an address that is not public');
	});

	it('needs the scope', async () => {
		await start(false);
		await connect(await service.key());
		expect((await client.listTools()).tools).toHaveLength(6);
		await client.close();
		await expect(connect(await service.key({ scopes: ['documents:read'] }))).rejects.toThrow(/403|scope/);
	});
});

it('over stdin and stdout: wayleave mcp', { timeout: 60_000 }, async () => {
	const client = await connectStdio(...fromOwnServers);
	expect((await client.listTools()).tools).toHaveLength(6);
	const url = `http://127.0.0.1:${web.port}/tides`;
	expect(textOf(await client.callTool({ name: 'fetch_document', arguments: { url } }))).toContain('twice a day');
	expect(textOf(await client.callTool({ name: 'search_documents', arguments: { query: 'twice' } }))).toContain(url);
	await client.close();
});
