import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import type { CrawlOptions } from '../config/options.ts';
import { crawlWith } from '../engine/crawl.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { aroundStore } from '../testing/around-store.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { httpsWeb } from '../testing/https-web.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { type Crawled, plain, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';
import { type ManifestSite, manifestSite } from './testing/manifest-site.ts';

const sites = useSites();
const hour = 3600_000;
const manifestPath = '/.well-known/pagedigest.json';
const paths = ['/a', '/b', '/c'];
let store: Store;
let site: ManifestSite;

beforeEach(async () => {
	store = await openStore('memory');
	site = manifestSite(paths);
	await sites.serve(site.sites);
});
afterEach(() => store.close());

/** A crawl without audits, an hour after the one before, and what the server was asked for: policy files apart. */
async function crawl(options: CrawlOptions = {}): Promise<Crawled & { asked: string[] }> {
	sites.clock.advance(hour);
	const before = sites.web.log.length;
	const crawled = await sites.crawl(['h.test/'], { store, auditRate: 0, ...options });
	const asked = sites.web.log.slice(before).map(({ path }) => path);
	return { ...crawled, asked: asked.filter((path) => !/^\/robots2?\.txt$/.test(path)) };
}
const requests = (path: string) => sites.web.log.filter((request) => request.path === path);
const ofType = <Type extends CrawlEvent['type']>(events: readonly CrawlEvent[], type: Type) =>
	events.filter((event): event is Extract<CrawlEvent, { type: Type }> => event.type === type);

