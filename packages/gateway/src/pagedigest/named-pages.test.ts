import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@wayleave/io/sql';
import { parseManifest } from '@wayleave/protocols/pagedigest';
import { afterAll, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { type RunningSite, startSite } from '../testing/running-site.ts';
import { DurableChangeObserver } from './change-observer.ts';
import { ObservedPages } from './learned-pages.ts';
import { NamedPages } from './named-pages.ts';

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

const sites: RunningSite[] = [];
afterAll(async () => {
	for (const site of sites) await site.close();
});

const text = (subject: string) =>
	`<p>The ${subject} is described here in a sentence that anybody reads as content.</p>`;
const page = (subject: string, links: readonly string[] = [], head = '') =>
	`<!doctype html><html lang="en"><head><title>${subject}</title>${head}</head><body><main><h1>${subject}</h1>${text(subject)}</main><nav>${links
		.map((link) => `<a href="${link}">${link}</a> `)
		.join('')}</nav></body></html>`;

/** A site whose pages depend on the path alone, unless a test says otherwise. */
async function start(
	pages: (path: string, headers: NodeJS.Dict<string | string[]>) => string | undefined,
	config: Omit<ConfigInput, 'origin'> = {},
) {
	const site = await startSite({ pagedigest: {}, ...config }, (request, response) => {
		const html = pages(request.url ?? '', request.headers);
		const type = html?.startsWith('<?xml') ? 'application/xml' : 'text/html';
		if (html === undefined) response.writeHead(404).end();
		else response.writeHead(200, { 'content-type': type }).end(html);
	});
	sites.push(site);
	return site;
}

/** What the site says of itself, once all that was asked for has been learned. */
async function listed({ get }: RunningSite): Promise<string[]> {
	await new Promise((resolve) => setTimeout(resolve, 1300));
	const { text: manifest } = await get('/.well-known/pagedigest.json', browser);
	return [...(parseManifest(manifest).value?.entries.keys() ?? [])].sort();
}
const visit = async ({ get }: RunningSite, ...paths: string[]) => {
	for (const path of paths) await get(path, browser);
};

/** Ignores the query, the letters, escapes and parameters, as many sites do, and has a page at every path. */
const tolerant = (path: string) => {
	const plain = decodeURIComponent(path.replace(/[?;].*/, '')).toLowerCase();
	return /robots|llms|sitemap/.test(plain)
		? undefined
		: page(plain === '/' ? 'Home' : plain, plain === '/' ? ['/hello'] : []);
};

// Side by side: each waits until what was requested has been learned.
describe.concurrent('strangers do not write into what the site publishes', () => {
	it('G2-11: queries that no page links are not pages', async ({ expect }) => {
		const site = await start(tolerant);
		await visit(site, '/', '/hello', ...Array.from({ length: 10 }, (_, at) => `/hello?offer-${at}`));
		expect(await listed(site)).toEqual(['/', '/hello']);
	});

	it('G2-12: other spellings of a page, and unlinked pages, are not pages', async ({ expect }) => {
		const site = await start(tolerant);
		await visit(site, '/', '/hello', '/HELLO', '/%68ello', '/hello;x=1', '/hello?a=1&b=2', '/hello?b=2&a=1');
		await visit(site, '/zzz-not-linked', '/hello/', '//hello', '/hello?', '/hello%3f', '/Hello;a/b', '/hello.html');
		expect(await listed(site)).toEqual(['/', '/hello']);
	});

	it('G2-12: nor do they take a page away', async ({ expect }) => {
		const site = await start((path) => (/[%;]|HELLO/.test(path) ? undefined : tolerant(path)));
		await visit(site, '/', '/hello', '/%68ello', '/HELLO', '/hello;x=1');
		expect(await listed(site)).toEqual(['/', '/hello']);
	});

	it('G2-13: a page that is linked is listed, whichever is asked for first; with its query too', async ({ expect }) => {
		const site = await start((path) => {
			if (path === '/')
				return page('Home', ['/hello', '/list?page=2', 'https://site.example.com/caf%C3%A9', '//other.example/x']);
			if (path === '/hello') return page('Hello', ['/deep/er?a=1&b=2']);
			return /robots|llms|sitemap/.test(path) ? undefined : page(path);
		});
		// The home page is read at the start: nobody has to come to it first.
		await visit(
			site,
			'/hello',
			'/list?page=2',
			'/list?page=3',
			'/caf%C3%A9',
			'/x',
			'/deep/er?a=1&b=2',
			'/deep/er?b=2&a=1',
		);
		expect(await listed(site)).toEqual(['/caf%C3%A9', '/deep/er?a=1&b=2', '/hello', '/list?page=2']);
	});

	it('a page that repeats what a visitor wrote names nothing', async ({ expect }) => {
		// It links to its own address with the query that came, and back to where the visitor says to come from.
		const site = await start((path, headers) => {
			if (/robots|llms|sitemap/.test(path)) return undefined;
			const links = [`${path}${path.includes('?') ? '&' : '?'}page=2`, String(headers.referer ?? '/'), '/hello'];
			return page(path.replace(/\?.*/, ''), path === '/' ? ['/hello'] : links, `<link rel="canonical" href="${path}">`);
		});
		await visit(site, '/', '/hello?offer-1', '/hello?offer-1&page=2', '/hello?page=2&page=2');
		await site.get('/hello', { ...browser, referer: 'https://site.example.com/offer-2' });
		await visit(site, '/offer-2', '/hello');
		expect((await listed(site)).filter((key) => key.includes('offer'))).toEqual([]);
	});

	it('links in what visitors have written (rel=ugc, nofollow) name nothing', async ({ expect }) => {
		const site = await start((path) => {
			if (/robots|llms|sitemap/.test(path)) return undefined;
			return page(path, []).replace(
				'<nav>',
				'<nav><a rel="ugc" href="/a?1">1</a><a rel="nofollow" href="/a?2">2</a><a href="/b">b</a>',
			);
		});
		await visit(site, '/', '/a?1', '/a?2', '/b');
		expect(await listed(site)).toEqual(['/', '/b']);
	});

	it('the content of a page under its path is no new page, though it is linked; nor what names another as canonical', async ({
		expect,
	}) => {
		const site = await start((path) => {
			if (path === '/') return page('Home', ['/hello?from=home', '/HELLO', '/hello', '/shown?sort=up', '/Kept']);
			if (/robots|llms|sitemap/.test(path)) return undefined;
			if (path.startsWith('/shown')) return page(path, [], '<link rel="canonical" href="/shown">');
			return page(path.replace(/\?.*/, '').toLowerCase());
		});
		await visit(site, '/hello?from=home', '/HELLO', '/hello', '/shown?sort=up', '/shown', '/Kept');
		expect(await listed(site)).toEqual(['/Kept', '/hello', '/shown']);
	});

	it('pages of the sitemap, of its parts and of the policy file are listed', async ({ expect }) => {
		const urlset = (...paths: string[]) =>
			`<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>https://site.example.com${path}</loc></url>`).join('')}</urlset>`;
		const site = await start(
			(path) => {
				if (path === '/sitemap.xml')
					return '<?xml version="1.0"?><sitemapindex><sitemap><loc>https://site.example.com/part.xml</loc></sitemap></sitemapindex>';
				if (path === '/part.xml') return urlset('/one', '/two?a=1&amp;b=2');
				return /robots|llms/.test(path) ? undefined : page(path);
			},
			{ pagedigest: { pages: ['/search?q=tides$', '/wiki/'] } },
		);
		await visit(site, '/one', '/two?a=1&b=2', '/three', '/search?q=tides', '/search?q=other', '/wiki/x');
		expect(await listed(site)).toEqual(['/one', '/search?q=tides', '/two?a=1&b=2', '/wiki/x']);
	});
});

describe('the memory is bounded', () => {
	it('a bound for each path, and for all: those named longest ago leave', () => {
		const pages = new NamedPages({ origin: 'https://a.example', max: 1000, maxPerPath: 50 });
		for (let at = 0; at < 10_000; at++) pages.add(`/list?page=${at}`);
		expect(pages.size).toBe(51);
		for (let at = 0; at < 2000; at++) {
			pages.add(`/p${at}`);
			pages.add('/kept');
		}
		expect([pages.size, pages.has('/kept'), pages.has('/p0'), pages.has('/p1999')]).toEqual([1000, true, false, true]);
		// Those that left have made room under their path.
		pages.add('/list?page=x');
		expect(pages.has('/list?page=x')).toBe(true);
	});

	it('when full the pages seen longest ago leave, and none comes back with a lower revision', () => {
		const pages = new ObservedPages(undefined, 0, 100);
		const see = (key: string, print: string, at: number) =>
			pages.see({ key, digest: `sha256:${print}`, fingerprint: () => print, at });
		for (const print of ['a', 'b', 'c']) see('/first', print, 0);
		expect(pages.revisionOf('/first')).toBe(3);
		for (let at = 0; at < 500; at++) {
			see(`/p${at}`, 'x', at);
			see('/kept', 'x', at);
		}
		expect([pages.size, pages.has('/kept'), pages.has('/first')]).toEqual([100, true, false]);
		const changes = pages.takeChanges();
		expect(changes?.removed).toContain('/first');
		expect(changes?.pages.map(({ key }) => key)).not.toContain('/first');
		see('/first', 'd', 1000);
		expect(pages.revisionOf('/first')).toBeGreaterThan(3);
		// A restart changes nothing of it.
		const stored = new Map((pages.takeChanges()?.pages ?? []).map(({ key, ...rest }) => [key, rest]));
		const again = new ObservedPages({ siteRev: 1, floor: changes?.floor ?? 0, pages: stored }, 0, 100);
		again.see({ key: '/p0', digest: 'sha256:x', fingerprint: () => 'x', at: 1 });
		expect(again.revisionOf('/p0')).toBeGreaterThan(1);
	});
});

describe('revision files of before', () => {
	const config = checkConfig({ origin: 'https://tides.example' });
	const body = Buffer.from(page('Tides', ['/a']));

	it('opens one; what anybody could have made up counts when the site names it, with its revision', async () => {
		const base = mkdtempSync(join(tmpdir(), 'wayleave-named-'));
		const options = { base, delay: 3_600_000, interval: 0 };
		await (await DurableChangeObserver.open(config, options)).close();
		// As a version without the column has left it.
		const file = `sqlite:${join(base, '.wayleave/revisions.db')}`;
		const db = openDatabase<{ digest_page: object; digest_site: object; wayleave_migrations: object }>(file);
		const run = (statement: string) =>
			db.executeQuery({
				sql: statement,
				parameters: [],
				query: { kind: 'RawNode' } as never,
				queryId: { queryId: statement },
			});
		await run('alter table digest_page drop column named');
		const tables = await run("select name from sqlite_master where type = 'table'");
		const migrations =
			(tables.rows as { name: string }[]).map(({ name }) => name).find((name) => /migration/.test(name)) ?? '';
		await run('drop index digest_page_version');
		for (const column of ['version', 'seen_at']) await run(`alter table digest_page drop column ${column}`);
		await run('alter table digest_site drop column version');
		await run(`delete from ${migrations} where name in ('002-named', '003-shared')`);
		await run("insert into digest_page values ('https://tides.example', '/a', 7, 'old', null, 1)");
		await run("insert into digest_page values ('https://tides.example', '/hello?offer-1', 3, 'old', null, 1)");
		await run("insert or replace into digest_site values ('https://tides.example', 9, 1, null)");
		await db.destroy();
		const changeObserver = await DurableChangeObserver.open(config, options);
		expect([changeObserver.wants('/a'), changeObserver.wants('/hello?offer-1')]).toEqual([false, false]);
		changeObserver.observe('/', body, 'text/html');
		changeObserver.observe('/a', body, 'text/html');
		changeObserver.observe('/hello?offer-1', body, 'text/html');
		expect(changeObserver.revisionOf('/a')).toBe(8);
		expect(changeObserver.revisionOf('/hello?offer-1')).toBeUndefined();
		await changeObserver.store();
		await changeObserver.close();
		// What was named once is named after a restart.
		const again = await DurableChangeObserver.open(config, options);
		expect([again.wants('/a'), again.wants('/hello?offer-1')]).toEqual([true, false]);
		await again.close();
	});
});
