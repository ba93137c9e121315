import { expect, it } from 'vitest';
import { openStore } from '../store/sql/open.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestRequest } from '../testing/web.ts';

const sites = useSites();
const to =
	(location: string | (() => string), status = 302) =>
	() => ({
		status,
		headers: { Location: typeof location === 'string' ? location : location() },
	});
const abroad = (seed: string) => () => sites.url(seed);

it('AWI-14 CB-62 a redirected page is read where it is, and links are resolved there', async () => {
	await sites.serve({
		'h.test/': to('/start/index.html'),
		'h.test/start/index.html': htmlPage('Start', ['impressum.html']),
		'h.test/start/impressum.html': htmlPage('Impressum'),
	});
	const { ends, results } = await sites.crawl(['h.test/']);
	expect(ends).toEqual({
		'h.test/': 'fetched redirected',
		'h.test/start/index.html': 'fetched',
		'h.test/start/impressum.html': 'fetched',
	});
	const page = results.find(({ url }) => url.endsWith('index.html'));
	expect(page?.document?.source.url).toBe(sites.url('h.test/start/index.html'));
	expect(page?.foundOn).toBe(sites.url('h.test/'));
	expect(results[0]?.redirectedTo).toBe(page?.url);
	expect(sites.pages('h.test').length).toBe(3);
});

it('a page is fetched once, however many ways lead to it at the same time', async () => {
	const ways = Array.from({ length: 20 }, (_, at) => `/way/${at}`);
	const targets = Array.from({ length: 20 }, (_, at) => `/target/${at % 5}`);
	await sites.serve({
		'h.test/': htmlPage(
			'Home',
			ways.flatMap((way, at) => [way, targets[at]!]),
		),
		...Object.fromEntries(ways.map((way, at) => [`h.test${way}`, to(targets[at]!)])),
		...Object.fromEntries(targets.map((target) => [`h.test${target}`, htmlPage(target)])),
	});
	const { ends, results } = await sites.crawl(['h.test/'], { delay: 0, ownSites: ['h.test'], concurrency: 16 });
	for (const target of new Set(targets)) {
		expect(sites.pages('h.test').filter((path) => path === target).length).toBe(1);
		expect(results.filter(({ url }) => url === sites.url(`h.test${target}`)).length).toBe(1);
	}
	expect(Object.values(ends).filter((end) => end === 'fetched').length).toBe(6);
	expect(Object.values(ends).filter((end) => end === 'fetched redirected').length).toBe(20);
});

it('CB-33 a link that leads out of scope is not followed', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/out']),
		'h.test/out': to(abroad('other.test/')),
		'other.test/': htmlPage('O'),
	});
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends['h.test/out']).toBe('out-of-scope redirect-out-of-scope');
	expect(sites.web.paths('other.test')).toEqual([]);
});

it('CB-34 CB-35 CB-36 the scope follows a redirected seed, and no further', async () => {
	await sites.serve({
		'h.test/': to(abroad('www.h.test/')),
		'www.h.test/': () => htmlPage('Home', ['/in', sites.url('c.test/'), sites.url('h.test/old')]),
		'www.h.test/in': htmlPage('In'),
		'h.test/old': htmlPage('Old'),
		'c.test/': htmlPage('C'),
	});
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends).toMatchObject({ 'www.h.test/': 'fetched', 'www.h.test/in': 'fetched', 'h.test/old': 'fetched' });
	expect(sites.web.paths('c.test')).toEqual([]);
});

it('CB-36 visits URLs found before the scope widened', async () => {
	await sites.serve({
		'h.test/': () => htmlPage('Home', [sites.url('www.h.test/early')]),
		'i.test/': ({ times }) => ({
			status: times === 0 ? 503 : 301,
			headers: { 'Retry-After': '30', Location: sites.url('www.h.test/') },
		}),
		'www.h.test/': htmlPage('W'),
		'www.h.test/early': htmlPage('Early'),
	});
	const { ends, events } = await sites.crawl(['h.test/', 'i.test/']);
	expect(ends).toMatchObject({ 'www.h.test/': 'fetched', 'www.h.test/early': 'fetched' });
	expect(events).toContainEqual(expect.objectContaining({ type: 'host', change: 'in-scope', host: 'www.h.test' }));
});

