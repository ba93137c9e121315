import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { createProxy } from '../proxy/server.ts';
import { createUpstream } from '../proxy/upstream.ts';
import { createGateway } from './gateway.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const clean of cleanups.splice(0).reverse()) await clean();
});

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const text = 'The tide tables of the harbour office list high and low water for every day of the year.';
const page = (note = '') => `<!doctype html><title>Tides</title><main><h1>Tides</h1><p>${text} ${note}</p></main>`;
const html = { 'content-type': 'text/html; charset=utf-8' };

/** A real site behind the real proxy. */
async function site(listener: Listener, config: Omit<ConfigInput, 'origin'> = { som: {} }, clock?: () => number) {
	const asked: { path: string; headers: http.IncomingHttpHeaders }[] = [];
	const server = http.createServer((request, response) => {
		asked.push({ path: request.url ?? '', headers: request.headers });
		listener(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const upstream = createUpstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	const checked = checkConfig({ origin: 'https://site.example.com', ...config } as ConfigInput);
	const gateway = createGateway(checked, { origin: upstream.fetch, ...(clock && { now: clock }) });
	const proxy = createProxy({ gateway: () => gateway, upstream });
	const { port } = await proxy.listen(0, '127.0.0.1');
	cleanups.push(
		() => new Promise((resolve) => server.close(resolve).closeAllConnections()),
		() => upstream.close(),
		() => proxy.close(100),
	);
	const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
		new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>((resolve, reject) => {
			const fields = { host: 'site.example.com', 'user-agent': 'ExampleTool/1', ...headers };
			const request = http.request({ port, path, method, headers: fields }, (response) => {
				let body = '';
				response.on('data', (chunk) => {
					body += chunk;
				});
				response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
			});
			request.on('error', reject);
			request.end();
		});
	return { get, asked };
}

/** As coding assistants send it. */
const assistant = { accept: 'text/markdown, text/html, */*' };
const markdown = { accept: 'text/markdown' };
const endpointOf = (path: string) => `/v1/som?url=${encodeURIComponent(`https://site.example.com${path}`)}`;

describe('a page that has nothing to convert', () => {
	const files: Record<string, [type: string, body: string]> = {
		'/prices.csv': ['text/csv', 'tea,3\n'],
		'/plan.pdf': ['application/pdf', '%PDF-1.7'],
		'/feed.xml': ['application/rss+xml', '<rss/>'],
		'/app.js': ['text/javascript', 'run()'],
		'/notes.txt': ['text/plain', 'notes'],
		'/own.md.txt': ['text/markdown; charset=utf-8', '# Own'],
		'/picture.svg': ['image/svg+xml', '<svg/>'],
		'/data': ['application/json', '{"a":1}'],
	};
	const listener: Listener = (request, response) => {
		const [type, body] = files[request.url ?? ''] ?? ['text/html', page()];
		response.writeHead(200, { 'content-type': type }).end(body);
	};

	for (const accept of [assistant, markdown, { accept: 'application/som+json' }]) {
		it(`G2-55, G2-59: passes files of other types through for Accept: ${accept.accept}`, async () => {
			const { get } = await site(listener);
			for (const [path, [type, body]] of Object.entries(files)) {
				const response = await get(path, accept);
				expect([path, response.status, response.headers['content-type'], response.body]).toEqual([
					path,
					200,
					type,
					body,
				]);
			}
		});
	}

	it('G2-56: passes redirects through with their target', async () => {
		const { get } = await site((request, response) => {
			const status = Number(request.url?.slice(1));
			response.writeHead(status, { location: '/new' }).end();
		});
		for (const status of [301, 302, 303, 307, 308]) {
			const response = await get(`/${status}`, assistant);
			expect([response.status, response.headers.location]).toEqual([status, '/new']);
		}
	});

	it('G2-57: passes errors through with their page and their headers', async () => {
		const { get } = await site((request, response) => {
			const status = Number(request.url?.slice(1));
			response.writeHead(status, { ...html, ...(status === 503 && { 'retry-after': '77' }) }).end(page(`No ${status}`));
		});
		for (const status of [401, 403, 404, 410, 451, 500, 502, 503]) {
			const response = await get(`/${status}`, assistant);
			expect([response.status, response.body.includes(`No ${status}`)]).toEqual([status, true]);
		}
		expect((await get('/503', assistant)).headers['retry-after']).toBe('77');
	});

	it('G2-60: a public HTML page is converted', async () => {
		const { get } = await site(listener);
		const response = await get('/open', assistant);
		expect(response.headers['content-type']).toBe('text/markdown; charset=utf-8');
		expect(response.body).toContain('# Tides');
	});
});

describe('a request with credentials', () => {
	for (const [name, value] of [
		['cookie', 'session=ada'],
		['authorization', 'Basic YWRhOmFkYQ=='],
	] as const) {
		it(`G2-58: goes to the site as it came, with its ${name}, and nothing of it is kept`, async () => {
			const { get, asked } = await site((request, response) => {
				response
					.writeHead(200, html)
					.end(page(request.headers[name] === undefined ? 'for everybody' : 'for Ada alone'));
			});
			const own = await get('/account', { ...assistant, 'accept-language': 'de', [name]: value });
			expect(own.body).toContain('for Ada alone');
			expect(asked[0]?.headers).toMatchObject({ [name]: value, 'accept-language': 'de', accept: assistant.accept });
			expect((await get('/account', assistant)).body).toContain('for everybody');
			expect((await get(endpointOf('/account'), { ...markdown, [name]: value })).body).not.toContain('Ada alone');
		});
	}

	it('G2-58: the language of the client chooses the page, and each language is kept apart', async () => {
		const { get, asked } = await site((request, response) => {
			const language = request.headers['accept-language'] ?? 'none';
			response.writeHead(200, { ...html, vary: 'Accept-Language' }).end(page(`in ${language}`));
		});
		for (const language of ['de', 'fr', 'de', 'fr']) {
			const response = await get('/page', { ...assistant, 'accept-language': language });
			expect(response.body).toContain(`in ${language}`);
			expect(response.headers.vary).toMatch(/accept-language/i);
		}
		expect(asked).toHaveLength(2);
	});
});

describe("the page's own Cache-Control", () => {
	/** A site whose page counts its requests, and a clock that the test sets. */
	async function counting(fields: Record<string, string | string[]>, som: object = {}) {
		let count = 0;
		const clock = { now: Date.parse('2026-06-01T12:00:00Z') };
		const opened = await site(
			(_request, response) => {
				count++;
				response.writeHead(200, { ...html, ...fields }).end(page(`counter ${count}.`));
			},
			{ som },
			() => clock.now,
		);
		const read = async (path: string, headers: Record<string, string> = markdown) => {
			const response = await opened.get(path, headers);
			const control = response.headers['cache-control'] ?? '';
			return { counter: Number(/counter (\d+)/.exec(response.body)?.[1]), control };
		};
		return { read, clock };
	}

	for (const fields of [
		{ 'cache-control': 'no-store' },
		{ 'cache-control': 'private, max-age=0' },
		{ 'cache-control': 'private, max-age=600' },
		{ 'cache-control': 'no-cache' },
		{ 'cache-control': 'max-age=0, must-revalidate' },
		{ 'cache-control': 'max-age=soon' },
		{ 'set-cookie': 'visit=1' },
		{ pragma: 'no-cache' },
		{ expires: '0' },
		{ expires: 'Thu, 01 Jan 1970 00:00:00 GMT' },
		{ vary: '*' },
		{ 'cache-control': 'max-age=60', age: '60' },
	] as Record<string, string>[]) {
		it(`G2-61: ${JSON.stringify(fields)} is never kept and never public`, async () => {
			const { read } = await counting(fields);
			const seen = [await read('/a'), await read('/a'), await read(endpointOf('/a')), await read(endpointOf('/a'))];
			expect(seen.map(({ counter }) => counter)).toEqual([1, 2, 3, 4]);
			for (const { control } of seen) expect(control).toBe('no-store');
		});
	}

	it('G2-61: simultaneous requests for such a page do not share one response', async () => {
		const { read } = await counting({ 'cache-control': 'no-store' });
		const seen = await Promise.all(Array.from({ length: 5 }, () => read('/a')));
		expect(new Set(seen.map(({ counter }) => counter)).size).toBe(5);
	});

	for (const control of ['max-age=5', 'max-age=600, s-maxage=5', 'public, max-age="5"']) {
		it(`G2-62: ${control} is kept for five seconds at both addresses`, async () => {
			const { read, clock } = await counting({ 'cache-control': control });
			expect(await read('/a')).toEqual({ counter: 1, control: 'private, max-age=5' });
			clock.now += 3000;
			expect(await read(endpointOf('/a'))).toEqual({ counter: 1, control: 'public, max-age=2' });
			clock.now += 2000;
			expect((await read('/a')).counter).toBe(2);
			clock.now += 5000;
			expect((await read(endpointOf('/a'))).counter).toBe(3);
		});
	}

	it('G2-63: a client that asks for a new copy gets one, at most once every five seconds', async () => {
		const { read, clock } = await counting({});
		const forced = { ...markdown, 'cache-control': 'no-cache' };
		expect((await read('/a')).counter).toBe(1);
		expect((await read('/a', forced)).counter).toBe(1);
		clock.now += 5000;
		expect((await read('/a')).counter).toBe(1);
		expect((await read('/a', forced)).counter).toBe(2);
		for (let time = 0; time < 10; time++) expect((await read('/a', forced)).counter).toBe(2);
	});

	it('G2-64: the smaller of som.freshness and max-age holds', async () => {
		const { read } = await counting({ 'cache-control': 'public, max-age=600' }, { freshness: 60 });
		expect((await read('/a')).control).toBe('private, max-age=60');
		expect((await read(endpointOf('/a'))).control).toBe('public, max-age=60');
	});

	it('G2-64: a page that does not say may live as long as som.freshness', async () => {
		const { read } = await counting({}, { freshness: 3600 });
		expect((await read(endpointOf('/a'))).control).toBe('public, max-age=3600');
	});
});

describe('Accept with parameters', () => {
	const listener: Listener = (_request, response) => response.writeHead(200, html).end(page());

	for (const accept of [
		'text/markdown;charset=utf-8, text/html;q=0.5',
		'text/markdown;variant=GFM',
		'text/markdown; variant="a,b;q=0"; charset=UTF-8',
		'text/html;level=1;q=0.4, text/markdown ; charset=utf-8 ; q=0.9',
		'text/markdown;profile=x, */*;q=0.1',
		'TEXT/MARKDOWN;Charset=utf-8',
	]) {
		it(`G2-65, G2-66, G2-67: ${accept} is given Markdown at the page and at the endpoint`, async () => {
			const { get } = await site(listener);
			expect((await get('/a', { accept })).headers['content-type']).toMatch(/^text\/markdown/);
			expect((await get(endpointOf('/a'), { accept })).headers['content-type']).toMatch(/^text\/markdown/);
		});
	}

	for (const accept of [
		'text/markdown;q=0',
		'text/markdown;q=0.5, text/html',
		'text/markdown;charset=utf-8;q=0, text/html;q=0.1',
		'text/html,application/xhtml+xml,*/*;q=0.8',
	]) {
		it(`G2-68: ${accept} is given HTML`, async () => {
			const { get } = await site(listener);
			expect((await get('/a', { accept })).headers['content-type']).toMatch(/^text\/html/);
		});
	}
});

describe('announced representations', () => {
	const listener: Listener = (request, response) => {
		switch (request.url) {
			case '/prices.csv':
				return response.writeHead(200, { 'content-type': 'text/csv' }).end('tea,3\n');
			case '/missing':
				return response.writeHead(404, html).end(page());
			case '/old':
				return response.writeHead(301, { ...html, location: '/new' }).end();
			case '/untyped':
				return response.writeHead(200).end(page());
			default:
				return response.writeHead(200, html).end(page());
		}
	};
	const browser = {
		'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
		accept: 'text/html',
	};
	const announced = (headers: http.IncomingHttpHeaders) => /semantic-representation/.test(String(headers.link ?? ''));

	it('G2-69: stand only on HTML pages with status 200', async () => {
		const { get } = await site(listener);
		for (const path of ['/prices.csv', '/missing', '/old', '/untyped']) {
			expect([path, announced((await get(path, browser)).headers)]).toEqual([path, false]);
		}
		expect(announced((await get('/open', browser)).headers)).toBe(true);
		expect(announced((await get('/open', browser, 'HEAD')).headers)).toBe(true);
	});

	it('G2-70: do not stand on pages that no agent may have, nor on answers to POST', async () => {
		const config = { som: {}, paths: { disallow: ['/private'], agents: { GPTBot: { disallow: ['/half'] } } } };
		const { get } = await site(listener, config as Omit<ConfigInput, 'origin'>);
		expect(announced((await get('/private/x', browser)).headers)).toBe(false);
		expect(announced((await get('/open', browser, 'POST')).headers)).toBe(false);
		expect(announced((await get('/half', browser)).headers)).toBe(true);
	});

	it('G2-70: are not on another spelling of a page that no agent may have', async () => {
		const config = { som: {}, paths: { disallow: ['/private'] } };
		const { get } = await site(listener, config);
		for (const path of [
			'//private/x',
			'/%2Fprivate/x',
			'/;v=1/private/x',
			'/%70rivate/x',
			'/private%2fx',
			'/./private',
		]) {
			expect([path, announced((await get(path, browser)).headers)]).toEqual([path, false]);
		}
		for (const path of ['/open//x', '/o%70en', '/open?to=//private/x']) {
			expect([path, announced((await get(path, browser)).headers)]).toEqual([path, true]);
		}
	});

	it('G2-70: are on pages for which agents have to ask first', async () => {
		const config = { som: {}, policy: { read: 'ask' }, ask: { read: { decision: 'allow' } } };
		const { get } = await site(listener, { ...config, paths: { disallow: ['/private'] } } as Omit<
			ConfigInput,
			'origin'
		>);
		for (const path of ['/open', '/open//x']) expect(announced((await get(path, browser)).headers)).toBe(true);
		expect(announced((await get('//private/x', browser)).headers)).toBe(false);
	});

	it('G2-70: stand on disallowed pages where the policy offers their representation instead', async () => {
		const config = { som: { offerDisallowed: true }, paths: { disallow: ['/private'] } };
		const { get } = await site(listener, config as Omit<ConfigInput, 'origin'>);
		expect(announced((await get('/private/x', browser)).headers)).toBe(true);
	});

	it('G2-70: every announced address gives the page', async () => {
		const config = { som: {}, paths: { disallow: ['/private', '/*.csv'] } };
		const { get } = await site(listener, config as Omit<ConfigInput, 'origin'>);
		for (const path of ['/open', '/private/x', '/prices.csv', '/missing', '/old', '/a?b=1&c=%20']) {
			const link = /<([^>]+)>;[^,]*semantic-representation/.exec(String((await get(path, browser)).headers.link))?.[1];
			if (link === undefined) continue;
			const { pathname, search } = new URL(link);
			expect([path, (await get(pathname + search)).status]).toEqual([path, 200]);
		}
	});

	it('G2-71: llms.txt has no link that leads to an error', async () => {
		const { get } = await site((request, response) => {
			if (request.url === '/llms.txt' || request.url?.startsWith('/robots')) response.writeHead(404).end();
			else listener(request, response);
		});
		const { body } = await get('/llms.txt');
		expect(body).toContain('/v1/som?url=');
		const links = [...body.matchAll(/\]\(([^)]+)\)|<(https?:[^>]+)>|(https?:\/\/\S+)/g)].map(
			(match) => match[1] ?? match[2] ?? match[3],
		);
		expect(links.length).toBeGreaterThan(0);
		for (const link of links) expect([link, (await get(new URL(link ?? '').pathname)).status]).toEqual([link, 200]);
	});
});
