import { describe, expect, it } from 'vitest';
import { readPage } from '../read/read-page.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer } from '../testing/web.ts';
import { readSitemap } from './sitemap.ts';

// Correct warnings about lists, lists that are linked for people, and files with other content than requested.

const sites = useSites();
const at = 'https://a.test';
const read = (text: string) => {
	const steps = readSitemap(new TextEncoder().encode(text), `${at}/sitemap.xml`);
	const urls: string[] = [];
	for (let step = steps.next(); ; step = steps.next()) {
		if (step.done) return { urls, codes: step.value.map(({ code }) => code) };
		urls.push(...step.value.map(({ url }) => url.replace(at, '')));
	}
};
const set = (inner: string) =>
	`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`;
const loc = (path: string) => `<loc>${at}${path}</loc>`;

it.each([
	[
		'C2-170 self-closing elements',
		set(`<url>${loc('/a')}<xhtml:link rel="alternate" hreflang="de" href="${at}/b"/><lastmod/></url>`),
		['/a'],
		[],
	],
	['C2-170 an entry that is one', set(`<url/><url>${loc('/a')}</url>`), ['/a'], ['sitemap-entry']],
	[
		'C2-171 Atom',
		`<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="${at}/f"/><entry><link href="${at}/a"/></entry></feed>`,
		['/a'],
		[],
	],
	[
		'C2-172 an index without loc',
		`<sitemapindex><sitemap>${at}/s1.xml</sitemap></sitemapindex>`,
		['/s1.xml'],
		['sitemap-entry'],
	],
	['C2-172 an entry with words', set('<url>none</url>'), [], ['sitemap-entry']],
	['C2-173 no url', set(loc('/a') + loc('/b')), ['/a', '/b'], []],
	['C2-173 two in one entry', set(`<url>${loc('/a')}${loc('/b')}</url>`), ['/b', '/a'], ['sitemap-entry']],
	['C2-173 no scheme, by the name of the site', set('<url><loc>a.test/a</loc></url>'), [], ['sitemap-bad-url']],
	[
		'two addresses in one loc',
		set('<url><loc>https://a.test/a https://a.test/b</loc></url>'),
		['/a', '/b'],
		['sitemap-entry'],
	],
	[
		'addresses without any element',
		set('https://a.test/a\n https://a.test/b?c&amp;d\n<url><loc>https://a.test/e</loc></url>\nhttps://a.test/f words'),
		['/a', '/b?c&d', '/e', '/f'],
		['sitemap-entry'],
	],
	['C2-173 no scheme', set('<url><loc>www.a.test/a</loc></url>'), [], ['sitemap-bad-url']],
	[
		'C2-173 an unknown entity',
		set('<url><loc>https://a.test/&eacute;</loc></url>'),
		[],
		['sitemap-raw-ampersand', 'sitemap-bad-url'],
	],
	[
		'C2-173 the five entities and a bare ampersand',
		set(`<url>${loc('/a?b=1&amp;c=2&d=3')}</url>`),
		['/a?b=1&c=2&d=3'],
		['sitemap-raw-ampersand'],
	],
	['C2-174 a file that is cut', `<urlset><url>${loc('/a')}</url><url><loc>${at}/b`, ['/a', '/b'], ['sitemap-unclosed']],
	[
		'C2-174 an image',
		set(`<url>${loc('/a')}<image:image><image:loc>${at}/i.png</image:loc></image:image></url>`),
		['/a'],
		[],
	],
] satisfies [string, string, string[], string[]][])('%s', (_, text, urls, codes) => {
	expect(read(text).urls).toEqual(urls);
	expect(read(text).codes).toEqual(codes);
});

const typed = (type: string, body: string): TestAnswer => ({ headers: { 'Content-Type': type }, body });
const own = { ownSites: ['h.test'], delay: 0 };
const pages = Object.fromEntries([1, 2, 3].map((each) => [`h.test/p/${each}`, htmlPage(`${each}`)]));

