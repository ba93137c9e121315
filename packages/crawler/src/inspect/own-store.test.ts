import { describe, expect, it } from 'vitest';
import { readerContract, storeContract } from '../store/contract/index.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';
import { storeView } from './store-view.ts';

const sites = useSites();

describe('a store in maps', () => {
	it.each(storeContract)('$name', ({ run }) => run(memoryStore()));

	it.each(readerContract)('$name', ({ run }) =>
		run(async (fill) => {
			const store = memoryStore();
			await fill(store);
			return store;
		}),
	);
});

it('a store of your own serves a crawl, and has status, explain, export and prune', async () => {
	await sites.serve({
		'h.test/robots.txt': plain('User-agent: *\nDisallow: /no\n'),
		'h.test/': htmlPage('Home', ['/a', '/no', '/gone', '/moved', 'http://x.test/']),
		'h.test/a': htmlPage('A', ['/b']),
		'h.test/b': htmlPage('B'),
		'h.test/moved': { status: 301, headers: { Location: '/b' } },
		'h.test/gone': 410,
	});
	const store = memoryStore();
	const { ends, summary } = await sites.crawl(['h.test/'], { store, ownSites: ['h.test'], delay: 0 });
	expect(summary).toMatchObject({ complete: true, mode: 'new' });
	expect(ends).toMatchObject({ 'h.test/': 'fetched', 'h.test/a': 'fetched', 'h.test/b': 'fetched' });

	const view = storeView(store);
	expect(await view.status()).toMatchObject({ run: { state: 'complete' }, pending: 0, pages: { documents: 3 } });
	expect(await view.explain(sites.url('h.test/b'))).toMatchObject({
		...{ outcome: 'fetched', host: { name: 'h.test', held: false }, page: { policy: { uses: {} } } },
		policyFiles: [{ status: 200 }, { status: 404 }],
	});
	expect(await view.explain(sites.url('h.test/no'))).toMatchObject({ outcome: 'refused', evidence: [{ line: 2 }] });
	const exported: string[] = [];
	for await (const results of view.results()) exported.push(...results.map(({ url }) => url));
	expect(exported.sort()).toEqual(['/', '/a', '/b'].map((path) => sites.url(`h.test${path}`)));

	const again = await sites.crawl(['h.test/'], { store, ownSites: ['h.test'], delay: 0 });
	expect(again.summary).toMatchObject({ complete: true, mode: 'refresh' });
	expect(await view.prune({ gone: true, before: Date.now() + 1e12 })).toMatchObject({ documents: 3, gone: 1 });
	expect(await view.status()).toMatchObject({ pages: { documents: 0 } });
	await view.close();
});
