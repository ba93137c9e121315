import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CrawlOptions } from '../config/options.ts';
import { openStoreView } from '../inspect/store-view.ts';
import { noChromium } from '../render/testing/rendered.ts';
import { htmlPage, startWeb, type TestWeb } from '../testing/web.ts';
import { crawl } from './crawl.ts';

let web: TestWeb | undefined;
afterEach(() => web?.close());

const text = (name: string) =>
	`Of ${name} in the harbour this page tells in some words for people to read. `.repeat(10);

/** An application: a menu, and for each route its text and links; all other routes show the start. */
const app = (routes: Record<string, string>, more = ''): string =>
	`<!doctype html><title>Harbour</title><div id="root"></div><script>
const routes = ${JSON.stringify(routes)};
const links = (of) => of.map((link) => '<a href="' + link + '">to ' + link + '</a> ').join('');
const show = (html, of = []) => document.getElementById('root').innerHTML =
	'<nav>' + links(Object.keys(routes)) + '</nav><main>' + html + links(of) + '</main>';
show('<p>' + (routes[location.hash] ?? ${JSON.stringify(text('news'))}) + '</p>');
${more}
</script>`;

async function run(path = '/', options: CrawlOptions = {}) {
	const seed = web!.url('127.0.0.1', path);
	const crawling = crawl([seed], { render: 'always', delay: 0, sitemaps: false, threads: 0, ...options });
	const results = [];
	for await (const result of crawling) results.push(result);
	const documents = results.filter(({ document }) => document !== undefined);
	const short = (url: string) => url.replace(/^http:\/\/[^/]*/, '');
	return {
		summary: await crawling.summary,
		results,
		documents: documents.map(({ url }) => short(url)).sort(),
		markdown: documents.map(({ document }) => document!.content.markdown),
		sources: documents.map(({ document }) => short(document!.source.url ?? '')).sort(),
		ends: Object.fromEntries(
			results.map(({ url, outcome, reason }) => [short(url), `${outcome} ${reason ?? ''}`.trim()]),
		),
	};
}

const asked = (path = '/', from = 0) =>
	web!
		.paths('127.0.0.1')
		.slice(from)
		.filter((each) => each === path).length;
const three = { '#/': text('news'), '#/berths': text('berths'), '#/tides': text('tides') };
const onlyAt = (pages: Record<string, string>) => startWeb(({ path }) => pages[path]);
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number + 1);

