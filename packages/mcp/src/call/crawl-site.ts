import type { Result } from '@wayleave/crawler';
import { parseUrl } from '@wayleave/protocols/url';
import type { Library } from './library.ts';

export interface SiteCrawl {
	readonly url: string;
	readonly maxPages: number;
	/** Only pages below the path of the start page. */
	readonly below: boolean;
	readonly signal: AbortSignal;
	readonly onPage: (done: number, result: Result) => Promise<void>;
}

/** Addresses that wait at most: a page can have thousands of links. */
const maxWaiting = 5000;

/**
 * Pages of one host, nearest to the first page first, each on the terms of the site and at its pace. What is kept and
 * fresh is not fetched again.
 */
export async function crawlSite(
	library: Library,
	{ url, maxPages, below, signal, onPage }: SiteCrawl,
): Promise<Result[]> {
	const start = new URL(url);
	const folder = start.pathname.replace(/[^/]*$/, '');
	const belongs = (address: URL) => address.origin === start.origin && (!below || address.pathname.startsWith(folder));
	const waiting = [start.href];
	const seen = new Set(waiting);
	const results: Result[] = [];
	for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
		if (signal.aborted || results.length >= maxPages) break;
		const result = await library.fetch(next, false, signal);
		results.push(result);
		await onPage(results.length, result);
		for (const link of result.document?.structure.links ?? []) {
			if (link.rel?.split(/\s+/).includes('nofollow') || parseUrl(link.url) === undefined) continue;
			const address = new URL(link.url);
			address.hash = '';
			if (seen.has(address.href) || !belongs(address) || waiting.length >= maxWaiting) continue;
			seen.add(address.href);
			waiting.push(address.href);
		}
	}
	return results;
}
