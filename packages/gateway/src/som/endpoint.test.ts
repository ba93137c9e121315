import { readFileSync } from 'node:fs';
import {
	formatKeyDirectory,
	generateSigningKey,
	loadSigningKey,
	parseKeyDirectory,
	verifyRepresentation,
} from '@wayleave/io/signatures';
import type { HostPolicies } from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import { type SomEndpointOptions, type SourcePage, somEndpoint } from './endpoint.ts';
import * as representing from './represent.ts';

/** Called for every page that is compiled. */
const compiling = vi.spyOn(representing, 'representationOf');
afterAll(() => compiling.mockRestore());

const origin = 'https://example.com';
const html = `<!doctype html><html lang="en"><title>Tides</title><body>
<header><a href="/">Brand header</a></header><nav><a href="/a">Navigation entry</a></nav>
<main><article><h1>Tides</h1><p class="byline">By Ann Author on 1 May</p>
<p>The moon pulls the water of the sea, and the sea follows the moon with a delay of some hours.</p>
<p>Twice a day the water rises and twice it falls again, except where the shape of a bay decides otherwise.</p>
<p>Sailors have kept tables of it for a thousand years, and machines have computed them for a hundred.</p></article>
<section class="comments" id="comments"><h2>Comments</h2><div class="comment"><b>Bob Reader</b> bob@reader.example<p>Lovely tides you have here.</p></div></section>
</main><footer>Footer words, all rights reserved</footer></body></html>`;

function endpoint(options: Partial<SomEndpointOptions> = {}, robots = '') {
	const log: string[] = [];
	const policies: HostPolicies = {
		robots: { source: `${origin}/robots.txt`, file: parseRobots(robots).value },
	};
	const handle = somEndpoint({
		origin,
		policies: () => policies,
		agent: (request) => ({ token: request.headers.get('user-agent')?.split('/')[0] ?? 'unknown' }),
		async page(url, etag): Promise<SourcePage> {
			log.push(`${url}${etag === undefined ? '' : ` if ${etag}`}`);
			return { status: 200, html, etag: '"1"' };
		},
		...options,
	});
	const get = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
		handle(
			new Request(`${origin}/v1/som${query}`, { method, headers: { 'user-agent': 'AIWebIndex/2.0', ...headers } }),
		);
	return { get, log };
}

const schema = sharedPath('vectors/som/som-schema.json');
const page = `?url=${encodeURIComponent(`${origin}/tides`)}`;