it('a seed that leads to a page which was out of scope before reads it, once in each crawl', async () => {
	await sites.serve({
		'h.test/': () => htmlPage('Home', [sites.url('www.h.test/')]),
		'i.test/': ({ times }) => ({
			status: times === 0 ? 503 : 301,
			headers: { 'Retry-After': '30', Location: sites.url('www.h.test/') },
		}),
		'www.h.test/': htmlPage('W'),
	});
	const store = await openStore('memory');
	const first = await sites.crawl(['h.test/', 'i.test/'], { store });
	expect(first.ends).toMatchObject({ 'i.test/': 'fetched redirected', 'www.h.test/': 'fetched' });
	expect([sites.pages('i.test').length, sites.pages('www.h.test').length]).toEqual([2, 1]);
	const second = await sites.crawl(['h.test/', 'i.test/'], { store });
	expect(second.ends).toMatchObject({ 'i.test/': 'fetched redirected', 'www.h.test/': 'unchanged same-content' });
	await store.close();
});

it('every hop is asked of the robots.txt of its host, at the pace of its host', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/a']),
		'h.test/a': to(abroad('i.test/closed')),
		'i.test/': htmlPage('I'),
		'i.test/closed': htmlPage('Closed'),
		'i.test/robots.txt': plain('User-agent: *\nDisallow: /closed\n'),
	});
	const { ends, results } = await sites.crawl(['h.test/', 'i.test/']);
	expect(ends['h.test/a']).toBe('refused robots-disallow');
	expect(results.find(({ url }) => url.endsWith('/a'))?.evidence?.[0]?.source).toBe(sites.url('i.test/robots.txt'));
	expect(sites.web.paths('i.test')).not.toContain('/closed');
	expect(Math.min(...sites.gaps('i.test'))).toBeGreaterThanOrEqual(2000);
});

it('a loop and an endless chain end', async () => {
	const chain: Sites = {};
	for (let at = 0; at < 15; at++) chain[`h.test/chain/${at}`] = to(`/chain/${at + 1}`);
	await sites.serve({
		...chain,
		'h.test/': htmlPage('Home', ['/loop/a', '/self', '/chain/0']),
		'h.test/loop/a': to('/loop/b'),
		'h.test/loop/b': to('/loop/a'),
		'h.test/self': to('/self'),
	});
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends).toMatchObject({
		'h.test/loop/a': 'failed redirect-loop',
		'h.test/self': 'failed redirect-loop',
		'h.test/chain/0': 'failed too-many-redirects',
	});
	expect(sites.pages('h.test').filter((path) => path.startsWith('/chain')).length).toBe(11);
});

it('a loop through hosts that are visited at the same time ends as one', async () => {
	const hosts = ['h.test', 'i.test', 'j.test'];
	const next = (at: number) => to(abroad(`${hosts[(at + 1) % hosts.length]}/`));
	await sites.serve(Object.fromEntries(hosts.map((host, at) => [`${host}/`, next(at)])));
	const { ends, summary } = await sites.crawl(hosts.map((host) => `${host}/`));
	expect(Object.values(ends)).toContain('failed redirect-loop');
	expect(summary.totals.fetched).toBeLessThan(hosts.length);
});

it.each([
	['file:///etc/passwd', 'bad-redirect'],
	['http://', 'bad-redirect'],
	['javascript:alert(1)', 'bad-redirect'],
	['', 'bad-redirect'],
])('a redirect to %o leads nowhere', async (location, reason) => {
	await sites.serve({ 'h.test/': to(location) });
	expect((await sites.crawl(['h.test/'])).ends['h.test/']).toBe(`failed ${reason}`);
});

