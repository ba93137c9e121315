import type { Page } from '@wayleave/extract';
import type { ReceivedHeaders } from '@wayleave/io/http';
import { type HeaderLink, parseLinkHeader } from '@wayleave/protocols/headers';
import { normaliseUrl } from './normalise.ts';

/** Where the frame of a page leads, as opposed to its text. Absolute. */
export interface Relations {
	/** Further pages. */
	readonly pages: readonly string[];
	/** Lists of pages: feeds and sitemaps. */
	readonly lists: readonly string[];
}

/** Links of one header that are read; who sends more is not describing a page. */
const maxLinks = 100;
const pageRelations = new Set(['next', 'prev', 'canonical', 'alternate']);
const pageTypes = /^(?:text\/html|application\/xhtml\+xml|text\/markdown)\b/i;
/** Media types of feeds that a page may link as its alternate. */
const feedTypes = /^application\/(?:rss\+xml|atom\+xml|feed\+json|rdf\+xml)\b/i;

/** HTML §7.5.1: `0; url=/next`. */
const refreshing = /^\s*([\d.]+)[\s;,]+(?:url\s*=\s*)?["']?([^"'\s][^"']*)/i;

/**
 * Relations in `Link` headers (RFC 8288) and `Refresh` of a page: they mean the same as the elements. Text
 * and Markdown have no others. A link with an anchor is about another resource.
 *
 * @param base of the page
 */
export function headerRelations(headers: ReceivedHeaders, base: string): Relations {
	const links = headers.getAll('link').flatMap(parseLinkHeader).slice(0, maxLinks);
	const own = links.filter(({ params }) => !params.has('anchor'));
	const targets = (isWanted: (link: HeaderLink) => boolean) =>
		own.filter(isWanted).flatMap(({ target }) => normaliseUrl(target, base) ?? []);
	const next = headerRefresh(headers, base)?.url ?? [];
	return { pages: targets(isPage).concat(next), lists: targets(isList) };
}

/** The target of a `Refresh` header, and its delay in seconds. @param base of the page */
export function headerRefresh(
	headers: ReceivedHeaders,
	base: string,
): { readonly seconds: number; readonly url: string } | undefined {
	const [, seconds, target = ''] = refreshing.exec(headers.get('refresh') ?? '') ?? [];
	const url = seconds === undefined ? undefined : normaliseUrl(target, base);
	return url === undefined ? undefined : { seconds: Number.parseFloat(seconds ?? ''), url };
}

function isPage({ rel, params }: HeaderLink): boolean {
	const type = params.get('type');
	return rel.some((relation) => pageRelations.has(relation)) && (type === undefined || pageTypes.test(type));
}

function isList({ rel, params }: HeaderLink): boolean {
	return rel.includes('sitemap') || (rel.includes('alternate') && feedTypes.test(params.get('type') ?? ''));
}

/** The feeds that the head of a page names. */
export function feedsOf({ feeds = [], links = [] }: Page): string[] {
	const sitemaps = links.filter(({ rel }) => rel.toLowerCase().split(/\s+/).includes('sitemap'));
	return [...new Set([...feeds, ...sitemaps].map(({ url }) => url))];
}
