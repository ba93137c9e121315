import { expect, it } from 'vitest';
import { crawlWith } from '../engine/crawl.ts';
import { openStore } from '../store/sql/open.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { httpsWeb, type WebPage } from '../testing/https-web.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer, type TestRequest } from '../testing/web.ts';

// Cookies last for one redirect chain.

const sites = useSites();
const own = { ownSites: ['h.test', 'i.test'], delay: 0, sitemaps: false };
const to = (location: string, ...cookies: string[]): TestAnswer => ({
	status: 302,
	headers: { Location: location, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
});
const cookieOf = ({ headers }: TestRequest) => headers.cookie;
const count = (path: string) => sites.web.log.filter((request) => request.path === path).length;
const plainPage = (request: TestRequest) => (cookieOf(request) === undefined ? htmlPage('Plain') : 400);

it.each([
	['a language', 'lang=en; Path=/'],
	['a consent, of this path, once', 'ok=1; Max-Age=60; HttpOnly; SameSite=Lax'],
	['an attribute without a value', 'ok=1; Path; Domain=h.test'],
])('C2-80 a page that sets %s and redirects to itself is read, and no other is sent the cookie', async (_, cookie) => {
	const chain = (request: TestRequest) =>
		cookieOf(request) === undefined ? to('/journey/en', cookie) : htmlPage('Journey');
	await sites.serve({
		'h.test/': htmlPage('Home', ['/journey/en', '/plain']),
		'h.test/journey/en': chain,
		'h.test/plain': plainPage,
	});
	const store = await openStore('memory', { clock: sites.clock });
	for (const refresh of [false, true]) {
		const { ends, results } = await sites.crawl(['h.test/'], { ...own, store, refresh });
		expect(ends['h.test/journey/en']).toMatch(/^fetched|^unchanged/);
		expect(ends['h.test/plain']).toMatch(/^fetched|^unchanged/);
		expect(results.filter(({ document }) => document).length).toBe(3);
	}
	expect(count('/journey/en')).toBe(4);
	await store.close();
});

it('C2-81 a page behind a check that sets a cookie and redirects back takes four requests', async () => {
	const sites2: Sites = {
		'h.test/': htmlPage('Home', ['/story', '/plain']),
		'h.test/story': (request) => (cookieOf(request) === 'seen=1' ? htmlPage('Story') : to('/check?to=/story')),
		'h.test/check?to=/story': to('/story', 'seen=1; Path=/'),
		'h.test/plain': plainPage,
	};
	await sites.serve(sites2);
	const { ends } = await sites.crawl(['h.test/'], own);
	expect(ends).toMatchObject({ 'h.test/story': 'fetched', 'h.test/plain': 'fetched' });
	expect(count('/story') + count('/check?to=/story')).toBeLessThanOrEqual(4);
	const { outcome } = await sites.fetch('h.test/story', own);
	expect(outcome).toBe('fetched');
});

it('C2-82 a chain with a new cookie in each response ends after at most twelve requests', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/round', '/same']),
		'h.test/round': ({ times }) => to('/round', `n=${times}; Path=/`),
		'h.test/same': to('/same', 'n=1; Path=/'),
	});
	const { ends } = await sites.crawl(['h.test/'], own);
	expect(ends['h.test/round']).toBe('failed too-many-redirects');
	expect(ends['h.test/same']).toBe('failed redirect-loop');
	expect(count('/round')).toBeLessThanOrEqual(12);
	expect(count('/same')).toBe(2);
});

it.each([
	['another host', 'n=1; Path=/; Domain=test'],
	['another path', 'n=1; Path=/elsewhere'],
	['http, when it is secure', 'n=1; Path=/; Secure'],
	['anything, when it is over', 'n=1; Path=/; Max-Age=0'],
	['anything, when it expired', 'n=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
	['anything, when it has no name', '=1'],
])('C2-80 the cookie is not sent to %s', async (where, cookie) => {
	const target = where === 'another host' ? sites.url : undefined;
	await sites.serve({
		'h.test/': ({ host }) => to(`http://${target ? 'i.test' : host}:${sites.web.port}/new`, cookie),
		'h.test/new': plainPage,
		'i.test/new': plainPage,
	});
	const { results } = await sites.crawl(['h.test/'], own);
	expect(results.at(-1)).toMatchObject({ outcome: 'fetched' });
});

it('C2-80 reads a robots.txt that requires a cookie', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/private']),
		'h.test/robots.txt': (request) =>
			cookieOf(request) === undefined ? to('/robots.txt', 'a=1') : plain('User-agent: *\nDisallow: /private'),
	});
	const { ends } = await sites.crawl(['h.test/'], own);
	expect(ends['h.test/private']).toBe('refused robots-disallow');
});

it.each([
	['another port', 'http://h.test:8080', 'http://h.test:8081'],
	['https of the same host', 'http://h.test', 'https://h.test'],
	['http of the same host', 'https://h.test', 'http://h.test'],
	['another port over https', 'https://h.test', 'https://h.test:8443'],
])('C2-80 no cookie of a chain goes to %s, and its own origin gets it back', async (_, from, other) => {
	const sent: [url: string, cookie: string | undefined][] = [];
	const at = (url: string, location?: string, ...cookies: string[]) => ({
		[url]: ({ cookie }: { readonly cookie?: string | undefined }): WebPage => {
			sent.push([url, cookie]);
			if (location === undefined) return { body: htmlPage('Page') };
			return { status: 302, headers: { Location: location, ...(cookies[0] && { 'Set-Cookie': cookies[0] }) } };
		},
	});
	const { fetcher } = httpsWeb({
		...at(`${from}/`, `${from}/out`, 'n=1; Path=/; Domain=h.test'),
		...at(`${from}/out`, `${other}/there`),
		...at(`${other}/there`, `${from}/back`, 'm=2; Path=/; Domain=.test'),
		...at(`${from}/back`),
		...at(`${from}/robots.txt`, `${other}/rules`, 'r=1; Path=/'),
		...at(`${other}/rules`, `${from}/rules`),
		...at(`${from}/rules`),
	});
	const crawling = crawlWith(simpleReader, [`${from}/`], { clock: new FakeClock(), fetcher, sitemaps: false });
	for await (const { outcome } of crawling) expect(outcome).toBe('fetched');
	const cookies = Object.fromEntries(sent);
	expect(cookies).toMatchObject({ [`${from}/out`]: 'n=1', [`${from}/back`]: 'n=1', [`${from}/rules`]: 'r=1' });
	expect(cookies[`${other}/there`]).toBeUndefined();
	expect(cookies[`${other}/rules`]).toBeUndefined();
	expect(Object.keys(cookies)).toEqual(expect.arrayContaining([`${other}/there`, `${other}/rules`]));
});
