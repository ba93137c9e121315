import { afterEach, expect, it } from 'vitest';
import { AddressRules } from '../addresses/address-rules.ts';
import { crawl } from '../engine/crawl.ts';
import { openStore } from '../store/sql/open.ts';
import {
	canonicalTag,
	crawlWaste,
	type Serve,
	startWasteSite,
	type WasteSite,
	wastePage,
} from '../testing/waste-site.ts';

let site: WasteSite | undefined;
afterEach(() => site?.close());
const start = async (serve: Serve): Promise<WasteSite> => {
	site = await startWasteSite(serve);
	return site;
};
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => at + from);

it('C2-02 tracking parameters are removed before a request', async () => {
	const articles = numbers(14);
	const { asked } = await start((path) => {
		const [, article] = /^\/news\/(\d+)(?:\?|$)/.exec(path) ?? [];
		if (path !== '/' && article === undefined) return undefined;
		const own = article ?? '0';
		return wastePage(
			`news ${own}`,
			articles.map((each) => `/news/${each}?utm_source=page${own}&utm_medium=list`),
		);
	});
	const { documents, ends, details } = await crawlWaste(site!);
	expect(asked.length).toBeLessThanOrEqual(16);
	expect(documents).toHaveLength(15);
	expect(ends['/news/3?utm_source=page0&utm_medium=list']).toBe('out-of-scope alias');
	expect(details['/news/3?utm_source=page0&utm_medium=list']).toBe('/news/3 (without utm_source, utm_medium)');
});

it('C2-04 an id in a parameter identifies a separate page', async () => {
	await start((path) => {
		if (path === '/')
			return wastePage(
				'front',
				numbers(12).map((each) => `/view?id=${each}`),
			);
		const [, id] = /^\/view\?id=(\d+)$/.exec(path) ?? [];
		return id === undefined ? undefined : wastePage(`view ${id}`, []);
	});
	expect((await crawlWaste(site!)).documents).toHaveLength(13);
});

it('C2-05 a template whose pages all name the front page as canonical is not believed', async () => {
	await start((path) => {
		const links = path === '/' ? numbers(10).map((each) => `/t/${each}`) : [];
		if (path !== '/' && !/^\/t\/\d+$/.test(path)) return undefined;
		return wastePage(path, links, { head: canonicalTag('/') });
	});
	expect((await crawlWaste(site!)).documents).toHaveLength(11);
});

it('C2-06 an empty query is not another address', async () => {
	const { asked } = await start((path) => {
		const bare = path.replace(/\?$/, '');
		if (bare !== '/' && !/^\/p\/[1-5]$/.test(bare)) return undefined;
		return wastePage(bare, [...numbers(5).map((each) => `/p/${each}`), `${bare}?`]);
	});
	expect((await crawlWaste(site!)).documents).toHaveLength(6);
	expect(asked).toHaveLength(6);
});

/** Pages that the user's options exclude or fold. */
const shop: Serve = (path) => {
	const guides = numbers(5).map((each) => `/guide/${each}`);
	const carts = numbers(3).map((each) => `/cart/${each}`);
	const lists = ['tile', 'list', 'map'].map((view) => `/list?view=${view}`);
	if (path === '/') return wastePage('shop', [...guides, ...carts, ...lists]);
	const isKnown = [...guides, ...carts, ...lists, '/list'].includes(path);
	return isKnown ? wastePage(path, []) : undefined;
};

it('C2-120 a page that --exclude matches is recorded and not requested', async () => {
	const { asked } = await start(shop);
	const { documents, ends } = await crawlWaste(site!, { exclude: ['/cart/'] });
	expect(asked.filter((path) => path.startsWith('/cart/'))).toEqual([]);
	expect(documents).toHaveLength(9);
	expect(ends['/cart/1']).toBe('out-of-scope filtered');
});

it('C2-121 only pages that --include matches are followed, and the seed', async () => {
	const { asked } = await start(shop);
	const { documents } = await crawlWaste(site!, { include: ['/guide/*'] });
	expect(documents).toHaveLength(6);
	expect(asked).toHaveLength(6);
});