describe('a site with a complete manifest', () => {
	it('PD-06 PD-32 the manifest comes before the pages, and pages that nothing links to are found in it', async () => {
		site.pages.set('/orphan', { body: htmlPage('Orphan'), rev: 1 });
		const { asked, ends } = await crawl();
		expect(asked[0]).toBe(manifestPath);
		expect(asked.filter((path) => path === manifestPath)).toHaveLength(1);
		expect(ends['h.test/orphan']).toBe('fetched');
	});

	it('PD-04 PD-29 AMB-94 unchanged: one conditional request and nothing else', async () => {
		const first = await crawl();
		const second = await crawl();
		expect(second.asked).toEqual([manifestPath]);
		expect(requests(manifestPath)[1]?.headers['if-none-match']).toMatch(/^"/);
		expect(new Set(Object.values(second.ends))).toEqual(new Set(['unchanged manifest']));
		expect(second.results.length).toBe(4);
		const document = (crawled: Crawled) => crawled.results.find(({ url }) => url.endsWith('/a'))?.document;
		expect(document(second)?.content).toEqual(document(first)?.content);
		expect(document(second)?.cache).toEqual({ status: 'hit', origin_contacted: false, body_fetched: false });
		expect(ofType(second.events, 'manifest')).toMatchObject([{ state: 'unchanged', siteRev: 1 }]);
	});

	it('pages that stand although they would be read otherwise now are told; a refresh reads them', async () => {
		await crawl();
		const stands = await crawl({ favor: 'recall' });
		expect(new Set(Object.values(stands.ends))).toEqual(new Set(['unchanged manifest']));
		expect(stands.summary.outdated).toEqual({ pages: 4, example: expect.stringContaining('h.test') });
		const refreshed = await crawl({ favor: 'recall', refresh: true });
		expect(new Set(Object.values(refreshed.ends))).toEqual(new Set(['unchanged same-content']));
		expect((await crawl({ favor: 'recall' })).summary.outdated).toBeUndefined();
	});

	it('a page that stands without a request has its place among those of the limit, and a crawl with PostgreSQL ends there', async () => {
		for (const place of ['memory', await newDatabase()]) {
			const shared = await openStore(place);
			await crawl({ store: shared });
			const { summary } = await crawl({ store: shared, maxPages: 3 });
			await shared.close();
			expect(summary).toMatchObject({ complete: true, totals: { unchanged: 3, deferred: 1 } });
		}
	});

	it('PD-29 the same without validators: an equal site_rev is enough', async () => {
		site.validators = false;
		await crawl();
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('PD-30 PD-31 fetches changed pages once, and no others', async () => {
		await crawl();
		site.change('/b');
		const second = await crawl();
		expect(second.asked).toEqual([manifestPath, '/b']);
		expect(second.ends).toMatchObject({ 'h.test/b': 'fetched', 'h.test/a': 'unchanged manifest' });
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('PD-09 generated and modified decide nothing', async () => {
		await crawl();
		site.generated = '2026-01-01T00:00:00Z';
		expect((await crawl()).asked).toEqual([manifestPath]);
		site.change('/a');
		site.generated = '2025-12-01T00:00:00Z';
		expect((await crawl()).asked).toEqual([manifestPath, '/a']);
	});

	it('PD-36 a page that it no longer lists is gone, and comes back when it does', async () => {
		await crawl();
		site.pages.get('/b')!.listed = false;
		site.siteRev++;
		const second = await crawl();
		expect(second.asked).toEqual([manifestPath]);
		expect(second.ends['h.test/b']).toBe('gone manifest-removed');
		expect(ofType(second.events, 'manifest')).toMatchObject([{ state: 'read', removed: 1 }]);
		expect((await crawl()).ends['h.test/b']).toBe('gone manifest-removed');
		site.pages.get('/b')!.listed = true;
		site.change('/b');
		const third = await crawl();
		expect(third.asked).toEqual([manifestPath, '/b']);
		expect(third.ends['h.test/b']).toBe('fetched');
	});

	it('most of it gone at once: each page is asked for', async () => {
		const many = Array.from({ length: 30 }, (_, at) => `/p${at}`);
		site = manifestSite(many);
		await sites.serve(site.sites);
		await crawl();
		for (const path of many.slice(0, 25)) site.pages.get(path)!.listed = false;
		site.siteRev++;
		const second = await crawl();
		expect(second.asked.filter((path) => path.startsWith('/p'))).toHaveLength(25);
		expect(second.summary.totals.gone).toBe(0);
		expect(ofType(second.events, 'problem').map(({ code }) => code)).toContain('pagedigest-mass-removal');
	});

	it('PD-16 keys are compared byte for byte', async () => {
		site.pages.set('/about', { body: htmlPage('About'), rev: 1 });
		site.pages.set('/about/', { body: htmlPage('About/'), rev: 2 });
		site.pages.set('/x%2fy', { body: htmlPage('Lower'), rev: 1 });
		site.pages.set('/x%2Fy', { body: htmlPage('Upper'), rev: 1 });
		await crawl();
		site.change('/about/');
		site.change('/x%2fy');
		expect((await crawl()).asked.sort()).toEqual([manifestPath, '/about/', '/x%2fy']);
	});

	it('PD-33 the state is that of the address that is asked for, before redirects', async () => {
		site.pages.set('/old', { body: '', rev: 1, answer: { status: 301, headers: { Location: '/new' } }, digest: null });
		site.pages.set('/new', { body: htmlPage('New'), rev: 9, listed: false });
		const first = await crawl();
		expect(first.ends).toMatchObject({ 'h.test/old': 'fetched redirected', 'h.test/new': 'fetched' });
		const record = await store.changes.site(sites.url('h.test/').slice(0, -1));
		const keys = await store.changes.listed(record!.id, '', 100);
		expect(keys.map(({ key }) => key)).toEqual(['/', '/a', '/b', '/c', '/old']);
		const second = await crawl();
		expect(second.asked).toEqual([manifestPath]);
		expect(second.ends).toMatchObject({ 'h.test/old': 'unchanged manifest', 'h.test/new': 'unchanged manifest' });
		expect(second.results.filter(({ document }) => document !== undefined)).toHaveLength(5);
		// Another target, and only the address says so.
		site.pages.get('/old')!.answer = { status: 301, headers: { Location: '/newer' } };
		site.pages.set('/newer', { body: htmlPage('Newer'), rev: 1, listed: false });
		site.pages.get('/old')!.rev++;
		site.siteRev++;
		const third = await crawl();
		expect(third.asked).toContain('/old');
		expect(third.ends).toMatchObject({ 'h.test/old': 'fetched redirected', 'h.test/newer': 'fetched' });
	});

	it('PD-33 where an address leads to has changed by the word of the manifest, though the address has not', async () => {
		site.pages.set('/old', { body: '', rev: 1, answer: { status: 301, headers: { Location: '/x' } }, digest: null });
		site.pages.set('/x', { body: htmlPage('X'), rev: 1 });
		await crawl();
		expect((await crawl()).asked).toEqual([manifestPath]);
		site.change('/x');
		const third = await crawl();
		expect(third.asked).toEqual([manifestPath, '/x']);
		expect(third.ends).toMatchObject({ 'h.test/old': 'unchanged manifest', 'h.test/x': 'fetched' });
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('a page that only the manifest names is found, though the run before broke off when it had just been read', async () => {
		site.pages.set('/orphan', { body: htmlPage('Orphan'), rev: 1 });
		const breaksOff = aroundStore(store, async (method, _, call) => {
			if (method === 'offer') throw new Error('killed');
			return call();
		});
		await expect(crawl({ store: breaksOff })).rejects.toThrow();
		expect((await crawl()).ends['h.test/orphan']).toBe('fetched');
	});

	it('PD-57 AMB-89 robots.txt decides about what is listed, and what it forbids does not hold the cycle up', async () => {
		site.robots = 'User-agent: *\nDisallow: /b\n';
		await crawl();
		expect((await crawl()).asked).toEqual([manifestPath]);
		site.change('/b');
		const third = await crawl();
		expect(third.asked).toEqual([manifestPath]);
		expect(third.ends['h.test/b']).toBe('refused robots-disallow');
	});

	it('a page that is newly forbidden is refused, whatever the manifest says', async () => {
		await crawl();
		site.robots = 'User-agent: *\nDisallow: /b\n';
		sites.clock.advance(25 * hour);
		expect((await crawl()).ends['h.test/b']).toBe('refused robots-disallow');
	});

	it('AMB-89 tries failed pages again in the next cycle, under the same site_rev', async () => {
		await crawl();
		site.change('/b');
		site.pages.get('/b')!.answer = { status: 500 };
		expect((await crawl({ retries: 0 })).ends['h.test/b']).toBe('failed http-500');
		delete site.pages.get('/b')!.answer;
		const third = await crawl();
		expect(third.asked).toEqual([manifestPath, '/b']);
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('AMB-12 keeps the headers of a page while the manifest lists it as unchanged', async () => {
		const body = site.pages.get('/a')!.body;
		const headers = { 'Content-Type': 'text/html', 'X-Robots-Tag': 'nosnippet' };
		site.pages.get('/a')!.answer = { headers, body };
		const policyOf = ({ results }: Crawled) => results.find(({ url }) => url.endsWith('/a'))?.policy;
		const first = await crawl();
		const second = await crawl();
		expect(second.ends['h.test/a']).toBe('unchanged manifest');
		expect(policyOf(second)).toEqual(policyOf(first));
		expect(policyOf(second)?.uses).toMatchObject({ summarise: 'deny' });
	});

	it('AMB-10 AMB-12 pages that stand get the terms of today, and none that was not kept stands once it may be', async () => {
		let policy = 'store: no\n';
		const pages = site.sites;
		await sites.serve(
			new Proxy(pages, {
				get: (_, name) => (name === 'h.test/robots2.txt' ? () => plain(policy) : pages[String(name)]),
			}),
		);
		const later = (text: string) => {
			policy = text;
			sites.clock.advance(24 * hour);
			return crawl();
		};
		await crawl();
		expect((await later('store: no\nquote: short-only\n')).asked).toEqual([manifestPath]);
		expect((await later('quote: short-only\n')).ends['h.test/a']).toBe('fetched');
		const { ends } = await later('quote: no\n');
		expect(ends['h.test/a']).toBe('unchanged manifest');
		const kept = await store.pages.snapshot(sites.url('h.test/a'));
		expect(kept?.policy?.uses).toMatchObject({ quote: 'deny' });
		expect(kept!.checkedAt).toBeLessThan(sites.clock.now() - 20 * hour);
		expect((await crawl()).ends['h.test/a']).toBe('unchanged manifest');
	});

	it('--refresh asks for every page', async () => {
		await crawl();
		const second = await crawl({ refresh: true });
		expect(second.asked.sort()).toEqual([manifestPath, '/', '/a', '/b', '/c', '/llms.txt', '/sitemap.xml'].sort());
		expect(new Set(Object.values(second.ends))).toEqual(new Set(['unchanged same-content']));
	});

	it('does not fetch a listed URL again and again that is not a page', async () => {
		site.pages.set('/data.json', {
			body: '{}',
			rev: 1,
			answer: { headers: { 'Content-Type': 'application/json' }, body: '{}' },
		});
		expect((await crawl()).ends['h.test/data.json']).toBe('failed unsupported-type');
		const second = await crawl();
		expect(second.asked).toEqual([manifestPath]);
		expect(second.ends['h.test/data.json']).toBe('failed unsupported-type');
	});

	it('a copy that is not the one described is not taken for it, without any audit', async () => {
		await crawl();
		site.pages.get('/b')!.digest = `sha256:${'0'.repeat(64)}`;
		site.change('/a');
		expect((await crawl()).asked).toEqual([manifestPath, '/a', '/b'].sort());
	});
});

describe('a manifest for a part of the site', () => {
	it.each([
		['prefixes', { mode: 'prefixes', prefixes: ['/docs/'] }],
		['no coverage', undefined],
	])('PD-37 PD-38 AMB-88 %s: what is not listed gets the ordinary treatment', async (_, coverage) => {
		site = manifestSite(['/docs/x', '/docs/y', '/about']);
		site.coverage = coverage;
		site.pages.get('/')!.listed = false;
		site.pages.get('/about')!.listed = false;
		await sites.serve(site.sites);
		await crawl();
		expect((await crawl()).asked).toEqual([manifestPath, '/', '/about']);
		site.pages.get('/docs/y')!.listed = false;
		site.siteRev++;
		const third = await crawl();
		expect(third.asked.sort()).toEqual(['/', manifestPath, '/about', '/docs/y']);
		expect(third.ends).toMatchObject({
			'h.test/docs/y': 'unchanged same-content',
			'h.test/docs/x': 'unchanged manifest',
		});
	});
});

describe('a faulty manifest costs requests and nothing else', () => {
	const everything = ['/', '/a', '/b', '/c'];
	const pagesOf = (asked: readonly string[]) => asked.filter((path) => everything.includes(path)).sort();

	it('PD-34 a lower site_rev: the whole site, as if there were none', async () => {
		site.siteRev = 10;
		await crawl();
		site.siteRev = 9;
		const second = await crawl();
		expect(pagesOf(second.asked)).toEqual(everything);
		expect(second.summary.totals.unchanged).toBe(4);
		expect(ofType(second.events, 'problem')).toMatchObject([{ code: 'pagedigest-site-rev-decreased' }]);
		expect(ofType(second.events, 'manifest')).toMatchObject([{ state: 'anomalous' }]);
		for (const { headers } of requests('/a').slice(1)) expect(headers['pagedigest-state']).toBeUndefined();
	});

	it('PD-34 a lower site_rev, though it is the last that was settled: a site that takes back what was only half had', async () => {
		site.siteRev = 9;
		await crawl();
		const before = site.pages.get('/a')!;
		site.change('/a');
		site.change('/b');
		site.pages.get('/b')!.answer = { status: 500 };
		await crawl({ retries: 0 });
		site.pages.set('/a', before);
		delete site.pages.get('/b')!.answer;
		site.siteRev = 9;
		const third = await crawl();
		expect(ofType(third.events, 'problem')).toMatchObject([
			{ code: 'pagedigest-site-rev-decreased', detail: '11 to 9' },
		]);
		expect(pagesOf(third.asked)).toEqual(everything);
		expect(third.ends['h.test/a']).toBe('fetched');
		// It is learnt anew, and not dropped in each cycle from then on.
		expect(ofType((await crawl()).events, 'manifest')).toMatchObject([{ state: 'read', siteRev: 9 }]);
	});

	it('PD-38 earlier revisions of pages that the manifest no longer lists count against no page', async () => {
		site.coverage = undefined;
		await crawl();
		for (const path of paths) {
			site.change(path);
			site.pages.get(path)!.listed = false;
		}
		for (let cycle = 0; cycle < 2; cycle++) {
			const { events } = await crawl();
			expect([...ofType(events, 'audit'), ...ofType(events, 'trust')]).toEqual([]);
		}
	});

	it('AMB-89 pages found without a manifest have no revision: they are checked when the manifest is back', async () => {
		await crawl();
		const { body } = site.pages.get('/b')!;
		site.manifest = 404;
		site.pages.get('/a')!.answer = { status: 404 };
		site.pages.get('/b')!.body = htmlPage('Half a deploy');
		expect((await crawl()).ends).toMatchObject({ 'h.test/a': 'gone http-404', 'h.test/b': 'fetched' });
		site.manifest = undefined;
		delete site.pages.get('/a')!.answer;
		site.pages.set('/b', { ...site.pages.get('/b')!, body, digest: null });
		const back = await crawl();
		expect(pagesOf(back.asked)).toEqual(['/a', '/b']);
		expect(back.ends['h.test/b']).toBe('fetched');
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('PD-35 AMB-93 a lower rev: that page alone', async () => {
		site.pages.get('/b')!.rev = 7;
		await crawl();
		site.pages.get('/b')!.rev = 6;
		site.siteRev++;
		const second = await crawl();
		expect(pagesOf(second.asked)).toEqual(['/b']);
		expect(ofType(second.events, 'problem')).toMatchObject([{ code: 'pagedigest-rev-decreased' }]);
	});

	it('AMB-93 lower revisions for most pages: the whole site', async () => {
		for (const page of site.pages.values()) page.rev = 7;
		await crawl();
		for (const path of paths) site.pages.get(path)!.rev = 6;
		site.siteRev++;
		const second = await crawl();
		expect(pagesOf(second.asked)).toEqual(everything);
		expect(ofType(second.events, 'problem')).toMatchObject([{ code: 'pagedigest-rev-decreased-widely' }]);
	});

	const valid = { version: 1, generated: '2026-11-28T00:00:00Z', site_rev: 2, entries: { '/a': { rev: 1 } } };
	const json = (value: object) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });
	it.each([
		['PD-39 404', 404],
		['PD-39 500', 500],
		['PD-39 no answer', { reset: true }],
		['PD-39 no JSON', { body: '<html>' }],
		['PD-40 no entries', json({ ...valid, entries: undefined })],
		['PD-40 a rev that is a string', json({ ...valid, entries: { '/a': { rev: '3' } } })],
		['PD-40 version 2', json({ ...valid, version: 2 })],
		['AMB-90 one bad key', json({ ...valid, entries: { '/a': { rev: 1 }, 'b ': { rev: 1 } } })],
		['PD-53 11 MB', { body: Buffer.alloc(11e6, 0x20) }],
		['AMB-95 a redirect to another origin', { status: 302, headers: { Location: 'http://i.test/x.json' } }],
	])('%s', async (_, manifest) => {
		await crawl();
		site.manifest = manifest;
		const second = await crawl();
		expect(pagesOf(second.asked)).toEqual(everything);
		expect(second.summary.totals).toMatchObject({ unchanged: 4, failed: 0 });
		expect(second.summary.complete).toBe(true);
		// When it is there again, nothing has been forgotten.
		site.manifest = undefined;
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('PD-53 a manifest over the limit is not read to its end', async () => {
		site.manifest = { body: Buffer.alloc(60e6, 0x20) };
		const { summary, events } = await crawl();
		expect(summary.bytes).toBeLessThan(20e6);
		expect(ofType(events, 'manifest')).toMatchObject([{ state: 'invalid' }]);
	});

	it('PD-41 PD-55 unknown fields are ignored', async () => {
		const entries = Object.fromEntries(
			[...site.pages.keys()].map((key) => [key, { rev: 1, extract: {}, mood: 'fine' }]),
		);
		site.manifest = json({ ...valid, entries, coverage: { mode: 'complete' }, shards: [] });
		await crawl();
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('AMB-95 a redirect within the origin is followed', async () => {
		await crawl();
		site.pages.set('/moved.json', { body: '', rev: 1, listed: false, answer: json({ ...valid, entries: {} }) });
		site.manifest = { status: 302, headers: { Location: '/moved.json' } };
		expect((await crawl()).asked.slice(0, 2)).toEqual([manifestPath, '/moved.json']);
	});

	it('PD-48 a manifest of long ago is noted', async () => {
		site.generated = '2024-01-01T00:00:00Z';
		const { events } = await crawl();
		expect(ofType(events, 'problem')).toMatchObject([{ code: 'pagedigest-stale' }]);
		expect((await crawl()).asked).toEqual([manifestPath]);
	});

	it('robots.txt may keep us from the manifest itself', async () => {
		site.robots = 'User-agent: *\nDisallow: /.well-known/\n';
		expect((await crawl()).asked).not.toContain(manifestPath);
	});
});

describe('PageDigest-State', () => {
	it('PD-49 is sent with the requests for pages, after the manifest was read', async () => {
		site.siteRev = 18294;
		await crawl();
		for (const path of ['/', '/a']) expect(requests(path)[0]?.headers['pagedigest-state']).toBe('site_rev=18294');
		for (const path of [manifestPath, '/robots.txt', '/sitemap.xml'])
			expect(requests(path)[0]?.headers['pagedigest-state']).toBeUndefined();
	});

	it('PD-50 is not sent to an origin without a manifest, nor to another one', async () => {
		const other = manifestSite([], 'i.test');
		other.manifest = 404;
		site.pages.set('/away', {
			body: '',
			rev: 1,
			digest: null,
			answer: { status: 302, headers: { Location: `${sites.url('i.test/')}` } },
		});
		await sites.serve(
			new Proxy({}, { get: (_, name) => site.sites[String(name)] ?? other.sites[String(name)] }) as typeof site.sites,
		);
		const port = sites.url('i.test/');
		site.pages.get('/away')!.answer = { status: 302, headers: { Location: port } };
		await sites.crawl(['h.test/', 'i.test/'], { store });
		const asked = sites.web.log.filter(({ host }) => host === 'i.test');
		expect(asked.map(({ path }) => path)).toContain('/');
		for (const { headers } of asked) expect(headers['pagedigest-state']).toBeUndefined();
	});
});

describe('over TLS', () => {
	const manifest = {
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({
			version: 1,
			generated: '2026-11-28T00:00:00Z',
			site_rev: 3,
			entries: { '/': { rev: 1 } },
		}),
	};
	const run = async (pages: Parameters<typeof httpsWeb>[0]) => {
		const { log, fetcher } = httpsWeb(pages);
		await crawlWith(simpleReader, ['http://h.test/'], { fetcher, clock: new FakeClock() }).run();
		return log.filter((url) => url.includes('pagedigest'));
	};

	it('PD-56 the manifest of a site that has both is fetched over https', async () => {
		const asked = await run({
			'http://h.test/': htmlPage('Home'),
			'https://h.test/': htmlPage('Home'),
			[`http://h.test${manifestPath}`]: manifest,
			[`https://h.test${manifestPath}`]: manifest,
		});
		expect(asked).toEqual([`https://h.test${manifestPath}`]);
	});

	it('PD-56 over http where there is no https', async () => {
		const failure = { failure: 'connect-failed' } as const;
		const asked = await run({
			'http://h.test/': htmlPage('Home'),
			'https://h.test/robots.txt': failure,
			[`http://h.test${manifestPath}`]: manifest,
		});
		expect(asked).toEqual([`http://h.test${manifestPath}`]);
	});
});
