import { readFileSync } from 'node:fs';
import { compileRanges, parseRanges } from '@wayleave/protocols/jafar';
import { decide, parseContentUsage } from '@wayleave/protocols/policy';
import { matchRobots, parseRobots } from '@wayleave/protocols/robots';
import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { IdentityChecker } from '../identify/identity-checker.ts';
import type { Entry } from '../ledger/entry.ts';
import { openPaths } from '../policy/published-files.ts';
import { createGateway, type GatewayOptions } from './gateway.ts';

const origin = 'https://example.com';
const page = (base = '') =>
	`<!doctype html><html lang="en"><head><title>Tides</title>${base}</head><body><main><article><h1>Tides</h1>
<p>The moon pulls the water of the sea, and the sea follows the moon with a delay of some hours.</p>
<p>See <a href="../b/">the other page</a> for what the shape of a bay makes of it.</p>
<p>Sailors have kept tables of it for a thousand years, and machines have computed them for a hundred.</p>
</article></main></body></html>`;

/** A site with these pages; everything else is not there. */
function site(
	config: Omit<ConfigInput, 'origin'>,
	pages: Readonly<Record<string, string>> = { '/page': page() },
	options: GatewayOptions = {},
) {
	const entries: Entry[] = [];
	const asked: string[] = [];
	let time = 1_800_000_000_000;
	const gateway = createGateway(checkConfig({ origin, ...config }), {
		now: () => time,
		onEntry: (entry) => entries.push(entry),
		origin: async (request) => {
			const { pathname } = new URL(request.url);
			asked.push(`${request.method} ${pathname}`);
			const body = pages[pathname];
			if (body === undefined) return new Response('no such page', { status: 404 });
			if (request.method === 'HEAD' && body.startsWith('only GET')) return new Response(null, { status: 405 });
			const type = body.startsWith('<') ? 'text/html' : 'text/plain';
			return new Response(request.method === 'HEAD' ? null : body, { headers: { 'content-type': type } });
		},
		...options,
	});
	const get = (path: string, userAgent: string, headers: Record<string, string> = {}, address = '192.0.2.7') => {
		time += 1000;
		return gateway.handle(new Request(origin + path, { headers: { 'user-agent': userAgent, ...headers } }), {
			address,
		});
	};
	return { gateway, get, entries, asked };
}

