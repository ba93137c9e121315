import { beforeEach, expect, it } from 'vitest';
import { useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
const { file } = useStorePlaces();

let store: string;
let count = 0;
beforeEach(() => {
	store = `sqlite:${file(`filter-${count++}.db`)}`;
});
const crawl = (seeds: readonly string[], more = {}) =>
	sites.crawl(seeds, { store, sitemaps: false, delay: 0, ownSites: ['h.test', 'sub.h.test'], ...more });
const withoutArchive = (url: URL) => (url.pathname.startsWith('/archive') ? undefined : url);

it('does not request filtered URLs, by link, redirect or in another scope; without the filter it does', async () => {
	await sites.serve({
		'h.test/': () =>
			htmlPage('Home', ['/archive/1', '/moved', sites.url('sub.h.test/archive/2'), sites.url('sub.h.test/b')]),
		'h.test/moved': { status: 302, headers: { Location: '/archive/3' } },
		'h.test/archive/1': htmlPage('1'),
		'h.test/archive/3': htmlPage('3'),
		'sub.h.test/archive/2': htmlPage('2'),
		'sub.h.test/b': htmlPage('b'),
	});
	const first = await crawl(['h.test/'], { filter: withoutArchive });
	expect(first.results.find(({ url }) => url === sites.url('h.test/moved'))).toMatchObject({
		...{ outcome: 'out-of-scope', reason: 'filtered', detail: sites.url('h.test/archive/3') },
	});
	await crawl(['h.test/'], { filter: withoutArchive, scope: 'domain' });
	expect(new Set(sites.pages('h.test'))).toEqual(new Set(['/', '/moved']));
	expect(sites.pages('sub.h.test')).toEqual(['/b']);
	await crawl(['h.test/'], { scope: 'host' });
	expect(sites.pages('h.test')).toContain('/archive/1');
	expect(sites.pages('h.test')).toContain('/archive/3');
});

it('a filter that is new counts for pages that are known, but for the seeds', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home', ['/a']), 'h.test/a': htmlPage('A') });
	await crawl(['h.test/']);
	const { ends } = await crawl(['h.test/'], { filter: () => undefined });
	expect(ends).toEqual({ 'h.test/': 'unchanged same-content', 'h.test/a': 'out-of-scope filtered' });
	expect(sites.pages('h.test')).toEqual(['/', '/a', '/']);
});

it('another scope is no reason to follow what a page forbids to follow, or the beginning of an address', async () => {
	await sites.serve({
		'h.test/': () => htmlPage('Home', ['/a', sites.url(`sub.h.test/${'x'.repeat(9000)}`), sites.url('sub.h.test/b')]),
		'h.test/a': () => htmlPage('A', [sites.url('sub.h.test/no')], '<meta name="robots" content="nofollow">'),
		'sub.h.test/no': htmlPage('No'),
	});
	await crawl(['h.test/']);
	await crawl(['h.test/'], { scope: 'domain' });
	expect(sites.pages('sub.h.test')).toEqual(['/b']);
});
