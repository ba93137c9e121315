import { parseRobots } from '@wayleave/protocols/robots';
import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import type { Entry } from '../ledger/entry.ts';
import { createGateway, type GatewayOptions } from './gateway.ts';

const origin = 'https://example.com';
const article = `<!doctype html><html lang="en"><title>Tides</title><main><article><h1>Tides</h1>
<p>The moon pulls the water of the sea, and the sea follows the moon with a delay of some hours.</p>
<p>Twice a day the water rises and twice it falls again, except where the shape of a bay decides otherwise.</p>
</article></main></html>`;
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const aiwi = 'AIWebIndex/2.0 (+https://bot.example/; ExampleBot)';

function site(config: Omit<ConfigInput, 'origin'>, options: GatewayOptions = {}) {
	const entries: Entry[] = [];
	const asked: string[] = [];
	let time = 1_800_000_000_000;
	const gateway = createGateway(checkConfig({ origin, ...config }), {
		now: () => time,
		onEntry: (entry) => entries.push(entry),
		origin: async (request) => {
			asked.push(`${request.method} ${new URL(request.url).pathname}`);
			return new Response(article, { headers: { 'content-type': 'text/html' } });
		},
		...options,
	});
	const get = (
		path: string,
		headers: Record<string, string> = {},
		{ method = 'GET', address = '192.0.2.7' }: { method?: string; address?: string } = {},
	) => gateway.handle(new Request(origin + path, { method, headers }), { address });
	return {
		gateway,
		get,
		entries,
		asked,
		pass: (milliseconds: number) => {
			time += milliseconds;
		},
	};
}

const as = (userAgent: string, more: Record<string, string> = {}) => ({ 'user-agent': userAgent, ...more });
const identity = (name: string, category: string) => ({
	'user-agent': `${name}/1.0`,
	'x-agent-identity': `${name}/1.0 (${category})`,
});

describe('control files', () => {
	it('R2-01 AWI-62 REP-01 serves them with their types, to GET and HEAD alike (PB-60)', async () => {
		const { get, asked } = site({ verification: 'token', policy: { train: 'no', store: 'no' } });
		for (const [path, type, text] of [
			['/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *'],
			['/robots2.txt', 'text/plain; charset=utf-8', 'train: no'],
			['/.well-known/aiwebindex-verify.txt', 'text/plain; charset=utf-8', 'aiwi-verify=token'],
			['/.well-known/tdmrep.json', 'application/json', '"tdm-reservation": 1'],
			['/llms.txt', 'text/plain; charset=utf-8', '# example.com'],
		] as const) {
			const response = await get(path);
			expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, type]);
			expect((await response.text()).replace('":1', '": 1')).toContain(text);
			const head = await get(path, {}, { method: 'HEAD' });
			expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([
				200,
				response.headers.get('etag'),
				'',
			]);
			expect((await get(path, { 'if-none-match': response.headers.get('etag')! })).status).toBe(304);
		}
		expect(asked).toEqual([]);
	});

	it('R2-07 the robots2.txt is read by a reader of robots.txt with the same path rules', async () => {
		const { get } = site({ paths: { disallow: ['/admin'] }, policy: { train: 'no' } });
		const rules = async (path: string) => parseRobots(await (await get(path)).text()).value.groups[0]!.rules;
		expect((await rules('/robots2.txt')).map(({ pattern }) => pattern)).toEqual(['/admin']);
	});

	it('PB-42 PB-77 PB-41 are never denied to a denied or limited agent', async () => {
		const { get } = site({ paths: { disallow: ['/'] }, policy: { crawl: 'no' }, rate: { default: 1, burst: 1 } });
		for (let times = 0; times < 3; times++) {
			expect((await get('/page', as('GPTBot/1.2'))).status).toBe(403);
			for (const path of ['/robots.txt', '/robots2.txt', '/llms.txt']) {
				expect((await get(path, as('GPTBot/1.2'))).status).toBe(200);
			}
		}
	});
});

