import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer } from '../testing/web.ts';

const sites = useSites();
const urlset = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const index = (...urls: string[]) =>
	`<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const xml = (body: string | Uint8Array, headers: Record<string, string> = {}): TestAnswer => ({
	headers: { 'Content-Type': 'application/xml', ...headers },
	body,
});
const pages = (count: number): Sites =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`h.test/p${at}`, htmlPage(`${at}`)]));
const named = (...paths: string[]): Sites => ({
	'h.test/robots.txt': plain(paths.map((path) => `Sitemap: ${path}\n`).join('')),
});
const fetched = (ends: Readonly<Record<string, string>>) =>
	Object.keys(ends)
		.filter((url) => ends[url] === 'fetched')
		.sort();

it('pages are found by /sitemap.xml and by what robots.txt names', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		...pages(2),
		...named('/other.xml'),
		'h.test/sitemap.xml': xml(urlset('/p0')),
		'h.test/other.xml': xml(urlset('/p1')),
	});
	const { ends, events, summary } = await sites.crawl(['h.test/']);
	expect(fetched(ends)).toEqual(['h.test/', 'h.test/p0', 'h.test/p1']);
	expect(events).toContainEqual(
		expect.objectContaining({ type: 'sitemap', url: sites.url('h.test/other.xml'), outcome: 'fetched', urls: 1 }),
	);
	expect(summary.sitemaps).toEqual({ read: 2, failed: 0 });
});

it('CB-105 XB-64 XB-65 an index is followed, through gzip, past a broken child, and ends although it lists itself', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		...pages(3),
		'h.test/sitemap.xml': xml(index('/sitemap.xml', '/deep.xml', '/broken.xml', '/s.xml.gz', '/s.xml.gz')),
		'h.test/deep.xml': xml(index('/deeper.xml')),
		'h.test/deeper.xml': xml(urlset('/p0')),
		'h.test/s.xml.gz': xml(gzipSync(urlset('/p1', '/p2')), { 'Content-Type': 'application/gzip' }),
	});
	const { ends, summary } = await sites.crawl(['h.test/']);
	expect(fetched(ends)).toEqual(['h.test/', 'h.test/p0', 'h.test/p1', 'h.test/p2']);
	expect(sites.web.paths('h.test').filter((path) => path.endsWith('.gz')).length).toBe(1);
	expect(summary.sitemaps.read).toBe(4);
});

it('CB-89 CB-95 a damaged file is reported and the crawl goes on', async () => {
	const broken = Uint8Array.from([0x1f, 0x8b, 8, 0, 9, 9, 9, 9, 9, 9, 255, 255, 3, 4]);
	await sites.serve({
		'h.test/': htmlPage('Home', ['/p0']),
		...pages(2),
		...named('/good.xml.gz'),
		'h.test/sitemap.xml': xml(broken),
		'h.test/good.xml.gz': xml(gzipSync(urlset('/p1')), { 'Content-Type': 'application/x-gzip;charset=utf-8' }),
	});
	const { ends, events, summary } = await sites.crawl(['h.test/']);
	expect(fetched(ends)).toEqual(['h.test/', 'h.test/p0', 'h.test/p1']);
	expect(events).toContainEqual(expect.objectContaining({ type: 'problem', code: 'sitemap-gzip-broken' }));
	const example = { url: sites.url('h.test/sitemap.xml'), reason: 'sitemap-unreadable' };
	expect(summary.sitemaps).toEqual({ read: 1, failed: 1, example });
});

it('CB-93 gzip inside gzip', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		...pages(1),
		'h.test/sitemap.xml': xml(gzipSync(gzipSync(urlset('/p0'))), { 'Content-Encoding': 'gzip' }),
	});
	expect(fetched((await sites.crawl(['h.test/'])).ends)).toContain('h.test/p0');
});

it('CB-106 the scope holds for sitemaps too', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		'h.test/sitemap.xml': xml(urlset('http://other.test/a', 'http://other.test/b')),
	});
	const { summary } = await sites.crawl(['h.test/']);
	expect(sites.web.paths('other.test')).toEqual([]);
	expect(summary.rows).toContainEqual(
		expect.objectContaining({ outcome: 'out-of-scope', reason: 'other-host', count: 2 }),
	);
});

it('a sitemap that robots.txt forbids is not fetched', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		'h.test/robots.txt': plain('User-agent: *\nDisallow: /sitemap.xml\nSitemap: /sitemap.xml\n'),
		'h.test/sitemap.xml': xml(urlset('/p0')),
		...pages(1),
	});
	const { summary } = await sites.crawl(['h.test/']);
	expect(summary.sitemaps).toEqual({ read: 0, failed: 0 });
	expect(sites.web.paths('h.test')).not.toContain('/sitemap.xml');
});

it('CB-102 CB-103 a sitemap that never answers costs its time limit, not the crawl', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home', ['/p0']), ...pages(1), 'h.test/sitemap.xml': { hang: true } });
	const { ends, summary } = await sites.crawl(['h.test/'], { retries: 0 });
	expect(fetched(ends)).toEqual(['h.test/', 'h.test/p0']);
	expect(summary.sitemaps.failed).toBe(1);
});

it('CB-100 CB-101 an index of 500: the first page comes at once, pages and sitemaps take turns, the pace is kept', async () => {
	const children = Array.from({ length: 500 }, (_, at) => `/s${at}.xml`);
	const maps = Object.fromEntries(children.map((path, at) => [`h.test${path}`, xml(urlset(`/p${at}`))]));
	await sites.serve({
		'h.test/': htmlPage('Home'),
		...pages(500),
		...maps,
		'h.test/sitemap.xml': xml(index(...children)),
	});
	const { results } = await sites.crawl(['h.test/'], { maxPages: 40 });
	const log = sites.web.paths('h.test');
	expect(log.indexOf('/')).toBeLessThan(4);
	expect(log.filter((path) => /^\/s\d/.test(path)).length).toBeLessThan(120);
	expect(results.filter(({ outcome }) => outcome === 'fetched').length).toBe(40);
	expect(Math.min(...sites.gaps('h.test'))).toBeGreaterThanOrEqual(2000);
});

it('they can be left out', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home'), ...named('/s.xml'), 'h.test/s.xml': xml(urlset('/p0')) });
	await sites.crawl(['h.test/'], { sitemaps: false });
	expect(sites.web.paths('h.test')).toEqual(['/robots.txt', '/robots2.txt', '/.well-known/pagedigest.json', '/']);
});

it('a sitemap that has moved to a host that is not to be asked for a while is read when its turn comes, and is one', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home'),
		'h.test/sitemap.xml': () => ({ status: 302, headers: { Location: sites.url('other.test/s.xml') } }),
		'other.test/': htmlPage('Other'),
		'other.test/robots.txt': plain('User-agent: *\nCrawl-delay: 20\n'),
		'other.test/s.xml': xml(urlset('/p0')),
		'other.test/p0': htmlPage('P0'),
	});
	const { ends, summary } = await sites.crawl(['h.test/', 'other.test/']);
	expect(fetched(ends)).toContain('other.test/p0');
	expect(summary.sitemaps).toEqual({ read: 1, failed: 0 });
});
