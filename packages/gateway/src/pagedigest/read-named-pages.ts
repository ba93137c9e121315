import { decodeHtml, type Extraction, extract } from '@wayleave/extract';
import { decodeContent } from '@wayleave/io/http';
import type { OriginFetch } from '../respond/origin-pages.ts';
import { readUpTo } from '../respond/read-body.ts';

/** Bounds of one look at the site: sitemaps that are read, bytes of each, URLs of all, milliseconds. */
const most = { sitemaps: 20, bytes: 10_000_000, urls: 100_000, time: 5000 };

/**
 * The URLs that a site names on its home page and in its sitemaps. Never rejects.
 *
 * @param sitemaps URLs of sitemaps that robots.txt names; those of other hosts are not read.
 */
export async function readNamedPages(
	fetchOrigin: OriginFetch,
	origin: string,
	sitemaps: readonly string[],
): Promise<{ readonly urls: readonly string[]; readonly complete: boolean }> {
	const signal = AbortSignal.timeout(most.time);
	const get = (url: string) => readText(fetchOrigin, origin, url, signal);
	const urls: string[] = [];
	const [home, ...texts] = await Promise.all([
		get(`${origin}/`),
		...[...new Set([`${origin}/sitemap.xml`, ...sitemaps])].slice(0, most.sitemaps).map(get),
	]);
	if (home.text !== undefined && /<\w/.test(home.text)) {
		const extraction = extract(home.text, `${origin}/`);
		urls.push(...linksOf(extraction));
		if (extraction.canonicalUrl !== undefined) urls.push(extraction.canonicalUrl);
	}
	const indexed = texts.flatMap(({ text }) =>
		text !== undefined && /<sitemapindex\b/i.test(text) ? locations(text) : [],
	);
	const parts = await Promise.all(indexed.slice(0, most.sitemaps).map(get));
	const all = [...texts, ...parts];
	for (const { text } of all) {
		if (text !== undefined && /<urlset\b/i.test(text)) urls.push(...locations(text).slice(0, most.urls - urls.length));
	}
	return { urls, complete: [home, ...all].every(({ failed }) => !failed) };
}

/** Links of a page that the site vouches for: none that visitors may have written. */
export function linksOf({ links }: Extraction): string[] {
	return links.filter(({ rel }) => !/\b(?:nofollow|ugc)\b/i.test(rel ?? '')).map(({ url }) => url);
}

async function readText(
	fetchOrigin: OriginFetch,
	origin: string,
	url: string,
	signal: AbortSignal,
): Promise<{ readonly text?: string; readonly failed?: boolean }> {
	try {
		const { host, pathname, search } = new URL(url);
		if (host !== new URL(origin).host) return {};
		const headers = { 'accept-encoding': 'identity', 'user-agent': 'Wayleave-Gateway' };
		const response = await fetchOrigin(
			new Request(origin + pathname + search, { headers, redirect: 'manual', signal }),
		);
		if (response.status !== 200) {
			await response.body?.cancel();
			return { failed: response.status >= 500 || response.status === 429 };
		}
		const { bytes } = await readUpTo(response, most.bytes, signal);
		const coding = response.headers.get('content-encoding') ?? (bytes[0] === 0x1f ? 'gzip' : undefined);
		const body = coding === undefined ? bytes : await decodeContent(bytes, coding, most.bytes);
		if (typeof body === 'string') return {};
		return { text: decodeHtml(body, response.headers.get('content-type') ?? undefined).text };
	} catch {
		return { failed: true };
	}
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The `<loc>` elements of a sitemap or an index of sitemaps. */
function locations(text: string): string[] {
	const found = text.matchAll(/<loc>\s*(?:<!\[CDATA\[\s*)?([^<\]\s]+)/gi);
	return Array.from(found, ([, url = '']) =>
		url.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? ''),
	);
}
