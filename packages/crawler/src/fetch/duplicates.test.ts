import { expect, it } from 'vitest';
import { readPage } from '../read/read-page.ts';
import { openStore } from '../store/sql/open.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';

const sites = useSites();

/** A page with some hundred words that follow from a seed. */
function article(seed: number, links: readonly string[] = [], more = ''): string {
	let state = seed;
	const words = Array.from({ length: 200 }, () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return `w${(state >>> 16) % 3000}`;
	});
	const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
	return `<!doctype html><html lang="en"><title>T${seed}</title><main><h1>T${seed}</h1><p>${words.join(' ')}. ${more}</p></main><nav>${anchors}</nav></html>`;
}
const twins = (results: readonly { url: string; page?: { nearDuplicateOf?: string } }[]) =>
	results.filter(({ page }) => page?.nearDuplicateOf).map(({ url, page }) => [url, page?.nearDuplicateOf]);

it('a page whose text is that of another one is kept, and says so', async () => {
	await sites.serve({
		'h.test/': article(1, ['/a', '/print?a', '/b']),
		'h.test/a': article(2),
		'h.test/print?a': article(2, [], 'printed'),
		'h.test/b': article(3),
	});
	const { results, ends, summary } = await sites.crawl(['h.test/'], {}, readPage);
	expect(new Set(Object.values(ends))).toEqual(new Set(['fetched']));
	expect(twins(results)).toEqual([[sites.url('h.test/print?a'), sites.url('h.test/a')]]);
	expect(summary.duplicates).toEqual({
		pages: 1,
		examples: [{ url: sites.url('h.test/print?a'), twin: sites.url('h.test/a') }],
		aliases: [],
	});
});

it('CB-75 the same pages with and without www are kept under their own URLs, and the hosts reported as aliases', async () => {
	const pages: Sites = {};
	for (const host of ['h.test', 'www.h.test']) {
		pages[`${host}/`] = article(1, ['/a', '/b']);
		pages[`${host}/a`] = article(2);
		pages[`${host}/b`] = article(3);
	}
	await sites.serve(pages);
	const { ends, results, summary } = await sites.crawl(['h.test/', 'www.h.test/'], {}, readPage);
	expect(Object.keys(ends).sort()).toEqual(Object.keys(pages).sort());
	expect(new Set(Object.values(ends))).toEqual(new Set(['fetched']));
	expect(twins(results)).toHaveLength(3);
	expect(summary.duplicates?.aliases).toEqual([{ hosts: ['h.test', 'www.h.test'], pages: 3 }]);
});

it('a later run compares with what it knows, and forgets what has changed', async () => {
	let second = article(2, [], 'again');
	await sites.serve({ 'h.test/': article(1, ['/a', '/b']), 'h.test/a': article(2), 'h.test/b': () => second });
	const store = await openStore('memory');
	await sites.crawl(['h.test/'], { store, maxPages: 2 }, readPage);
	const { results } = await sites.crawl(['h.test/'], { store }, readPage);
	expect(twins(results)).toEqual([[sites.url('h.test/b'), sites.url('h.test/a')]]);
	second = article(4);
	const { summary } = await sites.crawl(['h.test/'], { store, refresh: true }, readPage);
	expect(summary.duplicates).toBeUndefined();
	await store.close();
});

it('AMB-10 does not compare content that may not be kept', async () => {
	await sites.serve({
		'h.test/': article(1, ['/a', '/b']),
		'h.test/a': article(2),
		'h.test/b': article(2),
		'h.test/robots2.txt': plain('store: session-only\n'),
	});
	const { results, summary } = await sites.crawl(['h.test/'], {}, readPage);
	expect(twins(results)).toEqual([]);
	expect(summary.duplicates).toBeUndefined();
});
