import { normaliseUrl } from './normalise.ts';
import type { SitemapEntry } from './sitemap-entry.ts';

/**
 * The entries of a JSON Feed (jsonfeed.org 1.1), and its next page as a further list; undefined for any other text.
 *
 * @param base the URL of the feed
 */
export function readJsonFeed(text: string, base: string): SitemapEntry[] | undefined {
	const feed = parse(text);
	if (!/^https?:\/\/jsonfeed\.org\/version\//.test(stringOf(feed?.version)) || !Array.isArray(feed?.items))
		return undefined;
	const next = normaliseUrl(stringOf(feed.next_url) || 'none:', base);
	const entries = feed.items.flatMap((item: unknown) => readItem(item, base));
	return next === undefined ? entries : [...entries, { url: next, kind: 'sitemap' }];
}

function readItem(item: unknown, base: string): SitemapEntry[] {
	if (typeof item !== 'object' || item === null) return [];
	const { url, date_modified, date_published } = item as Record<string, unknown>;
	const address = normaliseUrl(stringOf(url) || 'none:', base);
	if (address === undefined) return [];
	const lastModified = stringOf(date_modified) || stringOf(date_published);
	return [{ url: address, kind: 'page', ...(lastModified !== '' && { lastModified }) }];
}

function parse(text: string): Record<string, unknown> | undefined {
	try {
		const data: unknown = JSON.parse(text);
		return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
