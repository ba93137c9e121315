import { describe, expect, it } from 'vitest';
import { readPage } from '../read/read-page.ts';
import { openStore } from '../store/sql/open.ts';
import { plain, useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage, type TestAnswer, type TestRequest } from '../testing/web.ts';

// Lists are requested conditionally; a 304 means that every URL they listed is still listed.

const sites = useSites();
const { places } = useStorePlaces();
const own = { ownSites: ['h.test'], delay: 0 };
const etagged =
	(tag: string, answer: TestAnswer) =>
	({ headers }: TestRequest): TestAnswer =>
		headers['if-none-match'] === tag ? { status: 304 } : { ...answer, headers: { ...answer.headers, ETag: tag } };
const dated =
	(date: string, answer: TestAnswer) =>
	({ headers }: TestRequest): TestAnswer =>
		headers['if-modified-since'] === date
			? { status: 304 }
			: { ...answer, headers: { ...answer.headers, 'Last-Modified': date } };
const page = (title: string, links: string[] = []): TestAnswer => ({
	headers: { 'Content-Type': 'text/html' },
	body: htmlPage(title, links),
});
const xml = (body: string): TestAnswer => ({ headers: { 'Content-Type': 'application/xml' }, body });
const set = (...paths: string[]) =>
	`<urlset>${paths.map((path) => `<url><loc>${sites.url(`h.test${path}`)}</loc></url>`).join('')}</urlset>`;
const asked = (path: string) => sites.web.log.filter((request) => request.path === path);

const stores: [string, () => Promise<string>][] = [...Object.entries(places), ['memory', async () => 'memory']];
describe.each(stores)('with a store in %s', (_, place) => {
	it('C2-60 sitemaps and llms.txt are requested with their ETag, and all pages are emitted again', async () => {
		let paths = ['/a', '/b'];
		let tag = '"s1"';
		await sites.serve({
			'h.test/': etagged('"h"', page('Home')),
			...Object.fromEntries(
				['/a', '/b', '/c', '/d'].map((path) => [`h.test${path}`, etagged(`"${path}"`, page(path))]),
			),
			'h.test/sitemap.xml': (request) => etagged(tag, xml(set(...paths)))(request),
			'h.test/llms.txt': etagged('W/"l1-gzip"', plain('# Site\n\n- [C](/c)\n')),
		});
		const store = await openStore(await place(), { clock: sites.clock });
		await sites.crawl(['h.test/'], { ...own, store }, readPage);
		const second = await sites.crawl(['h.test/'], { ...own, store }, readPage);
		expect(asked('/sitemap.xml')[1]?.headers['if-none-match']).toBe('"s1"');
		expect(asked('/llms.txt')[1]?.headers['if-none-match']).toContain('W/"l1-gzip"');
		expect(second.results.filter(({ document }) => document).length).toBe(4);
		expect(second.summary.sitemaps).toMatchObject({ read: 2, failed: 0 });
		// A different list is read in full.
		paths = ['/a', '/b', '/d'];
		tag = '"s2"';
		const third = await sites.crawl(['h.test/'], { ...own, store }, readPage);
		expect(third.ends['h.test/d']).toBe('fetched');
		await store.close();
	});
});

it('C2-61 a feed is requested with its date, a sitemap index and its parts each with their own', async () => {
	const date = 'Sat, 28 Nov 2026 10:00:00 GMT';
	await sites.serve({
		'h.test/': {
			headers: { 'Content-Type': 'text/html' },
			body: htmlPage('Home', [], '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'),
		},
		'h.test/a': page('A'),
		'h.test/b': page('B'),
		'h.test/feed.xml': (request) =>
			dated(date, xml(`<rss><channel><item><link>${sites.url('h.test/a')}</link></item></channel></rss>`))(request),
		'h.test/sitemap.xml': (request) =>
			dated(
				date,
				xml(`<sitemapindex><sitemap><loc>${sites.url('h.test/part.xml')}</loc></sitemap></sitemapindex>`),
			)(request),
		'h.test/part.xml': (request) => etagged('"p"', xml(set('/b')))(request),
	});
	const store = await openStore('memory', { clock: sites.clock });
	await sites.crawl(['h.test/'], { ...own, store }, readPage);
	const second = await sites.crawl(['h.test/'], { ...own, store }, readPage);
	expect(asked('/feed.xml').map(({ headers }) => headers['if-modified-since'])).toEqual([undefined, date]);
	expect(asked('/sitemap.xml').map(({ headers }) => headers['if-modified-since'])).toEqual([undefined, date]);
	expect(asked('/part.xml').map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"p"']);
	expect(second.results.filter(({ document }) => document).length).toBe(3);
	await store.close();
});

it('C2-60 lists are not requested when a complete manifest lists every page', async () => {
	const manifest = {
		version: 1,
		generated: '2026-11-28T00:00:00Z',
		site_rev: 1,
		coverage: { mode: 'complete' },
		entries: { '/': { rev: 1 }, '/a': { rev: 1 } },
	};
	await sites.serve({
		'h.test/': page('Home'),
		'h.test/a': page('A'),
		'h.test/sitemap.xml': () => xml(set('/a')),
		'h.test/.well-known/pagedigest.json': {
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(manifest),
		},
	});
	const store = await openStore('memory', { clock: sites.clock });
	for (let run = 0; run < 3; run++) await sites.crawl(['h.test/'], { ...own, store, auditRate: 0 }, readPage);
	expect(asked('/sitemap.xml').length).toBeLessThanOrEqual(1);
	await store.close();
});