describe('decisions', () => {
	it('AWI-05 one token refuses all AIWebIndex crawlers, and no browser', async () => {
		const { get, asked } = site({ paths: { agents: { AIWebIndex: { disallow: ['/'] } } } });
		const denied = await get('/page', as(aiwi));
		expect(denied.status).toBe(403);
		expect(denied.headers.get('content-type')).toBe('application/problem+json');
		expect(await denied.json()).toMatchObject({
			code: 'not-permitted',
			evidence: expect.arrayContaining([expect.objectContaining({ text: 'Disallow: /' })]),
			policy: { robots2: `${origin}/robots2.txt` },
			introduce: { 'X-Agent-Identity': expect.stringContaining('/1.0 (') },
		});
		expect((await get('/page', as(browser))).status).toBe(200);
		expect(asked).toEqual(['GET /page']);
	});

	it('AWI-06 tells ownership checks from crawls', async () => {
		const { get, entries } = site({});
		await get('/page', as(aiwi));
		await get('/.well-known/aiwebindex-verify.txt', as('AIWebIndex/2.0 verification (+https://bot.example/)'));
		expect(entries.map(({ purpose }) => purpose)).toEqual(['agent', 'verification']);
	});

	it('R2-39 follows the section of the declared category', async () => {
		const { get } = site({ policy: { crawl: 'yes' }, categories: { 'data-harvester': { crawl: 'no' } } });
		expect((await get('/', identity('ExampleBot', 'ai-assistant'))).status).toBe(200);
		expect((await get('/', identity('ExampleBot', 'data-harvester'))).status).toBe(403);
	});

	it('PB-54 PB-51 PB-52 judges other spellings of a path alike', async () => {
		const { get } = site({ paths: { disallow: ['/admin'] } });
		for (const path of ['/admin', '//admin', '/%61dmin', '/%2Fadmin', '/x/..%2fadmin']) {
			const { status } = await get(path, as('GPTBot/1.2'));
			expect([path, status]).toEqual([path, path.includes('..') ? 400 : 403]);
		}
		expect((await get('/administrative', as('GPTBot/1.2'))).status).toBe(403);
		expect((await get('/%252fadmin', as('GPTBot/1.2'))).status).toBe(200);
	});

	it('PB-85 PB-89 a denial is kept by no cache and is no page', async () => {
		const { get } = site({ paths: { disallow: ['/'] } });
		const denied = await get('/', as('GPTBot/1.2'));
		expect([denied.status, denied.headers.get('cache-control')]).toEqual([403, 'no-store']);
		expect(denied.headers.get('vary')).toContain('User-Agent');
	});

	it('PB-33 the second request is decided as the first', async () => {
		const { get } = site({ paths: { disallow: ['/x'] } });
		const statuses = [];
		for (const path of ['/a', '/a', '/x', '/x', '/a']) statuses.push((await get(path, as('GPTBot/1.2'))).status);
		expect(statuses).toEqual([200, 200, 403, 403, 200]);
	});

	it('PB-26 PB-27 PB-98 PB-99 people, feeds and federation are held to nothing', async () => {
		const { get, entries } = site({
			paths: { disallow: ['/'] },
			policy: { crawl: 'no' },
			rate: { default: 1, burst: 1 },
		});
		for (const headers of [
			as(browser),
			as('Mozilla/5.0 (Linux; Android 10; CUBOT_NOTE_S) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36'),
			as('Miniflux/2.2', { accept: 'application/rss+xml' }),
			as('http.rb/5.1 (Mastodon/4.2; +https://social.example/)', { accept: 'application/activity+json' }),
		]) {
			for (let times = 0; times < 3; times++) expect((await get('/feed/', headers)).status).toBe(200);
		}
		expect(entries).toEqual([]);
	});

	it('PB-101 the assistant of a person goes where the person may, unless it is named', async () => {
		const everybody = site({ paths: { disallow: ['/'] } });
		expect((await everybody.get('/page', as('ChatGPT-User/1.0'))).status).toBe(200);
		expect((await everybody.get('/page', as('GPTBot/1.0'))).status).toBe(403);
		const named = site({ paths: { agents: { 'ChatGPT-User': { disallow: ['/'] } } } });
		expect((await named.get('/page', as('ChatGPT-User/1.0'))).status).toBe(403);
		const section = site({ categories: { 'ai-assistant': { read: 'no' } } });
		expect((await section.get('/page', as('ChatGPT-User/1.0'))).status).toBe(403);
	});

	it('PB-36 no User-Agent is a class of its own: limited, and no representation', async () => {
		const { get, entries } = site({ som: {} });
		expect((await get('/page', { accept: 'text/markdown' })).headers.get('content-type')).toBe('text/html');
		expect(entries[0]?.purpose).toBe('anonymous');
		let last = 200;
		for (let times = 0; times < 40 && last === 200; times++) last = (await get('/page')).status;
		expect(last).toBe(429);
	});

	it('PD-59 an agent beyond the pace gets 429, Retry-After and the manifest, and then its page', async () => {
		const { get, pass } = site({ rate: { default: 60, burst: 2 }, pagedigest: {} });
		const ask = () => get('/same', as('GPTBot/1.2'));
		expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
		const limited = await ask();
		expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
		expect(limited.headers.get('link')).toContain('rel="https://pagedigest.org/rel"');
		pass(1000);
		expect((await ask()).status).toBe(200);
	});

	it('only records when it observes', async () => {
		const { get, entries } = site({ paths: { disallow: ['/'] }, honeypots: ['/trap'] }, { observe: true });
		expect((await get('/page', as('GPTBot/1.2'))).status).toBe(200);
		expect((await get('/trap', as('GPTBot/1.2'))).status).toBe(200);
		expect(entries.map(({ action, would, violation }) => [action, would, violation])).toEqual([
			['pass', 'deny', 1],
			['pass', 'honeypot', 1],
		]);
	});

	it('G2-70: announces a representation of a page until the policy closes the page', async () => {
		const { gateway, get } = site({ som: {} });
		const announced = async (path: string) => {
			await get(path);
			const visit = { method: 'GET', target: path, address: '203.0.113.9', header: () => undefined };
			const decided = await gateway.decide(visit);
			return gateway.termsOfPage(decided, { status: 200, type: 'text/html' }).link?.includes('som') ?? false;
		};
		for (const path of ['/open', '/new', '/open', '/new']) expect([path, await announced(path)]).toEqual([path, true]);
		gateway.adopt({ robots: 'User-agent: *\nDisallow: /new\n' });
		for (const path of ['/new', '/open', '/new'])
			expect([path, await announced(path)]).toEqual([path, path === '/open']);
	});

	it('PB-78 a rule is held against a client once its version is known, or a day old', async () => {
		const { gateway, get, entries, pass } = site({});
		await get('/robots.txt', as('GPTBot/1.2'));
		pass(60_000);
		gateway.adopt({ robots: 'User-agent: *\nDisallow: /new\n' });
		expect((await get('/new', as('GPTBot/1.2'))).status).toBe(403);
		expect(entries.at(-1)).toMatchObject({ violation: 0, excuse: 'policy-changed' });
		pass(25 * 3_600_000);
		expect((await get('/new', as('GPTBot/1.2'))).status).toBe(403);
		expect(entries.at(-1)).toMatchObject({ violation: 1, excuse: null, ruleText: 'Disallow: /new' });
	});
});