describe('C2-160 a feed that only a link names', () => {
	const link = (path: string) => sites.url(`h.test${path}`);
	it.each([
		[
			'RSS',
			'application/rss+xml',
			() =>
				`<rss version="2.0"><channel>${[1, 2, 3].map((n) => `<item><link>${link(`/p/${n}`)}</link></item>`).join('')}</channel></rss>`,
		],
		[
			'Atom, as text/xml',
			'text/xml',
			() =>
				`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${[1, 2, 3].map((n) => `<entry><link href="/p/${n}"/></entry>`).join('')}</feed>`,
		],
		[
			'a JSON Feed',
			'application/json',
			() =>
				JSON.stringify({
					version: 'https://jsonfeed.org/version/1.1',
					items: [1, 2, 3].map((n) => ({ url: link(`/p/${n}`) })),
				}),
		],
		[
			'a sitemap',
			'application/xml',
			() => `<urlset>${[1, 2, 3].map((n) => `<url><loc>${link(`/p/${n}`)}</loc></url>`).join('')}</urlset>`,
		],
	])('%s is read', async (_, type, body) => {
		await sites.serve({
			'h.test/': htmlPage('Home', ['/feed', '/p/1']),
			'h.test/feed': () => typed(type, body()),
			...pages,
		});
		const { ends, summary } = await sites.crawl(['h.test/'], own, readPage);
		expect(ends).toMatchObject({
			'h.test/p/1': 'fetched',
			'h.test/p/2': 'fetched',
			'h.test/p/3': 'fetched',
			'h.test/feed': 'out-of-scope feed',
		});
		expect(summary.totals.failed).toBe(0);
		expect(sites.pages('h.test').filter((path) => path === '/feed').length).toBe(1);
	});

	it('a feed of a single page is ignored, and is not a failure', async () => {
		await sites.serve({
			'h.test/': htmlPage('Home', ['/p/1']),
			'h.test/p/1': htmlPage('1', ['/p/1/comments']),
			'h.test/p/1/comments': () =>
				typed(
					'application/rss+xml',
					`<rss><channel><item><link>${sites.url('h.test/p/2')}</link></item></channel></rss>`,
				),
			'h.test/p/2': htmlPage('2'),
		});
		const { ends, summary } = await sites.crawl(['h.test/'], own, readPage);
		expect(summary.totals).toMatchObject({ failed: 0, fetched: 2 });
		expect(ends['h.test/p/2']).toBeUndefined();
	});
});

it.each([
	['a page', 'text/html', htmlPage('Start')],
	['a page, as JSON', 'application/json', htmlPage('Start')],
	['words, as HTML', 'text/html', 'Not found'],
	['the JSON of an error', 'application/json', '{"error":"not found","status":404}'],
])('C2-130 %s in the place of every file is no manifest, and nothing is said of it', async (_, type, body) => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/p/1', '/p/2']),
		...pages,
		'h.test/robots.txt': plain('User-agent: *\nDisallow: /private\n'),
		...Object.fromEntries(
			['.well-known/pagedigest.json', 'robots2.txt', 'llms.txt', '.well-known/tdmrep.json'].map((path) => [
				`h.test/${path}`,
				typed(type, body),
			]),
		),
	});
	const { summary, events } = await sites.crawl(['h.test/'], { ...own, uses: ['read', 'store', 'train'] }, readPage);
	expect(summary.totals.fetched).toBe(3);
	expect(events.filter(({ type: each }) => each === 'problem')).toEqual([]);
	expect(events.filter((event) => event.type === 'manifest' && event.state === 'invalid')).toEqual([]);
});

it('C2-130 a manifest with a fault is still reported', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		'h.test/.well-known/pagedigest.json': typed('application/json', '{"version":1,"entries":[]}'),
	});
	const { events } = await sites.crawl(['h.test/'], own, readPage);
	expect(events).toContainEqual(expect.objectContaining({ type: 'manifest', state: 'invalid' }));
});

it('C2-44 a robots.txt with status 202 is unavailable', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		'h.test/robots.txt': { status: 202, body: 'checking your browser' },
	});
	const { ends } = await sites.crawl(['h.test/'], own);
	expect(ends).toEqual({ 'h.test/': 'deferred robots-unreachable' });
	expect(sites.pages('h.test')).toEqual([]);
});
