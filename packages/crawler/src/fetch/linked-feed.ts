import { readSitemap } from '../discover/sitemap.ts';
import { forbidsFollowing } from '../documents/emit-document.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { RedirectArrived } from './redirect-result.ts';

/** After a byte order mark, declarations and comments: the root element of a feed or sitemap, with or without a prefix. */
const feedRoot =
	/^(?:\s|\uFEFF|\xef\xbb\xbf|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>)*<(?:[\w.-]+:)?(?:rss|feed|rdf|urlset|sitemapindex)\b/i;
/** JSON Feed states its version as a URL, near the start. */
const jsonFeed = /^[\s\xef\xbb\xbf]*\{[\s\S]{0,500}"version"\s*:\s*"https?:(?:\\?\/){2}jsonfeed\.org/;
const ending: Ending = { outcome: 'out-of-scope', reason: 'feed' };

/**
 * A feed or sitemap that a page links for people is a list of pages, not a page. Its entries count if the front page or
 * a seed links it, as for feeds in the head of a page; feeds of single pages hold comments. Undefined if the file is
 * not such a list.
 */
export async function readLinkedFeed(
	from: FrontierUrl,
	chain: RedirectArrived,
	context: CrawlContext,
): Promise<ProcessedResponse | undefined> {
	const { response, url } = chain;
	const head = Buffer.from(response.body.buffer, response.body.byteOffset, Math.min(response.body.length, 2048));
	const start = head.toString('latin1');
	if (!feedRoot.test(start) && !jsonFeed.test(start)) return undefined;
	const { foundOn } = from;
	const isOfSite = from.seed || from.depth <= 1 || (foundOn !== undefined && new URL(foundOn).pathname === '/');
	// The same file is read as a list when a page's head or robots.txt names it.
	const isList = (await context.store.frontier.find(url, 'sitemap')) !== undefined;
	if (!isOfSite || isList || !context.settings.sitemaps || forbidsFollowing(chain, {}, context)) return { ending };
	const listed = [...readSitemap(response.body, url)].flat();
	const pages = listed.filter(({ kind }) => kind === 'page').map((entry) => entry.url);
	const lists = listed.filter(({ kind }) => kind === 'sitemap').map((entry) => entry.url);
	return {
		ending,
		found: [...context.discovery.links(pages, { depth: 0, dates: 0 }), ...context.discovery.lists(lists)],
	};
}