it('where a redirect leads to what has ended, it ends likewise', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home', ['/gone', '/a']), 'h.test/gone': 410, 'h.test/a': to('/gone') });
	const { ends } = await sites.crawl(['h.test/']);
	expect(ends).toMatchObject({ 'h.test/gone': 'gone http-410', 'h.test/a': 'gone http-410' });
});

it('a host that must be left alone for long is visited in its own time', async () => {
	const busy = ({ times }: TestRequest) =>
		times === 0 ? { status: 503, headers: { 'Retry-After': '50' } } : htmlPage('I');
	await sites.serve({
		'h.test/': htmlPage('Home', ['/1', '/2', '/3', '/a']),
		'h.test/1': htmlPage('1'),
		'h.test/2': htmlPage('2'),
		'h.test/3': htmlPage('3'),
		'h.test/a': to(abroad('i.test/target')),
		'i.test/': busy,
		'i.test/target': htmlPage('Target'),
	});
	const { ends } = await sites.crawl(['h.test/', 'i.test/']);
	expect(ends).toMatchObject({ 'h.test/a': 'fetched redirected', 'i.test/target': 'fetched', 'i.test/': 'fetched' });
	const last = (host: string) => sites.web.log.filter((request) => request.host === host).at(-1)!.at;
	expect(last('h.test')).toBeLessThan(last('i.test'));
});

it.each([
	['page', '', ['/target', '/way'], 5000],
	['sitemap', 'Sitemap: /target\nSitemap: /way\n', [], 20_000],
])('a %s that waits for another try is left to that by a redirect', async (kind, robots, links, backoff) => {
	await sites.serve({
		'h.test/': htmlPage('Home', links),
		'h.test/robots.txt': plain(robots),
		'h.test/target': ({ times }) => (times === 0 ? 500 : htmlPage('Target')),
		'h.test/way': to('/target'),
	});
	const { ends } = await sites.crawl(['h.test/'], { sitemaps: kind === 'sitemap' });
	const times = sites.web.log.filter(({ path }) => path === '/target').map(({ at }) => at);
	expect(times.length).toBe(2);
	expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(backoff);
	if (kind === 'page') expect(ends).toMatchObject({ 'h.test/way': 'fetched redirected', 'h.test/target': 'fetched' });
});

it('a redirect that the end of a run cuts short is not asked for again by the next run', async () => {
	const stop = new AbortController();
	await sites.serve({
		'h.test/': htmlPage('Home', ['/a']),
		'h.test/a': () => {
			stop.abort();
			return { status: 302, headers: { Location: '/b' } };
		},
		'h.test/b': htmlPage('B'),
	});
	const store = await openStore('memory');
	await sites.crawl(['h.test/'], { store, sitemaps: false, signal: stop.signal });
	expect(sites.pages('h.test')).toEqual(['/', '/a']);
	const { ends } = await sites.crawl(['h.test/'], { store, sitemaps: false });
	expect(ends).toEqual({ 'h.test/b': 'fetched' });
	expect(sites.pages('h.test')).toEqual(['/', '/a', '/b']);
	await store.close();
});

it('nor is one to a page whose representation the end of a run leaves unread', async () => {
	const stop = new AbortController();
	await sites.serve({
		'h.test/': htmlPage('Home', ['/a']),
		'h.test/a': to('/b'),
		'h.test/b': () => {
			stop.abort();
			return htmlPage('B', [], `<meta name="som-endpoint" content="${sites.url('h.test/som')}">`);
		},
	});
	const store = await openStore('memory');
	const options = { store, sitemaps: false, prefer: 'som', som: { allowHttp: true } } as const;
	await sites.crawl(['h.test/'], { ...options, signal: stop.signal });
	expect(sites.pages('h.test')).toEqual(['/', '/a', '/b']);
	await sites.crawl(['h.test/'], options);
	expect(sites.pages('h.test').slice(3)).toEqual(['/b', expect.stringMatching(/^\/som/)]);
	await store.close();
});
