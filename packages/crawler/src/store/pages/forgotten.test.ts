import { describe, expect, it } from 'vitest';
import { openStoreView } from '../../inspect/store-view.ts';
import { useSites } from '../../testing/sites.ts';
import { useStorePlaces } from '../../testing/stores.ts';
import { htmlPage } from '../../testing/web.ts';
import { openStore } from '../sql/open.ts';

const sites = useSites();
const { places } = useStorePlaces();
const own = { ownSites: ['h.test', 'i.test'], delay: 0 };

describe.each(Object.entries(places))('a takedown from a store in %s', (_, place) => {
	async function crawl(at: string, seeds: readonly string[], more = {}) {
		const store = await openStore(at, { clock: sites.clock });
		try {
			return await sites.crawl(seeds, { ...own, store, ...more });
		} finally {
			await store.close();
		}
	}
	const urlsIn = async (at: string) => {
		const view = await openStoreView(at);
		const urls: string[] = [];
		for await (const results of view.results())
			urls.push(...results.map(({ url }) => new URL(url).host.replace(/:.*/, '') + new URL(url).pathname));
		await view.close();
		return urls.sort();
	};
	const serve = () =>
		sites.serve({
			'h.test/': htmlPage('Home', ['/a', '/b', '/moved']),
			'h.test/a': htmlPage('A'),
			'h.test/b': htmlPage('B', ['/a']),
			'h.test/moved': { status: 302, headers: { Location: '/a' } },
			'i.test/': htmlPage('I', ['/1']),
			'i.test/1': htmlPage('1'),
		});

	it('removes a page, and no link, redirect, seed or refresh brings it back before it is undone', async () => {
		await serve();
		const at = await place();
		await crawl(at, ['h.test/', 'i.test/']);
		const url = sites.url('h.test/a');
		const view = await openStoreView(at);
		expect(await view.forget({ url })).toEqual({ documents: 1, urls: 1, archives: [] });
		await view.close();
		expect(await urlsIn(at)).toEqual(['h.test/', 'h.test/b', 'i.test/', 'i.test/1']);
		const before = sites.web.log.length;
		for (const refresh of [false, true]) {
			const { ends, results } = await crawl(at, ['h.test/', 'i.test/', 'h.test/a'], { refresh });
			expect(ends['h.test/a']).toBe('out-of-scope forgotten');
			expect(results.find((result) => result.url === url)?.document).toBeUndefined();
		}
		expect(sites.web.log.slice(before).map(({ path }) => path)).not.toContain('/a');
		expect(await urlsIn(at)).not.toContain('h.test/a');
		const again = await openStoreView(at);
		expect(await again.remember({ url })).toBe(true);
		expect(await again.remember({ url })).toBe(false);
		await again.close();
		expect((await crawl(at, ['h.test/'])).ends['h.test/a']).toBe('fetched');
	});

	it('removes a host, which gets no more requests', async () => {
		await serve();
		const at = await place();
		await crawl(at, ['h.test/', 'i.test/']);
		const view = await openStoreView(at);
		expect(await view.forget({ host: 'i.test' })).toMatchObject({ documents: 2 });
		await view.close();
		const before = sites.web.log.length;
		await crawl(at, ['h.test/', 'i.test/'], { refresh: true });
		expect(sites.web.log.slice(before).filter(({ host }) => host === 'i.test')).toEqual([]);
		expect(await urlsIn(at)).toEqual(['h.test/', 'h.test/a', 'h.test/b']);
	});
});
