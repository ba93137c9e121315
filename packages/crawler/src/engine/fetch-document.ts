import { present } from '@wayleave/protocols';
import { hashRoute } from '../addresses/routes.ts';
import { CrawlError } from '../base/errors.ts';
import { requireContact } from '../config/contact.ts';
import type { FetchOptions } from '../config/options.ts';
import { normaliseRoute, normaliseUrl } from '../discover/normalise.ts';
import type { Result } from '../model/result.ts';
import type { ReadPage } from '../read/read-page.ts';
import { documentFetcherWith } from './document-fetcher.ts';

/**
 * One page, on the same terms as a crawl: policies obeyed, redirects checked, the pace of the host kept.
 *
 * With a store, `cache_first` gives the stored snapshot without a request (`cache.status` is `hit`) and
 * `force_refresh` asks the server whether it has changed. For many pages: `createDocumentFetcher`.
 *
 * @throws CrawlError when an option is wrong or the store fails; the result reports what the site does.
 */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<Result> {
	return fetchDocumentWith((await import('../read/read-page.ts')).readPage, url, options);
}

/** The same with another reader of pages. */
export async function fetchDocumentWith(read: ReadPage, url: string, options: FetchOptions = {}): Promise<Result> {
	const asked = normaliseUrl(url);
	if (asked === undefined) throw new CrawlError('bad-seed', `${url} is not an http(s) URL`);
	requireContact([asked], options);
	const { freshnessPolicy, maxAge, whole, onSource, chunks, ...given } = options;
	const hash = (given.render ?? 'never') === 'never' ? undefined : hashRoute(normaliseRoute(url) ?? '');
	const { store: _, ...unstored } = given;
	// A stored copy is of the page without its routes.
	const common = hash === undefined ? given : { ...unstored, hash };
	// The user has named it: it may be on a private network.
	const fetcher = await documentFetcherWith(read, { ...common, privateHosts: [new URL(asked).hostname] });
	try {
		const result = await fetcher.fetch(asked, {
			...present({ freshnessPolicy, maxAge, whole, onSource, chunks }),
		});
		return hash === undefined ? result : atRoute(result, hash);
	} finally {
		await fetcher.close();
	}
}

function atRoute(result: Result, hash: string): Result {
	const { document } = result;
	if (document?.source.url === undefined) return result;
	return { ...result, document: { ...document, source: { ...document.source, url: document.source.url + hash } } };
}