it('C2-122 a parameter that the user declares idle is removed', async () => {
	const { asked } = await start(shop);
	const { ends, details } = await crawlWaste(site!, { ignoreParams: ['view'] });
	expect(asked.filter((path) => path.startsWith('/list'))).toEqual(['/list']);
	expect(ends['/list?view=map']).toBe('out-of-scope alias');
	expect(details['/list?view=map']).toBe('/list (without view)');
});

it('patterns apply to sitemaps, redirects and refreshes too, and exclusion wins', async () => {
	const { asked } = await start((path) => {
		if (path === '/') return wastePage('front', ['/go', '/keep/1']);
		if (path === '/go') return { to: '/secret/1' };
		if (path === '/sitemap.xml')
			return {
				type: 'application/xml',
				body: `<urlset><url><loc>${site!.origin}/secret/2</loc></url><url><loc>${site!.origin}/keep/2</loc></url></urlset>`,
			};
		return wastePage(path, []);
	});
	const store = await openStore('memory');
	await crawlWaste(site!, { store });
	expect(asked.filter((path) => path.startsWith('/secret'))).toHaveLength(2);
	asked.length = 0;
	const { ends } = await crawlWaste(site!, { store, refresh: true, include: ['/*'], exclude: ['/secret/'] });
	expect(asked.filter((path) => path.startsWith('/secret'))).toEqual([]);
	expect(ends['/secret/2']).toBe('out-of-scope filtered');
	await store.close();
});

it('a run reports the rules of the last run that no longer apply, and checks the skipped addresses again', async () => {
	const { asked } = await start(shop);
	const store = await openStore('memory');
	await crawlWaste(site!, { store, exclude: ['/cart/'], ignoreParams: ['view'] });
	asked.length = 0;
	const crawling = crawl([`${site!.origin}/`], { store, delay: 0, threads: 0 });
	const changes: unknown[] = [];
	crawling.on('start', ({ changed }) => changes.push(changed));
	await crawling.run();
	expect(changes).toEqual([['--exclude /cart/ no longer holds', '--ignore-params view no longer holds']]);
	expect(asked).toContain('/cart/1');
	expect(asked).toContain('/list?view=map');
	await store.close();
});

it('of a page with 100,000 links the first 10,000 are followed, and the others counted', async () => {
	const links = numbers(100_000).map((each) => `/far/${each}`);
	await start((path) => (path === '/' ? wastePage('front', links) : undefined));
	const { summary, ends } = await crawlWaste(site!, { exclude: ['/far/'] });
	expect(summary.crowded).toEqual({ pages: 1, example: `${site!.origin}/`, links: 90_000 });
	expect(ends['/far/10000']).toBe('out-of-scope filtered');
	expect(ends['/far/10001']).toBeUndefined();
});

it.each([
	['/a?utm_source=x', '/a'],
	['/a?UTM_Campaign=x&id=3', '/a?id=3'],
	['/a?id=3&gclid=1&b=%20', '/a?id=3&b=%20'],
	['/a?PHPSESSID=1', '/a'],
	['/a;jsessionid=1A2B3C?x=1', '/a?x=1'],
	['/a?sid=0123456789abcdef0123', '/a'],
	['/a?', '/a'],
])('%s is another address of %s', (from, to) => {
	expect(new AddressRules().fold(`https://h.test${from}`)?.url).toBe(`https://h.test${to}`);
});

it.each([
	'/a?sid=1234',
	'/a?s=boats',
	'/a?id=0123456789abcdef0123',
	'/a?utm',
	'/a?ref=x',
	'/a;v=1',
	'/a?page=2',
	'/a?=1',
])('%s stays as it is', (path) => {
	expect(new AddressRules().fold(`https://h.test${path}`)).toBeUndefined();
});

it('the user may keep parameters that are removed by default', () => {
	const rules = new AddressRules({ keepParams: ['utm_source', 'PHPSESSID'] });
	expect(rules.fold('https://h.test/?utm_source=a&utm_medium=b')?.url).toBe('https://h.test/?utm_source=a');
	expect(rules.fold('https://h.test/?PHPSESSID=a')).toBeUndefined();
});