describe('the ask endpoint', () => {
	const config = {
		policy: { train: 'ask', summarise: 'yes', derivative: 'ask', monetise: 'no' },
		ask: {
			train: { decision: 'allow', scopes: ['/blog/*', '/a,b/*'], agents: ['ExampleBot'] },
			derivative: { decision: 'allow-once' },
		},
	} as const;
	const ask = (directive: string, name = 'ExampleBot') =>
		`/.well-known/robots2-ask?directive=${directive}&agent=${name}/1.0`;

	it('R2-43 R2-49 answers allow with its scopes, allow-once and deny, without a body', async () => {
		const { get } = site(config as never);
		const answer = async (path: string, headers: Record<string, string>) => {
			const response = await get(path, headers, { method: 'HEAD' });
			expect([response.status, await response.text()]).toEqual([200, '']);
			const { headers: given } = response;
			return ['x-robots2-decision', 'x-robots2-scope', 'cache-control'].map((name) => given.get(name));
		};
		const bot = identity('ExampleBot', 'ai-assistant');
		expect(await answer(ask('train'), bot)).toEqual(['allow', '/blog/*, /a%2Cb/*', 'private, max-age=86400']);
		expect(await answer(ask('derivative'), bot)).toEqual(['allow-once', null, 'no-store']);
		expect(await answer(ask('monetise'), bot)).toEqual(['deny', null, 'no-store']);
		expect(await answer(ask('summarise'), bot)).toEqual(['allow', null, 'private, max-age=86400']);
		// Another name, a name that the query contradicts, no name (AMB-58).
		expect((await answer(ask('train', 'Other'), identity('Other', 'ai-assistant')))[0]).toBe('deny');
		expect((await answer(ask('train', 'Other'), bot))[0]).toBe('deny');
		expect((await answer(ask('train'), as('ExampleBot/1.0')))[0]).toBe('deny');
	});

	it('PB-61 GET gets the same headers, POST 405', async () => {
		const { get } = site(config as never);
		const bot = identity('ExampleBot', 'ai-assistant');
		expect((await get(ask('train'), bot)).headers.get('x-robots2-decision')).toBe('allow');
		const post = await get(ask('train'), bot, { method: 'POST' });
		expect([post.status, post.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
	});

	it('R2-46 answers 429 to whoever asks too often', async () => {
		const { get } = site(config as never);
		let response = await get(ask('train'), identity('ExampleBot', 'ai-assistant'));
		for (let times = 0; times < 40 && response.status === 200; times++) {
			response = await get(ask('train'), identity('ExampleBot', 'ai-assistant'));
		}
		expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
	});

	it('opens pages that are to be asked for: by a standing allow, and once for each allow-once', async () => {
		const bot = identity('ExampleBot', 'ai-assistant');
		const standing = site({ policy: { read: 'ask' }, ask: { read: { decision: 'allow', scopes: ['/blog/*'] } } });
		expect((await standing.get('/blog/post', bot)).status).toBe(403);
		await standing.get(ask('read'), bot);
		expect((await standing.get('/blog/post', bot)).status).toBe(200);
		const outside = await standing.get('/docs/post', bot);
		expect(outside.status).toBe(403);
		expect(await outside.json()).toMatchObject({
			code: 'not-permitted',
			evidence: [{ text: 'read: ask' }, { mechanism: 'ask' }],
		});
		const once = site({ policy: { crawl: 'ask' }, ask: { crawl: { decision: 'allow-once' } } });
		expect(await (await once.get('/page', bot)).json()).toMatchObject({
			code: 'ask-first',
			ask: [`${origin}/.well-known/robots2-ask?directive=crawl`],
		});
		await once.get(ask('crawl'), bot, { method: 'HEAD' });
		expect([(await once.get('/page', bot)).status, (await once.get('/page', bot)).status]).toEqual([200, 403]);
	});
});

describe('honeypots', () => {
	const config = { honeypots: ['/api/export'] };

	it('R2-53 R2-54 PB-97 are disallowed in both files, carry the notice and no robots meta', async () => {
		const { get } = site(config);
		for (const path of ['/robots.txt', '/robots2.txt']) {
			expect(await (await get(path)).text()).toContain('Disallow: /api/export');
		}
		const page = await get('/api/export?all=1', as('GPTBot/1.2'));
		const html = await page.text();
		expect(html).toContain('exists to verify compliance with robots2.txt');
		expect(html).toContain('Your access has been logged');
		expect(html).not.toMatch(/<meta[^>]+name=["']?robots/i);
		expect(page.headers.get('x-robots-tag')).toBeNull();
	});

	it('R2-55 a visit is recorded as a violation, and nothing else is', async () => {
		const { get, entries } = site(config);
		await get('/api/exports', as('GPTBot/1.2'));
		await get('/page', as('GPTBot/1.2'));
		await get('/api/export', as('GPTBot/1.2'));
		expect(entries.map(({ path, violation }) => [path, violation])).toEqual([
			// The rule withholds what begins like the trap too: that is a rule broken, and no trap.
			['/api/exports', 1],
			['/page', 0],
			['/api/export', 1],
		]);
		expect(entries[2]).toMatchObject({ action: 'honeypot', agent: 'GPTBot', address: '192.0.2.7' });
	});

	it('PB-92 PB-94 no strike for who cannot know: prefetch, people, assistants, link checkers', async () => {
		const { get, entries } = site(config);
		await get(
			'/api/export',
			as('Chrome Privacy Preserving Prefetch Proxy', { 'sec-purpose': 'prefetch;anonymous-client-ip' }),
		);
		await get('/api/export', as(browser));
		await get('/api/export', as('ChatGPT-User/1.0'));
		await get('/api/export', as('lychee/0.15'), { address: '192.0.2.9' });
		expect(entries.map(({ violation, excuse }) => [violation, excuse])).toEqual([
			[0, 'prefetch'],
			[0, 'person'],
			[0, 'asked-by-person'],
			[0, 'link-checker'],
		]);
		// It has read the file now.
		await get('/robots.txt', as('lychee/0.15'), { address: '192.0.2.9' });
		await get('/api/export', as('lychee/0.15'), { address: '192.0.2.9' });
		expect(entries.at(-1)).toMatchObject({ violation: 1, excuse: null });
	});

	it('PB-65 costs a bounded number of bytes, and is limited', async () => {
		const { get } = site(config);
		let response = await get('/api/export', as('GPTBot/1.2'));
		expect((await response.clone().text()).length).toBeLessThan(1000);
		for (let times = 0; times < 100 && response.status === 200; times++) {
			response = await get(`/api/export/${times}`, as('GPTBot/1.2'));
		}
		expect(response.status).toBe(429);
	});
});

describe('representations', () => {
	it('gives Markdown or SOM to who prefers it, at the address of the page, and says so to caches (PB-86)', async () => {
		const { get, entries } = site({ som: {} });
		const markdown = await get('/tides', as('ExampleTool/1', { accept: 'text/markdown, text/html;q=0.5' }));
		expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
		expect(markdown.headers.get('cache-control')).toMatch(/^private/);
		expect(await markdown.text()).toContain('# Tides');
		const som = await get('/tides', as('GPTBot/1', { accept: 'application/som+json' }));
		expect(await som.json()).toMatchObject({ url: `${origin}/tides` });
		expect(entries.at(-1)!.bytesSaved).toBeGreaterThan(-1000);
		const html = await get('/tides', as(browser, { accept: 'text/html,*/*;q=0.8' }));
		expect(html.headers.get('content-type')).toBe('text/html');
		for (const { headers } of [markdown, som, html]) expect(headers.get('vary')).toMatch(/accept/i);
	});

	it('SOM-05 SOM-24 answers at the endpoint that pages and robots.txt name', async () => {
		const { get } = site({ som: { endpoint: '/v1/som' } });
		expect(await (await get('/robots.txt')).text()).toContain(`SOM-Endpoint: ${origin}/v1/som`);
		expect((await get('/tides', as(browser))).headers.get('link')).toContain('/v1/som');
		const response = await get(`/v1/som?url=${encodeURIComponent(`${origin}/tides`)}`, as('GPTBot/1'));
		expect(await response.json()).toMatchObject({ som_version: '0.1', title: 'Tides' });
	});

	it('a SOM-only site denies the page and names its representation', async () => {
		const { get } = site({ paths: { disallow: ['/'] }, som: { endpoint: '/v1/som', offerDisallowed: true } });
		const denied = await get('/tides', as('GPTBot/1'));
		const { alternative } = (await denied.json()) as { alternative: string };
		expect([denied.status, new URL(alternative).searchParams.get('url')]).toEqual([403, `${origin}/tides`]);
		const som = await get(alternative.slice(origin.length), as('GPTBot/1'));
		expect(som.status).toBe(200);
	});
});