describe('identity', () => {
	it('PB-23 an IPv4 address mapped into IPv6 is in the ranges of IPv4', () => {
		const { value } = parseRanges('{"prefixes":[{"ipv4Prefix":"66.249.64.0/19"}]}');
		const ranges = compileRanges([value!]);
		expect(ranges.lookup('::ffff:66.249.66.1')).toHaveLength(1);
		expect(ranges.lookup('::66.249.66.1')).toHaveLength(0);
	});

	it('PB-31 a group for bot says nothing to mybot', () => {
		const { value } = parseRobots('User-agent: bot\nDisallow: /\n');
		expect(matchRobots(value, 'mybot', '/a').allowed).toBe(true);
		expect(matchRobots(value, 'Bot', '/a').allowed).toBe(false);
	});

	it('PB-100 PB-102 a fetcher that people send, verified by its own list, comes through as they would', async () => {
		const own = 'https://operator.test/user-triggered.json';
		const lookup = (list: string, address: string) =>
			({ result: list === own && address === '192.0.2.7' ? 'listed' : 'not-listed', stale: false }) as never;
		const agents = [
			{
				token: 'ReadAloud',
				operator: 'Test',
				source: 'https://operator.test/',
				ranges: own,
				userTriggered: true as const,
			},
		];
		const identifier = new IdentityChecker({ agents, lists: { lookup, add() {} } });
		const { get, entries } = site({ paths: { disallow: ['/'] } }, undefined, { identifier });
		expect((await get('/page', 'Mozilla/5.0 (compatible; ReadAloud/1.0)')).status).toBe(200);
		expect((await get('/page', 'GPTBot/1.0')).status).toBe(403);
		expect(entries.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([
			['assistant', 'verified'],
			['agent', 'unverified'],
		]);
	});
});

describe('policies', () => {
	it('PB-79 of two usage rules of the same length the stricter counts, of two path rules the allowing one', () => {
		const file = parseRobots(
			'User-agent: *\nAllow: /a\nDisallow: /a\nContent-Usage: /a train-ai=y\nContent-Usage: /a train-ai=n\n',
		).value;
		const policies = { robots: { source: `${origin}/robots.txt`, file } };
		expect(decide(policies, { token: 'GPTBot' }, 'crawl', `${origin}/a`).permitted).toBe(true);
		expect(decide(policies, { token: 'GPTBot' }, 'train', `${origin}/a`).permitted).toBe(false);
	});

	it('PB-80 a preference in the wrong case is unknown, and told', () => {
		const { value, problems } = parseContentUsage('Train-AI=n');
		expect(value).toEqual({});
		expect(problems.length).toBeGreaterThan(0);
	});

	it('PB-91 the documentation lists every path that has to pass a cache in front', () => {
		const guide = readFileSync(new URL('../../../../docs/reference/gateway.md', import.meta.url), 'utf8');
		for (const path of openPaths) expect(guide).toContain(path.slice(path.lastIndexOf('/') + 1));
		expect(guide).toContain('let these pass the cache');
	});

	it('PB-96 a site below a prefix is refused: robots.txt and /.well-known/ stand at the root of an origin', () => {
		expect(() => checkConfig({ origin: 'https://example.com/prefix' })).toThrow(/expected an origin without a path/);
	});

	it('PB-95 a honeypot counts and records, and changes nothing else for who steps into it', async () => {
		const { get, entries } = site({ honeypots: ['/trap'] });
		for (let times = 0; times < 30; times++) await get('/trap', 'GPTBot/1.0');
		expect((await get('/page', 'GPTBot/1.0')).status).toBe(200);
		expect(entries.filter(({ action, violation }) => action === 'honeypot' && violation === 1)).toHaveLength(30);
	});

	it('PD-52 a state that a client claims to know opens nothing', async () => {
		const { get } = site({ paths: { disallow: ['/page'] }, rate: { default: 1, burst: 1 }, pagedigest: {} });
		const claim = { 'pagedigest-state': 'site_rev=18294; manifest="/.well-known/pagedigest.json"' };
		expect((await get('/page', 'GPTBot/1.0', claim)).status).toBe(403);
		expect((await get('/other', 'GPTBot/1.0', claim)).status).toBe(404);
		expect((await get('/other', 'GPTBot/1.0', claim)).status).toBe(429);
	});
});

describe('representations beside the pages', () => {
	const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
	const pages = { '/docs/a/': page(), '/docs/c.html': page(), '/own.md': '# of the site', '/get.md': 'only GET' };

	it('page.md and page.som.json are the page, as publish names them', async () => {
		const { get } = site({ som: {} }, pages);
		for (const path of ['/docs/a/index.md', '/docs/c.md']) {
			const response = await get(path, browser);
			expect([path, response.status, response.headers.get('content-type')]).toEqual([
				path,
				200,
				'text/markdown; charset=utf-8',
			]);
			expect(response.headers.get('cache-control')).toMatch(/^private/);
		}
		const som = await get('/docs/c.som.json', 'ClaudeBot/1.0');
		expect(som.headers.get('content-type')).toBe('application/som+json');
		expect((await get('/nothing.md', browser)).status).toBe(404);
	});

	it('PB-62 files of the site stand, and are found where it answers HEAD with 405', async () => {
		const { get, asked } = site({ som: {} }, pages);
		expect(await (await get('/own.md', browser)).text()).toBe('# of the site');
		expect(await (await get('/get.md', browser)).text()).toBe('only GET');
		expect(asked).toEqual(['HEAD /own.md', 'GET /own.md', 'HEAD /get.md', 'GET /get.md', 'GET /get.md']);
	});

	it('the terms of the page hold for what stands beside it', async () => {
		const { get } = site({ som: {}, paths: { disallow: ['/docs/c.html'] } }, pages);
		expect((await get('/docs/c.md', 'ClaudeBot/1.0')).status).toBe(403);
		expect((await get('/docs/a/index.md', 'ClaudeBot/1.0')).status).toBe(200);
	});

	it.each([
		['of a folder', page()],
		['with a base', page('<base href="https://example.com/docs/a/">')],
	])('PB-83 links %s lead where those of the page lead', async (_name, html) => {
		const { get } = site({ som: {} }, { '/docs/a/': html });
		const markdown = await (await get('/docs/a/index.md', browser)).text();
		expect(markdown).toMatch(/\[the other page\]\((?:https:\/\/example\.com)?\/docs\/b\/\)/);
	});
});

describe('R2-12 representations of pages that need asking', () => {
	const asking = (name: string) => ({ 'x-agent-identity': `${name}/1.0 (ai-assistant)` });
	const config = {
		som: {},
		policy: { crawl: 'yes', read: 'ask' },
		ask: {
			read: [
				{ decision: 'allow', agents: ['AllowBot'], scopes: ['/docs/*'] },
				{ decision: 'allow-once', agents: ['OnceBot'] },
			],
		},
	} as const;
	const pages = { '/docs/a': page(), '/other': page() };
	const endpoint = (path: string) => `/v1/som?url=${encodeURIComponent(origin + path)}`;

	it('is given where a standing answer allows it, in its scopes', async () => {
		const { get } = site(config as never, pages);
		const status = async (path: string, name: string, more: Record<string, string> = {}) =>
			(await get(path, `${name}/1.0`, { ...asking(name), ...more })).status;
		expect(await status(endpoint('/docs/a'), 'AllowBot')).toBe(403);
		await status('/.well-known/robots2-ask?directive=read', 'AllowBot');
		expect(await status(endpoint('/docs/a'), 'AllowBot')).toBe(200);
		expect(await status(endpoint('/other'), 'AllowBot')).toBe(403);
		expect(await status('/docs/a', 'AllowBot', { accept: 'text/markdown' })).toBe(200);
		expect(await status('/docs/a.md', 'AllowBot')).toBe(200);
		expect(await status(endpoint('/docs/a'), 'OtherBot')).toBe(403);
	});

	it('R2-48 is given once where the answer was allow-once', async () => {
		const { get } = site(config as never, pages);
		const once = async (path: string, more: Record<string, string> = {}) => {
			await get('/.well-known/robots2-ask?directive=read', 'OnceBot/1.0', asking('OnceBot'));
			const status = async () => (await get(path, 'OnceBot/1.0', { ...asking('OnceBot'), ...more })).status;
			return [await status(), await status()];
		};
		expect(await once(endpoint('/docs/a'))).toEqual([200, 403]);
		expect(await once('/docs/a', { accept: 'application/som+json' })).toEqual([200, 403]);
		expect(await once('/docs/a.md')).toEqual([200, 403]);
	});
});