describe('the SOM endpoint', () => {
	it('SOM-05 gives a valid SOM document of the page', async () => {
		const response = await endpoint().get(page);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('application/som+json');
		const som = await response.json();
		expect(som).toMatchObject({ som_version: '0.1', url: `${origin}/tides`, title: 'Tides' });
	});

	it.skipIf(schema === undefined)(`gives what som-schema.json asks for ${needsShared}`, async () => {
		const { get } = endpoint();
		const som = await (await get(page)).json();
		const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(schema!, 'utf8')));
		expect(validate(som), JSON.stringify(validate.errors)).toBe(true);
	});

	it('SOM-06 may want credentials', async () => {
		const authorize = (request: Request) =>
			request.headers.get('authorization') === 'Bearer t'
				? undefined
				: new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
		const { get } = endpoint({ authorize });
		expect((await get(page)).status).toBe(401);
		expect((await get(page, { authorization: 'Bearer t' })).status).toBe(200);
	});

	it('SOM-10 full-page has the menus, main-content has not', async () => {
		const { get } = endpoint();
		const full = await (await get(`${page}&scope=full-page`)).text();
		const main = await (await get(`${page}&scope=main-content`)).text();
		for (const words of ['Navigation entry', 'Brand header', 'Footer words']) {
			expect(full).toContain(words);
			expect(main).not.toContain(words);
		}
		expect(full).toContain('The moon pulls');
		expect(main).toContain('The moon pulls');
	});

	it('SOM-11 article-body leaves out metadata and comments', async () => {
		const text = await (await endpoint({ userContent: true }).get(`${page}&scope=article-body`)).text();
		expect(text).toContain('The moon pulls');
		for (const words of ['Bob Reader', 'Lovely tides', 'Ann Author']) expect(text).not.toContain(words);
	});

	it('SOM-33 gives out no comments unless the operator wants it', async () => {
		const text = await (await endpoint().get(`${page}&scope=full-page`)).text();
		for (const words of ['Bob Reader', 'bob@reader.example', 'Lovely tides']) expect(text).not.toContain(words);
		expect(await (await endpoint({ userContent: true }).get(page)).text()).toContain('Lovely tides');
	});

	it('SOM-30 compiles an unchanged page once, and asks the site once for many callers', async () => {
		let time = 0;
		const { get, log } = endpoint({ now: () => time, rate: { perMinute: 1e6, burst: 1e6 } });
		compiling.mockClear();
		const answers = await Promise.all(Array.from({ length: 100 }, () => get(page)));
		expect(new Set(answers.map((answer) => answer.headers.get('etag'))).size).toBe(1);
		expect(log).toEqual([`${origin}/tides`]);
		time += 61_000;
		await get(page);
		expect(log[1]).toBe(`${origin}/tides if "1"`);
		expect(compiling).toHaveBeenCalledTimes(1);
	});

	it('answers 304 to its own validator, and HEAD without a body', async () => {
		const { get } = endpoint();
		const etag = (await get(page)).headers.get('etag')!;
		expect((await get(page, { 'if-none-match': `W/${etag}, "x"` })).status).toBe(304);
		const head = await get(page, {}, 'HEAD');
		expect([head.status, await head.text()]).toEqual([200, '']);
		expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
	});

	it('SOM-31 limits the rate per client', async () => {
		let time = 0;
		const { get } = endpoint({ now: () => time, rate: { perMinute: 60, burst: 2 }, client: () => 'one' });
		expect([(await get(page)).status, (await get(page)).status]).toEqual([200, 200]);
		const limited = await get(page);
		expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
		time += 1000;
		expect((await get(page)).status).toBe(200);
	});

	it('SOM-32 the endpoint responds as the page does, without its text', async () => {
		for (const status of [401, 403, 404, 410, 451]) {
			const { get } = endpoint({ page: async () => ({ status, html: 'secret words' }) });
			const response = await get(page);
			expect(response.status).toBe(status);
			expect(await response.text()).not.toContain('secret');
		}
		expect((await endpoint({ page: async () => ({ status: 500, html: '' }) }).get(page)).status).toBe(502);
	});

	it('refuses what robots.txt disallows to the asking agent, unless SOM is offered instead', async () => {
		const robots = `User-agent: AIWebIndex\nDisallow: /tides\nSOM-Endpoint: ${origin}/v1/som\n`;
		const refused = await endpoint({}, robots).get(page);
		expect(refused.status).toBe(403);
		expect(await refused.json()).toMatchObject({ evidence: [{ line: 2, text: 'Disallow: /tides' }] });
		expect((await endpoint({}, robots).get(page, { 'user-agent': 'Other/1' })).status).toBe(200);
		expect((await endpoint({ offerDisallowed: true }, robots).get(page)).status).toBe(200);
	});

	it('never answers for another origin, nor without a page', async () => {
		const { get, log } = endpoint();
		expect((await get(`?url=${encodeURIComponent('https://other.example/')}`)).status).toBe(404);
		expect((await get(`?url=${encodeURIComponent('file:///etc/passwd')}`)).status).toBe(400);
		expect((await get('')).status).toBe(400);
		expect((await get(page, {}, 'POST')).status).toBe(405);
		expect(log).toEqual([]);
	});

	it('negotiates format and budget by query and Accept', async () => {
		const { get } = endpoint();
		const type = async (query: string, accept = '') => {
			const response = await get(query, accept === '' ? {} : { accept });
			return response.headers.get('content-type');
		};
		expect(await type(`${page}&format=markdown`)).toBe('text/markdown; charset=utf-8');
		expect(await type(page, 'text/markdown;q=0.9, text/html')).toBe('text/markdown; charset=utf-8');
		expect(await type(page, 'application/json')).toBe('application/som+json');
		expect((await get(page, { accept: 'image/png' })).status).toBe(406);
		expect((await get(`${page}&format=pdf`)).status).toBe(400);
		expect((await get(`${page}&budget=-1`)).status).toBe(400);
		expect(await (await get(`${page}&format=accessibility-tree`)).json()).toMatchObject({ role: 'document' });
		const small = await get(`${page}&budget=260`);
		expect(Number(small.headers.get('x-som-tokens'))).toBeLessThanOrEqual(260);
		expect(await small.text()).toContain('dropped to fit the token budget');
	});

	it('SOM-29 signs what it serves', async () => {
		const key = loadSigningKey(generateSigningKey());
		const response = await endpoint({ signingKey: key }).get(page);
		const body = new Uint8Array(await response.arrayBuffer());
		const keys = parseKeyDirectory(formatKeyDirectory([key]));
		const check = (bytes: Uint8Array) =>
			verifyRepresentation(
				{ status: 200, targetUri: `${origin}/v1/som${page}`, body: bytes },
				(name) => response.headers.get(name),
				async (id) => keys.get(id),
				Date.now() / 1000,
			);
		expect(await check(body)).toMatchObject({ outcome: 'valid' });
		body[10] = 0x20;
		expect(await check(body)).toMatchObject({ outcome: 'invalid' });
	});
});
