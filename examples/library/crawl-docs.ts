import { CrawlError, crawl, type Result } from '@wayleave/crawler';

/** Up to fifty pages of a site, without its archive. `contact`: how its operator reaches you, `mailto:…` or a page. */
export async function crawlDocs(seed: string, contact: string, store: string, signal?: AbortSignal): Promise<Result[]> {
	const crawling = crawl([seed], {
		identity: { botUrl: contact },
		store,
		maxPages: 50,
		...(signal && { signal }),
		filter(url) {
			if (url.pathname.startsWith('/archive/')) return undefined; // out-of-scope (filtered)
			url.searchParams.delete('ref');
			return url; // or another URL in its place
		},
	});
	crawling.on('wait', ({ host, why, until }) => console.error(`${host}: ${why} until ${until}`));
	const pages: Result[] = [];
	try {
		for await (const result of crawling) if (result.document !== undefined) pages.push(result);
		const { totals, complete } = await crawling.summary;
		console.error(totals, complete ? 'done' : 'the same call with the same store goes on from here');
	} catch (error) {
		if (error instanceof CrawlError) console.error(error.code); // store-in-use, sink-failed, …
		throw error;
	}
	return pages;
}
