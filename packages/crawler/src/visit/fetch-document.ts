import { CrawlError } from '../errors.ts';
import type { FetchOptions } from '../options.ts';
import type { Result } from '../result.ts';

/**
 * One page, on the same terms as a crawl: policies obeyed, redirects checked, the pace of the host kept.
 *
 * With a store, `cache_first` gives the stored snapshot without a request (`cache.status` is `hit`) and
 * `force_refresh` asks the server whether it has changed.
 *
 * @throws CrawlError when an option is wrong or the store fails; what the site does is told by the result.
 */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<Result> {
	throw new CrawlError('bad-option', `not yet: ${url} ${Object.keys(options).length}`);
}
