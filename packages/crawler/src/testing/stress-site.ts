import { type ManifestSite, manifestSite } from '../change/testing/manifest-site.ts';
import { plain } from './sites.ts';
import { startTimedWeb, type TimedRequest, type TimedWeb } from './timed-web.ts';
import { htmlPage, type TestAnswer } from './web.ts';

/** What a host is like, in turn. */
const kinds = ['plain', 'manifest', 'no', 'session-only', 'sitemap'] as const;
/** What no copy may be made of; nothing else says so. */
export const secret = 'Okapi';

export interface StressSite extends Pick<TimedWeb, 'log' | 'hold' | 'open' | 'shortestGap' | 'close'> {
	readonly seeds: readonly string[];
	/** Addresses of all pages that have a document. */
	readonly pages: readonly string[];
	/** Those that lead to one of them. */
	readonly redirects: readonly string[];
	/** Those of the pages that may be kept. */
	readonly kept: readonly string[];
	/** Pages of hosts whose manifest tells what has changed. */
	readonly listed: readonly string[];
	/** How often a URL answers that it cannot be had now before it can. */
	failures(url: string): number;
	/** Another edition of some pages; returns their addresses. */
	change(): readonly string[];
}

/**
 * Hosts with all that a crawl has to do with: redirects within a host, to others and from a seed to where nobody was sent,
 * sitemaps that have moved, pages that fail at first, manifests, and sites that allow no copy.
 *
 * @param pages of each host
 */
export async function startStressSite(hosts: number, pages: number): Promise<StressSite> {
	const names = Array.from({ length: hosts }, (_, at) => `h${at}.test`);
	const all = [...names, 'wide.test'];
	const kindOf = (host: string) => kinds[names.indexOf(host) % kinds.length] ?? 'plain';
	const nextOf = (host: string) => names[(names.indexOf(host) + 1) % hosts]!;
	const manifests = new Map<string, ManifestSite>();
	const editions = new Map<string, number>();
	const tries = new Map<string, number>();
	const web = await startTimedWeb(answer);
	const url = (host: string, path: string) => `http://${host}:${web.port}${path}`;

	const isKept = (host: string) => kindOf(host) !== 'no' && kindOf(host) !== 'session-only';
	/** The pages that only a sitemap names. */
	const isHidden = (host: string, page: number) => kindOf(host) === 'sitemap' && page >= pages / 2;

	function body(host: string, page: number): string {
		const own = [1, 2, 3].map((more) => page * 3 + more).filter((child) => child < pages && !isHidden(host, child));
		// A third of them by a redirect.
		const links = own.map((child) => (child % 3 === 2 ? `/r${child}` : `/p${child}`));
		if (page % 4 === 0) links.push(url(nextOf(host), `/r${page}`), url('wide.test', `/p${page}`));
		const word = isKept(host) ? 'Zebra' : secret;
		return htmlPage(`${word} ${host} ${page} edition ${editions.get(url(host, `/p${page}`)) ?? 1}`, links);
	}

	const failures = (address: string) => {
		const page = Number(/\/p(\d+)$/.exec(address)?.[1] ?? 0);
		return page % 20 === 10 ? 2 : page % 3 === 1 ? 1 : 0;
	};

	function failing({ host, path }: TimedRequest): TestAnswer | undefined {
		const address = url(host, path);
		const before = tries.get(address) ?? 0;
		tries.set(address, before + 1);
		if (before >= failures(address)) return undefined;
		return before === 0 ? { status: 503, headers: { 'Retry-After': '1' } } : { status: 500 };
	}

	function answer(request: TimedRequest): TestAnswer | undefined {
		const { host, path } = request;
		const kind = kindOf(host);
		if (host === 'go.test') return path === '/' ? to(url('wide.test', '/p0')) : undefined;
		if (path === '/robots2.txt' && !isKept(host)) return plain(`store: ${kind}\n`);
		if (path === '/robots.txt' && kind === 'sitemap') return plain('User-agent: *\nSitemap: /old.xml\n');
		if (path === '/old.xml' && kind === 'sitemap') return to(url(nextOf(host), `/for/${host}.xml`));
		if (path.startsWith('/for/')) return sitemap(path.slice('/for/'.length, -'.xml'.length));
		const [, type, number] = /^\/([pr])(\d+)$/.exec(path) ?? [];
		if (type === 'r') return to(`/p${number}`);
		const manifest = manifests.get(host);
		if (number === undefined || Number(number) >= pages) return manifest && given(manifest, request);
		return failing(request) ?? (manifest ? given(manifest, request) : html(body(host, Number(number))));
	}

	function sitemap(host: string): TestAnswer {
		const hidden = Array.from({ length: pages }, (_, page) => page).filter((page) => isHidden(host, page));
		const places = hidden.map((page) => `<url><loc>${url(host, `/p${page}`)}</loc></url>`);
		const xml = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${places.join('')}</urlset>`;
		return { headers: { 'Content-Type': 'application/xml' }, body: xml };
	}

	const pagesOf = (host: string) => Array.from({ length: pages }, (_, page) => url(host, `/p${page}`));
	for (const host of names.filter((name) => kindOf(name) === 'manifest')) {
		const site = manifestSite([], host);
		site.pages.clear();
		for (let page = 0; page < pages; page++) site.pages.set(`/p${page}`, { body: body(host, page), rev: 1 });
		manifests.set(host, site);
	}
	const redirects = new Set([url('go.test', '/')]);
	for (const host of all)
		for (let page = 0; page < pages; page++)
			for (const [, link] of body(host, page).matchAll(/href="([^"]*\/r\d+)"/g))
				redirects.add(new URL(link!, url(host, '/')).href);

	return {
		log: web.log,
		hold: () => web.hold(),
		open: () => web.open(),
		shortestGap: () => web.shortestGap(),
		close: () => web.close(),
		seeds: [...names.map((host) => url(host, '/p0')), url('go.test', '/')],
		pages: all.flatMap(pagesOf),
		redirects: [...redirects],
		kept: all.filter(isKept).flatMap(pagesOf),
		listed: [...manifests.keys()].flatMap(pagesOf),
		failures,
		change() {
			const changed = all.flatMap(pagesOf).filter((_, at) => at % 6 === 1);
			for (const address of changed) {
				const { hostname, pathname } = new URL(address);
				editions.set(address, (editions.get(address) ?? 1) + 1);
				manifests.get(hostname)?.change(pathname, body(hostname, Number(pathname.slice(2))));
			}
			return changed;
		},
	};
}

const html = (text: string): TestAnswer => ({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: text });
const to = (location: string): TestAnswer => ({ status: 302, headers: { Location: location } });

/** What the site with a manifest answers. */
function given(site: ManifestSite, { host, path, headers, start }: TimedRequest): TestAnswer | undefined {
	const entry = site.sites[host + path];
	const answer =
		typeof entry === 'function' ? entry({ host, path, headers, at: start, method: 'GET', times: 0 }) : entry;
	if (typeof answer === 'number') return { status: answer };
	return typeof answer === 'string' ? html(answer) : answer;
}