describe.skipIf(noChromium)('routes after #, rendered', { timeout: 300_000 }, () => {
	it('C2-71 three routes are three documents, one for each text, for one request', async () => {
		web = await onlyAt({ '/': app(three) });
		const { documents, ends, sources, summary, markdown } = await run();
		expect(documents).toEqual(['/', '/#/berths', '/#/tides']);
		expect(sources).toEqual(documents);
		expect(markdown.map((each) => /Of (\w+) in/.exec(each)?.[1]).sort()).toEqual(['berths', 'news', 'tides']);
		expect(ends['/#/']).toBe('out-of-scope alias');
		expect(asked()).toBe(1);
		expect(summary.routes).toBeUndefined();
	});

	it('C2-71 short texts, and routes that begin with #!, count as well', async () => {
		const routes = { '#!berths': 'Berths are free.', '#!/tides': 'Tides are high.', '#!prices': 'Berths are free.' };
		web = await onlyAt({ '/app': app(routes) });
		const { documents, ends } = await run('/app');
		expect(documents).toEqual(['/app', '/app#!/tides', '/app#!berths']);
		expect(ends['/app#!prices']).toBe('out-of-scope alias');
	});

	it.each(['always', 'auto'] as const)(
		'C2-71 with render %s, routes that show the page itself leave one document, and only two of them are rendered',
		async (render) => {
			const links = numbers(40).map((number) => `<a href="#/part-${number}">part ${number}</a>`);
			const page = `<!doctype html><title>Manual</title><main><p>${text('manuals')}</p>${links.join(' ')}</main>`;
			web = await onlyAt({ '/': page });
			const { documents, results, ends } = await run('/', { render });
			expect(documents).toEqual(['/']);
			expect(asked()).toBe(1);
			expect(ends['/#/part-40']).toBe('out-of-scope alias');
			expect(results.filter(({ status, url }) => status !== undefined && url.includes('#'))).toHaveLength(2);
		},
	);

	it('C2-71 with render auto, an application whose page says nothing by itself is read by its routes', async () => {
		web = await onlyAt({ '/': app(three) });
		expect((await run('/', { render: 'auto' })).documents).toEqual(['/', '/#/berths', '/#/tides']);
	});

	it('C2-71 routes of another page, found before it, are compared with it', async () => {
		web = await onlyAt({ '/': htmlPage('home', ['/app#/tides', '/app#/', '/app#section']), '/app': app(three) });
		const { documents } = await run('/');
		expect(documents).toEqual(['/', '/app', '/app#/berths', '/app#/tides']);
		expect(asked('/app')).toBe(1);
	});

	it('C2-71 an endless space of routes ends by itself, and real routes are kept', async () => {
		const word = 'String.fromCharCode(...Array.from({ length: 9 }, () => 97 + Math.floor(Math.random() * 26)))';
		const more = `if (!routes[location.hash]) show('<p>Nothing here at ' + location.hash + '.</p>', ['#/' + ${word}]);`;
		web = await onlyAt({ '/': app({ '#/tides': text('tides') }, more) });
		const { documents, results, summary } = await run('/', { maxPages: 60 });
		expect(documents).toContain('/#/tides');
		expect(summary.pending).toBe(0);
		expect(results.length).toBeLessThan(30);
		expect(results.at(-1)).toMatchObject({ outcome: 'out-of-scope', reason: 'trap-copies' });
		expect(asked()).toBe(1);
	});

	it('C2-71 routes of one form with texts of their own are all kept', async () => {
		const routes = Object.fromEntries(numbers(11).map((number) => [`#/berth/${number}`, text(`berth ${number}`)]));
		web = await onlyAt({ '/': app(routes) });
		expect((await run()).documents).toEqual(['/', ...Object.keys(routes).map((route) => `/${route}`)].sort());
	});

	it('C2-71 robots.txt, --exclude and the address that is sent know a route by its page', async () => {
		web = await onlyAt({
			'/robots.txt': 'User-agent: *\nDisallow: /closed',
			'/': htmlPage('home', ['/closed#/a', '/app#/tides', '/app#/berths', '/left#/x']),
			'/app': app(three),
		});
		const { ends, documents, summary } = await run('/', { exclude: ['/left', '/app#/berths'] });
		expect(documents).toEqual(['/', '/app', '/app#/tides']);
		expect(ends['/closed#/a']).toBe('refused robots-disallow');
		// `/left`, `/left#/x` and the route that a pattern names.
		expect(summary.rows.find(({ reason }) => reason === 'filtered')?.count).toBe(3);
		expect(web.paths('127.0.0.1').join(' ')).not.toMatch(/#|closed|left/);
	});

	it('C2-71 routes of a page that is gone, or has moved, cost no request each', async () => {
		web = await startWeb(({ path }) => {
			if (path === '/') return htmlPage('home', ['/gone#/a', '/gone#/b', '/old#/tides', '/old#/berths']);
			if (path === '/old') return { status: 301, headers: { Location: '/app' }, body: '' };
			return path === '/app' ? app(three) : undefined;
		});
		const { ends, documents } = await run();
		expect(documents).toEqual(['/', '/app', '/app#/berths', '/app#/tides']);
		expect(ends['/gone#/b']).toBe('gone http-404');
		expect(ends['/old#/tides']).toBe('out-of-scope alias');
		expect([asked('/gone'), asked('/old'), asked('/app')]).toEqual([1, 1, 1]);
	});

	it('C2-71 a stopped crawl resumes; the store explains, exports, refreshes and forgets routes', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'routes-'));
		const store = `sqlite:${join(folder, 'routes.db')}`;
		try {
			web = await onlyAt({ '/': app(three) });
			const first = await run('/', { store, maxPages: 2 });
			const rest = await run('/', { store });
			expect([...first.documents, ...rest.documents].sort()).toEqual(['/', '/#/berths', '/#/tides']);
			const [page, route] = [web.url('127.0.0.1', '/'), web.url('127.0.0.1', '/#/tides')];
			const view = await openStoreView(store);
			expect(await view.explain(route)).toMatchObject({ url: route, outcome: 'fetched' });
			const exported = [];
			for await (const results of view.results()) exported.push(...results.map(({ document }) => document?.source.url));
			expect(exported).toContain(route);
			await view.close();

			const before = web.paths('127.0.0.1').length;
			const again = await run('/', { store, refresh: true });
			expect(again.documents).toEqual(['/', '/#/berths', '/#/tides']);
			expect(asked('/', before)).toBe(1);

			// Without a browser a route keeps its document.
			const plain = await run('/', { store, refresh: true, render: 'never' });
			expect(plain.ends['/#/tides']).toBe('deferred needs-rendering');
			expect(plain.documents).toContain('/#/tides');

			const forgetting = await openStoreView(store);
			expect(await forgetting.forget({ url: route })).toMatchObject({ documents: 1 });
			expect(await forgetting.forget({ url: page })).toMatchObject({ documents: 2 });
			await forgetting.close();
			const then = web.paths('127.0.0.1').length;
			expect((await run('/', { store, refresh: true })).documents).toEqual([]);
			expect(asked('/', then)).toBe(0);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});

it('C2-71 without a browser a crawl reads one page, as before, and reports the routes', async () => {
	web = await onlyAt({
		'/': htmlPage('home', ['#/berths', '#!tides', '#section', '/two#/x']),
		'/two': htmlPage('two', ['/']),
	});
	const { documents, summary, results } = await run('/', { render: 'never' });
	expect(documents).toEqual(['/', '/two']);
	expect(results).toHaveLength(2);
	expect(summary.routes).toEqual({ pages: 3, example: web.url('127.0.0.1', '/#/berths') });
});
